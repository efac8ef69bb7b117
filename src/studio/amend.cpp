#include "studio/amend.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "scene/build.h"
#include "scene/compare.h"

namespace sunder::studio {

namespace {

double numberIn(const Json& object, const char* key) {
    const Json value = object.is_object() ? object.value(key, Json()) : Json();
    return value.is_number() ? value.get<double>() : 0;
}

bool isLate(const Json& body) { return numberIn(body, "appears") > 0; }

Json listOf(const Json& full, const char* key) {
    const Json list = full.value(key, Json::array());
    return list.is_array() ? list : Json::array();
}

std::vector<Json> lateBodies(const Json& full) {
    std::vector<Json> late;
    for (const Json& body : listOf(full, "bodies"))
        if (isLate(body)) late.push_back(body);
    return late;
}

std::vector<Json> itemsOf(const Json& list) { return {list.begin(), list.end()}; }

/// The scene as it is before anything comes from outside.
scene::Scene startOf(const scene::Scene& scene) {
    scene::Scene start = scene;
    std::erase_if(start.bodies, [](const scene::Body& body) { return body.appears > 0; });
    start.actions.clear();
    start.explosions.clear();
    return start;
}

double timeOfBody(const Json& body) { return numberIn(body, "appears"); }

/// When an explosion or an action begins.
double timeOfAction(const Json& action) {
    const Json path = action.value("path", Json());
    if (!path.is_array()) return numberIn(action, "time");
    const bool sound = !path.empty() && path[0].is_array() && !path[0].empty() && path[0][0].is_number();
    return sound ? path[0][0].get<double>() : 0;
}

/// When two actions begin to differ. A pull whose path is another one later on is the same until then.
double timeOfDifference(const Json& a, const Json& b) {
    const double first = std::min(timeOfAction(a), timeOfAction(b));
    const Json left = a.value("path", Json()), right = b.value("path", Json());
    if (!left.is_array() || !right.is_array()) return first;
    Json otherwise = a;
    otherwise["path"] = right;
    if (otherwise != b) return first;
    double same = first;
    for (size_t i = 0; i < std::min(left.size(), right.size()) && left[i] == right[i]; ++i)
        same = left[i][0].get<double>();
    return same;
}

/// The earliest thing that is not in both lists, at the same place; infinite when they are equal.
template <class TimeOf, class TimeOfBoth>
double firstDifference(std::vector<Json> a, std::vector<Json> b, const TimeOf& timeOf, const TimeOfBoth& timeOfBoth) {
    while (!a.empty() && !b.empty() && a.back() == b.back()) a.pop_back(), b.pop_back();
    double first = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        if (i < a.size() && i < b.size()) {
            if (a[i] != b[i]) first = std::min(first, timeOfBoth(a[i], b[i]));
        } else {
            first = std::min(first, timeOf(i < a.size() ? a[i] : b[i]));
        }
    }
    return first;
}

bool groupsHaveLate(const scene::Scene& scene) {
    return std::ranges::any_of(scene.groups.items, [](const auto& group) {
        return std::ranges::any_of(group.second.bodies, [](const scene::Body& body) { return body.appears > 0; });
    });
}

/// Is quick to build, and stands where the body stood.
void makePlain(scene::Body& body) {
    body.mesh.reset();
    body.shape = scene::ShapeSettings{.name = "box", .parameters = {}, .resolution = 8};
    body.fracture = fracture::MethodSettings();  // never breaks
    body.motion.reset();
    body.array.reset();
    body.strengthPaint.reset();
    body.strengthVolume.reset();
}

}  // namespace

Difference differenceOf(const FullScene& before, const FullScene& after) {
    if (!scene::changesOfRun(startOf(before.scene), startOf(after.scene)).empty()) return {};
    const auto earlier = [](const Json& a, const Json& b) { return std::min(timeOfBody(a), timeOfBody(b)); };
    const double bodies = firstDifference(lateBodies(before.full), lateBodies(after.full), timeOfBody, earlier);
    const double actions = firstDifference(itemsOf(listOf(before.full, "actions")),
                                           itemsOf(listOf(after.full, "actions")), timeOfAction, timeOfDifference);
    const double explosions =
        firstDifference(itemsOf(listOf(before.full, "explosions")), itemsOf(listOf(after.full, "explosions")),
                        timeOfAction, timeOfDifference);
    const double first = std::min({bodies, actions, explosions});
    if (first == std::numeric_limits<double>::infinity()) return {.none = true};
    return {.none = false, .from = first};
}

sim::SimulationSetup amendedSetup(const sim::SimulationSetup& setup, const FullScene& before, const FullScene& after,
                                  scene::MeshSource& meshes) {
    // instances multiply late bodies under other names: then everything is built anew
    if (groupsHaveLate(after.scene) || groupsHaveLate(before.scene))
        return scene::buildSetup(after.scene, meshes, "scene");

    // what is there from the start, and what is late and the same as before, is known by its name
    std::set<std::string> same;
    const std::vector<Json> lateBefore = lateBodies(before.full);
    const Json bodies = listOf(after.full, "bodies");
    for (size_t i = 0; i < std::min(bodies.size(), after.scene.bodies.size()); ++i) {
        const scene::Body& body = after.scene.bodies[i];
        const bool was = isLate(bodies[i]) && std::ranges::find(lateBefore, bodies[i]) != lateBefore.end();
        if (was && !body.array) same.insert(body.name);  // members of arrays have other names
    }
    std::map<std::string, const sim::BodySetup*> known;
    for (const sim::BodySetup& body : setup.bodies) known[body.name] = &body;

    // the rest is built from a scene that has everything at its place in the file, but plain
    scene::Scene reduced = after.scene;
    reduced.instances.clear();
    reduced.floor.present = false;
    for (scene::Body& body : reduced.bodies)
        if (!(body.appears > 0) || same.contains(body.name)) makePlain(body);
    sim::SimulationSetup fresh = scene::buildSetup(reduced, meshes, "scene");

    // actions and explosions are the new ones, bodies of the start stay as they are
    sim::SimulationSetup amended = setup;
    amended.actions = std::move(fresh.actions);
    amended.explosions = std::move(fresh.explosions);
    amended.bodies.clear();
    for (const sim::BodySetup& body : setup.bodies)
        if (!(body.appears > 0)) amended.bodies.push_back(body);
    // late bodies in the order of the new scene; those that stayed the same keep what is prepared for them
    for (sim::BodySetup& body : fresh.bodies) {
        if (!(body.appears > 0)) continue;
        const auto found = same.contains(body.name) ? known.find(body.name) : known.end();
        amended.bodies.push_back(found == known.end() ? std::move(body) : *found->second);
    }
    return amended;
}

}  // namespace sunder::studio
