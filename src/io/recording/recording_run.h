#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "fracture/interface/asset_store.h"
#include "io/recording/recording_writer.h"
#include "scene/scene.h"
#include "sim/run.h"

namespace sunder {

/// Which scene is run, what is changed in it, and where its recording goes.
struct SceneRunOptions {
    std::filesystem::path scene;                            // file
    std::filesystem::path recording;                        // empty: as the scene says, or its name with .sunder
    std::vector<std::string> settings;                      // "wall.pieces=60"
    std::optional<uint64_t> seed, frames, checkpointEvery;  // instead of the scene's
    std::string program;                                    // version and commit
    /// May a recording be gone on with that another build of sunder began? It may go on differently.
    enum class OtherBuilds { Refuse, Accept };
    OtherBuilds otherBuilds = OtherBuilds::Refuse;    // of sunder, when one of them began what is resumed
    std::function<bool(const std::string&)> mayGrow;  // as in sim::RunOptions
    fracture::AssetStore* assets = nullptr;           // where to look for pattern assets and keep them; lent
};

/// Where the recording of a scene goes. Throws schema::SceneError when the scene is not good.
std::filesystem::path recordingOf(const SceneRunOptions& options);

/// A scene that is run into a recording.
class SceneRun {
public:
    /// What becomes of a recording that is there already.
    enum class Existing { Refuse, Replace };
    /// Throws schema::SceneError for what is wrong with the scene, InputError for the recording.
    static SceneRun begin(const SceneRunOptions& options, Existing existing = Existing::Refuse);
    /// Goes on from the recording's last checkpoint, with the settings it was begun with unless others are given.
    /// Throws InputError, saying what changed, when the scene is no longer the one that was begun.
    static SceneRun resume(const SceneRunOptions& options);

    /// True when all frames are done; false when it was told to stop.
    bool run(Progress& progress);
    uint64_t frame() const { return simulation_.frame(); }  // done so far

private:
    SceneRun(RecordingWriter writer, sim::Simulation simulation, const sim::RunOptions& options, std::string name);

    RecordingWriter writer_;
    sim::Simulation simulation_;
    sim::RunOptions options_;
    std::string name_;  // of the scene, for people
};

}  // namespace sunder
