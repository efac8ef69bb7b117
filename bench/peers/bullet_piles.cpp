#include "bench/peers/bullet_piles.h"

#include <cmath>

#include <btBulletDynamicsCommon.h>

#include "geometry/mesh/mass_properties.h"

namespace sunder::bench {
namespace {

static_assert(sizeof(btScalar) == sizeof(float), "Debian's default build");

btVector3 toBullet(const Vec3& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

btTransform toBullet(const RigidTransform& pose) {
    const Quat& q = pose.rotation;
    return btTransform(btQuaternion(static_cast<btScalar>(q.x()), static_cast<btScalar>(q.y()),
                                    static_cast<btScalar>(q.z()), static_cast<btScalar>(q.w())),
                       toBullet(pose.translation));
}

RigidTransform fromBullet(const btTransform& pose) {
    const btQuaternion q = pose.getRotation();
    const btVector3 p = pose.getOrigin();
    return {Quat(q.w(), q.x(), q.y(), q.z()).normalized(), Vec3(p.x(), p.y(), p.z())};
}

}  // namespace

struct BulletWorld::State {
    struct Hull {
        std::unique_ptr<btConvexHullShape> shape;  // in principal axes
        double mass = 0;                           // kg
        Vec3 moments = Vec3::Zero();               // kg m^2
        RigidTransform givenFromPrincipal;
    };
    struct Piece {
        btRigidBody* body = nullptr;
        RigidTransform principalFromGiven;
    };

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> boxes;
    std::vector<Hull> hulls;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<Piece> pieces;
    Sleeping sleeping = Sleeping::Off;

    btRigidBody& add(btCollisionShape* shape, double mass, const Vec3& moments, const RigidTransform& pose) {
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape, toBullet(moments));
        info.m_startWorldTransform = toBullet(pose);
        // Bullet multiplies the two surfaces' coefficients
        info.m_friction = static_cast<btScalar>(std::sqrt(scenes::kPileFriction));
        bodies.push_back(std::make_unique<btRigidBody>(info));
        if (sleeping == Sleeping::Off) bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
        return *bodies.back();
    }
};

BulletWorld::BulletWorld(Sleeping sleeping) : state_(std::make_unique<State>()) {
    state_->sleeping = sleeping;
    state_->world.setGravity(btVector3(0, btScalar(-9.81), 0));
}

BulletWorld::~BulletWorld() {
    for (const auto& body : state_->bodies) state_->world.removeRigidBody(body.get());
}

void BulletWorld::addStaticBox(const scenes::PlacedBox& box) {
    state_->boxes.push_back(std::make_unique<btBoxShape>(toBullet(0.5 * box.size)));
    state_->add(state_->boxes.back().get(), 0, Vec3::Zero(), box.pose);
}

void BulletWorld::addBox(const Vec3& size, const RigidTransform& pose) {
    const double mass = scenes::kPileDensity * size.prod();
    const Vec3 squares = size.cwiseAbs2();
    const Vec3 moments = mass / 12 * (Vec3::Constant(squares.sum()) - squares);
    state_->boxes.push_back(std::make_unique<btBoxShape>(toBullet(0.5 * size)));
    state_->pieces.push_back({&state_->add(state_->boxes.back().get(), mass, moments, pose), {}});
}

void BulletWorld::addHulls(const std::vector<ConvexPolytope>& hulls) {
    for (const ConvexPolytope& polytope : hulls) {
        const MassProperties properties = massProperties(toTriMesh(polytope));
        const PrincipalFrame frame = principalFrame(properties.inertia);
        State::Hull hull;
        hull.givenFromPrincipal = {frame.rotation, properties.centre};
        hull.mass = scenes::kPileDensity * properties.volume;
        hull.moments = scenes::kPileDensity * frame.moments;
        hull.shape = std::make_unique<btConvexHullShape>();
        const RigidTransform principalFromGiven = hull.givenFromPrincipal.inverse();
        for (const Vec3& vertex : polytope.vertices) {
            hull.shape->addPoint(toBullet(principalFromGiven * vertex), false);
        }
        hull.shape->recalcLocalAabb();
        state_->hulls.push_back(std::move(hull));
    }
}

void BulletWorld::addPiece(const scenes::PileLayout::Piece& piece) {
    const State::Hull& hull = state_->hulls[piece.shape];
    btRigidBody& body = state_->add(hull.shape.get(), hull.mass, hull.moments, piece.pose * hull.givenFromPrincipal);
    state_->pieces.push_back({&body, hull.givenFromPrincipal.inverse()});
}

void BulletWorld::step(double dt) { state_->world.stepSimulation(static_cast<btScalar>(dt), 0); }

std::vector<RigidTransform> BulletWorld::poses() const {
    std::vector<RigidTransform> poses;
    for (const State::Piece& piece : state_->pieces) {
        poses.push_back(fromBullet(piece.body->getWorldTransform()) * piece.principalFromGiven);
    }
    return poses;
}

double BulletWorld::kineticEnergy() const {
    double energy = 0;
    for (const State::Piece& piece : state_->pieces) {
        const btRigidBody& body = *piece.body;
        const btVector3 spin = body.getAngularVelocity() * body.getWorldTransform().getBasis();  // body axes
        const btVector3 moments = body.getLocalInertia();
        const btVector3 momentum = spin * moments;
        energy += 0.5 * static_cast<double>(body.getMass() * body.getLinearVelocity().length2() + spin.dot(momentum));
    }
    return energy;
}

size_t BulletWorld::contacts() const {
    size_t points = 0;
    for (int i = 0; i < state_->dispatcher.getNumManifolds(); ++i) {
        points += static_cast<size_t>(state_->dispatcher.getManifoldByIndexInternal(i)->getNumContacts());
    }
    return points;
}

size_t BulletWorld::awake() const {
    size_t count = 0;
    for (const State::Piece& piece : state_->pieces) count += piece.body->isActive();
    return count;
}

}  // namespace sunder::bench
