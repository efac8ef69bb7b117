#include "io/render/slice.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace sunder {

namespace {

Rgb mix(const Vec3& a, const Vec3& b, double t) {
    const Vec3 c = 255 * (a + (b - a) * std::clamp(t, 0.0, 1.0));
    return {static_cast<uint8_t>(c.x()), static_cast<uint8_t>(c.y()), static_cast<uint8_t>(c.z())};
}

/// The surface black, contours darker, warm inside and cool outside.
Rgb colourOf(double value, double scale, double contourStep, double pixel) {
    if (std::abs(value) < 1.2 * pixel) return {20, 20, 20};
    const bool onContour = std::abs(std::remainder(value, contourStep)) < 0.5 * pixel;
    const double depth = std::abs(value) / scale;
    const Rgb colour = value < 0 ? mix({0.99, 0.86, 0.62}, {0.60, 0.20, 0.10}, depth)
                                 : mix({0.90, 0.95, 0.98}, {0.20, 0.40, 0.62}, depth);
    if (!onContour) return colour;
    return {static_cast<uint8_t>(0.8 * colour.r), static_cast<uint8_t>(0.8 * colour.g),
            static_cast<uint8_t>(0.8 * colour.b)};
}

}  // namespace

Image sliceImage(const DistanceGrid& grid, int axis, double position, int width) {
    ASSERT(axis >= 0 && axis < 3 && width > 0);
    ASSERT(position >= 0 && position <= 1);
    // right and up of the picture: Y stays up when it can
    const int right = axis == 0 ? 2 : 0, up = axis == 1 ? 2 : 1;
    const Box3 box = grid.frame().bounds();
    const Vec3 size = box.size();
    const double pixel = std::max(size[right], size[up]) / width;
    const int columns = std::max(1, static_cast<int>(size[right] / pixel)),
              rows = std::max(1, static_cast<int>(size[up] / pixel));

    // colours span half of the largest distance in the whole grid, so that slices of one body compare
    const auto [low, high] = std::minmax_element(grid.values().begin(), grid.values().end());
    const double scale = std::max({static_cast<double>(*high), -static_cast<double>(*low), 1e-300}) / 2;
    Image image(columns, rows);
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            Vec3 point = box.min;
            point[axis] += position * size[axis];
            point[right] += (x + 0.5) * pixel;
            point[up] = box.max[up] - (y + 0.5) * pixel;
            image.at(x, y) = colourOf(grid.value(point), scale, 4 * grid.frame().cellSize, pixel);
        }
    }
    return image;
}

}  // namespace sunder
