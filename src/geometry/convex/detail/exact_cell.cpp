#include "geometry/convex/detail/exact_cell.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.h"
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

/// The same with twice the digits. Exact products by one instruction where there is one.
SUNDER_FMA
void longHeightsOf(const LongRow& plane, size_t count, const std::array<double*, 8>& columns,
                   double* __restrict height) {
    const auto [x, xLow, y, yLow, z, zLow, w, wLow] = columns;
    for (size_t i = 0; i < count; ++i) {
        height[i] = longHeight({{{{x[i], xLow[i]}, {y[i], yLow[i]}, {z[i], zLow[i]}}}, {w[i], wLow[i]}}, plane);
    }
}

}  // namespace

void ExactCell::reset(Generator site, const std::array<Generator, 6>& box) {
    site_ = site;
    asked_.clear();
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

/// Makes these the vertices asked about, with twice the digits, if they are not yet.
void ExactCell::askAbout(const std::vector<uint32_t>& vertices) {
    if (asked_ == vertices) return;
    asked_ = vertices;
    for (std::vector<double>& column : askedColumns_) column.resize(asked_.size());
    for (size_t i = 0; i < asked_.size(); ++i) {
        const uint32_t v = asked_[i];
        if (!hasLong_[v]) {
            long_[v] = system_.longVertex(site_, planesOf(v));
            hasLong_[v] = 1;
        }
        for (size_t c = 0; c < 4; ++c) {
            const DoubleDouble& number = c < 3 ? long_[v].point[c] : long_[v].weight;
            askedColumns_[2 * c][i] = number.high;
            askedColumns_[2 * c + 1][i] = number.low;
        }
    }
}

/// Which of the vertices whose rounded heights do not tell are beyond; adds them to the removed ones.
void ExactCell::decideUnclear(Generator generator) {
    askAbout(unclear_);
    std::array<double*, 8> columns;
    std::transform(askedColumns_.begin(), askedColumns_.end(), columns.begin(), [](auto& c) { return c.data(); });
    longHeightsOf(system_.longRow(site_, generator), asked_.size(), columns, height_.data());
    for (size_t i = 0; i < asked_.size(); ++i) {
        const uint32_t v = asked_[i];
        const bool isClear = std::abs(height_[i]) > kLongError / kRowError * bound_[v];
        if (isClear ? height_[i] > 0 : system_.exactSide(site_, planesOf(v), generator) > 0) removed_.push_back(v);
    }
    std::sort(removed_.begin(), removed_.end());
}

bool ExactCell::cut(Generator generator) {
    // heights of all vertices over the new plane, with a bound of their error
    const PlaneRow plane = system_.row(site_, generator);
    heightsOf(plane, count_, x_.data(), y_.data(), z_.data(), w_.data(), pointSize_.data(), weightSize_.data(),
              height_.data(), bound_.data());

    // which vertices go? clear cases by their rounded heights (without branches, which nobody could foretell), the
    // others exactly
    ASSERT(count_ <= height_.size());
    removed_.resize(count_);
    unclear_.resize(count_);
    size_t removedCount = 0, unclearCount = 0;
    for (uint32_t v = 0; v < count_; ++v) {
        const bool isBeyond = height_[v] > bound_[v], isInside = height_[v] < -bound_[v];
        removed_[removedCount] = unclear_[unclearCount] = v;
        removedCount += isBeyond;
        unclearCount += !isBeyond && !isInside;
    }
    removed_.resize(removedCount);
    unclear_.resize(unclearCount);
    if (!unclear_.empty()) decideUnclear(generator);
    if (removed_.empty()) return false;
    // nothing is left of the cell
    asked_.clear();
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
    // Cramer's rule; the point is kept beside its weight, undivided, so that signs need no division
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
    // how large the terms of the sums are: their errors are shares of it
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
    // faces in the order of their generators, whichever came first in cutting
    order_.clear();
    for (Local plane = 0; plane < planes_.size(); ++plane) {
        if (anyTriangle_[plane] != kInvalidIndex) order_.push_back(plane);
    }
    std::sort(order_.begin(), order_.end(), [&](Local a, Local b) { return planes_[a] < planes_[b]; });
    // around each plane from triangle to triangle, which are the corners of the face
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
