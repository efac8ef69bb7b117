#include "sim/fragment_shape.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "geometry/cut/cut_by_cells.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "sim/test_shatter.h"

namespace sunder::sim {
namespace {

dynamics::ShapePtr shapeOf(const BodyGeometry& geometry, const dynamics::BrokenOutOf& whole = {}) {
    return makeFragmentShape(geometry, MeshTopology(geometry.mesh()), whole);
}

/// Fine enough for grids that are made from those of the whole.
GeometryPtr fineAnimal() {
    static const GeometryPtr geometry = makeSolid(makeShape("animal"));
    return geometry;
}

/// In two, near one end.
std::vector<CutPiece> lopped(const TriMesh& solid) {
    const Box3 box = boundsOf(solid);
    const Vec3 end(box.max.x(), box.centre().y(), box.centre().z());
    const std::array<Vec3, 2> sites{end, end - Vec3(0.3 * box.size().x(), 0, 0)};
    return cutByCells(solid, voronoi(sites, box.expanded(box.diagonal())));
}

/// Does that twice, whatever strikes it.
struct Lop : fracture::test::UnpreparedMethod {
    std::string_view name() const override { return "lop"; }
    bool mayBreak(const fracture::Solid& solid, const fracture::Loads& loads) const override {
        return solid.generation < 2 && fracture::hardest(loads)->approachSpeed > 2;
    }
    fracture::FracturePlan planOf(const fracture::Solid& solid, const fracture::Loads& /*loads*/) const override {
        fracture::FracturePlan plan;
        plan.outcome = fracture::Outcome::Broken;
        const double density = solid.mass / solid.volume();
        for (CutPiece& piece : lopped(solid.mesh())) {
            const GeometryPtr geometry = makeSolid(std::move(piece.mesh));
            plan.fragments.push_back({.geometry = geometry, .mass = density * geometry->volume()});
        }
        return plan;
    }
};

TEST(FragmentShape, ConvexPiecesWithFewCornersAreHulls) {
    EXPECT_TRUE(shapeOf(BodyGeometry(makeShape("box", {}, 8)))->convex());
    EXPECT_TRUE(shapeOf(BodyGeometry(makeShape("animal", {}, 48)))->field());
}

TEST(FragmentShape, IsTheSameWhetherItIsKnownWhatItBrokeOutOfOrNot) {
    const GeometryPtr animal = fineAnimal();
    const dynamics::ShapePtr whole = shapeOf(*animal);
    ASSERT_TRUE(whole->field()->nearest);
    size_t fine = 0;
    for (const CutPiece& piece : lopped(animal->mesh())) {
        const BodyGeometry part(piece.mesh);
        const dynamics::ShapePtr alone = shapeOf(part), made = shapeOf(part, {&animal->mesh(), whole.get()});
        ASSERT_EQ(alone->kind(), made->kind());
        if (!alone->field()) continue;
        const dynamics::CompactField &a = alone->field()->field, &b = made->field()->field;
        ASSERT_EQ(a.points(), b.points());
        const auto count = static_cast<size_t>(a.points()[0] * a.points()[1] * a.points()[2]);
        EXPECT_TRUE(std::equal(a.counts(), a.counts() + count, b.counts()));
        fine += alone->field()->nearest ? 1 : 0;
    }
    EXPECT_GE(fine, 1u);
}

TEST(FragmentShape, OfFineMeshesAreTheSameInARunThatIsResumed) {
    const auto setup = [] {
        SimulationSetup made;
        made.bodies.push_back(test_shatter::ground());
        BodySetup animal;
        animal.name = "animal";
        animal.geometry = fineAnimal();
        animal.options.shape = dynamics::makeFieldSolid(*animal.mesh());
        animal.options.pose.translation = {0, 1 - boundsOf(*animal.mesh()).min.y(), 0};
        animal.options.velocity = {0, -8, 0};
        animal.method = std::make_shared<Lop>();
        made.bodies.push_back(animal);
        return made;
    };
    Simulation straight(setup());
    std::map<BodySerial, GeometryPtr> geometries;
    size_t frames = 0;
    while (straight.bodies().size() < 4 && ++frames < 60) {
        for (const BodyFacts& born : straight.step().born) geometries[born.serial] = born.geometry;
    }
    ASSERT_GE(straight.bodies().size(), 4u);
    Simulation resumed =
        Simulation::load(setup(), straight.save(), [&](BodySerial body) { return geometries.at(body); });
    for (int i = 0; i < 20; ++i) {
        (void)straight.step();
        (void)resumed.step();
        ASSERT_EQ(resumed.stateHash(), straight.stateHash()) << i;
    }
}

}  // namespace
}  // namespace sunder::sim
