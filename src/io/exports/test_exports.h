#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "io/exports/exporter.h"
#include "io/files/test_scratch.h"
#include "io/recording/recording_run.h"

/// Recordings to export, and a folder to do it in.
namespace sunder::test {

class Exports : public ScratchTest {
protected:
    /// Two patterns, pieces that break again, anchors, a shared mesh, a kinematic body, a floor.
    RecordingReader breaking(uint64_t frames = 30) const {
        SceneRunOptions options;
        options.scene = std::filesystem::path(SUNDER_SOURCE_DIR) / "tests" / "scenes" / "breaking.json";
        return recorded(options, frames);
    }
    RecordingReader recorded(const std::string& scene, uint64_t frames) const {
        SceneRunOptions options;
        options.scene = file("scene.json");
        std::ofstream(options.scene) << scene;
        return recorded(options, frames);
    }

    void exportTo(RecordingReader& recording, const std::string& name, const ExportOptions& options = {}) const {
        Progress silent;
        exporterFor(file(name)).write(recording, file(name), options, silent);
    }
    /// What is left in the folder, but for the recording and its scene.
    size_t filesLeft() const {
        size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder()))
            count += !entry.path().filename().string().starts_with("rec") && entry.path().extension() != ".json";
        return count;
    }

    static std::string complaint(const std::function<void()>& action) {
        try {
            action();
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

private:
    RecordingReader recorded(SceneRunOptions& options, uint64_t frames) const {
        options.recording = file("rec.sunder");
        options.frames = frames;
        Progress silent;
        SceneRun::begin(options).run(silent);
        return RecordingReader(options.recording);
    }
};

}  // namespace sunder::test
