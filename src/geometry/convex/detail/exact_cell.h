#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/convex/detail/plane_system.h"

namespace sunder::detail {

/// A convex cell that planes are cut off, one after the other, in any order, with the same outcome. Kept as its dual:
/// each vertex is a triangle of three planes. Every decision is exact (PlaneSystem::side), so the cell is at all times
/// a simple polytope: closed, with three planes at every vertex. Made once per thread and used for many cells.
class ExactCell {
public:
    explicit ExactCell(const PlaneSystem& system) : system_(system) {}

    /// Starts from a box of six walls given as -x, +x, -y, +y, -z, +z.
    void reset(Generator site, const std::array<Generator, 6>& box);

    /// Cuts away what lies beyond the plane. False when nothing did.
    bool cut(Generator generator);

    bool empty() const { return count_ == 0; }
    /// Not less than the squared distance of any vertex from the site (from the origin without one).
    double squaredRadius() const { return squaredRadius_; }

    size_t vertexCount() const { return count_; }
    /// Ordered such that their normals are right-handed.
    std::array<Generator, 3> planesOf(size_t vertex) const {
        const auto& t = triangles_[vertex];
        return {planes_[t[0]], planes_[t[1]], planes_[t[2]]};
    }

    /// Vertices around each plane that still bounds the cell, counter-clockwise seen from outside; planes ascending.
    struct Face {
        Generator plane;
        uint32_t firstCorner;
        uint32_t cornerCount;
    };
    struct Faces {
        std::vector<Face> faces;
        std::vector<uint32_t> corners;  // vertices of this cell
    };
    void collectFaces(Faces& result);

private:
    using Local = uint32_t;  // into planes_

    void askAbout(const std::vector<uint32_t>& vertices);
    void decideUnclear(Generator generator);
    void addVertex(Local a, Local b, Local c);
    void removeVertex(size_t vertex);
    void reserveVertices(size_t count);
    void reserveEdges(size_t planes);
    void updateRadius();

    const PlaneSystem& system_;
    Generator site_ = kNoSite;
    std::vector<Generator> planes_;
    std::vector<PlaneRow> rows_;

    // one entry per vertex: the point is (x, y, z) / w, rounded; sizes bound what these were summed from
    size_t count_ = 0;
    std::vector<std::array<Local, 3>> triangles_;
    std::vector<double> x_, y_, z_, w_, pointSize_, weightSize_, radius_;
    double squaredRadius_ = 0;
    // made when first asked for: where many sites are equally near, the same vertex is asked about again and again
    std::vector<LongVertex> long_;
    std::vector<uint8_t> hasLong_;
    // those last asked about, side by side: high and low parts of x, y, z, w
    std::vector<uint32_t> asked_;
    std::array<std::vector<double>, 8> askedColumns_;

    // work space of cut(): height of each vertex and its error bound; who owns the directed edge between two planes
    std::vector<double> height_, bound_;
    std::vector<uint32_t> removed_, unclear_;
    std::vector<std::array<Local, 3>> removedTriangles_;
    std::vector<uint32_t> edges_;
    size_t edgeStride_ = 0;
    uint32_t stamp_ = 0;
    // work space of collectFaces()
    std::vector<uint32_t> left_, anyTriangle_;
    std::vector<Local> order_;
};

}  // namespace sunder::detail
