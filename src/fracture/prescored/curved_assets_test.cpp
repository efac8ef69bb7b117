#include <gtest/gtest.h>

#include "fracture/interface/asset_store.h"
#include "fracture/prescored/detail/placed_regions.h"
#include "fracture/prescored/test_patterns.h"
#include "geometry/mesh/topology.h"
#include "geometry/shapes/shapes.h"

namespace sunder::fracture {
namespace {

class MemoryStore : public AssetStore {
public:
    std::optional<std::vector<std::byte>> get(const ContentHash& name) const override {
        const auto found = assets.find(name);
        return found == assets.end() ? std::nullopt : std::optional(found->second);
    }
    void put(const ContentHash& name, std::span<const std::byte> bytes) override {
        assets[name].assign(bytes.begin(), bytes.end());
        ++puts;
    }
    std::map<ContentHash, std::vector<std::byte>> assets;
    int puts = 0;
};

PrescoredOptions fastOptions(PatternKind kind) {
    PrescoredOptions options = test::optionsFor(kind, 12);
    options.cells = 24;
    options.alignment = PatternAlignment::Fast;
    return options;
}

std::vector<Vec3> positionsOf(const FracturePlan& plan) {
    std::vector<Vec3> all;
    for (const Fragment& f : plan.fragments)
        all.insert(all.end(), f.mesh().positions.begin(), f.mesh().positions.end());
    return all;
}

FracturePlan breakWith(const PrescoredMethod& method, AssetStore* store = nullptr) {
    const Solid solid = test::solidOf(makeShape("box", {}, 8), 1);
    return planOnce(method, solid, test::push(Vec3(0.1, 0.2, 0.5), Vec3(0, 0, -1)), {nullptr, store});
}

TEST(AssetStore, ASecondRunTakesWhatTheFirstMadeAndBreaksAlike) {
    for (const PatternKind kind : {patternNamed("realistic"), patternNamed("artist")}) {
        MemoryStore store;
        const std::vector<Vec3> first = positionsOf(breakWith(PrescoredMethod(fastOptions(kind)), &store));
        ASSERT_FALSE(first.empty());
        const int made = store.puts;
        EXPECT_GT(made, 0);
        EXPECT_EQ(positionsOf(breakWith(PrescoredMethod(fastOptions(kind)), &store)), first);
        EXPECT_EQ(store.puts, made);
        // and without any
        EXPECT_EQ(positionsOf(breakWith(PrescoredMethod(fastOptions(kind)))), first);
    }
}

TEST(AssetStore, SpoiltAssetsAreMadeAgain) {
    MemoryStore store;
    const std::vector<Vec3> first =
        positionsOf(breakWith(PrescoredMethod(fastOptions(patternNamed("artist"))), &store));
    const int made = store.puts;
    size_t n = 0;
    for (auto& [name, bytes] : store.assets) {
        if (n++ % 2 == 0)
            bytes.resize(bytes.size() / 2);
        else
            bytes[bytes.size() / 2] ^= std::byte{1};
    }
    EXPECT_EQ(positionsOf(breakWith(PrescoredMethod(fastOptions(patternNamed("artist"))), &store)), first);
    EXPECT_EQ(store.puts, 2 * made);
}

TEST(AssetStore, NamesDependOnEveryWord) {
    ContentHasher a(1), b(1), c(2);
    a.add(1.0);
    b.add(1.0 + 1e-16 * 4);
    c.add(1.0);
    EXPECT_NE(a.value(), b.value());
    EXPECT_NE(a.value(), c.value());
    EXPECT_EQ(a.value().text().size(), 32u);
}

TEST(PlacedRegions, FastLabelsAreThoseOfTheRegionsMovedByWholeCells) {
    for (const PatternKind kind : {patternNamed("realistic"), patternNamed("artist")}) {
        const PrescoredOptions options = fastOptions(kind);
        const PreparedSolid body = prepareSolid(test::solidOf(makeShape("sphere", {}, 16), 1), options, {});
        CurvedAssets assets;
        const ImpactPlace place{Vec3(0.1, 0.2, 0.43), Vec3(0, 0, -1)};
        const PlacedRegions placed = placeFast(body, options, place, {assets});
        const GridFrame& frame = body.grid.frame();
        // moved by whole cells, and by less than one from the impact
        const Vec3 cells = placed.patternFromBody.translation / frame.cellSize;
        EXPECT_EQ(cells, Vec3(cells.array().round()));
        EXPECT_LE((placed.patternFromBody.translation + place.point).cwiseAbs().maxCoeff(), 0.5001 * frame.cellSize);
        EXPECT_EQ(placed.patternFromBody.rotation.coeffs(), Quat::Identity().coeffs());
        size_t wrong = 0, seen = 0;
        for (int k = 0; k < frame.points[2]; ++k) {
            for (int j = 0; j < frame.points[1]; ++j) {
                for (int i = 0; i < frame.points[0]; ++i) {
                    if (body.grid.at(i, j, k) >= 0) continue;
                    const uint32_t label = placed.labels[frame.index(i, j, k)];
                    const uint32_t there =
                        regionsAt(placed.regions, std::vector{placed.inPattern(frame.position(i, j, k))})[0];
                    // rounding may decide where two are equally near
                    wrong +=
                        label != there && std::abs(placed.difference(label, there, frame.position(i, j, k))) > 1e-9;
                    ++seen;
                }
            }
        }
        EXPECT_EQ(wrong, 0u) << nameOf(kind);
        EXPECT_GT(seen, 1000u);
    }
}

TEST(PlacedRegions, FastBreaksAreClosedAndCloseToTheNumberAskedFor) {
    for (const PatternKind kind : {patternNamed("realistic"), patternNamed("artist")}) {
        const FracturePlan plan = breakWith(PrescoredMethod(fastOptions(kind)));
        EXPECT_NEAR(static_cast<double>(plan.fragments.size()), 12, 4) << nameOf(kind);
        double sum = 0;
        for (const Fragment& f : plan.fragments) {
            EXPECT_TRUE(isClosedManifold(f.mesh()));
            sum += volume(f.mesh());
        }
        EXPECT_NEAR(sum, 1, 1e-3);
    }
}

}  // namespace
}  // namespace sunder::fracture
