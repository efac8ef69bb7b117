#include "scene/expand.h"

#include <cmath>

#include "base/assert.h"
#include "base/hash.h"
#include "base/random.h"
#include "math/box.h"
#include "scene/limits.h"
#include "scene/rotations.h"
#include "schema/json_text.h"

namespace sunder::scene {

using namespace schema;

namespace {

/// One place of an array.
struct Member {
    std::string name;  // "r3c7"
    Vec3 shift = Vec3::Zero();
    Vec3 scale = Vec3::Ones();
};

std::string memberName(const Array& array, int column, int row, int layer) {
    std::string name;
    if (array.count[2] > 1) name += "l" + std::to_string(layer);
    if (array.count[1] > 1) name += "r" + std::to_string(row);
    if (array.count[0] > 1 || name.empty() || array.halfEnds) name += "c" + std::to_string(column);
    return name;
}

Member memberAt(const Array& array, int column, int row, int layer) {
    Member member{.name = memberName(array, column, row, layer),
                  .shift = array.step.cwiseProduct(Vec3(column, row, layer))};
    if (row % 2 == 0) return member;
    member.shift += array.offsetEveryOther;
    if (!array.halfEnds) return member;
    // set off by half a step; the outermost are halves, their outer ends flush with the rows below
    member.shift.x() -= 0.5 * array.step.x();
    const bool first = column == 0, last = column == array.count[0];
    if (first || last) {
        member.shift.x() += (first ? 0.25 : -0.25) * array.step.x();
        member.scale.x() = 0.5;
    }
    return member;
}

std::vector<Member> membersOf(const Array& array) {
    // row by row from below, as they would be laid; an array with a limit may end in the middle
    const auto wanted = static_cast<size_t>(memberCount(array));
    std::vector<Member> members;
    members.reserve(wanted);
    for (int row = 0; row < array.count[1] && members.size() < wanted; ++row) {
        const int columns = array.count[0] + (array.halfEnds && row % 2 == 1 ? 1 : 0);
        for (int layer = 0; layer < array.count[2] && members.size() < wanted; ++layer) {
            for (int column = 0; column < columns && members.size() < wanted; ++column) {
                members.push_back(memberAt(array, column, row, layer));
            }
        }
    }
    ASSERT(members.size() == wanted);
    // in the middle of what there is, except for the height
    if (array.centred) {
        Box3 box;
        for (const Member& member : members) box.add(member.shift);
        const Vec3 middle(box.centre().x(), 0, box.centre().z());
        for (Member& member : members) member.shift -= middle;
    }
    return members;
}

uint64_t hashOf(const std::string& text) {
    Hasher hasher;
    for (const char c : text) hasher.add(static_cast<uint64_t>(static_cast<unsigned char>(c)));
    return hasher.value();
}

/// What a list of members inherits from where it is placed.
struct Frame {
    std::string path;  // of names, ends with '/' unless empty
    RigidTransform worldFromGroup;
    Vec3 velocity = Vec3::Zero();  // m/s, world
};

class Expander {
public:
    explicit Expander(const Scene& scene) : scene_(scene) {}

    void place(const std::vector<Body>& bodies, const std::vector<Instance>& instances, const std::string& pointer,
               const Frame& frame) {
        for (size_t i = 0; i < bodies.size(); ++i) {
            const std::string at = below(below(pointer, "bodies"), std::to_string(i));
            forEachMember(bodies[i], frame,
                          [&](const std::string& name, const RigidTransform& pose, const Vec3& scale) {
                              addBody(bodies[i], at, name, pose, scale, frame);
                          });
        }
        for (const Instance& instance : instances) {
            ASSERT(scene_.groups.find(instance.group) != nullptr);
            const Group& group = *scene_.groups.find(instance.group);
            forEachMember(instance, frame, [&](const std::string& name, const RigidTransform& pose, const Vec3&) {
                place(group.bodies, group.instances, below("/groups", instance.group),
                      {name + "/", frame.worldFromGroup * pose,
                       frame.velocity + frame.worldFromGroup.rotation * instance.velocity});
            });
        }
    }

    std::vector<PlacedBody> placed;

private:
    /// Calls with the name, the pose in the group and the scale of each member; of one if there is no array.
    template <class Placed, class Use>
    void forEachMember(const Placed& thing, const Frame& frame, const Use& use) const {
        const std::string path = frame.path + thing.name;
        const RigidTransform pose{quaternionOf(thing.rotation), thing.position};
        if (!thing.array) return use(path, pose, Vec3::Ones());
        for (const Member& member : membersOf(*thing.array)) {
            const std::string name = path + "/" + member.name;
            const Vec3 shift = member.shift + jitter(thing.array->jitter, name);
            use(name, {pose.rotation, pose.translation + pose.rotation * shift}, member.scale);
        }
    }

    /// By the member's name: it stays when others come and go.
    Vec3 jitter(const Vec3& most, const std::string& name) const {
        if (most.isZero()) return Vec3::Zero();
        Random random(scene_.world.seed, hashOf(name));
        Vec3 shift;
        for (int axis = 0; axis < 3; ++axis) shift[axis] = random.uniform(-most[axis], most[axis]);
        return shift;
    }

    void addBody(const Body& body, const std::string& pointer, const std::string& name, const RigidTransform& pose,
                 const Vec3& scale, const Frame& frame) {
        const Quat& turn = frame.worldFromGroup.rotation;
        placed.push_back({.name = name,
                          .body = &body,
                          .pointer = pointer,
                          .poseInGroup = pose,
                          .worldFromGroup = frame.worldFromGroup,
                          .velocity = frame.velocity + turn * body.velocity,
                          .angularVelocity = turn * body.angularVelocity,
                          .scale = scale});
    }

    const Scene& scene_;
};

}  // namespace

std::vector<PlacedBody> placedBodies(const Scene& scene) {
    Expander expander(scene);
    expander.place(scene.bodies, scene.instances, "", {});
    return std::move(expander.placed);
}

}  // namespace sunder::scene
