// [su2009] figure 1: how high do the shards of a dropped pillar jump? With energy conservation at the frame rate,
// without it, and with small steps. bench_pillar [--seeds N] [--plot FILE.svg]. One thread.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/parallel.h"
#include "bench/plot.h"
#include "bench/report.h"
#include "io/scene_io.h"
#include "sim/simulation.h"

using namespace sunder;
using namespace sunder::bench;

namespace {

constexpr double kSeconds = 2.0;  // s, of a run
/// From the break until what is higher than it ought to be has bounced: the pillar, 2 m high and falling at 7 m/s, is
/// down by then.
constexpr double kFall = 0.4;  // s

struct Variant {
    std::string name;
    std::vector<std::string> settings;
};

const std::vector<Variant> kVariants{
    {"30 Hz, conserving", {"frame_rate=30"}},
    {"30 Hz, not conserving", {"frame_rate=30", "conserving=false"}},
    {"240 Hz", {"frame_rate=240"}},
    {"480 Hz", {"frame_rate=480"}},
};

/// Of the shard that did it most, m.
struct Jump {
    double height = 0;  // highest place of a centre after the fall
    double climb = 0;   // farthest above the lowest place it had before
};

Jump jumpOf(const std::string& path, const Variant& variant, uint64_t seed) {
    sim::SimulationSetup setup = setupFrom(readScene(path, variant.settings), path);
    setup.seed = seed;
    sim::Simulation simulation(std::move(setup));
    std::map<sim::BodySerial, double> lowest;  // m
    double timeOfBreak = INFINITY;             // s
    Jump jump;
    while (simulation.time() < kSeconds) {
        if (!simulation.step().breaks.empty()) timeOfBreak = std::min(timeOfBreak, simulation.time());
        for (const sim::BodySerial body : simulation.bodies()) {
            if (simulation.facts(body).generation == 0) continue;
            const double height = simulation.state(body).centre.y();
            double& low = lowest.try_emplace(body, height).first->second;
            low = std::min(low, height);
            jump.climb = std::max(jump.climb, height - low);
            if (simulation.time() > timeOfBreak + kFall) jump.height = std::max(jump.height, height);
        }
    }
    return jump;
}

struct Sample {
    std::vector<double> heights, climbs;  // m, one of each seed
};

std::string argument(const Report& report, const std::string& name, const std::string& otherwise) {
    const auto& all = report.arguments();
    const auto at = std::find(all.begin(), all.end(), name);
    return at != all.end() && at + 1 != all.end() ? *(at + 1) : otherwise;
}

Plot::Line ranked(const std::string& name, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    Plot::Line line{name, {}, std::move(values), true};
    for (size_t i = 1; i <= line.y.size(); ++i) line.x.push_back(static_cast<double>(i));
    return line;
}

}  // namespace

int main(int argc, char** argv) {
    const Report report(argc, argv);
    const ThreadLimit one(1);
    const std::string path = std::string(SUNDER_SCENES) + "/su09-fig1-pillar.json";
    const uint64_t seeds = std::stoull(argument(report, "--seeds", "20"));

    std::vector<Sample> samples(kVariants.size());
    for (size_t i = 0; i < kVariants.size(); ++i) {
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            const Jump jump = jumpOf(path, kVariants[i], seed);
            samples[i].heights.push_back(jump.height);
            samples[i].climbs.push_back(jump.climb);
        }
    }

    const Sample& smallest = samples.back();
    const std::string peer = "ours, " + kVariants.back().name;
    Plot plot{"Highest place of a shard, seeds in order of it", "rank", "m", {}, true};
    for (size_t i = 0; i < kVariants.size(); ++i) {
        const Sample& sample = samples[i];
        const auto [least, most] = std::minmax_element(sample.heights.begin(), sample.heights.end());
        report.row(kVariants[i].name + ": highest place", median(sample.heights), median(smallest.heights), peer, "m");
        report.row(kVariants[i].name + ": least of the seeds", *least, std::nullopt, "", "m");
        report.row(kVariants[i].name + ": most of the seeds", *most, std::nullopt, "", "m");
        report.row(kVariants[i].name + ": largest climb", median(sample.climbs), median(smallest.climbs), peer, "m");
        plot.lines.push_back(ranked(kVariants[i].name, sample.heights));
    }
    const std::string file = argument(report, "--plot", "");
    if (!file.empty()) writeSvg(plot, file);
}
