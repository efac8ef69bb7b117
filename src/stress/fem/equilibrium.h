#pragma once

#include <span>
#include <vector>

#include "stress/fem/fem_mesh.h"

namespace sunder::stress {

/// Elements that hang together, and their nodes; both ascending.
struct Component {
    std::vector<uint32_t> elements;  // into FemMesh::elements
    std::vector<uint32_t> nodes;     // into FemMesh::nodes
};
/// In the order of their first elements. A common node joins; nodes of no element belong to none.
std::vector<Component> componentsOf(const FemMesh& mesh);

/// Mass of what hangs together, and how its elements share it.
class Inertia {
public:
    /// `share`: how much of each element of the mesh is filled; empty: all of it. Mesh and component outlive it.
    Inertia(const FemMesh& mesh, const Component& component, double density, std::span<const double> share = {});

    double mass() const { return mass_; }                 // kg
    const Vec3& centre() const { return centre_; }        // m
    const Mat3& aboutCentre() const { return inertia_; }  // kg m^2

    /// Loads less what the rigid motion they cause takes up: nothing is left that would move the body. A free body is
    /// strained by these alone.
    ///
    ///     f_i <- f_i - integral of rho N_i (a + alpha x r)
    ///
    ///     a, alpha  acceleration and angular acceleration that the loads give the whole, by the same integrals
    ///     N_i       shape function of node i;  r  from the centre of mass
    void relieve(std::span<Vec3> loads) const;

    /// Adds the forces of a field that is linear in space: offset + gradient * (x - centre), per unit of mass.
    void addField(const Vec3& offset, const Mat3& gradient, std::span<Vec3> loads) const;

    /// Displacements less their rigid part: no mean translation, no mean turn, by mass.
    void removeRigidMotion(std::span<Vec3> displacements) const;

private:
    const FemMesh* mesh_;
    const Component* component_;
    double mass_ = 0;
    Vec3 centre_ = Vec3::Zero();
    Mat3 inertia_ = Mat3::Zero();
    // beside the component's nodes: integrals of rho N_i and of rho N_i r
    std::vector<double> nodeMass_;
    std::vector<Vec3> nodeMoment_;
};

/// Directions in which some nodes are held, so that a free body cannot move and nothing else changes: six of them.
struct Pins {
    /// One coordinate of one node, which stays 0.
    struct Pin {
        uint32_t node = 0;  // into the nodes given
        int axis = 0;       // 0: x, 1: y, 2: z
    };
    std::vector<Pin> held;  // six, one for each rigid motion
};
/// Three nodes of the given ones, far from each other: the first is held in all directions,
/// the second in two, the third in one. `first`, a number, picks another first node.
Pins choosePins(std::span<const Vec3> nodes, std::span<const uint32_t> among, size_t first = 0);
/// Replaces the rows and columns of what is held by those of the unit matrix, scaled.
void applyPins(const Pins& pins, BlockMatrix& matrix);
void applyPins(const Pins& pins, std::span<Vec3> loads);

}  // namespace sunder::stress
