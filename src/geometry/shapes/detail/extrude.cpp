#include "geometry/shapes/detail/extrude.h"

#include <algorithm>
#include <cmath>

#include "geometry/shapes/detail/lattice.h"

namespace sunder::shapes {

namespace {

/// Numbers the vertices of a cap: rings of growing size around the middle, `corners * ring` points in each.
struct CapNumbering {
    uint32_t first = 0;
    uint32_t corners = 0;

    uint32_t at(uint32_t ring, uint32_t around) const {
        if (ring == 0) return first;
        return first + 1 + corners * ring * (ring - 1) / 2 + around % (corners * ring);
    }
};

class ExtrusionBuilder {
public:
    explicit ExtrusionBuilder(const Extrusion& extrusion)
        : extrusion_(extrusion), corners_(static_cast<uint32_t>(extrusion.outline.size())) {
        // steps from the middle to the rim: between the fan's radial and rim lengths
        double radius = 0, edge = 0;
        for (uint32_t i = 0; i < corners_; ++i) {
            radius = std::max(radius, outline(i).norm());
            edge = std::max(edge, (outline(i + 1) - outline(i)).norm());
        }
        rings_ = std::max(1u, static_cast<uint32_t>(std::round(std::sqrt(radius * edge) / extrusion.spacing)));
        rows_ = std::max(1u, static_cast<uint32_t>(std::round(extrusion.height / extrusion.spacing)));
    }

    TriMesh build() {
        const CapNumbering bottom = addCap(-1), top = addCap(1);
        addSides(bottom, top);
        setFlatNormals(mesh_);
        projectUvs(mesh_, boundsOf(mesh_).size().maxCoeff());
        return std::move(mesh_);
    }

private:
    Vec2 outline(uint32_t i) const { return extrusion_.outline[i % corners_]; }

    Vec3 rimPoint(uint32_t around, double y) const {
        const uint32_t corner = around / rings_;
        const double along = static_cast<double>(around % rings_) / rings_;
        const Vec2 p = (1 - along) * outline(corner) + along * outline(corner + 1);
        return {p.x(), y, -p.y()};
    }

    CapNumbering addCap(double side) {
        const CapNumbering cap{static_cast<uint32_t>(mesh_.vertexCount()), corners_};
        // rings of points from the middle, which may stand out as a ridge, to the outline
        for (uint32_t ring = 0; ring <= rings_; ++ring) {
            const double outward = static_cast<double>(ring) / rings_;
            const double y = side * (0.5 * extrusion_.height + extrusion_.ridge * (1 - outward));
            if (ring == 0) mesh_.positions.push_back({0, y, 0});
            for (uint32_t around = 0; around < corners_ * ring; ++around) {
                const double along = static_cast<double>(around % ring) / ring;
                const Vec2 p = outward * ((1 - along) * outline(around / ring) + along * outline(around / ring + 1));
                mesh_.positions.push_back({p.x(), y, -p.y()});
            }
        }
        // each sector between two corners of the outline is a triangle of triangles
        for (uint32_t ring = 0; ring < rings_; ++ring) {
            for (uint32_t corner = 0; corner < corners_; ++corner) {
                for (uint32_t t = 0; t <= ring; ++t) {
                    const uint32_t inner = cap.at(ring, corner * ring + t);
                    const uint32_t outer = cap.at(ring + 1, corner * (ring + 1) + t);
                    const uint32_t outerNext = cap.at(ring + 1, corner * (ring + 1) + t + 1);
                    addTriangle(inner, outer, outerNext, side > 0);
                    if (t < ring) addTriangle(inner, outerNext, cap.at(ring, corner * ring + t + 1), side > 0);
                }
            }
        }
        return cap;
    }

    void addSides(const CapNumbering& bottom, const CapNumbering& top) {
        // rows between the rims of the caps, which are theirs
        const uint32_t around = corners_ * rings_;
        const uint32_t first = static_cast<uint32_t>(mesh_.vertexCount());
        for (uint32_t row = 1; row < rows_; ++row) {
            const double y = extrusion_.height * (static_cast<double>(row) / rows_ - 0.5);
            for (uint32_t j = 0; j < around; ++j) mesh_.positions.push_back(rimPoint(j, y));
        }
        // the first and the last row are the caps' own points
        const auto at = [&](uint32_t row, uint32_t j) {
            if (row == 0) return bottom.at(rings_, j);
            if (row == rows_) return top.at(rings_, j);
            return first + (row - 1) * around + j % around;
        };
        // diagonals turn from square to square, so that no direction is favoured
        for (uint32_t row = 0; row < rows_; ++row) {
            for (uint32_t j = 0; j < around; ++j) {
                const uint32_t a = at(row, j), b = at(row, j + 1), c = at(row + 1, j + 1), d = at(row + 1, j);
                if ((row + j) % 2 == 0) {
                    addTriangle(a, b, c, true);
                    addTriangle(a, c, d, true);
                } else {
                    addTriangle(a, b, d, true);
                    addTriangle(b, c, d, true);
                }
            }
        }
    }

    void addTriangle(uint32_t a, uint32_t b, uint32_t c, bool keepOrder) {
        if (!keepOrder) std::swap(b, c);
        mesh_.triangles.push_back(
            {static_cast<VertexIndex>(a), static_cast<VertexIndex>(b), static_cast<VertexIndex>(c)});
    }

    const Extrusion& extrusion_;
    uint32_t corners_;
    uint32_t rings_ = 1;
    uint32_t rows_ = 1;
    TriMesh mesh_;
};

}  // namespace

TriMesh extruded(const Extrusion& extrusion) { return ExtrusionBuilder(extrusion).build(); }

}  // namespace sunder::shapes
