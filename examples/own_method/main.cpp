// A method of fracture that the library has never heard of, used by a scene as if it had: own_method SCENE.json OUTPUT.
// `sunder stats`, `export` and `render` read the recording as any other.
#include <cstdio>
#include <exception>
#include <sunder/base/version.h>
#include <sunder/fracture/methods.h>
#include <sunder/io/recording/recording_reader.h>
#include <sunder/io/recording/recording_run.h>

#include "halves.h"

namespace {

/// Runs the scene into a recording; a recording that is there is written anew.
void record(const sunder::SceneRunOptions& options) {
    sunder::SceneRun run = sunder::SceneRun::begin(options, sunder::SceneRun::Existing::Replace);
    sunder::Progress progress;
    run.run(progress);
}

void tell(const std::filesystem::path& recording) {
    const sunder::RecordingReader reader(recording);
    for (const sunder::RecordedBody& body : reader.bodies()) {
        std::printf("%-12s %8.3f kg  born in frame %3llu%s\n", body.name.c_str(), body.mass,
                    static_cast<unsigned long long>(body.born), body.died ? ", broke" : "");
    }
    std::printf("%zu bodies in all -> %s\n", reader.bodyCount(), recording.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: own_method SCENE.json OUTPUT.sunder\n");
        return 2;
    }
    try {
        // before the first scene is read: the scene's schema is made of the methods there are
        sunder::fracture::addMethod(own::halvesEntry());

        sunder::SceneRunOptions options;
        options.scene = argv[1];
        options.recording = argv[2];
        options.program = "own_method with sunder " + sunder::buildName();
        record(options);
        tell(options.recording);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "own_method: %s\n", error.what());
        return 1;
    }
}
