// Replays the small tet files kept from fuzzing and from fixed bugs: each gives a sound mesh or an InputError.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "fuzz/try_tets.h"
#include "io/files/file_access.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

TEST(TetCorpus, EveryInputEndsInTetsOrAnInputError) {
    const fs::path corpus = fs::path(SUNDER_SOURCE_DIR) / "tests" / "corpus";
    for (const char* format : {"msh", "vol", "tetgen"}) {
        std::vector<fs::path> inputs;
        for (const fs::directory_entry& entry : fs::directory_iterator(corpus / format)) inputs.push_back(entry.path());
        std::sort(inputs.begin(), inputs.end());
        EXPECT_FALSE(inputs.empty()) << format;
        for (const fs::path& input : inputs) {
            SCOPED_TRACE(input);
            const std::string bytes = readWholeFile(input);
            fuzz::tryTets(bytes);
            // seeds named good_* are read, the others are refused
            const bool good = input.filename().string().starts_with("good");
            if (good) {
                EXPECT_GT(fuzz::readTets(bytes).mesh.tetCount(), 0u);
            } else {
                EXPECT_THROW(fuzz::readTets(bytes), InputError);
            }
        }
    }
}

}  // namespace
}  // namespace sunder
