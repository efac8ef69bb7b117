#include "io/recording/recording_stress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/archive.h"
#include "base/assert.h"
#include "io/files/packed_numbers.h"
#include "math/box.h"
#include "schema/json.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

using fracture::StressAt;
using schema::Json;
using schema::toJson;

constexpr double kSteps = 65535;          // of places, along the longest side
constexpr double kStressSteps = 32767;    // up to the largest stress, and as many down
constexpr double kStrengthSteps = 65535;  // up to the largest strength
constexpr double kTurnSteps = 127;        // of each component of a direction
constexpr size_t kChannels = 9;           // place x y z, tension, least, strength, direction x y z
constexpr size_t kMostReplayBytes = size_t{24} << 20;

/// What one step of each channel stands for.
struct Scales {
    Vec3 origin = Vec3::Zero();                 // m
    double step = 1, stress = 1, strength = 1;  // m, Pa, Pa
};

template <class Archive, class T>
void transferScales(Archive& archive, T& scales) {
    transferAll(archive, scales.origin, scales.step, scales.stress, scales.strength);
}

/// Steps so fine that a picture shows no difference.
Scales scalesOf(std::span<const StressAt> points) {
    Box3 box;
    double stress = 0, strength = 0;
    for (const StressAt& point : points) {
        box.add(point.place);
        stress = std::max({stress, std::abs(point.tension), std::abs(point.least)});
        strength = std::max(strength, point.strength);
    }
    const auto unit = [](double most, double steps) { return most > 0 ? most / steps : 1; };
    if (points.empty()) return {};
    return {box.min, unit(box.size().maxCoeff(), kSteps), unit(stress, kStressSteps), unit(strength, kStrengthSteps)};
}

/// A point in whole steps: place, tension, least stress, strength, direction.
std::array<int64_t, kChannels> channelsOf(const StressAt& point, const Scales& scales) {
    const Vec3 place = (point.place - scales.origin) / scales.step, turn = kTurnSteps * point.direction;
    return {std::llround(place.x()),
            std::llround(place.y()),
            std::llround(place.z()),
            std::llround(point.tension / scales.stress),
            std::llround(point.least / scales.stress),
            std::llround(point.strength / scales.strength),
            std::llround(turn.x()),
            std::llround(turn.y()),
            std::llround(turn.z())};
}

StressAt pointOf(const std::array<int64_t, kChannels>& channels, const Scales& scales) {
    const auto at = [&](size_t k) { return static_cast<double>(channels[k]); };
    StressAt point;
    point.place = scales.origin + scales.step * Vec3(at(0), at(1), at(2));
    point.tension = scales.stress * at(3);
    point.least = scales.stress * at(4);
    point.strength = scales.strength * at(5);
    point.direction = Vec3(at(6), at(7), at(8)) / kTurnSteps;
    return point;
}

/// "3.21 kN"
std::string withPrefix(double value, const char* unit) {
    constexpr std::pair<double, const char*> kPrefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}};
    for (const auto& [size, prefix] : kPrefixes) {
        if (std::abs(value) >= size) return fmt::format("{:.3g} {}{}", value / size, prefix, unit);
    }
    return fmt::format("{:.3g} u{}", 1e6 * value, unit);
}

std::optional<StreamEntry> stressOf(const sim::BreakReport& report) {
    if (!report.stress) return {};
    return StreamEntry{report.stress->points.size(), stressBytes(*report.stress)};
}

}  // namespace

std::vector<std::byte> stressBytes(const fracture::StressPicture& picture) {
    // a head: scales and counts, without which the numbers mean nothing
    const std::vector<StressAt>& points = picture.points;
    const Scales scales = scalesOf(points);
    ByteWriter head;
    transferScales(head, scales);
    transferCount(head, points.size());
    transferCount(head, picture.cells.size());
    // each channel as a column of differences: neighbours have similar stress, so the numbers are short
    std::array<std::vector<std::byte>, kChannels> columns;
    std::array<int64_t, kChannels> before{};
    for (const StressAt& point : points) {
        const std::array<int64_t, kChannels> now = channelsOf(point, scales);
        for (size_t k = 0; k < kChannels; ++k) writeSigned(columns[k], now[k] - before[k]);
        before = now;
    }
    std::vector<std::byte> bytes = head.take();
    for (const std::vector<std::byte>& column : columns) bytes.insert(bytes.end(), column.begin(), column.end());
    // cells as steps between the corners they name
    int64_t corner = 0;
    for (const std::array<uint32_t, 4>& cell : picture.cells) {
        for (const uint32_t next : cell) {
            ASSERT(next < points.size());
            writeSigned(bytes, next - corner);
            corner = next;
        }
    }
    return bytes;
}

fracture::StressPicture stressFromBytes(std::span<const std::byte> bytes) {
    // the head
    ByteReader head(bytes);
    Scales scales;
    transferScales(head, scales);
    const size_t count = transferCount(head, 0), cells = transferCount(head, 0);
    // column by column, each a running sum
    NumberReader numbers(bytes.last(head.left()));
    std::vector<std::array<int64_t, kChannels>> channels(count);
    for (size_t k = 0; k < kChannels; ++k) {
        uint64_t value = 0;  // wraps around, so that no damaged file can overflow
        for (auto& point : channels) {
            value += static_cast<uint64_t>(numbers.signedNumber());
            point[k] = static_cast<int64_t>(value);
        }
    }
    // points, and cells that may only name these
    fracture::StressPicture picture;
    for (const auto& point : channels) picture.points.push_back(pointOf(point, scales));
    picture.cells.resize(cells);
    uint64_t corner = 0;
    for (std::array<uint32_t, 4>& cell : picture.cells) {
        for (uint32_t& one : cell) {
            corner += static_cast<uint64_t>(numbers.signedNumber());
            if (corner >= count) throw std::runtime_error("stress has cells of points that are not there");
            one = static_cast<uint32_t>(corner);
        }
    }
    if (!numbers.empty()) throw std::runtime_error("stress has more numbers than points and cells");
    return picture;
}

Json stressJson(const fracture::StressPicture& picture) {
    // forces that the body was pushed with
    const StressAt& worst = picture.worst;
    Json contacts = Json::array();
    for (const fracture::ContactForce& contact : picture.contacts)
        contacts.push_back({{"point", toJson(contact.point)},
                            {"force", toJson(contact.force)},
                            {"radius", contact.radius},
                            {"time", contact.time}});
    // where it was worst, and how much was computed
    return {{"worst",
             {{"place", toJson(worst.place)},
              {"tension", worst.tension},
              {"least", worst.least},
              {"strength", worst.strength},
              {"direction", toJson(worst.direction)}}},
            {"contacts", contacts},
            {"strain_energy", picture.strainEnergy},
            {"cracks", picture.cracks},
            {"rounds", picture.rounds},
            {"elements", picture.elements},
            {"points", picture.points.size()}};
}

std::optional<HardestPush> hardestPush(const Json& stress) {
    std::optional<HardestPush> hardest;
    for (const Json& contact : schema::valueAt(stress, "/contacts")) {
        const Json force = schema::valueAt(contact, "/force"), time = schema::valueAt(contact, "/time");
        const bool sound = force.is_array() && force.size() == 3 && time.is_number() &&
                           std::all_of(force.begin(), force.end(), [](const Json& part) { return part.is_number(); });
        if (!sound) continue;
        const double size = Vec3(force[0], force[1], force[2]).norm();
        if (size > (hardest ? hardest->force : 0)) hardest = {size, time};
    }
    return hardest;
}

std::string describeStress(const Json& stress) {
    // methods without stress have nothing to say
    if (!stress.is_object()) return "";
    const Json& worst = stress.at("worst");
    const auto place = worst.at("place").get<std::array<double, 3>>();
    const double tension = worst.at("tension"), strength = worst.at("strength");
    std::string text =
        fmt::format("tension {} at ({:.3g}, {:.3g}, {:.3g}), strength {}: {:.3g} times", withPrefix(tension, "Pa"),
                    place[0], place[1], place[2], withPrefix(strength, "Pa"), tension / strength);
    if (const auto push = hardestPush(stress))
        text += fmt::format("; hardest push {} for {}", withPrefix(push->force, "N"), withPrefix(push->time, "s"));
    return text + fmt::format("; {} cracks in {} rounds; strain energy {}", stress.at("cracks").get<int>(),
                              stress.at("rounds").get<int>(), withPrefix(stress.at("strain_energy"), "J"));
}

RecordStream stressStream() {
    return {.name = "stress",
            .items = "points",
            .encode = &stressOf,
            .check = [](std::span<const std::byte> bytes) { (void)stressFromBytes(bytes); },
            .facts = [](const sim::BreakReport& report) { return report.stress ? stressJson(*report.stress) : Json(); },
            .mostReplayBytes = kMostReplayBytes,
            .digest = StreamDigest::Data};
}

}  // namespace sunder
