#include "dynamics/detail/state/transfer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace sunder {

/// Notes which bytes of an object are transferred.
class TransferCoverage {
public:
    static constexpr bool kReads = false;

    void raw(const void* data, size_t size) {
        const auto* first = static_cast<const std::byte*>(data);
        ranges_.emplace_back(first, first + size);
    }

    /// Offset and size of what is left out, but for padding in front of what has to be aligned.
    template <class T>
    std::vector<std::pair<size_t, size_t>> gapsIn(const T& object) {
        const auto* begin = reinterpret_cast<const std::byte*>(&object);
        const std::byte* end = begin + sizeof(T);
        std::sort(ranges_.begin(), ranges_.end());
        std::vector<std::pair<size_t, size_t>> gaps;
        const std::byte* seen = begin;
        const auto close = [&](const std::byte* next, size_t alignment) {
            const auto gap = next > seen ? static_cast<size_t>(next - seen) : 0;
            if (gap >= alignment) gaps.emplace_back(seen - begin, gap);
        };
        for (const auto& [first, last] : ranges_) {
            if (first < begin || first >= end) continue;
            close(first, alignmentOf(static_cast<size_t>(last - first)));
            seen = std::max(seen, last);
        }
        close(end, alignof(T));
        return gaps;
    }

private:
    /// Numbers by their size; vectors of three by that of a number, quaternions as Eigen has them.
    static size_t alignmentOf(size_t size) {
        if (size == sizeof(Quat)) return alignof(Quat);
        return size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
    }

    std::vector<std::pair<const std::byte*, const std::byte*>> ranges_;
};

namespace dynamics::detail {

namespace {

template <class T>
std::vector<std::pair<size_t, size_t>> gapsOf(const T& object) {
    TransferCoverage coverage;
    transfer(coverage, object);
    return coverage.gapsIn(object);
}

using Gaps = std::vector<std::pair<size_t, size_t>>;

}  // namespace

TEST(StateTransfer, NoFieldIsLeftOut) {
    EXPECT_EQ(gapsOf(Pair()), Gaps());
    EXPECT_EQ(gapsOf(PairMemory()), Gaps());
    EXPECT_EQ(gapsOf(ContactPatch()), Gaps());
    EXPECT_EQ(gapsOf(Impact()), Gaps());
    EXPECT_EQ(gapsOf(WorldOptions()), Gaps());
    EXPECT_EQ(gapsOf(Explosion()), Gaps());
    EXPECT_EQ(gapsOf(RadialField()), Gaps());
    EXPECT_EQ(gapsOf(DragField()), Gaps());
    EXPECT_EQ(gapsOf(MotionKey()), Gaps());
    EXPECT_EQ(gapsOf(SpinPath()), Gaps());
    EXPECT_EQ(gapsOf(OscillationPath()), Gaps());
    EXPECT_EQ(gapsOf(ContactMaterial()), Gaps());
}

TEST(StateTransfer, OfABodyOnlyWhatItSharesIsLeftOut) {
    const Body body;
    const auto* begin = reinterpret_cast<const std::byte*>(&body);
    const auto offsetOf = [&](const void* field) {
        return static_cast<size_t>(static_cast<const std::byte*>(field) - begin);
    };
    // the shape is asked for; the motion is saved as what it points at
    const Gaps shared{{offsetOf(&body.shape), sizeof body.shape}, {offsetOf(&body.motion), sizeof body.motion}};
    EXPECT_EQ(gapsOf(body), shared);
}

}  // namespace dynamics::detail

}  // namespace sunder
