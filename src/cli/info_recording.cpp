#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/recording_output.h"
#include "io/recording/recording_stress.h"
#include "schema/json_text.h"

namespace sunder::cli {

namespace {

constexpr size_t kMostBreaks = 8;  // that are told one by one

/// "15 fracture, 2 release, 240 impacts"
std::string describe(const std::map<std::string, size_t>& events, size_t impacts) {
    std::string text;
    for (const auto& [kind, count] : events) text += fmt::format("{} {}, ", count, kind);
    return text + fmt::format("{} impacts", impacts);
}

/// What a body felt, of an event that has figures of it.
std::string textOf(const RecordedEvent& event, const Json& stress) {
    try {
        return describeStress(stress);
    } catch (const Json::exception&) {
        throw InputError("recording", fmt::format("the stress of an event in frame {} is damaged: a number is missing; "
                                                  "make the recording again",
                                                  event.frame));
    }
}

/// What bodies felt when they broke.
Json breaksFromStress(const RecordingReader& recording, const std::vector<RecordedBody>& bodies) {
    Json all = Json::array();
    for (const RecordedEvent& event : recording.events()) {
        const Json data = schema::jsonIfGood(event.data).value_or(Json());
        if (!data.is_object() || !data.contains("stress") || !event.body || *event.body >= bodies.size()) continue;
        all.push_back({{"frame", event.frame},
                       {"body", bodies[*event.body].name},
                       {"pieces", data.value("fragments", Json::array()).size()},
                       {"stress", data["stress"]},
                       {"text", textOf(event, data["stress"])}});
    }
    return all;
}

}  // namespace

void infoOfRecording(const std::string& file, bool json) {
    // what lived, what moved, what happened
    RecordingReader recording(file);
    const uint64_t last = recording.lastFrame();
    const std::vector<RecordedBody> bodies = recording.bodies();
    size_t living = 0, pieces = 0, moved = 0, poseBytes = 0;
    for (const RecordedBody& body : bodies) {
        living += !body.died.has_value();
        pieces += body.generation > 0;
    }
    for (const RecordedFrame& frame : recording.frames()) {
        moved += frame.moved;
        poseBytes += frame.poseBytes;
    }
    std::map<std::string, size_t> events;  // by kind
    for (const RecordedEvent& event : recording.events()) ++events[event.kind];
    // means over the whole recording; a scene in which nothing moves has none
    const double seconds = recording.frame(last).time;
    const double perPose = moved > 0 ? static_cast<double>(poseBytes) / static_cast<double>(moved) : 0;
    const Json breaks = breaksFromStress(recording, bodies);
    // for programs: everything
    if (json) {
        printJson({{"kind", "recording"},
                   {"scene", recording.meta("scene_name")},
                   {"settings", recording.meta("settings")},
                   {"seed", recording.meta("seed")},
                   {"program", recording.meta("program")},
                   {"frames", last},
                   {"dt", recording.dt()},
                   {"seconds", seconds},
                   {"bodies", bodies.size()},
                   {"bodies_at_end", living},
                   {"pieces", pieces},
                   {"events", recording.events().size()},
                   {"event_kinds", events},
                   {"impacts", recording.impactCount()},
                   {"breaks", breaks},
                   {"position_quantum", recording.positionQuantum()},
                   {"bytes_per_moving_body_and_frame", perPose},
                   {"digest", recording.digest()},
                   {"defects", Json::array()}});
        return;
    }
    // for people: what it is of, how long, how many
    print("{}: recording of {}, {}\n", file,
          recording.meta("scene_name").empty() ? "a scene without a name" : recording.meta("scene_name"),
          describeBytes(std::filesystem::file_size(file)));
    print("frames    {} of {:.4g} s: {:.4g} s\n", last, recording.dt(), seconds);
    print("bodies    {} in all, {} at the end; {} were made by breaking\n", bodies.size(), living, pieces);
    print("events    {}\n", describe(events, recording.impactCount()));
    // the first breaks, with the stress that made them
    for (size_t i = 0; i < std::min(breaks.size(), kMostBreaks); ++i)
        print("break     frame {}, {} into {}: {}\n", breaks[i]["frame"].get<uint64_t>(),
              breaks[i]["body"].get<std::string>(), breaks[i]["pieces"].get<size_t>(),
              breaks[i]["text"].get<std::string>());
    if (breaks.size() > kMostBreaks) print("          and {} more; --json has all\n", breaks.size() - kMostBreaks);
    // what it costs, and what tells it from others
    print("poses     {:.1f} bytes per moving body and frame\n", perPose);
    print("made by   sunder {}, seed {}, settings {}\n", recording.meta("program"), recording.meta("seed"),
          recording.meta("settings"));
    print("digest    {}\n", recording.digest());
}

}  // namespace sunder::cli
