// A scene that is set up in code, and a sink of one's own: every frame it is told what happened, and prints a line.
// An engine would take the places of bodies from here, and the meshes of those that are born.
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <sunder/fracture/prescored/prescored.h>
#include <sunder/geometry/shapes/shapes.h>
#include <sunder/sim/fragment_shape.h>
#include <sunder/sim/run.h>
#include <sunder/version.h>

namespace {

using sunder::sim::BodySetup;

BodySetup ground() {
    BodySetup body;
    body.name = "ground";
    body.options.shape = sunder::dynamics::makeHalfSpace();  // all below y = 0
    body.options.kind = sunder::dynamics::BodyKind::Static;
    return body;
}

/// A body that looks, weighs and collides as a closed mesh says.
BodySetup bodyOf(const std::string& name, sunder::TriMesh mesh, const sunder::Vec3& position) {
    BodySetup body;
    body.name = name;
    body.geometry = sunder::makeSolid(std::move(mesh));
    body.options.shape = sunder::sim::makeFragmentShape(*body.geometry, sunder::MeshTopology(*body.mesh()));
    body.options.pose.translation = position;  // m
    return body;
}

/// A steel ball flies into a stone wall that stands on the ground.
sunder::sim::SimulationSetup ballThroughWall() {
    sunder::sim::SimulationSetup setup;
    setup.bodies.push_back(ground());

    // what may break has a method
    sunder::fracture::PrescoredOptions stone;
    stone.pattern.kind = sunder::fracture::patternNamed("radial");
    stone.pieces = 30;
    stone.threshold = 100;  // N s
    BodySetup wall =
        bodyOf("wall", sunder::makeShape("wall", {{"width", 2}, {"height", 1.5}, {"thickness", 0.15}}), {0, 0, 0});
    wall.options.density = 2400;  // kg/m^3
    wall.method = std::make_shared<sunder::fracture::PrescoredMethod>(stone);
    setup.bodies.push_back(wall);

    BodySetup ball = bodyOf("ball", sunder::makeShape("sphere", {{"radius", 0.15}}), {0.2, 0.9, 1.5});
    ball.options.density = 7800;
    ball.options.velocity = {0, 0.8, -16};  // m/s
    setup.bodies.push_back(ball);
    return setup;
}

/// Where frames go. Another one could hand them to a renderer.
class Table : public sunder::sim::FrameSink {
public:
    void record(const sunder::sim::Simulation& simulation, const sunder::sim::FrameRecord& frame) override {
        // what broke in this frame, and why
        for (const sunder::sim::BreakReport& broken : frame.report->breaks) {
            std::printf("        %s breaks into %zu pieces: %s\n", broken.name.c_str(), broken.fragments.size(),
                        broken.reason.c_str());
        }
        // a line of the table every tenth of a second
        if (simulation.frame() % 3 != 0) return;
        const sunder::dynamics::EnergyAccount& energy = frame.report->motion.energy;
        std::printf("%6.2f  %6zu  %11.1f  %9.1f  %9.1f\n", frame.time, simulation.bodies().size(),
                    energy.linear + energy.rotational, energy.potential, energy.mechanical());
    }
};

}  // namespace

int main() {
    try {
        std::printf("sunder %s\n time/s  bodies  kinetic/J  potential/J  sum/J\n", SUNDER_VERSION);
        sunder::sim::Simulation simulation(ballThroughWall());
        Table table;
        sunder::Progress progress;  // shows nothing; another thread may call its cancel()
        sunder::sim::run(simulation, table, {.frames = 45}, progress);
        std::printf("%zu bodies after %.1f s\n", simulation.bodies().size(), simulation.time());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "own_loop: %s\n", error.what());
        return 1;
    }
}
