#include "geometry/grid/detail/winding_sign.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "geometry/tree/winding_number.h"

namespace sunder::detail {

namespace {

constexpr int kBlock = 8;              // points along a side of the largest block
constexpr double kUncertainty = 0.02;  // of a fast winding number

class SignFiller {
public:
    SignFiller(const WindingNumber& winding, const GridFrame& frame, std::span<const float> squaredCells,
               std::vector<uint8_t>& inside)
        : winding_(winding), frame_(frame), squaredCells_(squaredCells), inside_(inside) {}

    /// Points [min, min + size) of every axis, as far as the lattice goes.
    void fill(const Int3& min, int size) {
        const Int3 max{std::min(min[0] + size, frame_.points[0]) - 1, std::min(min[1] + size, frame_.points[1]) - 1,
                       std::min(min[2] + size, frame_.points[2]) - 1};
        if (max[0] < min[0] || max[1] < min[1] || max[2] < min[2]) return;
        if (size == 1) {
            inside_[frame_.index(min[0], min[1], min[2])] = winding_(frame_.position(min[0], min[1], min[2])) >= 0.5;
            return;
        }
        if (isClear(min, max)) {
            const int verdict = agreedSide(min, max);
            if (verdict != 0) {
                set(min, max, verdict > 0);
                return;
            }
        }
        const int half = size / 2;
        for (int part = 0; part < 8; ++part)
            fill({min[0] + (part & 1) * half, min[1] + ((part >> 1) & 1) * half, min[2] + (part >> 2) * half}, half);
    }

private:
    /// Whether no triangle enters the block: one that does comes within half a cell diagonal of some point.
    bool isClear(const Int3& min, const Int3& max) const {
        constexpr float kSquaredHalfDiagonal = 0.76f;
        for (int k = min[2]; k <= max[2]; ++k) {
            for (int j = min[1]; j <= max[1]; ++j) {
                const size_t row = frame_.index(0, j, k);
                for (int i = min[0]; i <= max[0]; ++i) {
                    if (squaredCells_[row + static_cast<size_t>(i)] < kSquaredHalfDiagonal) return false;
                }
            }
        }
        return true;
    }

    /// +1 inside, -1 outside, 0 undecided.
    int agreedSide(const Int3& min, const Int3& max) const {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        const auto take = [&](double w) {
            low = std::min(low, w);
            high = std::max(high, w);
            return low < 0.5 && high >= 0.5;
        };
        const Vec3 a = frame_.position(min[0], min[1], min[2]), b = frame_.position(max[0], max[1], max[2]);
        if (take(winding_(0.5 * (a + b)))) return 0;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p((corner & 1) ? a.x() : b.x(), (corner & 2) ? a.y() : b.y(), (corner & 4) ? a.z() : b.z());
            if (take(winding_(p))) return 0;
        }
        const double margin = (high - low) + kUncertainty;
        return low - margin > 0.5 ? 1 : high + margin < 0.5 ? -1 : 0;
    }

    void set(const Int3& min, const Int3& max, bool value) {
        for (int k = min[2]; k <= max[2]; ++k) {
            for (int j = min[1]; j <= max[1]; ++j) {
                const auto row = inside_.begin() + static_cast<ptrdiff_t>(frame_.index(0, j, k));
                std::fill(row + min[0], row + max[0] + 1, value ? 1 : 0);
            }
        }
    }

    const WindingNumber& winding_;
    const GridFrame& frame_;
    std::span<const float> squaredCells_;
    std::vector<uint8_t>& inside_;
};

}  // namespace

std::vector<uint8_t> insideByWindingNumber(const TriMesh& mesh, const GridFrame& frame,
                                           std::span<const float> squaredCells, Progress& progress) {
    const WindingNumber winding(mesh);
    std::vector<uint8_t> inside(frame.pointCount(), 0);
    SignFiller filler(winding, frame, squaredCells, inside);
    const size_t layers = (static_cast<size_t>(frame.points[2]) + kBlock - 1) / kBlock;
    const size_t rows = (static_cast<size_t>(frame.points[1]) + kBlock - 1) / kBlock;
    parallelFor(layers * rows, 1, [&](const BlockRange& block) {
        const int j = static_cast<int>(block.begin % rows) * kBlock, k = static_cast<int>(block.begin / rows) * kBlock;
        for (int i = 0; i < frame.points[0]; i += kBlock) filler.fill({i, j, k}, kBlock);
        progress.advance(1.0 / static_cast<double>(layers * rows));
    });
    return inside;
}

}  // namespace sunder::detail
