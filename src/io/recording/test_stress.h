#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fracture/fem/fem_method.h"
#include "io/recording/recording_reader.h"
#include "material/catalogue.h"
#include "sim/test_shatter.h"

/// Recordings in which something breaks whose stress is known.
namespace sunder::test {

/// A ball that goes through a wall of concrete in frame 3.
inline sim::SimulationSetup ballThroughConcrete() {
    fracture::FemFractureOptions options;
    fracture::setMaterial(findMaterial("concrete")->solid, options);
    options.tets = 1500;
    options.maxGenerations = 1;
    sim::BodySetup wall = sim::test_shatter::box("wall", {1, 1, 0.1}, {0, 0, 0});
    wall.method = std::make_shared<fracture::FemMethod>(options);
    sim::SimulationSetup setup;
    setup.world.gravity = Vec3::Zero();
    setup.bodies = {wall, sim::test_shatter::ball("ball", 0.1, {0.05, 0.03, 0.9}, {0, 0, -12})};
    return setup;
}

/// The event of the wall's break, and its number.
inline std::pair<size_t, nlohmann::ordered_json> breakIn(const RecordingReader& reader) {
    const std::vector<RecordedEvent> events = reader.events();
    for (size_t i = 0; i < events.size(); ++i) {
        if (events[i].kind == "fracture") return {i, nlohmann::ordered_json::parse(events[i].data)};
    }
    ADD_FAILURE() << "nothing broke";
    return {};
}

}  // namespace sunder::test
