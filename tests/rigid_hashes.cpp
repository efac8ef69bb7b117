// rigid_hashes: the state hash of every small scene after each of 300 frames, to be compared between builds.
#include <cinttypes>
#include <cstdio>

#include "tests/scenes/every_scene.h"

int main() {
    for (const sunder::scenes::NamedScene& named : sunder::scenes::everyScene()) {
        if (!named.small) continue;
        sunder::scenes::Scene scene = named.build();
        for (int frame = 0; frame < 300; ++frame) {
            scene.world.step(1.0 / 30);
            std::printf("%s %d %016" PRIx64 "\n", named.name.c_str(), frame, scene.world.stateHash());
        }
    }
}
