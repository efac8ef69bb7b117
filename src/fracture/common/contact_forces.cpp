#include "fracture/common/contact_forces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/assert.h"
#include "material/hertz.h"

namespace sunder::fracture {

namespace {

constexpr double kSlowest = 0.7;  // m/s: what comes slower rests
constexpr double kRestGain = 20;  // m/s^2, twice gravity: what rests gains as much speed within a frame

constexpr double kMostUnfinished = 20;

double ballRadius(double mass, double density) { return std::cbrt(3 * mass / (4 * std::numbers::pi * density)); }

/// The body that comes to rest at the contact, as a ball of its mass.
double radiusAgainst(const Load& push, const StruckBody& body) {
    return ballRadius(std::isfinite(push.otherMass) ? push.otherMass : body.mass, body.material.density);
}

/// What one body struck with.
struct Blow {
    double sum = 0, yielding = 0, speed = 0;  // N s of all pushes; of the other, 1/kg, times that; m/s
    Vec3 impulse = Vec3::Zero(), place = Vec3::Zero();

    void add(const Load& push) {
        const double size = push.impulse.norm();
        if (!std::isfinite(size)) return;
        sum += size;
        impulse += push.impulse;
        place += size * push.point;
        yielding += size / push.otherMass;
        speed = std::max(speed, push.approachSpeed);
    }
    /// By how much it falls short of what it will be: 1 or more.
    double unfinished(const StruckBody& body) const {
        if (!(sum > 0) || !(impulse.norm() > 0)) return 1;
        const Vec3 normal = impulse.normalized(), arm = (place / sum - body.centre).cross(normal);
        const double whole = speed / (yielding / sum + 1 / body.mass + arm.dot(body.inverseInertia * arm));
        return std::clamp(whole / impulse.norm(), 1.0, kMostUnfinished);
    }
};

}  // namespace

bool isBlow(const Load& push, double frame) { return push.approachSpeed > std::max(kSlowest, kRestGain * frame); }

double contactTime(const Load& push, double frame, const StruckBody& body) {
    if (body.blowForce == BlowForce::OverFrame || !isBlow(push, frame)) return frame;
    if (body.contactTime > 0) return body.contactTime;
    const bool yields = std::isfinite(push.otherMass);
    const double mass = yields ? body.mass * push.otherMass / (body.mass + push.otherMass) : body.mass;
    return hertzContactTime(mass, radiusAgainst(push, body), reducedStiffness(body.material, &body.material),
                            push.approachSpeed);
}

std::vector<ContactForce> contactForces(const Loads& loads, const StruckBody& body) {
    // blows that the frame's end may have cut short, by the body that struck
    std::map<uint32_t, Blow> blows;  // by whose they are
    if (loads.mayGoOn && body.blowForce == BlowForce::OverContact) {
        for (const Load& push : loads.list) {
            if (isBlow(push, loads.duration)) blows[push.giver.index].add(push);
        }
    }

    // each push as a force over the time it lasts, and the patch it presses on
    std::vector<ContactForce> forces;
    const double stiffness = reducedStiffness(body.material, &body.material);
    for (const Load& push : loads.list) {
        ContactForce made;
        made.rests = !isBlow(push, loads.duration);
        const auto blow = made.rests ? blows.end() : blows.find(push.giver.index);
        const double missing = blow != blows.end() ? blow->second.unfinished(body) : 1;
        made.point = push.point;
        made.time = contactTime(push, loads.duration, body);
        made.force = missing / made.time * push.impulse;
        made.radius = std::cbrt(0.75 * made.force.norm() * radiusAgainst(push, body) / stiffness);
        if (made.force.allFinite() && made.force.norm() > 0 && made.point.allFinite()) forces.push_back(made);
    }
    return forces;
}

std::vector<Vec3> nodalForces(const stress::FemMesh& mesh, std::span<const double> share,
                              std::span<const ContactForce> forces, double reach) {
    ASSERT(share.empty() || share.size() == mesh.elements.size());

    // nodes count by the material around them, so that finer parts of the mesh get no more of the load
    std::vector<double> material(mesh.nodes.size(), 0.0);  // m^3 around each node
    for (size_t e = 0; e < mesh.elements.size(); ++e) {
        const double volume = frameOf(mesh, e).volume * (share.empty() ? 1 : share[e]);
        for (const uint32_t n : mesh.nodesOf(e)) material[n] += volume;
    }

    // each force is shared among the nodes in its reach, most right at the contact; the shares sum to it
    std::vector<Vec3> loads(mesh.nodes.size(), Vec3::Zero());
    std::vector<double> weights(mesh.nodes.size());
    for (const ContactForce& contact : forces) {
        double nearest = std::numeric_limits<double>::infinity();  // squared distance
        for (size_t n = 0; n < mesh.nodes.size(); ++n) {
            if (material[n] > 0) nearest = std::min(nearest, (mesh.nodes[n] - contact.point).squaredNorm());
        }
        // a contact may lie beside the tets, which are coarser than the surface
        const double radius = std::max({reach, contact.radius, 1.5 * std::sqrt(nearest)});
        double sum = 0;
        for (size_t n = 0; n < mesh.nodes.size(); ++n) {
            const double part = (mesh.nodes[n] - contact.point).squaredNorm() / (radius * radius);
            sum += weights[n] = part < 1 ? material[n] * (1 - part) : 0;
        }
        if (!(sum > 0)) continue;
        for (size_t n = 0; n < mesh.nodes.size(); ++n) loads[n] += weights[n] / sum * contact.force;
    }
    return loads;
}

}  // namespace sunder::fracture
