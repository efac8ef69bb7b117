#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scenes/rigid_scenes.h"

namespace sunder::scenes {

struct NamedScene {
    std::string name;
    std::function<Scene()> build;
    bool small = true;  // quick enough for every build
};
inline void PrintTo(const NamedScene& scene, std::ostream* out) { *out << scene.name; }

/// Every scene of the rigid body engine as it is built by default.
inline std::vector<NamedScene> everyScene() {
    return {
        {"Stack", [] { return stackOfCubes(); }},
        {"Wall", [] { return brickWall(); }, false},
        {"HeavyOnLight", [] { return heavyOnLight(); }},
        {"CardHouse", [] { return cardHouse(); }},
        {"Dominoes", [] { return dominoes(); }},
        {"Drum", [] { return rotatingDrum(); }},
        {"HalfFullDrum", [] { return halfFullDrum(); }, false},
        {"Elevator", [] { return elevator(); }},
        {"Conveyor", [] { return conveyor(); }},
        {"Incline", [] { return incline(0.26, 0.5, 5); }},
        {"StruckStack", [] { return struckStack(); }},
        {"WingNut", [] { return wingNut(); }},
        {"Cradle", [] { return newtonsCradle(); }},
        {"Billiard", [] { return billiardBreak(); }},
        {"FastBallAtWall", [] { return fastBall(Target::StaticWall); }},
        {"FastBallAtPlate", [] { return fastBall(Target::FreePlate); }},
        {"Rods", [] { return rattlingRods(); }},
        {"Pillar", [] { return shatteredPillar(); }, false},
        {"SnugCube", [] { return snugCube({.inflation = 0.02, .floor = true}); }},
        {"ConcavePile", [] { return concavePile({.count = 30}); }},
        {"Pile", [] { return pile({.count = 1000}); }, false},
    };
}

}  // namespace sunder::scenes
