// Draws one body per pattern, broken and pulled apart, to be looked at: fracture_pictures <folder> [name ...]
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "fracture/prescored/prescored.h"
#include "geometry/convex/voronoi.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/shapes/shapes.h"
#include "io/render/pov.h"

namespace {

using namespace sunder;
using namespace sunder::fracture;

constexpr PictureSize kSize{640, 480};

struct Example {
    std::string name;
    TriMesh body;
    PrescoredOptions options;
    ImpactPlace place;
    Look outside, inside;
    double apart = 0.25;  // of a piece's distance from the impact
    Vec3 view{-0.45, -0.38, -0.8};
    uint64_t seed = 1;
};

const Look kStone{.colour = {0.62, 0.60, 0.57}, .highlight = {0.05, 0.2, 0}},
    kFreshStone{.colour = {0.74, 0.66, 0.55}, .highlight = {0.02, 0.3, 0}};
const Look kGlass{.colour = {0.80, 0.93, 0.90}, .transmission = 0.55, .ior = 1.1, .highlight = {0.9, 0.005, 0.08}},
    kGlassEdge{.colour = {0.35, 0.66, 0.58}, .transmission = 0.2, .ior = 1.1, .highlight = {0.9, 0.005, 0.1}};
const Look kWood{.colour = {0.55, 0.36, 0.20}, .highlight = {0.08, 0.1, 0}},
    kFreshWood{.colour = {0.86, 0.68, 0.44}, .highlight = {0.03, 0.2, 0}};
const Look kBrick{.colour = {0.58, 0.25, 0.18}, .highlight = {0.03, 0.2, 0}},
    kFreshBrick{.colour = {0.70, 0.38, 0.27}, .highlight = {0.02, 0.3, 0}};

PrescoredOptions optionsFor(PatternKind kind, int pieces) {
    PrescoredOptions options;
    options.threshold = 0;
    options.pattern.kind = kind;
    options.pieces = pieces;
    return options;
}

/// A box of eight slanted lumps, as an artist might make one: here the cells of a jittered lattice.
std::vector<TriMesh> lumps() {
    std::vector<Vec3> sites;
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 4; ++j) {
            for (int i = 0; i < 4; ++i) sites.push_back(Vec3(i + 0.3 * (j % 2), j + 0.4 * (k % 2), k + 0.2 * (i % 3)));
        }
    }
    const VoronoiDiagram cells = voronoi(sites, Box3{Vec3(-0.5, -0.5, -0.5), Vec3(3.8, 3.9, 3.9)});
    std::vector<TriMesh> meshes;
    for (uint32_t s = 0; s < cells.cellCount(); ++s) meshes.push_back(toTriMesh(cells.cell(static_cast<SiteIndex>(s))));
    return meshes;
}

std::vector<Example> examples() {
    std::vector<Example> list;
    list.push_back({"uniform",
                    makeShape("wall", {{"width", 1.5}, {"height", 1}, {"thickness", 0.15}}),
                    optionsFor(patternNamed("uniform"), 40),
                    {Vec3(0, 0.5, 0.075), Vec3(0, 0, -1)},
                    kStone,
                    kFreshStone});
    list.push_back({"radial",
                    makeShape("sphere", {}, 64),
                    optionsFor(patternNamed("radial"), 60),
                    {Vec3(0.15, 0.3, 0.37), Vec3(-0.3, -0.6, -0.74)},
                    kStone,
                    kFreshStone});
    list.push_back({"glass",
                    makeShape("pane", {}, 16),
                    optionsFor(patternNamed("glass"), 90),
                    {Vec3(0.1, 0.6, 0), Vec3(0, 0, -1)},
                    kGlass,
                    kGlassEdge,
                    0.12});
    list.push_back({"brick",
                    makeShape("wall", {{"width", 1.5}, {"height", 1}, {"thickness", 0.15}}),
                    optionsFor(patternNamed("brick"), 90),
                    {Vec3(0, 0.5, 0.075), Vec3(0, 0, -1)},
                    kBrick,
                    kFreshBrick,
                    0.12});
    list.back().options.pattern.brick = Vec3(0.22, 0.07, 0.2);
    list.push_back({"splinter",
                    makeShape("cylinder", {}, 64),
                    optionsFor(patternNamed("splinter"), 40),
                    {Vec3(0.3, 0, 0.3), Vec3(-0.7, 0, -0.7)},
                    kWood,
                    kFreshWood,
                    0.5});
    list.push_back({"realistic",
                    makeShape("animal", {}, 96),
                    optionsFor(patternNamed("realistic"), 30),
                    {Vec3(0, 0.7, 0.2), Vec3(0, -0.6, -0.8)},
                    kStone,
                    kFreshStone,
                    0.25});
    list.back().options.cells = 112;
    list.push_back({"artist",
                    makeShape("vase", {}, 96),
                    optionsFor(patternNamed("artist"), 30),
                    {Vec3(0, 0.2, 0.15), Vec3(0, 0, -1)},
                    kStone,
                    kFreshStone,
                    0.25});
    list.back().options.cells = 112;
    list.back().options.pattern.meshes = std::make_shared<const std::vector<TriMesh>>(lumps());
    return list;
}

void draw(const Example& example, const std::filesystem::path& folder) {
    Solid solid;
    solid.geometry = makeSolid(example.body);
    solid.wholeVolume = solid.mass = volume(example.body);
    solid.seed = example.seed;
    const PrescoredMethod method(example.options);
    const Load push{example.place.point, example.place.normal.normalized(), example.place.normal};
    const FracturePlan plan = planOnce(method, solid, Loads{{push}});
    PovScene scene;
    scene.viewDirection = example.view;
    for (const Fragment& fragment : plan.fragments) {
        PovObject object;
        object.mesh = fragment.mesh();
        object.outside = example.outside;
        object.inside = example.inside;
        const Vec3 away = massProperties(object.mesh).centre - example.place.point;
        for (Vec3& p : object.mesh.positions) p += example.apart * away;
        scene.objects.push_back(std::move(object));
    }
    const auto file = folder / ("fracture-" + example.name + ".png");
    renderPicture(scene, file, kSize);
    std::printf("%s: %zu pieces\n", file.c_str(), plan.fragments.size());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "fracture_pictures <folder> [name ...]\n");
        return 2;
    }
    try {
        const std::vector<std::string> wanted(argv + 2, argv + argc);
        for (const Example& example : examples()) {
            if (wanted.empty() || std::find(wanted.begin(), wanted.end(), example.name) != wanted.end())
                draw(example, argv[1]);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fracture_pictures: %s\n", error.what());
        return 1;
    }
    return 0;
}
