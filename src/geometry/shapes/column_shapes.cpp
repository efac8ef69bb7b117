#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "geometry/shapes/detail/angles.h"
#include "geometry/shapes/detail/catalogue.h"
#include "geometry/shapes/detail/profile.h"
#include "geometry/shapes/detail/ring_mesh.h"

namespace sunder::shapes {

namespace {

/// A round column between two square slabs.
struct Column {
    double height = 0;      // m
    double radius = 0;      // of the shaft at its foot, m
    double topRadius = 0;   // of the shaft below the capital, m
    int flutes = 0;         // 0 = a plain shaft
    double fluteDepth = 0;  // m
    uint32_t around = 0;    // points on every ring; a multiple of eight, so that the slabs have corners

    // proportions after Vignola's Tuscan order: base and capital half the lower diameter high, slabs a third of that
    double slab() const { return 0.36 * radius; }
    double plinth() const { return 1.38 * radius; }  // half side
    double abacus() const { return 1.12 * radius + 0.3 * topRadius; }
    double shaftFrom() const { return slab() + 0.72 * radius; }
    double shaftTo() const { return height - slab() - 0.72 * radius; }

    /// Entasis: the shaft narrows little at first and more towards the top.
    double shaftRadius(double y) const {
        const double t = std::clamp((y - shaftFrom()) / (shaftTo() - shaftFrom()), 0.0, 1.0);
        return radius - (radius - topRadius) * (0.25 * t + 0.75 * t * t);
    }
    double flutesFrom() const { return shaftFrom() + 0.35 * radius; }
    double flutesTo() const { return shaftTo() - 0.25 * radius; }
    /// Flutes end in a scoop about as long as half their width.
    double scoop() const { return std::numbers::pi * radius / std::max(1, flutes); }

    double fluteDepthAt(double turns, double y) const {
        if (flutes == 0) return 0;
        const double fromEnd = std::min(y - flutesFrom(), flutesTo() - y) / scoop();
        if (fromEnd <= 0) return 0;
        const double rest = 1 - std::min(fromEnd, 1.0);
        const double across = 2 * (turns * flutes - std::floor(turns * flutes)) - 1;
        return fluteDepth * std::sqrt(1 - rest * rest) * (1 - across * across);
    }
};

/// Base mouldings, shaft and capital, between the slabs.
Profile columnProfile(const Column& c, double spacing) {
    const double r = c.radius, base = c.slab();
    // base: a torus, a narrow fillet, and a hollow curve into the shaft
    Profile profile({1.2 * r, base});
    profile.arcTo({1.2 * r, base + 0.15 * r}, {1.35 * r, base + 0.15 * r});
    profile.arcTo({1.2 * r, base + 0.15 * r}, {1.2 * r, base + 0.3 * r});
    profile.lineTo({1.14 * r, base + 0.3 * r});
    profile.lineTo({1.14 * r, base + 0.38 * r});
    profile.curveTo({1.02 * r, base + 0.4 * r}, {r, base + 0.52 * r}, {r, c.shaftFrom()});

    // shaft, with places where the flutes begin and end
    std::vector<double> places{c.shaftFrom(), c.shaftTo()};
    if (c.flutes > 0) {
        for (const double part : {0.0, 0.06, 0.3, 0.6, 1.0}) {
            places.push_back(c.flutesFrom() + part * c.scoop());
            places.push_back(c.flutesTo() - part * c.scoop());
        }
    }
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i + 1 < places.size(); ++i) {
        const double from = places[i], to = places[i + 1];
        const int steps = std::max(1, static_cast<int>(std::round((to - from) / spacing)));
        for (int k = 1; k <= steps; ++k) {
            const double y = from + (to - from) * k / steps;
            profile.lineTo({c.shaftRadius(y), y});
        }
    }

    // capital: astragal, neck, echinus
    const double t = c.topRadius, y = c.shaftTo(), top = c.height - c.slab(), bead = 0.06 * r;
    profile.lineTo({t + 0.5 * bead, y});
    profile.arcTo({t + 0.5 * bead, y + bead}, {t + 1.5 * bead, y + bead});
    profile.arcTo({t + 0.5 * bead, y + bead}, {t + 0.5 * bead, y + 2 * bead});
    profile.lineTo({t, y + 2 * bead});
    const double echinusFrom = top - 0.32 * r, width = 0.92 * c.abacus();
    profile.lineTo({t, echinusFrom - 0.07 * r});
    profile.lineTo({t + 0.09 * r, echinusFrom - 0.07 * r});
    profile.lineTo({t + 0.09 * r, echinusFrom});
    profile.curveTo({t + 0.6 * (width - t), echinusFrom + 0.02 * r}, {width, top - 0.2 * r}, {width, top});
    return profile;
}

/// Collects the rings of a column from the bottom of its plinth to the top of its abacus.
class ColumnRings {
public:
    ColumnRings(const Column& column, double spacing) : column_(column), spacing_(spacing) {}

    void addSlabBelow() {
        const double half = column_.plinth();
        addDisc(half, 0, true);
        addSlabSide(half, 0, column_.slab());
    }
    void addSlabAbove() {
        const double half = column_.abacus();
        addSlabSide(half, column_.height - column_.slab(), column_.height);
        addDisc(half, column_.height, false);
    }

    void addRound(const std::vector<ProfileSample>& samples) {
        addAnnulus(column_.plinth(), samples.front().point, true);
        for (const ProfileSample& sample : samples) {
            addRing(column_.around, sample.point.y(),
                    [&](double turns) { return sample.point.x() - column_.fluteDepthAt(turns, sample.point.y()); });
        }
        addAnnulus(column_.abacus(), samples.back().point, false);
    }

    std::vector<Ring> take() { return std::move(rings_); }

private:
    template <class Radius>
    void addRing(uint32_t count, double y, Radius&& radiusAt) {
        Ring ring;
        for (uint32_t j = 0; j < count; ++j) {
            const double turns = static_cast<double>(j) / count;
            const Vec2 p = radiusAt(turns) * onUnitCircle(turns);
            ring.points.push_back({p.x(), y, -p.y()});
        }
        rings_.push_back(std::move(ring));
    }

    /// Distance from the middle of a square of half side 1 to its rim.
    static double squareRim(double turns) { return 1 / onUnitCircle(turns).cwiseAbs().maxCoeff(); }

    int steps(double length) const { return std::max(1, static_cast<int>(std::round(length / spacing_))); }

    /// A level square face: circles in the middle that turn into squares, with fewer points towards the pole.
    void addDisc(double half, double y, bool outward) {
        ASSERT(half > 0);
        const int count = steps(half);
        std::vector<Ring> disc;
        std::swap(disc, rings_);
        addRing(1, y, [](double) { return 0; });
        // halve as the rings shrink
        std::vector<uint32_t> points(static_cast<size_t>(count) + 1, column_.around);
        for (int i = count - 1; i > 0; --i) {
            const size_t at = static_cast<size_t>(i);
            points[at] = points[at + 1];
            const double part = static_cast<double>(i) / count;
            if (points[at] % 2 == 0 && points[at] >= 10 && part * column_.around < 0.71 * points[at]) points[at] /= 2;
        }
        // from a circle in the middle to the square at the rim
        for (int i = 1; i < count; ++i) {
            const double part = static_cast<double>(i) / count;
            addRing(points[static_cast<size_t>(i)], y,
                    [&](double turns) { return half * part * (1 + part * part * (squareRim(turns) - 1)); });
        }
        // from the pole outward on the upper face, the other way on the lower
        std::swap(disc, rings_);
        if (!outward) std::reverse(disc.begin(), disc.end());
        for (Ring& ring : disc) rings_.push_back(std::move(ring));
    }

    void addSlabSide(double half, double from, double to) {
        const int count = steps(to - from);
        for (int i = 0; i <= count; ++i) {
            addRing(column_.around, from + (to - from) * i / count,
                    [&](double turns) { return half * squareRim(turns); });
        }
    }

    /// The level face between a square slab and the round part, both rims excluded.
    void addAnnulus(double half, const Vec2& round, bool inward) {
        const int count = steps(half - round.x());
        for (int i = 1; i < count; ++i) {
            const double part = static_cast<double>(inward ? i : count - i) / count;
            addRing(column_.around, round.y(),
                    [&](double turns) { return (1 - part) * half * squareRim(turns) + part * round.x(); });
        }
    }

    const Column& column_;
    double spacing_;
    std::vector<Ring> rings_;
};

TriMesh columnMesh(const Column& column, int resolution) {
    // edges as long as those around the plinth, but bounded for tall thin columns
    const double spacing = std::max(8 * column.plinth() / column.around, 0.6 * column.height / resolution / 4);
    const Profile profile = columnProfile(column, spacing);
    const double turn = std::clamp(6 * std::numbers::pi / column.around, 0.25, 0.7);
    const ProfileSpacing sampling{.lengthAt = [&](double) { return spacing; }, .turn = turn};

    ColumnRings collected(column, spacing);
    collected.addSlabBelow();
    collected.addRound(profile.sampled(sampling));
    collected.addSlabAbove();
    const std::vector<Ring> rings = collected.take();

    // UVs: around, and along the outline; the level end faces flat
    std::vector<double> along{0};
    for (size_t i = 1; i < rings.size(); ++i) {
        along.push_back(along.back() + (rings[i].points[0] - rings[i - 1].points[0]).norm());
    }
    const double width = 2 * column.plinth();
    TriMesh mesh = sewRings(rings, false, [&](const RingCorner& corner) {
        const size_t ring = corner.band + corner.upper;
        const Vec3& point = rings[ring].points[corner.slot % rings[ring].points.size()];
        const double y0 = rings[corner.band].points[0].y(), y1 = rings[corner.band + 1].points[0].y();
        const bool endFace = y0 == y1 && (y0 == 0 || y0 == column.height);
        // seen from its own side, never mirrored
        const Vec2 flat(0.5 + point.x() / width, 0.5 + (y0 == 0 ? point.z() : -point.z()) / width);
        return CornerAttributes{Vec3::Zero(), endFace ? flat : Vec2(corner.turns, along[ring] / along.back())};
    });
    // slabs and mouldings have right angles, the facets of a coarse shaft turn by 45 degrees at most; arrises lie
    // between
    computeNormals(mesh, column.flutes > 0 ? 0.55 : 1.0);
    return mesh;
}

void requireSlender(const Arguments& a) { a.require("height", {.from = 6 * a["radius"]}, "at least 6 times radius"); }

TriMesh makePillar(const Arguments& a) {
    requireSlender(a);
    a.check();
    Column column{.height = a["height"], .radius = a["radius"], .topRadius = a["taper"] * a["radius"]};
    column.around = 8 * static_cast<uint32_t>(std::max(1.0, std::round(a.resolution() / 8.0)));
    return columnMesh(column, a.resolution());
}

TriMesh makeFlutedColumn(const Arguments& a) {
    requireSlender(a);
    const int flutes = a.whole("flutes");
    a.require("flute_depth", {.to = 0.4 * std::numbers::pi / flutes * 2}, "at most 0.8 pi / flutes");
    a.check();
    Column column{
        .height = a["height"], .radius = a["radius"], .topRadius = a["taper"] * a["radius"], .flutes = flutes};
    column.fluteDepth = a["flute_depth"] * column.topRadius;
    // each flute takes at least four segments to be one
    const int unit = flutes % 2 == 0 ? 4 : 8;
    const double wanted = static_cast<double>(a.resolution()) / (flutes * unit);
    column.around = static_cast<uint32_t>(flutes * unit * std::max(1, static_cast<int>(std::round(wanted))));
    return columnMesh(column, a.resolution());
}

}  // namespace

Catalogue columnShapes() {
    const auto common = [](double height, double radius) -> std::vector<ShapeParameter> {
        return {length("height", "height", height, 0.1, 100),
                length("radius", "radius of the shaft at its foot", radius, 0.01, 10),
                ratio("taper", "radius of the shaft at its top, as a part of that at its foot", 0.84, 0.6, 1)};
    };
    std::vector<ShapeParameter> fluted = common(3, 0.2);
    fluted.push_back(count("flutes", "number of flutes", 20, 8, 32));
    fluted.push_back(ratio("flute_depth", "depth of the flutes, as a part of the shaft's radius", 0.08, 0.01, 0.3));
    return {
        {{"pillar", "a plain column: square plinth, base, shaft with entasis, capital", false, common(3, 0.2), "stone"},
         makePillar},
        {{"fluted_column", "a column with hollow flutes that meet in sharp arrises", false, fluted, "stone"},
         makeFlutedColumn},
    };
}

}  // namespace sunder::shapes
