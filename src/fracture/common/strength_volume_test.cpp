#include "fracture/common/strength_volume.h"

#include <gtest/gtest.h>

#include "fracture/common/strength_field.h"

namespace sunder::fracture {
namespace {

using TexturePtr = std::shared_ptr<const VolumeTexture>;

template <class Value>
TexturePtr textureOf(const Int3& count, const Value& value) {
    VolumeTexture texture{.count = count, .values = {}, .placement = {}};
    for (int z = 0; z < count[2]; ++z) {
        for (int y = 0; y < count[1]; ++y) {
            for (int x = 0; x < count[0]; ++x) texture.values.push_back(static_cast<float>(value(Vec3(x, y, z))));
        }
    }
    return std::make_shared<const VolumeTexture>(std::move(texture));
}

/// A function of the kind that is interpolated without error.
double trilinear(const Vec3& p) { return 1 + 0.5 * p.x() + 0.25 * p.y() - 0.125 * p.x() * p.y() * p.z() + p.z(); }

TEST(StrengthVolume, IsTrilinearBetweenItsSamples) {
    const StrengthVolume volume(textureOf({4, 3, 5}, trilinear), {});
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(3, 2, 4), Vec3(1, 2, 3), Vec3(0.5, 0.25, 0.75), Vec3(2.9, 1.1, 3.99),
                          Vec3(1.25, 0, 4), Vec3(3, 1.5, 0.125)})
        EXPECT_NEAR(volume.at(p), trilinear(p), 1e-12) << p.transpose();
}

TEST(StrengthVolume, StaysAsAtItsEndsBeyondThem) {
    const StrengthVolume volume(textureOf({4, 3, 5}, trilinear), {});
    EXPECT_NEAR(volume.at({-7, 1.5, 2}), trilinear({0, 1.5, 2}), 1e-12);
    EXPECT_NEAR(volume.at({1e9, 1.5, -1e300}), trilinear({3, 1.5, 0}), 1e-12);
    EXPECT_NEAR(volume.at({1, 2.0001, 4.5}), trilinear({1, 2, 4}), 1e-12);
}

TEST(StrengthVolume, AnAxisOfOneSampleIsTheSameAllAlong) {
    const StrengthVolume volume(textureOf({1, 2, 1}, [](const Vec3& p) { return p.y(); }), {});
    EXPECT_EQ(volume.at({-3, 0.25, 8}), 0.25);
    EXPECT_EQ(volume.at({12, 0.25, 0.5}), 0.25);
}

TEST(StrengthVolume, LiesWhereItsPlacementSays) {
    LatticePlacement placement;
    placement.origin = {1, -2, 0.5};
    placement.steps << 0.1, 0, 0.02, 0, 0.3, 0, 0.05, 0, -0.2;  // slanted, one axis turned round
    const StrengthVolume volume(textureOf({4, 3, 5}, trilinear), placement);
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(3, 2, 4), Vec3(0.5, 0.25, 0.75)})
        EXPECT_NEAR(volume.at(placement.origin + placement.steps * p), trilinear(p), 1e-12) << p.transpose();
}

TEST(StrengthVolume, SpansABoxWithCellsOrWithSamplesAtItsEnds) {
    const Box3 box{Vec3(-1, 0, 2), Vec3(1, 3, 4)};
    VolumeTexture texture = *textureOf({4, 3, 1}, [](const Vec3& p) { return p.x(); });
    const LatticePlacement cells = texture.placementIn(box);
    EXPECT_TRUE(cells.origin.isApprox(Vec3(-0.75, 0.5, 3)));
    EXPECT_TRUE(cells.steps.diagonal().isApprox(Vec3(0.5, 1, 2)));
    texture.samplesAtEnds = true;
    const LatticePlacement ends = texture.placementIn(box);
    EXPECT_TRUE(ends.origin.isApprox(Vec3(-1, 0, 3)));
    EXPECT_TRUE(ends.steps.diagonal().isApprox(Vec3(2.0 / 3, 1.5, 2)));
    texture.placement = LatticePlacement{};
    EXPECT_EQ(texture.placementIn(box).origin, Vec3::Zero()) << "what the file says is kept";
}

TEST(StrengthVolume, ItsHashTellsSamplesAndPlacesApart) {
    const auto hash = [](double value, double origin, const Int3& count) {
        LatticePlacement placement;
        placement.origin.y() = origin;
        const TexturePtr texture = textureOf(count, [&](const Vec3& p) { return p.x() > 1 ? value : 1; });
        return StrengthField(std::nullopt, StrengthVolume(texture, placement)).contentHash();
    };
    EXPECT_EQ(hash(0.5, 0, {4, 2, 1}), hash(0.5, 0, {4, 2, 1}));
    EXPECT_NE(hash(0.5, 0, {4, 2, 1}), hash(0.6, 0, {4, 2, 1}));
    EXPECT_NE(hash(0.5, 0, {4, 2, 1}), hash(0.5, 0.1, {4, 2, 1}));
    EXPECT_NE(hash(1, 0, {4, 2, 1}), hash(1, 0, {2, 4, 1}));
}

}  // namespace
}  // namespace sunder::fracture
