#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/recording/recording_looks.h"
#include "io/recording/recording_reader.h"

namespace sunder {

/// What viewers in the browser are told of a recording besides shapes and motion, in the form that they know: the
/// replay page gets all of it at once, Studio as the recording grows.

/// What bodies look like: materials of the scene first; a body of none gets a colour by what it was part of, as in
/// stills. Grows; an index stays what it was.
class ReplayLooks {
public:
    /// `looks`: JSON of what materials look like, by name, as recordings keep it.
    explicit ReplayLooks(const std::string& looks) { add(looks); }

    /// More materials, and how known ones look now.
    void add(const std::string& looks);

    /// Index into json().
    size_t of(const RecordedBody& body);
    /// [{name, look, family, colour, shine, ...}, ...] with all that the browser draws them by: docs/studio.md. Colours
    /// are linear RGB.
    const nlohmann::ordered_json& json() const { return looks_; }

private:
    nlohmann::ordered_json looks_ = nlohmann::ordered_json::array();
    std::map<std::string, size_t> indexOf_;
    std::map<uint32_t, size_t> ofRoot_;
};

/// The numbers a viewer shows of an event, with the facts that streams have put into it; whatever else it holds stays
/// in the recording.
nlohmann::ordered_json replayEvent(const RecordedEvent& event, std::span<const RecordStream> streams = recordStreams());

/// Names of the figures that are plotted over time, and those of one frame in this order.
std::vector<std::string> replaySeries();
std::vector<float> replayFigures(const RecordedFrame& frame);

}  // namespace sunder
