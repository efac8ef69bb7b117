#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "dynamics/compact_field.h"
#include "geometry/convex/convex_polytope.h"
#include "geometry/grid/distance_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/tri_mesh.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder {
struct NearestTriangles;
}

namespace sunder::dynamics {

/// A convex solid as the contact code wants it: corners, faces and edges in float, padded to eights. The solid is the
/// hull of the corners, grown by `radius`: a sphere is one corner, a capsule two.
struct ConvexCore {
    static constexpr int kLanes = 8;  // floats that the contact code takes at once

    int vertexCount = 0;         // without the padding
    std::vector<float> x, y, z;  // corners, m; padded to a multiple of eight by repeating the first
    float radius = 0;            // m

    /// A flat side of the hull, without the radius.
    struct Face {
        Vec3f normal = Vec3f::Zero();  // unit, outward
        float offset = 0;              // normal . point on the face
        uint32_t firstCorner = 0;      // into corners, counter-clockwise from outside
        uint32_t cornerCount = 0;      // 3 or more
    };
    std::vector<Face> faces;        // none for spheres and capsules
    std::vector<uint32_t> corners;  // vertices of all faces, one face after the other

    /// Every edge once, with the normals of the two faces that meet there; padded to a multiple of eight by repeating
    /// the first.
    struct Edges {
        int count = 0;                  // without the padding
        std::vector<float> x, y, z;     // a point of the edge
        std::vector<float> dx, dy, dz;  // to its other end
        /// Unit normals, outward, of the two faces: seen from outside, 1 lies left of the way from first to second, 2
        /// right.
        std::vector<float> n1x, n1y, n1z, n2x, n2y, n2z;
        std::vector<uint32_t> first, second;  // its corners
    } edges;                                  // none for spheres and capsules

    float coreRadius = 0;   // of the ball around the origin that holds all corners and their radius, m
    float innerRadius = 0;  // of a ball around the origin inside the solid, m; 0 when the origin is outside

    Vec3f vertex(int i) const { return {x[i], y[i], z[i]}; }  // m, body frame
};

/// A surface made of points that are looked up in the other body's distance field, and a field for the other's points.
struct FieldSolid {
    TriMesh surface;     // m, body frame
    CompactField field;  // body frame
    float bulge = 0;     // m: how far the surface stands out of the convex hull of the points

    /// Points of the surface, body frame, sorted into clusters of eight that lie close together; the last one is padded
    /// by repeating.
    struct Cluster {
        std::array<float, 8> x, y, z;  // m
    };
    std::vector<Cluster> clusters;  // particle i is point i % 8 of cluster i / 8
    uint32_t particleCount = 0;     // without the padding

    /// Which way the surface looks at a point: at an edge or corner, the mean of what meets there. Directions of
    /// contact whose cosine with it is less than `least` make no sense there. All in 127ths.
    struct Facing {
        int8_t x, y, z, least;  // x, y, z: a unit vector, outward; least: a cosine
    };
    std::vector<Facing> facings;  // per particle

    /// Balls around the points of eight clusters; padded by repeating the last.
    struct BallGroup {
        std::array<float, 8> x, y, z, radius;  // m
    };
    std::vector<BallGroup> balls;  // cluster i has ball i % 8 of group i / 8
    /// Centre of the ball around the points of a cluster: m, body frame.
    Vec3f ballCentre(size_t cluster) const {
        const BallGroup& group = balls[cluster / 8];
        return {group.x[cluster % 8], group.y[cluster % 8], group.z[cluster % 8]};
    }
    /// Its radius, m.
    float ballRadius(size_t cluster) const { return balls[cluster / 8].radius[cluster % 8]; }

    /// Over `surface`, for distances and rays; built by the shape, whose makers leave it empty.
    std::unique_ptr<const TriangleTree> tree;

    /// For meshes with many triangles, given frame: the fields of its pieces are made from it. Null for others.
    std::shared_ptr<const NearestTriangles> nearest;
};

/// The half-space y <= 0 of its body frame: the body's pose places it.
struct HalfSpace {};

class Shape;

/// A solid of a compound.
struct CompoundPart {
    std::shared_ptr<const Shape> shape;  // no half-space and no compound
    RigidTransform bodyFromPart;         // between the body frames of the compound and the part, m
};

/// Solids that move as one. They may overlap: their masses add up all the same.
struct Compound {
    std::vector<CompoundPart> parts;  // in the order they were given in, at least one
};

/// What a shape was made as: it decides how contacts are looked for.
enum class ShapeKind : uint8_t { Sphere, Capsule, Box, Cylinder, Hull, HalfSpace, Field, Compound };
inline constexpr size_t kShapeKinds = static_cast<size_t>(ShapeKind::Compound) + 1;  // for tables by kind

/// What a body is made of: geometry in its *body frame*, whose origin is the centre of mass and whose axes are the
/// principal axes of inertia. An immutable value shared by all bodies that look alike.
class Shape {
public:
    ShapeKind kind() const { return kind_; }  // as it was made: boxes and cylinders are told from hulls

    /// At density 1, about the centre of mass, in the body frame: inertia is diagonal, moments ascending only where
    /// the maker had to turn the axes. Zero for a half-space.
    double volume() const { return volume_; }         // m^3
    const Vec3& moments() const { return moments_; }  // m^5

    /// The frame in which the maker was given the geometry, seen from the body.
    const RigidTransform& bodyFromGiven() const { return bodyFromGiven_; }

    double radius() const { return radius_; }  // of the ball around the centre of mass, m; infinite for a half-space
    double innerRadius() const { return innerRadius_; }  // of a ball around it inside the solid, m; 0 if there is none
    /// Half the smallest extent: a body that moves less than this per frame cannot pass through another.
    double thickness() const { return thickness_; }  // m

    /// Around the shape at this pose.
    Box3 bounds(const RigidTransform& worldFromBody) const;

    const ConvexCore* convex() const { return std::get_if<ConvexCore>(&geometry_); }  // null: not a convex kind
    const FieldSolid* field() const { return std::get_if<FieldSolid>(&geometry_); }   // null for other kinds
    const Compound* compound() const { return std::get_if<Compound>(&geometry_); }    // null for other kinds

    /// Surface for pictures and exports, body frame; a half-space gives a large square.
    TriMesh mesh() const;

    /// For spheres, capsules and cylinders (axis y of the given frame): radius and half the length of the straight
    /// part.
    double roundRadius() const { return roundRadius_; }  // m
    double halfLength() const { return halfLength_; }    // m

private:
    friend struct ShapeMaker;
    ShapeKind kind_ = ShapeKind::Sphere;
    std::variant<ConvexCore, FieldSolid, HalfSpace, Compound> geometry_;
    double volume_ = 0;
    Vec3 moments_ = Vec3::Zero();
    RigidTransform bodyFromGiven_;
    double radius_ = 0, innerRadius_ = 0, thickness_ = 0;
    double roundRadius_ = 0, halfLength_ = 0;
};

/// Shapes are shared: many bodies, and every copy of a world, have the same one.
using ShapePtr = std::shared_ptr<const Shape>;

/// Centred at the origin of the given frame; the axis of capsules, cylinders is y. Lengths in metres. All throw
/// std::invalid_argument, saying what is allowed, for lengths that are not positive and finite or solids without
/// volume.
ShapePtr makeSphere(double radius);
ShapePtr makeBox(const Vec3& size);                   // whole edges, x y z
ShapePtr makeCapsule(double radius, double length);   // length of the straight part, without the caps
ShapePtr makeCylinder(double radius, double length);  // round for rays and pictures, a prism of 32 sides for contacts
ShapePtr makeHalfSpace();                             // see HalfSpace
/// The convex hull of points or of a polytope. Flat neighbouring faces are joined, corners that nearly coincide are
/// one.
ShapePtr makeHull(std::span<const Vec3> points);
ShapePtr makeHull(const ConvexPolytope& polytope);

/// What a solid was broken out of, in the same given frame.
struct BrokenOutOf {
    const TriMesh* mesh = nullptr;  // the one its shape was made from; null: not known
    const Shape* shape = nullptr;   // of use when it has FieldSolid::nearest; null: not known
};

/// How finely a mesh is sampled for contacts, and what is known of it already.
struct FieldOptions {
    double cellSize = 0;  // m; 0: largest extent / 16, less for solids that are thinner than two of these
    /// m: how thick its thin parts are, such as the top of a table with stout legs: the lattice is fine enough for
    /// them, too. 0: not known, and only the deepest part counts.
    double thinPart = 0;
    size_t particles = 0;                  // 0: 64 to 128, by area; sharp corners of the mesh are always among them
    uint64_t seed = 0;                     // of the places of particles on faces
    BrokenOutOf whole = {};                // saves time, and changes nothing
    const MassProperties* mass = nullptr;  // of the mesh, where they are known; null: worked out
};
/// A closed, outward mesh of any form.
ShapePtr makeFieldSolid(const TriMesh& mesh, const FieldOptions& options = {});
ShapePtr makeFieldSolid(const TriMesh& mesh, const DistanceGrid& grid, const FieldOptions& options = {});

/// Parts may be of any kind but half-spaces and compounds; all have the same density. Overlaps count twice.
struct PlacedShape {
    ShapePtr shape;       // never null
    RigidTransform pose;  // of the part's given frame
};
/// Throws std::invalid_argument for no parts at all, or for one of a kind that is not allowed.
ShapePtr makeCompound(std::span<const PlacedShape> parts);

}  // namespace sunder::dynamics
