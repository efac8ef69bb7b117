// Replays the small volumes kept for fuzzing: each gives sound strengths or an InputError.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "fuzz/try_volume.h"
#include "io/files/file_access.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

TEST(VolumeCorpus, EveryInputEndsInAVolumeOrAnInputError) {
    std::vector<fs::path> inputs;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(SUNDER_SOURCE_DIR) / "tests" / "corpus" / "nrrd"))
        inputs.push_back(entry.path());
    std::sort(inputs.begin(), inputs.end());
    EXPECT_FALSE(inputs.empty());
    for (const fs::path& input : inputs) {
        SCOPED_TRACE(input);
        fuzz::tryVolume(readWholeFile(input));
        // seeds named good_* are read, the others are refused
        const bool good = input.filename().string().starts_with("good");
        if (good) {
            EXPECT_FALSE(readNrrd(input).values.empty());
        } else {
            EXPECT_THROW(readNrrd(input), InputError);
        }
    }
}

}  // namespace
}  // namespace sunder
