#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/convex/convex_polytope.h"

namespace sunder {

/// Into the sites that a diagram was made of.
enum class SiteIndex : uint32_t {};

/// Voronoi cells of sites inside a convex container, as one complex: cells that meet share the same vertices, and the
/// two sides of a common polygon list them in opposite directions. Edges shorter than 1e-12 of the container are
/// contracted, so that where more than four sites are equally near (a lattice) there is one vertex.
class VoronoiDiagram {
public:
    /// One polygon of a cell's surface.
    struct Face {
        SiteIndex neighbour = kNone<SiteIndex>;  // none on the container's surface
        uint32_t wall = kInvalidIndex;           // face of the container, where there is no neighbour
        uint32_t firstCorner = 0;                // see loop()
        uint32_t cornerCount = 0;                // 3 or more
    };

    /// One for each site, also where the cell is empty.
    size_t cellCount() const { return firstFace_.empty() ? 0 : firstFace_.size() - 1; }
    /// m; each used by at least one cell.
    std::span<const Vec3> vertices() const { return vertices_; }
    const std::vector<Vec3>& sites() const { return sites_; }  // as they were given, m

    /// Neighbours ascending, then walls ascending. None for a site that shares its place with one before it, or is so
    /// far outside the container that it owns nothing of it.
    std::span<const Face> faces(SiteIndex site) const {
        return std::span(faces_).subspan(firstFace_[raw(site)], firstFace_[raw(site) + 1] - firstFace_[raw(site)]);
    }
    /// Vertices around a face, counter-clockwise seen from outside the cell, the lowest first.
    std::span<const uint32_t> loop(const Face& face) const {
        return std::span(corners_).subspan(face.firstCorner, face.cornerCount);
    }

    /// One cell with vertices of its own, in the diagram's order and with the same bits. A face's `plane` is the
    /// neighbour's index, or kFirstWall + the wall's.
    ConvexPolytope cell(SiteIndex site) const;
    static constexpr uint32_t kFirstWall = 0x80000000u;  // a face of cell() is the container's from this `plane` on
    /// m^3
    double volume(SiteIndex site) const;

private:
    friend VoronoiDiagram voronoi(std::span<const Vec3>, const ConvexPolytope&);
    std::vector<Vec3> sites_;
    std::vector<Plane> walls_;
    std::vector<Vec3> vertices_;
    std::vector<uint32_t> firstFace_;
    std::vector<Face> faces_;
    std::vector<uint32_t> corners_;
};

/// Each site's cell is cut by the planes halfway to its neighbours, nearest first, until none farther can matter. Which
/// vertices exist is decided exactly and without regard to the order, so neighbours always agree; sites may be
/// cospherical, coplanar, repeated or outside. Expected time is linear in the number of sites. Finite coordinates.
VoronoiDiagram voronoi(std::span<const Vec3> sites, const ConvexPolytope& container);
VoronoiDiagram voronoi(std::span<const Vec3> sites, const Box3& container);

}  // namespace sunder
