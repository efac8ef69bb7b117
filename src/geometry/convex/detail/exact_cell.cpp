#include "geometry/convex/detail/exact_cell.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/simd.h"

namespace sunder::detail {

namespace {

/// Heights of all vertices beyond a plane, times their weights, and how wrong rounding may have made them.
SUNDER_SIMD
void heightsOf(const PlaneRow& plane, size_t count, const double* __restrict x, const double* __restrict y,
               const double* __restrict z, const double* __restrict w, const double* __restrict pointSize,
               const double* __restrict weightSize, double* __restrict height, double* __restrict bound) {
    const double nx = plane.normal.x(), ny = plane.normal.y(), nz = plane.normal.z(), d = plane.offset;
    const double normalSize = kRowError * plane.normalSize, offsetSize = kRowError * plane.offsetSize;
    for (size_t i = 0; i < count; ++i) {
        height[i] = nx * x[i] + ny * y[i] + nz * z[i] - d * w[i];
        bound[i] = normalSize * pointSize[i] + offsetSize * weightSize[i];
    }
}

}  // namespace

void ExactCell::reset(Generator site, const std::array<Generator, 6>& box) {
    site_ = site;
    planes_.assign(box.begin(), box.end());
    rows_.clear();
    for (const Generator g : planes_) rows_.push_back(system_.row(site, g));
    count_ = 0;
    reserveVertices(64);
    reserveEdges(planes_.size());
    for (Local z = 4; z < 6; ++z) {
        for (Local y = 2; y < 4; ++y) {
            for (Local x = 0; x < 2; ++x) {
                const bool rightHanded = (x + y + z) % 2 == 1;  // an even number of the three points down its axis
                rightHanded ? addVertex(x, y, z) : addVertex(x, z, y);
            }
        }
    }
    updateRadius();
}

/// Of a vertex whose rounded height does not tell.
int ExactCell::sideOf(size_t vertex, Generator generator, const LongRow& plane) {
    if (!hasLong_[vertex]) {
        long_[vertex] = system_.longVertex(site_, planesOf(vertex));
        hasLong_[vertex] = 1;
    }
    const double height = longHeight(long_[vertex], plane).high;
    if (std::abs(height) > kLongError / kRowError * bound_[vertex]) return height > 0 ? 1 : -1;
    return system_.exactSide(site_, planesOf(vertex), generator);
}

bool ExactCell::cut(Generator generator) {
    const PlaneRow plane = system_.row(site_, generator);
    heightsOf(plane, count_, x_.data(), y_.data(), z_.data(), w_.data(), pointSize_.data(), weightSize_.data(),
              height_.data(), bound_.data());

    // which vertices go? clear cases by their rounded heights, the others exactly
    removed_.clear();
    std::optional<LongRow> longPlane;
    for (size_t v = 0; v < count_; ++v) {
        if (height_[v] < -bound_[v]) continue;
        bool beyond = height_[v] > bound_[v];
        if (!beyond) {
            if (!longPlane) longPlane = system_.longRow(site_, generator);
            beyond = sideOf(v, generator, *longPlane) > 0;
        }
        if (beyond) removed_.push_back(static_cast<uint32_t>(v));
    }
    if (removed_.empty()) return false;
    if (removed_.size() == count_) {
        count_ = 0;
        squaredRadius_ = 0;
        return true;
    }

    // their hole in the dual surface is bounded by the edges that only one of them has
    reserveEdges(planes_.size() + 1);
    ++stamp_;
    removedTriangles_.clear();
    for (const uint32_t v : removed_) {
        const auto& [a, b, c] = triangles_[v];
        edges_[a * edgeStride_ + b] = edges_[b * edgeStride_ + c] = edges_[c * edgeStride_ + a] = stamp_;
        removedTriangles_.push_back(triangles_[v]);
    }
    for (auto v = removed_.rbegin(); v != removed_.rend(); ++v) removeVertex(*v);

    // close it around the new plane
    const Local added = static_cast<Local>(planes_.size());
    planes_.push_back(generator);
    rows_.push_back(plane);
    reserveVertices(count_ + 3 * removedTriangles_.size());
    for (const auto& t : removedTriangles_) {
        for (size_t i = 0; i < 3; ++i) {
            const Local from = t[i], to = t[(i + 1) % 3];
            if (edges_[to * edgeStride_ + from] != stamp_) addVertex(from, to, added);
        }
    }
    updateRadius();
    return true;
}

void ExactCell::addVertex(Local a, Local b, Local c) {
    const PlaneRow &i = rows_[a], &j = rows_[b], &k = rows_[c];
    const Vec3 jk = j.normal.cross(k.normal);
    const Vec3 point = i.offset * jk + j.offset * k.normal.cross(i.normal) + k.offset * i.normal.cross(j.normal);
    const size_t v = count_++;
    triangles_[v] = {a, b, c};
    hasLong_[v] = 0;
    x_[v] = point.x();
    y_[v] = point.y();
    z_[v] = point.z();
    w_[v] = i.normal.dot(jk);
    const double ij = i.normalSize * j.normalSize;
    pointSize_[v] = (i.offsetSize * j.normalSize + j.offsetSize * i.normalSize) * k.normalSize + k.offsetSize * ij;
    weightSize_[v] = ij * k.normalSize;

    // an upper bound: too large only costs time, too small would miss a cut
    constexpr double kClear = 0x1p-20;
    if (kRowError * weightSize_[v] < kClear * w_[v]) {
        const double leastWeight = w_[v] - kRowError * weightSize_[v];
        const double distance = (point.norm() + 2 * kRowError * pointSize_[v]) / leastWeight;
        radius_[v] = distance * distance;
    } else {
        radius_[v] = system_.meetingPoint(site_, planesOf(v)).squaredNorm() * (1 + kClear);
    }
}

void ExactCell::removeVertex(size_t vertex) {
    const size_t last = --count_;
    triangles_[vertex] = triangles_[last];
    hasLong_[vertex] = hasLong_[last];
    if (hasLong_[vertex]) long_[vertex] = long_[last];
    x_[vertex] = x_[last];
    y_[vertex] = y_[last];
    z_[vertex] = z_[last];
    w_[vertex] = w_[last];
    pointSize_[vertex] = pointSize_[last];
    weightSize_[vertex] = weightSize_[last];
    radius_[vertex] = radius_[last];
}

void ExactCell::reserveVertices(size_t count) {
    if (count <= triangles_.size()) return;
    const size_t size = std::max(count, 2 * triangles_.size());
    triangles_.resize(size);
    long_.resize(size);
    hasLong_.resize(size);
    for (std::vector<double>* column : {&x_, &y_, &z_, &w_, &pointSize_, &weightSize_, &radius_, &height_, &bound_}) {
        column->resize(size);
    }
}

void ExactCell::reserveEdges(size_t planes) {
    if (planes <= edgeStride_) return;
    edgeStride_ = std::max<size_t>(64, 2 * planes);
    edges_.assign(edgeStride_ * edgeStride_, 0);
    stamp_ = 0;
}

void ExactCell::updateRadius() {
    squaredRadius_ =
        *std::max_element(radius_.begin(), radius_.begin() + static_cast<std::ptrdiff_t>(count_)) * (1 + 0x1p-40);
}

void ExactCell::collectFaces(Faces& result) {
    result.faces.clear();
    result.corners.clear();
    // the triangle on the left of each directed edge of the dual surface
    left_.resize(edges_.size());
    anyTriangle_.assign(planes_.size(), kInvalidIndex);
    for (size_t v = 0; v < count_; ++v) {
        const auto& t = triangles_[v];
        for (size_t i = 0; i < 3; ++i) {
            left_[t[i] * edgeStride_ + t[(i + 1) % 3]] = static_cast<uint32_t>(v);
            anyTriangle_[t[i]] = static_cast<uint32_t>(v);
        }
    }
    order_.clear();
    for (Local plane = 0; plane < planes_.size(); ++plane) {
        if (anyTriangle_[plane] != kInvalidIndex) order_.push_back(plane);
    }
    std::sort(order_.begin(), order_.end(), [&](Local a, Local b) { return planes_[a] < planes_[b]; });
    for (const Local plane : order_) {
        Face face{planes_[plane], static_cast<uint32_t>(result.corners.size()), 0};
        uint32_t v = anyTriangle_[plane];
        do {
            result.corners.push_back(v);
            const auto& t = triangles_[v];
            const size_t i = t[0] == plane ? 0 : (t[1] == plane ? 1 : 2);
            v = left_[plane * edgeStride_ + t[(i + 2) % 3]];
        } while (v != anyTriangle_[plane]);
        face.cornerCount = static_cast<uint32_t>(result.corners.size()) - face.firstCorner;
        result.faces.push_back(face);
    }
}

}  // namespace sunder::detail
