#pragma once

#include <memory>
#include <vector>

#include "tests/scenes/layouts.h"

namespace sunder::bench {

/// Bullet as its examples set it up: discrete world, DBVT broad phase, sequential impulses, default margins. Debian's
/// build: single precision, one thread.
class BulletWorld {
public:
    enum class Sleeping { Off, On };
    explicit BulletWorld(Sleeping sleeping);
    ~BulletWorld();
    BulletWorld(const BulletWorld&) = delete;
    BulletWorld& operator=(const BulletWorld&) = delete;

    /// A floor or wall that never moves.
    void addStaticBox(const scenes::PlacedBox& box);
    /// Exact mass and inertia; returned numbers count up from 0. Friction of all is kPileFriction against each other.
    void addBox(const Vec3& size, const RigidTransform& pose);
    /// All pieces of one shape may share it: first add the hulls, then pieces of them.
    void addHulls(const std::vector<ConvexPolytope>& hulls);
    void addPiece(const scenes::PileLayout::Piece& piece);

    void step(double dt);

    std::vector<RigidTransform> poses() const;  // of the frames in which the shapes were given
    double kineticEnergy() const;               // J
    size_t contacts() const;                    // points
    size_t awake() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sunder::bench
