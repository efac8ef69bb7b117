#include "io/recording/recording_stats.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

using schema::Json;

/// What an action says of JSON of a frame, with the frame's name on what is wrong with it.
template <class Action>
void readingFigures(uint64_t frame, const char* what, Action&& action) {
    const auto damaged = [&](const std::string& why) {
        return InputError("recording", fmt::format("{} of frame {} are damaged{}; make the recording again", what,
                                                   frame, why.empty() ? "" : ": " + why));
    };
    try {
        action();
    } catch (const schema::BadJson& error) {
        throw damaged(error.what());
    } catch (const Json::exception&) {
        throw damaged("a number or a name is missing");
    }
}

/// Numbers of one frame or event; a null stands for one that was not finite.
class Figures {
public:
    double operator()(const Json& json) {
        if (json.is_null()) allFinite_ = false;
        return json.is_null() ? 0 : json.get<double>();
    }
    bool allFinite() const { return allFinite_; }

private:
    bool allFinite_ = true;
};

void noteNotFinite(RecordingStats& stats, size_t& count, uint64_t frame) {
    ++count;
    stats.firstNotFinite = std::min(stats.firstNotFinite.value_or(frame), frame);
}

/// The worst error of each quantity that should stay constant, of one break.
void addBreak(const RecordedEvent& event, const Json& data, RecordingStats& stats) {
    Figures number;
    const bool apart = event.kind == "fracture";
    ++(apart ? stats.breaks : stats.changes);
    const auto keep = [&](double& worst, const char* key) {
        worst = std::max(worst, number(data.at(key).at("error")));
    };
    keep(stats.mass, "mass");
    keep(stats.momentum, "momentum");
    keep(stats.angularMomentum, "angular_momentum");
    if (apart) keep(stats.volume, "volume");  // a dent may press material together
    stats.energyOfBreaking += number(data.at("energy").at("taken"));
    stats.openPieces += data.at("open_pieces").get<size_t>();
    // only methods that compute stress say which tension they broke at
    if (data.contains("stress")) {
        const Json &stress = data.at("stress"), &worst = stress.at("worst");
        const double tension = number(worst.at("tension")), strength = number(worst.at("strength"));
        ++(apart ? stats.breaksFromStress : stats.changesFromStress);
        if (strength > 0) stats.stressRatioWorst = std::max(stats.stressRatioWorst, tension / strength);
        stats.strainEnergy += number(stress.at("strain_energy"));
    }
    if (!number.allFinite()) noteNotFinite(stats, stats.eventsNotFinite, event.frame);
}

/// Errors of conservation are kept where they are worst.
void addEvents(const RecordingReader& recording, RecordingStats& stats) {
    for (const RecordedEvent& event : recording.events()) {
        readingFigures(event.frame, "the events", [&] {
            const Json data = schema::jsonOf(event.data);
            if (event.kind == "message") stats.messages.push_back(data.at("text").get<std::string>());
            stats.releases += event.kind == "release";
            if (event.isBreak()) addBreak(event, data, stats);
        });
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

/// What energies and times of the frames so far add up to.
struct Sums {
    double before = 0, gain = 0, kinetic = 0, overlap = 0;  // J, J, J, m
    std::vector<double> seconds;
};

/// Energy that no work accounts for, against the frame before; what each stage took.
void addFrame(const RecordedFrame& frame, Sums& sums, RecordingStats& stats) {
    Figures number;
    const Json figures = schema::jsonOf(frame.figures), times = schema::jsonOf(frame.seconds);
    const Json& energy = figures.at("energy");
    const double moving = number(energy.at("linear")) + number(energy.at("rotational"));
    const double mechanical = moving + number(energy.at("potential"));
    sums.kinetic = std::max(sums.kinetic, moving);
    if (frame.number == 0) {
        stats.energyAtStart = mechanical;
    } else {
        double given = 0;
        for (const char* source : {"fields", "kinematic", "explosions", "released"}) given += number(energy.at(source));
        for (const char* source : {"actions", "appeared"}) {  // recordings of before have none
            if (energy.contains(source)) given += number(energy.at(source));
        }
        sums.gain = std::max(sums.gain, mechanical - sums.before - given);
        sums.seconds.push_back(number(times.at("total")));
        stats.secondsTotal += sums.seconds.back();
        stats.secondsStep += number(times.at("move"));
        stats.secondsFracture += number(times.at("decide")) + number(times.at("apply"));
        sums.overlap += number(figures.at("penetration").at("mean"));
        stats.penetrationWorst = std::max(stats.penetrationWorst, number(figures.at("penetration").at("worst")));
    }
    sums.before = mechanical;
    if (!number.allFinite()) noteNotFinite(stats, stats.framesNotFinite, frame.number);
}

void addFrames(const std::vector<RecordedFrame>& frames, RecordingStats& stats) {
    Sums sums;
    for (const RecordedFrame& frame : frames)
        readingFigures(frame.number, "the figures", [&] { addFrame(frame, sums, stats); });
    auto& [before, gain, kinetic, overlap, seconds] = sums;
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
    addEvents(recording, stats);
    addFrames(frames, stats);
    addImpacts(recording, frames, stats);
    return stats;
}

}  // namespace sunder
