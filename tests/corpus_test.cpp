// Replays the small inputs kept from fuzzing and from fixed bugs: each gives a sound mesh or an InputError.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "fuzz/try_mesh.h"
#include "io/files/file_access.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

TEST(Corpus, EveryInputEndsInAMeshOrAnInputError) {
    const fs::path corpus = fs::path(SUNDER_SOURCE_DIR) / "tests" / "corpus";
    size_t files = 0;
    for (const char* format : {"obj", "ply", "stl", "off", "gltf"}) {
        std::vector<fs::path> inputs;
        for (const fs::directory_entry& entry : fs::directory_iterator(corpus / format)) inputs.push_back(entry.path());
        std::sort(inputs.begin(), inputs.end());
        EXPECT_FALSE(inputs.empty()) << format;
        for (const fs::path& input : inputs) {
            SCOPED_TRACE(input);
            const std::string bytes = readWholeFile(input);
            const bool binary = bytes.starts_with("glTF");
            const MeshFormat chosen = binary ? MeshFormat::Glb : meshFormatOf(std::string("x.") + format);
            fuzz::tryMesh(std::as_bytes(std::span(bytes.data(), bytes.size())), chosen);
            ++files;
        }
    }
    EXPECT_GT(files, 15u);
}

}  // namespace
}  // namespace sunder
