#include <algorithm>
#include <cmath>
#include <functional>

#include "geometry/shapes/detail/catalogue.h"
#include "geometry/shapes/detail/distance_functions.h"
#include "geometry/shapes/detail/implicit.h"

namespace sunder::shapes {

namespace {

constexpr double kSoleRounding = 0.03;

/// A sculpture is modelled one unit large and scaled.
struct Sculpture {
    std::function<double(const Vec3&)> distance;
    Box3 bounds;          // of the model, some room to spare
    int fewestCells = 0;  // along the longest side, so that no limb is lost and no gap closes
};

TriMesh carve(const Sculpture& sculpture, double scale, const Arguments& a) {
    ImplicitSolid solid;
    // cut level by the ground it stands on, the rim of the cut a little rounded
    solid.distance = [&](const Vec3& p) {
        return scale * smoothIntersection(sculpture.distance(p / scale), -p.y() / scale, kSoleRounding);
    };
    solid.bounds = {scale * sculpture.bounds.min, scale * sculpture.bounds.max};
    const double cells = std::max(static_cast<double>(sculpture.fewestCells), 1.25 * a.resolution());
    solid.cellSize = solid.bounds.size().maxCoeff() / std::round(cells);
    return implicitMesh(solid);
}

/// A bull, head towards +x. Both sides at once: z counts as its absolute value.
double bullDistance(const Vec3& point, double stoutness) {
    const Vec3 p(point.x(), point.y(), smoothAbs(point.z(), 0.012));
    const auto limb = [&](const Vec3& from, double radiusFrom, const Vec3& to, double radiusTo) {
        return limbDistance(p, from, radiusFrom * stoutness, to, radiusTo * stoutness);
    };
    const auto curve = [&](const Vec3& from, double radiusFrom, const Vec3& bend, const Vec3& to, double radiusTo) {
        return curvedLimbDistance(p, from, radiusFrom * stoutness, bend, to, radiusTo * stoutness);
    };

    // far from a group that is joined with a blend, the join changes nothing
    double d = 0;
    const auto near = [&](const Vec3& middle, double radius, double blend) {
        return (p - middle).norm() - radius * stoutness <= d + blend;
    };

    // trunk: rump, barrel, chest, hump
    d = limb({-0.26, 0.565, 0.035}, 0.135, {0.0, 0.55, 0.0}, 0.17);
    d = smoothUnion(d, limb({0.0, 0.55, 0}, 0.17, {0.2, 0.56, 0.02}, 0.19), 0.1);
    d = smoothUnion(d, limb({0.2, 0.7, 0}, 0.125, {0.02, 0.66, 0}, 0.07), 0.16);

    // neck and head, lowered: forehead, jaw, muzzle
    d = smoothUnion(d, limb({0.25, 0.63, 0}, 0.165, {0.43, 0.62, 0}, 0.105), 0.12);
    if (near({0.52, 0.58, 0.03}, 0.24, 0.06)) {
        double head = limb({0.47, 0.635, 0}, 0.082, {0.605, 0.485, 0}, 0.052);
        head = smoothUnion(head, limb({0.455, 0.57, 0}, 0.065, {0.575, 0.455, 0}, 0.042), 0.05);
        head = smoothUnion(head, limb({0.612, 0.462, 0}, 0.047, {0.61, 0.462, 0.03}, 0.042), 0.06);
        d = smoothUnion(d, head, 0.06);
        // brow over the eyes
        d = smoothUnion(d, limb({0.505, 0.67, 0.03}, 0.03, {0.5, 0.645, 0.075}, 0.022), 0.03);
        d = smoothUnion(
            d, limbDistance(p, {0.53, 0.617, 0.06 * stoutness}, 0.019, {0.525, 0.62, 0.062 * stoutness}, 0.019), 0.012);
    }
    // dewlap
    d = smoothUnion(d, limb({0.44, 0.52, 0}, 0.025, {0.32, 0.38, 0}, 0.035), 0.12);
    if (near({0.47, 0.74, 0.12}, 0.25, 0.04)) {
        // ears, horns
        d = smoothUnion(d, curve({0.43, 0.65, 0.07}, 0.03, {0.42, 0.66, 0.14}, {0.385, 0.62, 0.185}, 0.014), 0.04);
        d = smoothUnion(d, curve({0.455, 0.7, 0.04}, 0.042, {0.43, 0.745, 0.25}, {0.575, 0.875, 0.205}, 0.011), 0.04);
    }

    if (near({0.215, 0.3, 0.11}, 0.42, 0.08)) {
        // fore leg: shoulder, knee, fetlock, hoof
        double fore = limb({0.2, 0.5, 0.105}, 0.11, {0.225, 0.3, 0.115}, 0.056);
        fore = smoothUnion(fore, limb({0.228, 0.275, 0.115}, 0.052, {0.215, 0.1, 0.115}, 0.039), 0.06);
        fore = smoothUnion(fore, limb({0.22, 0.06, 0.115}, 0.041, {0.235, -0.02, 0.115}, 0.06), 0.05);
        d = smoothUnion(d, fore, 0.08);
    }
    if (near({-0.26, 0.3, 0.11}, 0.42, 0.08)) {
        // hind leg: thigh, hock, fetlock, hoof
        double hind = limb({-0.26, 0.53, 0.095}, 0.125, {-0.21, 0.38, 0.115}, 0.09);
        hind = smoothUnion(hind, limb({-0.22, 0.36, 0.115}, 0.078, {-0.315, 0.255, 0.115}, 0.05), 0.07);
        hind = smoothUnion(hind, limb({-0.315, 0.25, 0.115}, 0.047, {-0.285, 0.1, 0.115}, 0.038), 0.05);
        hind = smoothUnion(hind, limb({-0.285, 0.06, 0.115}, 0.041, {-0.265, -0.02, 0.115}, 0.06), 0.05);
        d = smoothUnion(d, hind, 0.08);
    }

    // tail with its tuft
    if (!near({-0.43, 0.45, 0}, 0.3, 0.05)) return d;
    double tail = curve({-0.365, 0.655, 0}, 0.034, {-0.49, 0.66, 0}, {-0.455, 0.38, 0}, 0.017);
    tail = smoothUnion(tail, curve({-0.455, 0.36, 0}, 0.03, {-0.45, 0.3, 0}, {-0.475, 0.23, 0}, 0.012), 0.05);
    return smoothUnion(d, tail, 0.05);
}

/// A seated figure with its arms around its knees, on a low base; looks towards +x.
double figureDistance(const Vec3& point, double fullness) {
    const Vec3 p(point.x(), point.y(), smoothAbs(point.z(), 0.012));
    const auto limb = [&](const Vec3& from, double radiusFrom, const Vec3& to, double radiusTo) {
        return limbDistance(p, from, radiusFrom * fullness, to, radiusTo * fullness);
    };
    const auto curve = [&](const Vec3& from, double radiusFrom, const Vec3& bend, const Vec3& to, double radiusTo) {
        return curvedLimbDistance(p, from, radiusFrom * fullness, bend, to, radiusTo * fullness);
    };

    // far from a group that is joined with a blend, the join changes nothing
    double d = 0;
    const auto near = [&](const Vec3& middle, double radius, double blend) {
        return (p - middle).norm() - radius * fullness <= d + blend;
    };

    // trunk: hips, waist, chest, shoulders
    d = limb({-0.15, 0.17, 0}, 0.135, {-0.15, 0.17, 0.07}, 0.125);
    d = smoothUnion(d, limb({-0.19, 0.26, 0}, 0.1, {-0.19, 0.42, 0}, 0.09), 0.14);
    d = smoothUnion(d, limb({-0.165, 0.5, 0.0}, 0.105, {-0.155, 0.53, 0.06}, 0.098), 0.14);
    d = smoothUnion(d, limb({-0.135, 0.605, 0}, 0.068, {-0.12, 0.6, 0.145}, 0.066), 0.1);
    // neck and head: a tilted egg, the chin lifted a little
    d = smoothUnion(d, curve({-0.125, 0.63, 0}, 0.066, {-0.11, 0.7, 0}, {-0.075, 0.77, 0}, 0.046), 0.08);
    d = smoothUnion(d, limb({-0.075, 0.862, 0}, 0.073, {-0.042, 0.8, 0}, 0.047), 0.045);

    if (near({0.15, 0.28, 0.07}, 0.42, 0.07)) {
        // legs drawn up: thigh, shin, foot; side by side they are nearly one mass
        double leg = limb({-0.1, 0.17, 0.085}, 0.1, {0.23, 0.455, 0.062}, 0.07);
        leg =
            smoothUnion(leg, curve({0.235, 0.455, 0.062}, 0.068, {0.3, 0.3, 0.062}, {0.29, 0.12, 0.062}, 0.043), 0.06);
        leg = smoothUnion(leg, limb({0.295, 0.1, 0.062}, 0.045, {0.41, 0.075, 0.072}, 0.035), 0.06);
        d = smoothUnion(d, leg, 0.07);
    }

    if (near({0.1, 0.46, 0.12}, 0.36, 0.055)) {
        // arms: shoulder, elbow, hands clasped before the shins
        double arm = limb({-0.12, 0.6, 0.155}, 0.062, {0.04, 0.415, 0.24}, 0.047);
        arm =
            smoothUnion(arm, curve({0.04, 0.415, 0.24}, 0.047, {0.2, 0.36, 0.235}, {0.315, 0.33, 0.085}, 0.036), 0.06);
        arm = smoothUnion(arm, limb({0.315, 0.33, 0.085}, 0.036, {0.34, 0.325, 0.0}, 0.042), 0.05);
        d = smoothUnion(d, arm, 0.055);
    }

    // base
    return smoothUnion(d, roundedBoxDistance(point, {0.07, 0.0, 0}, {0.43, 0.06, 0.27}, 0.03), 0.04);
}

TriMesh makeAnimal(const Arguments& a) {
    const double stoutness = a["stoutness"];
    return carve(
        {[stoutness](const Vec3& p) { return bullDistance(p, stoutness); }, {{-0.56, 0, -0.3}, {0.72, 0.93, 0.3}}, 80},
        a["length"] / 1.2, a);
}

TriMesh makeFigure(const Arguments& a) {
    const double fullness = a["fullness"];
    return carve({[fullness](const Vec3& p) { return figureDistance(p, fullness); },
                  {{-0.42, 0, -0.35}, {0.56, 0.99, 0.35}},
                  72},
                 a["height"] / 0.93, a);
}

}  // namespace

Catalogue sculptureShapes() {
    return {
        {{"animal",
          "a bull of stone, head lowered, on its four legs",
          false,
          {length("length", "length from tail to muzzle along x", 0.6, 0.05, 50),
           ratio("stoutness", "thickness of trunk and limbs", 1, 0.85, 1.15)},
          "stone"},
         makeAnimal},
        {{"figure",
          "a seated figure with its arms around its knees, pierced by openings",
          false,
          {length("height", "height", 0.8, 0.05, 50), ratio("fullness", "thickness of trunk and limbs", 1, 0.85, 1.15)},
          "stone"},
         makeFigure},
    };
}

}  // namespace sunder::shapes
