// Breaks a closed mesh once, along a pattern, and writes its pieces as one file.
//
//     break_mesh pieces.obj                 a ready-made vase
//     break_mesh pieces.obj bunny.ply 40    a mesh of your own, into 40 pieces
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <sunder/fracture/prescored/prescored.h>
#include <sunder/geometry/mesh/topology.h>
#include <sunder/geometry/repair/diagnose.h>
#include <sunder/geometry/shapes/shapes.h>
#include <sunder/io/mesh/mesh_io.h>
#include <vector>

namespace {

/// What is broken must be a solid: closed, outward, nothing doubled or cut by itself. repair() mends what is not.
sunder::TriMesh solidFrom(int argc, char** argv) {
    if (argc < 3) return sunder::makeShape("vase");
    sunder::TriMesh mesh = sunder::readMesh(argv[2]).mesh;
    if (!sunder::diagnose(mesh).solid())
        throw std::runtime_error(std::string(argv[2]) + " is not a closed solid; mend it with: sunder repair");
    return mesh;
}

/// A blow on the highest point, straight down. A pattern asks where, and only whether it is hard enough.
sunder::fracture::Loads blowOnTop(const sunder::TriMesh& mesh) {
    sunder::fracture::Load load;
    load.point = mesh.positions[sunder::VertexIndex{0}];
    for (const sunder::Vec3& p : mesh.positions) {
        if (p.y() > load.point.y()) load.point = p;
    }
    load.normal = {0, -1, 0};
    load.impulse = {0, -1, 0};  // N s
    load.approachSpeed = 10;    // m/s
    return {.list = {load}};
}

int breakMesh(int argc, char** argv) {
    // the body: a mesh, its mass, and a seed for all that is random in how it breaks
    sunder::fracture::Solid solid;
    solid.geometry = sunder::makeSolid(solidFrom(argc, argv));
    solid.wholeVolume = solid.volume();
    solid.mass = 2400 * solid.wholeVolume;  // kg, of ceramic
    solid.seed = 1;

    // the method, and what it says: a plan, which changes nothing
    sunder::fracture::PrescoredOptions options;
    options.pattern.kind = sunder::fracture::patternNamed("radial");
    options.threshold = 0;  // any blow will do
    options.pieces = argc > 3 ? std::stoi(argv[3]) : 20;
    const sunder::fracture::PrescoredMethod method(options);
    const sunder::fracture::FracturePlan plan = planOnce(method, solid, blowOnTop(solid.mesh()));
    if (plan.empty()) throw std::runtime_error("it stayed whole");

    // the pieces, and a look whether the solid is still all there
    double sum = 0;  // m^3
    size_t closed = 0;
    std::vector<sunder::NamedMesh> pieces;
    for (const sunder::fracture::Fragment& fragment : plan.fragments) {
        sum += fragment.geometry->volume();
        if (sunder::isClosedManifold(fragment.mesh())) ++closed;
        pieces.push_back({"piece_" + std::to_string(pieces.size()), fragment.mesh()});
    }
    sunder::writeMeshes(pieces, argv[1]);
    std::printf("%zu pieces, %zu of them closed, volume %.9g of %.9g m^3 -> %s\n", pieces.size(), closed, sum,
                solid.wholeVolume, argv[1]);
    return closed == pieces.size() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: break_mesh PIECES.obj [MESH [NUMBER OF PIECES]]\n");
        return 2;
    }
    try {
        return breakMesh(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "break_mesh: %s\n", error.what());
        return 1;
    }
}
