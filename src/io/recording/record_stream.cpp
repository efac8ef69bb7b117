#include "io/recording/record_stream.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "io/recording/recording_impacts.h"
#include "io/recording/recording_stress.h"

namespace sunder {

std::span<const RecordStream> recordStreams() {
    static const std::array all{impactStream(), stressStream()};
    return all;
}

const RecordStream& streamNamed(std::span<const RecordStream> streams, std::string_view name) {
    const auto found = std::ranges::find(streams, name, &RecordStream::name);
    if (found != streams.end()) return *found;
    std::string known;
    for (const RecordStream& stream : streams) known += fmt::format("{}{}", known.empty() ? "" : ", ", stream.name);
    throw InputError("stream", fmt::format("'{}' is none that recordings have; there are {}", name, known));
}

}  // namespace sunder
