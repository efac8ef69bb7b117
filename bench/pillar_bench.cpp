// [su2009] figure 1: how high do the shards of a dropped pillar jump? With energy conservation at the frame rate,
// without it, and with small steps. bench_pillar [--seeds N] [--plot FILE.svg]. One thread.

#include <algorithm>
#include <string>

#include "base/parallel.h"
#include "bench/plot.h"
#include "bench/report.h"
#include "tests/pillar_jump.h"

using namespace sunder;
using namespace sunder::bench;

namespace {

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

struct Sample {
    std::vector<double> heights, climbs;  // m, one of each seed
};

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
    const uint64_t seeds = std::stoull(report.argument("--seeds", "20"));

    std::vector<Sample> samples(kVariants.size());
    for (size_t i = 0; i < kVariants.size(); ++i) {
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            const Jump jump = jumpOfShards(path, kVariants[i].settings, seed);
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
    const std::string file = report.argument("--plot", "");
    if (!file.empty()) writeSvg(plot, file);
}
