#include "studio/geometry_cache.h"

#include "io/files/test_scratch.h"
#include "scene/parse.h"

namespace sunder::studio {
namespace {

class GeometryCacheTest : public sunder::test::ScratchTest {};

scene::Scene sphere(double radius, int resolution) {
    const Json document{
        {"version", 1},
        {"bodies", {{{"name", "a"}, {"shape", {{"name", "sphere"}, {"radius", radius}, {"resolution", resolution}}}}}}};
    return scene::parseScene(textOf(document), "scene").scene;
}

TEST_F(GeometryCacheTest, KeepsMeshesOfEditsAsFarAsThereIsRoom) {
    const Project project(folder());
    GeometryCache cache(project, folder());
    const auto show = [&](double radius) {
        const scene::Scene scene = sphere(radius, 64);
        for (const scene::PlacedBody& body : scene::placedBodies(scene)) (void)cache.meshOf(body, sceneJson(scene));
    };
    show(1);
    const size_t one = cache.bytes();
    ASSERT_GT(one, 100000u);
    // a drag over many sizes: no more than there is room for, and the mesh in use
    for (int i = 0; i < 40; ++i) {
        cache.age(5 * one);
        show(1 + 0.01 * i);
        EXPECT_LE(cache.bytes(), 7 * one) << i;
    }
    EXPECT_GE(cache.bytes(), 5 * one);
    cache.age(0);
    EXPECT_LE(cache.bytes(), 2 * one);
}

}  // namespace
}  // namespace sunder::studio
