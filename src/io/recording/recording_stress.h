#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "fracture/interface/stress_picture.h"
#include "io/recording/record_stream.h"

namespace sunder {

/// What a body felt when it broke, as recordings keep it and viewers get it: docs/recording.md, "Stress".

/// Points and tets: nine channels of whole numbers, one after the other, then the corners, each number less the one
/// before it.
std::vector<std::byte> stressBytes(const fracture::StressPicture& picture);
/// A picture of points and cells alone. Throws std::runtime_error when damaged, also when a corner is no point.
fracture::StressPicture stressFromBytes(std::span<const std::byte> bytes);

/// Everything else, as part of the break's event.
nlohmann::ordered_json stressJson(const fracture::StressPicture& picture);

/// "tension 61.2 MPa at (0.01, 0.3, 0), strength 45 MPa: 1.36 times; hardest push 3.2 kN for 48 us; ..."
/// of that JSON, for people; empty when there is none.
std::string describeStress(const nlohmann::ordered_json& stress);

/// The contact that pushed hardest.
struct HardestPush {
    double force = 0, time = 0;  // N, s
};
/// Of that JSON; none: nothing pushed, or what the recording says of it makes no sense.
std::optional<HardestPush> hardestPush(const nlohmann::ordered_json& stress);

/// Has an entry for each break whose method knows the stress.
RecordStream stressStream();

}  // namespace sunder
