#include "geometry/shapes/detail/ring_mesh.h"

#include <cmath>

#include "base/assert.h"

namespace sunder::shapes {

namespace {

class Sewing {
public:
    Sewing(const std::vector<Ring>& rings, const std::function<CornerAttributes(const RingCorner&)>& attributes)
        : rings_(rings), attributes_(attributes) {
        for (const Ring& ring : rings) {
            firstVertex_.push_back(static_cast<uint32_t>(mesh_.vertexCount()));
            for (const Vec3& point : ring.points) mesh_.positions.push_back(point);
        }
    }

    void sew(size_t band) {
        const uint32_t below = count(band), above = count(band + 1);
        const uint32_t wedges = std::max(below == 1 ? 0 : below, above == 1 ? 0 : above);
        if (below == above) {
            for (uint32_t j = 0; j < below; ++j) quad(band, j);
        } else if (below == 1 || above == 1) {
            for (uint32_t j = 0; j < wedges; ++j) fan(band, j, below == 1);
        } else {
            ASSERT(below == 2 * above || above == 2 * below);
            for (uint32_t j = 0; j < wedges / 2; ++j) halve(band, j, below < above);
        }
    }

    TriMesh take() { return std::move(mesh_); }

private:
    uint32_t count(size_t ring) const { return static_cast<uint32_t>(rings_[ring % rings_.size()].points.size()); }

    RingCorner corner(size_t band, bool upper, uint32_t slot) const {
        return {band, upper, slot, static_cast<double>(slot) / count(band + upper)};
    }
    Vec3 position(const RingCorner& c) const {
        const Ring& ring = rings_[(c.band + c.upper) % rings_.size()];
        return ring.points[c.slot % ring.points.size()];
    }

    /// The shorter diagonal; on a tie, leaning to and fro, so that no direction is preferred.
    void quad(size_t band, uint32_t j) {
        const RingCorner a = corner(band, false, j), b = corner(band, false, j + 1);
        const RingCorner c = corner(band, true, j + 1), d = corner(band, true, j);
        const double ac = (position(c) - position(a)).norm(), bd = (position(d) - position(b)).norm();
        const bool tie = std::abs(ac - bd) <= 1e-6 * (ac + bd);
        if (tie ? (band + j) % 2 == 0 : ac < bd) {
            triangle({a, b, c});
            triangle({a, c, d});
        } else {
            triangle({a, b, d});
            triangle({b, c, d});
        }
    }

    void fan(size_t band, uint32_t j, bool poleBelow) {
        RingCorner a = corner(band, poleBelow, j), b = corner(band, poleBelow, j + 1);
        RingCorner pole{band, !poleBelow, 0, 0.5 * (a.turns + b.turns)};
        if (poleBelow) {
            triangle({pole, b, a});
        } else {
            triangle({a, b, pole});
        }
    }

    /// Two segments of the fine ring over one of the coarse one.
    void halve(size_t band, uint32_t j, bool coarseBelow) {
        const RingCorner c0 = corner(band, !coarseBelow, j), c1 = corner(band, !coarseBelow, j + 1);
        const RingCorner f0 = corner(band, coarseBelow, 2 * j), f1 = corner(band, coarseBelow, 2 * j + 1),
                         f2 = corner(band, coarseBelow, 2 * j + 2);
        if (coarseBelow) {
            triangle({c0, f1, f0});
            triangle({c0, c1, f1});
            triangle({c1, f2, f1});
        } else {
            triangle({f0, f1, c0});
            triangle({f1, c1, c0});
            triangle({f1, f2, c1});
        }
    }

    void triangle(const std::array<RingCorner, 3>& corners) {
        Triangle triangle;
        std::array<Vec3, 3> normals;
        std::array<Vec2, 3> uvs;
        for (size_t i = 0; i < 3; ++i) {
            const size_t ring = (corners[i].band + corners[i].upper) % rings_.size();
            triangle[i] = static_cast<VertexIndex>(firstVertex_[ring] + corners[i].slot % count(ring));
            const CornerAttributes attributes = attributes_(corners[i]);
            normals[i] = attributes.normal;
            uvs[i] = attributes.uv;
        }
        mesh_.triangles.push_back(triangle);
        mesh_.normals.push_back(normals);
        mesh_.uvs.push_back(uvs);
    }

    const std::vector<Ring>& rings_;
    const std::function<CornerAttributes(const RingCorner&)>& attributes_;
    std::vector<uint32_t> firstVertex_;
    TriMesh mesh_;
};

}  // namespace

TriMesh sewRings(const std::vector<Ring>& rings, bool closed,
                 const std::function<CornerAttributes(const RingCorner&)>& attributes) {
    ASSERT(rings.size() >= 2);
    Sewing sewing(rings, attributes);
    const size_t bands = closed ? rings.size() : rings.size() - 1;
    for (size_t band = 0; band < bands; ++band) sewing.sew(band);
    return sewing.take();
}

uint32_t halvableCount(double wanted) {
    uint32_t best = 5;
    for (uint32_t odd = 5; odd <= 9; ++odd) {
        for (uint32_t n = odd; n <= 2 * wanted + 10; n *= 2) {
            if (std::abs(n - wanted) < std::abs(best - wanted)) best = n;
        }
    }
    return best;
}

}  // namespace sunder::shapes
