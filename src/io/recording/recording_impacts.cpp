#include "io/recording/recording_impacts.h"

#include <bit>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace sunder {

namespace {

/// Frames without impacts have no entry.
std::optional<StreamEntry> impactsOf(const sim::FrameRecord& frame) {
    if (frame.impacts.empty()) return {};
    const auto floats = [](const Vec3& v) {
        return std::array{static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
    };
    std::vector<RecordedImpact> impacts;
    for (const sim::BodyImpact& impact : frame.impacts)
        impacts.push_back({raw(impact.a), raw(impact.b), floats(impact.point), floats(impact.normal),
                           floats(impact.impulse), static_cast<float>(impact.approachSpeed)});
    return StreamEntry{impacts.size(), impactBytes(impacts)};
}

}  // namespace

// impacts are copied as they are in memory
static_assert(sizeof(RecordedImpact) == 48 && std::is_trivially_copyable_v<RecordedImpact> &&
              std::endian::native == std::endian::little);

std::vector<std::byte> impactBytes(std::span<const RecordedImpact> impacts) {
    const auto bytes = std::as_bytes(impacts);
    return {bytes.begin(), bytes.end()};
}

std::vector<RecordedImpact> impactsFromBytes(std::span<const std::byte> bytes) {
    if (bytes.size() % sizeof(RecordedImpact) != 0) throw std::runtime_error("impacts end early");
    std::vector<RecordedImpact> impacts(bytes.size() / sizeof(RecordedImpact));
    if (!bytes.empty()) std::memcpy(impacts.data(), bytes.data(), bytes.size());
    return impacts;
}

RecordStream impactStream() {
    return {.name = "impact",
            .items = "count",
            .encode = &impactsOf,
            .check = [](std::span<const std::byte> bytes) { (void)impactsFromBytes(bytes); },
            .digest = StreamDigest::KeyAndData};
}

}  // namespace sunder
