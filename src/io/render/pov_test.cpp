#include "io/render/pov.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/render/image.h"

namespace sunder {
namespace {

TriMesh makeTetrahedron(const Vec3& offset) {
    TriMesh mesh;
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
        mesh.positions.push_back(p + offset);
    const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
        mesh.triangles.push_back({VertexIndex{a}, VertexIndex{b}, VertexIndex{c}});
    };
    add(0, 2, 1);
    add(0, 1, 3);
    add(0, 3, 2);
    add(1, 2, 3);
    return mesh;
}

PovScene makeScene() {
    PovScene scene;
    scene.objects.push_back({.mesh = makeTetrahedron({0, 0, 0}), .outside = pieceLook(0)});
    scene.objects.push_back({.mesh = makeTetrahedron({3, 0, -2}), .outside = pieceLook(1)});
    scene.objects[1].mesh.inside = IndexedVector<TriangleIndex, uint8_t>{0, 0, 0, 1};
    computeNormals(scene.objects[1].mesh, 3.2);
    return scene;
}

std::filesystem::path scratch(const std::string& name) {
    return std::filesystem::path(testing::TempDir()) / ("sunder_" + name);
}

/// Largest |x| and |y| of all points on the picture, in half picture widths and heights.
std::pair<double, double> extentOnPicture(const PovScene& scene, const Camera& camera, const PictureSize& size) {
    const Vec3 forward = (camera.target - camera.position).normalized();
    const Vec3 right = forward.cross(Vec3(0, 1, 0)).normalized(), up = right.cross(forward);
    const double tanX = std::tan(camera.fieldOfView * M_PI / 360), tanY = tanX * size.height / size.width;
    double x = 0, y = 0;
    for (const PovObject& object : scene.objects) {
        for (const Vec3& p : object.mesh.positions) {
            const Vec3 d = p - camera.position;
            x = std::max(x, std::abs(d.dot(right) / d.dot(forward)) / tanX);
            y = std::max(y, std::abs(d.dot(up) / d.dot(forward)) / tanY);
        }
    }
    return {x, y};
}

TEST(Pov, TheFramedCameraFillsThePictureAndLosesNothing) {
    const PovScene scene = makeScene();
    for (const PictureSize size : {PictureSize{800, 600}, PictureSize{300, 900}}) {
        const auto [x, y] = extentOnPicture(scene, framedCamera(scene, size), size);
        EXPECT_LE(x, 1);
        EXPECT_LE(y, 1);
        EXPECT_GT(std::max(x, y), 0.85);
    }
}

TEST(Pov, ATinyAndAHugeSceneAreFramedAlike) {
    PovScene scene = makeScene();
    const Camera camera = framedCamera(scene, {});
    for (const double scale : {1e-9, 1e9}) {
        PovScene other = scene;
        for (PovObject& object : other.objects) object.mesh = scaled(object.mesh, scale);
        EXPECT_LT((framedCamera(other, {}).position / scale - camera.position).norm(), 1e-9 * camera.position.norm());
    }
}

TEST(Pov, AFolderThatIsNotThereGivesASentence) {
    EXPECT_THROW(writePov(makeScene(), "/nowhere/at/all/x.pov"), InputError);
}

TEST(Pov, RendersAPictureWithTheObjectsInIt) {
    if (std::system("command -v povray >/dev/null") != 0) GTEST_SKIP() << "POV-Ray is not installed";
    const std::filesystem::path png = scratch("pov_test.png");
    renderPicture(makeScene(), png, {160, 120});
    const Image image = readPng(png);
    ASSERT_EQ(image.width(), 160);
    // the first tetrahedron's muted hue stands out against the grey ground
    int coloured = 0;
    for (const Rgb pixel : image.pixels()) coloured += std::abs(pixel.r - pixel.b) > 40 ? 1 : 0;
    EXPECT_GT(coloured, 200);
    std::filesystem::remove(png);
}

TEST(Image, ComesBackFromPngAsItWent) {
    Image image(5, 3);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 5; ++x) image.at(x, y) = {uint8_t(50 * x), uint8_t(80 * y), 7};
    }
    const std::filesystem::path png = scratch("image_test.png");
    writePng(image, png);
    EXPECT_EQ(readPng(png).pixels(), image.pixels());
    std::filesystem::remove(png);
}

TEST(Image, SomethingElseIsNotAPng) {
    const std::filesystem::path path = scratch("not.png");
    std::ofstream(path) << "hello";
    EXPECT_THROW(readPng(path), InputError);
    std::filesystem::remove(path);
}

TEST(Image, AContactSheetHasEveryPictureInItsPlace) {
    const std::vector<Image> images{Image(2, 2, {1, 1, 1}), Image(2, 2, {2, 2, 2}), Image(2, 2, {3, 3, 3})};
    const Image sheet = contactSheet(images, 2, 1, {9, 9, 9});
    EXPECT_EQ(sheet.width(), 7);
    EXPECT_EQ(sheet.height(), 7);
    EXPECT_EQ(sheet.at(0, 0), (Rgb{9, 9, 9}));
    EXPECT_EQ(sheet.at(4, 1), (Rgb{2, 2, 2}));
    EXPECT_EQ(sheet.at(1, 5), (Rgb{3, 3, 3}));
    EXPECT_EQ(sheet.at(5, 5), (Rgb{9, 9, 9}));
}

}  // namespace
}  // namespace sunder
