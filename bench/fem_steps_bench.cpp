// Into how many pieces does one blow break a rod and a wall, in frames of any length? With the impulse over the contact
// time, and over the frame's length as penalty contacts have it. bench_fem_steps [--plot FILE.svg]

#include "bench/plot.h"
#include "bench/report.h"
#include "sim/test_strikes.h"

using namespace sunder;
using namespace sunder::bench;
using namespace sunder::sim::test_strikes;
using fracture::BlowForce;

int main(int argc, char** argv) {
    const Report report(argc, argv);
    Plot plot{"Pieces that one blow makes", "frames per second", "pieces", {}, false};
    for (const auto& [name, tets, strike] : {std::tuple{"wall", 4000, &wall}, std::tuple{"rod", 3000, &rod}}) {
        for (const BlowForce force : {BlowForce::OverContact, BlowForce::OverFrame}) {
            fracture::FemFractureOptions options = concrete(tets);
            options.blowForce = force;
            const std::string how = force == BlowForce::OverContact ? "over contact" : "over frame";
            plot.lines.push_back({std::string(name) + ", " + how, {}, {}, false});
            for (const double rate : {30.0, 60.0, 120.0, 240.0, 480.0, 960.0}) {
                plot.lines.back().x.push_back(rate);
                plot.lines.back().y.push_back(static_cast<double>(piecesAt(rate, strike(options)).size()));
                report.row(plot.lines.back().name + ", " + std::to_string(static_cast<int>(rate)) + " Hz",
                           plot.lines.back().y.back(), std::nullopt, "", "pieces");
            }
        }
    }
    const std::string file = report.argument("--plot", "");
    if (!file.empty()) writeSvg(plot, file);
}
