#include "base/indexed_vector.h"

#include <type_traits>

#include <gtest/gtest.h>

namespace sunder {
namespace {

enum class AppleIndex : uint32_t {};
enum class PearIndex : uint32_t {};

template <class Vector, class Index>
concept OpenedBy = requires(Vector v, Index i) {
    v[i];
};

TEST(IndexedVector, OpensOnlyByItsOwnIndex) {
    using Apples = IndexedVector<AppleIndex, int>;
    static_assert(OpenedBy<Apples, AppleIndex>);
    static_assert(!OpenedBy<Apples, PearIndex>);
    static_assert(!OpenedBy<Apples, int>);
}

TEST(IndexedVector, PushBackReturnsTheIndexOfTheNewElement) {
    IndexedVector<AppleIndex, int> apples;
    const AppleIndex first = apples.push_back(7), second = apples.push_back(9);
    EXPECT_EQ(raw(first), 0u);
    EXPECT_EQ(apples[second], 9);
}

TEST(IndexedVector, IndicesRunInOrder) {
    const IndexedVector<AppleIndex, char> apples{'a', 'b', 'c'};
    std::vector<uint32_t> seen;
    for (const AppleIndex i : apples.indices()) seen.push_back(raw(i));
    EXPECT_EQ(seen, (std::vector<uint32_t>{0, 1, 2}));
}

#ifndef NDEBUG
TEST(IndexedVectorDeathTest, OutOfRangeStopsHere) {
    const IndexedVector<AppleIndex, int> apples{1, 2};
    EXPECT_DEATH((void)apples[AppleIndex{2}], "broken invariant");
}
#endif

}  // namespace
}  // namespace sunder
