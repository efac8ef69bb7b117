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
    const auto value = [&](const Vec3& point) {
        double highest = shape.parts[0](point);
        for (size_t part = 1; part < shape.parts.size(); ++part) highest = std::max(highest, shape.parts[part](point));
        return highest;
    };
    // in blocks: one that the surface cannot reach needs no more than the sign of its middle
    constexpr int kBlock = 8;
    Int3 blocks;
    for (size_t axis = 0; axis < 3; ++axis) blocks[axis] = (frame.points[axis] + kBlock - 1) / kBlock;
    const size_t blockCount =
        static_cast<size_t>(blocks[0]) * static_cast<size_t>(blocks[1]) * static_cast<size_t>(blocks[2]);
    const double reach = shape.steepest * 0.5 * kBlock * std::sqrt(3.0) * shape.cellSize;
    parallelFor(blockCount, 16, [&](const BlockRange& range) {
        for (size_t block = range.begin; block < range.end; ++block) {
            const int plane = blocks[0] * blocks[1], b = static_cast<int>(block);
            const Int3 first{b % blocks[0] * kBlock, b % plane / blocks[0] * kBlock, b / plane * kBlock};
            const double middle = value(frame.position(first[0], first[1], first[2]) +
                                        Vec3::Constant(0.5 * (kBlock - 1) * shape.cellSize));
            const bool far = std::abs(middle) > reach;
            for (int k = first[2]; k < std::min(first[2] + kBlock, frame.points[2]); ++k) {
                for (int j = first[1]; j < std::min(first[1] + kBlock, frame.points[1]); ++j) {
                    for (int i = first[0]; i < std::min(first[0] + kBlock, frame.points[0]); ++i) {
                        grid.at(i, j, k) = static_cast<float>(far ? middle : value(frame.position(i, j, k)));
                    }
                }
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
