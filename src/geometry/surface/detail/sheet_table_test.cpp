#include "geometry/surface/detail/sheet_table.h"

#include <set>

#include <gtest/gtest.h>

namespace sunder::detail {
namespace {

template <class Act>
void forEachCase(Act&& act) {
    for (unsigned inside = 0; inside < 256; ++inside) {
        for (unsigned joined = 0; joined < 64; ++joined)
            act(inside, joined, SheetTable::instance().sheets(inside, joined));
    }
}

TEST(SheetTable, EveryCrossedEdgeHasASheetAndNoOther) {
    forEachCase([](unsigned inside, unsigned, const CellSheets& cell) {
        for (int e = 0; e < 12; ++e) {
            const CellEdge edge = cellEdge(e);
            const bool crossed = ((inside >> edge.low ^ inside >> edge.high) & 1U) != 0;
            EXPECT_EQ(cell.ofEdge[static_cast<size_t>(e)] < cell.count, crossed);
        }
    });
}

TEST(SheetTable, LoopsHaveThreeEdgesAtLeastAndCellsFourSheetsAtMost) {
    forEachCase([](unsigned, unsigned, const CellSheets& cell) {
        ASSERT_LE(cell.count, 4);
        for (int sheet = 0; sheet < cell.count; ++sheet) {
            EXPECT_GE(std::count(cell.ofEdge.begin(), cell.ofEdge.end(), sheet), 3);
        }
    });
}

TEST(SheetTable, KnownCells) {
    const SheetTable& table = SheetTable::instance();
    EXPECT_EQ(table.sheets(0, 0).count, 0);
    EXPECT_EQ(table.sheets(255, 0).count, 0);
    EXPECT_EQ(table.sheets(0b00000001, 0).count, 1);        // one corner
    EXPECT_EQ(table.sheets(0b00001111, 0).count, 1);        // lower half
    EXPECT_EQ(table.sheets(0b10000001, 0).count, 2);        // two opposite corners
    EXPECT_EQ(table.sheets(0b01101001, 0).count, 4);        // every other corner, kept apart
    EXPECT_EQ(table.sheets(0b01101001, 63).count, 4);       // ... joined: then the outside corners are apart
    EXPECT_EQ(table.sheets(0b00001001, 0).count, 2);        // diagonal of the lower face, kept apart
    EXPECT_EQ(table.sheets(0b00001001, 1U << 4).count, 1);  // ... joined
    EXPECT_EQ(table.ambiguousFaces(0b00001001), 1U << 4);
    EXPECT_EQ(table.ambiguousFaces(0b01101001), 63U);
}

TEST(SheetTable, InsideOutGivesTheSameSheetsWhenJoiningIsTurnedRound) {
    forEachCase([](unsigned inside, unsigned joined, const CellSheets& cell) {
        const CellSheets& other = SheetTable::instance().sheets(~inside & 255U, ~joined & 63U);
        EXPECT_EQ(cell.ofEdge, other.ofEdge);
    });
}

// The heart of the manifold guarantee: see ActiveCells.
TEST(SheetTable, SwitchingAFaceSplitsALoopOrJoinsTwo) {
    forEachCase([](unsigned inside, unsigned joined, const CellSheets& cell) {
        const SheetTable& table = SheetTable::instance();
        for (int face = 0; face < 6; ++face) {
            const unsigned switched = joined ^ 1U << face;
            const CellSheets& after = table.sheets(inside, switched);
            if ((table.ambiguousFaces(inside) >> face & 1U) == 0) {
                EXPECT_EQ(cell.ofEdge, after.ofEdge);
            } else if (table.isPinched(inside, joined, face)) {
                EXPECT_EQ(after.count, cell.count + 1);
                EXPECT_FALSE(table.isPinched(inside, switched, face));
            } else {
                EXPECT_EQ(after.count, cell.count - 1);
            }
        }
    });
}

}  // namespace
}  // namespace sunder::detail
