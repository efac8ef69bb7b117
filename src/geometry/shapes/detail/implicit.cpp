#include "geometry/shapes/detail/implicit.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "geometry/shapes/detail/lattice.h"
#include "geometry/surface/isosurface.h"

namespace sunder::shapes {

namespace {

size_t highestPart(const ImplicitShape& shape, const Vec3& point) {
    size_t highest = 0;
    double value = shape.parts[0](point);
    for (size_t i = 1; i < shape.parts.size(); ++i) {
        const double other = shape.parts[i](point);
        if (other > value) value = other, highest = i;
    }
    return highest;
}

Vec3 normalOf(const ImplicitShape& shape, size_t part, const Vec3& point) {
    const double step = 0.01 * shape.cellSize;
    const auto& f = shape.parts[part];
    Vec3 slope;
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3 offset = step * Vec3::Unit(axis);
        slope[axis] = f(point + offset) - f(point - offset);
    }
    const double length = slope.norm();
    return length > 0 ? Vec3(slope / length) : Vec3(0, 1, 0);
}

DistanceGrid gridOf(const ImplicitShape& shape) {
    // the solid's faces lie half way between lattice points, where they are found most surely
    GridFrame frame;
    frame.cellSize = shape.cellSize;
    frame.origin = shape.bounds.min.array() - 2.5 * shape.cellSize;
    for (size_t axis = 0; axis < 3; ++axis) {
        const double size = shape.bounds.size()[static_cast<Eigen::Index>(axis)];
        frame.points[axis] = static_cast<int>(std::ceil(size / shape.cellSize - 1e-6)) + 6;
    }
    DistanceGrid grid(frame);
    const size_t rows = static_cast<size_t>(frame.points[1]) * static_cast<size_t>(frame.points[2]);
    parallelFor(rows, 64, [&](const BlockRange& block) {
        for (size_t row = block.begin; row < block.end; ++row) {
            const int j = static_cast<int>(row % static_cast<size_t>(frame.points[1]));
            const int k = static_cast<int>(row / static_cast<size_t>(frame.points[1]));
            for (int i = 0; i < frame.points[0]; ++i) {
                const Vec3 point = frame.position(i, j, k);
                double value = shape.parts[0](point);
                for (size_t part = 1; part < shape.parts.size(); ++part) {
                    value = std::max(value, shape.parts[part](point));
                }
                grid.at(i, j, k) = static_cast<float>(value);
            }
        }
    });
    return grid;
}

}  // namespace

TriMesh implicitMesh(const ImplicitShape& shape) {
    const DistanceGrid grid = gridOf(shape);
    IsosurfaceOptions options;
    options.keepCreases = shape.parts.size() > 1;
    options.normalAt = [&](const Vec3& p) { return normalOf(shape, highestPart(shape, p), p); };
    TriMesh mesh = isosurface(grid, options);

    // normals: each triangle follows the part it lies on, so that they break exactly where parts meet
    mesh.normals.assign(mesh.triangleCount(), {});
    parallelFor(mesh.triangleCount(), 1024, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const TriangleIndex t = static_cast<TriangleIndex>(i);
            const auto corners = mesh.corners(t);
            const size_t part = highestPart(shape, (corners[0] + corners[1] + corners[2]) / 3);
            for (size_t c = 0; c < 3; ++c) mesh.normals[t][c] = normalOf(shape, part, corners[c]);
        }
    });
    projectUvs(mesh, shape.bounds.size().maxCoeff());
    return mesh;
}

}  // namespace sunder::shapes
