#include "io/recording/recording_stats.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace sunder {

namespace {

using Json = nlohmann::json;

/// A null stands for a number that was not finite.
double number(const Json& json) { return json.is_number() ? json.get<double>() : 0; }

/// Errors of conservation are kept where they are worst.
void addEvents(const RecordingReader& recording, RecordingStats& stats) {
    for (const RecordedEvent& event : recording.events()) {
        const Json data = Json::parse(event.data);
        if (event.kind == "message") stats.messages.push_back(data.at("text"));
        stats.releases += event.kind == "release";
        // breaks: the worst error of each quantity that should stay constant
        if (event.kind != "fracture" && event.kind != "dent") continue;
        stats.breaks += event.kind == "fracture";
        const auto keep = [&](double& worst, const char* key) {
            worst = std::max(worst, number(data.at(key).at("error")));
        };
        keep(stats.mass, "mass");
        keep(stats.momentum, "momentum");
        keep(stats.angularMomentum, "angular_momentum");
        if (event.kind == "fracture") keep(stats.volume, "volume");  // a dent may press material together
        stats.energyOfBreaking += number(data.at("energy").at("taken"));
        stats.openPieces += data.at("open_pieces").get<size_t>();
        // only methods that compute stress say which tension they broke at
        if (!data.contains("stress")) continue;
        const Json &stress = data["stress"], &worst = stress.at("worst");
        ++stats.breaksFromStress;
        stats.stressRatioWorst =
            std::max(stats.stressRatioWorst, number(worst.at("tension")) / number(worst.at("strength")));
        stats.strainEnergy += number(stress.at("strain_energy"));
    }
}

void addImpacts(const RecordingReader& recording, const std::vector<RecordedFrame>& frames, RecordingStats& stats) {
    for (const RecordedFrame& frame : frames) {
        for (const RecordedImpact& impact : recording.impacts(frame.number)) {
            ++stats.impacts;
            const Vec3 impulse(impact.impulse[0], impact.impulse[1], impact.impulse[2]);
            stats.impactHardest = std::max(stats.impactHardest, impulse.norm());
            stats.impactFastest = std::max(stats.impactFastest, static_cast<double>(impact.speed));
        }
    }
}

void addFrames(const std::vector<RecordedFrame>& frames, RecordingStats& stats) {
    // energy that no work accounts for, frame against frame; what each stage took
    double before = 0, gain = 0, kinetic = 0, overlap = 0;
    std::vector<double> seconds;
    for (const RecordedFrame& frame : frames) {
        const Json figures = Json::parse(frame.figures), times = Json::parse(frame.seconds);
        const Json& energy = figures.at("energy");
        const double moving = number(energy.at("linear")) + number(energy.at("rotational"));
        const double mechanical = moving + number(energy.at("potential"));
        kinetic = std::max(kinetic, moving);
        if (frame.number == 0) {
            stats.energyAtStart = mechanical;
        } else {
            double given = 0;
            for (const char* source : {"fields", "kinematic", "explosions", "released"})
                given += number(energy.at(source));
            for (const char* source : {"actions", "appeared"}) {  // recordings of before have none
                if (energy.contains(source)) given += number(energy.at(source));
            }
            gain = std::max(gain, mechanical - before - given);
            seconds.push_back(number(times.at("total")));
            stats.secondsTotal += seconds.back();
            stats.secondsStep += number(times.at("move"));
            stats.secondsFracture += number(times.at("decide")) + number(times.at("apply"));
            overlap += number(figures.at("penetration").at("mean"));
            stats.penetrationWorst = std::max(stats.penetrationWorst, number(figures.at("penetration").at("worst")));
        }
        before = mechanical;
    }
    // over all frames
    stats.energyAtEnd = before;
    if (kinetic > 0) stats.energyMaxGain = gain / kinetic;
    if (seconds.empty()) return;
    stats.penetrationMean = overlap / static_cast<double>(seconds.size());
    std::sort(seconds.begin(), seconds.end());
    stats.secondsMedianFrame = seconds[seconds.size() / 2];
    stats.secondsWorstFrame = seconds.back();
}

}  // namespace

RecordingStats statsOf(const RecordingReader& recording) {
    RecordingStats stats;
    const std::vector<RecordedFrame> frames = recording.frames();
    stats.frames = recording.lastFrame();
    stats.stateHash = frames.back().stateHash;
    for (const RecordedBody& body : recording.bodies()) {
        stats.bodiesAtStart += body.born == 0;
        stats.bodiesAtEnd += !body.died.has_value();
        stats.pieces += !body.died.has_value() && body.generation > 0;
    }
    try {
        addEvents(recording, stats);
        addFrames(frames, stats);
        addImpacts(recording, frames, stats);
    } catch (const Json::exception& error) {
        throw InputError("recording", std::string("its figures are damaged (") + error.what() + ")");
    }
    return stats;
}

}  // namespace sunder
