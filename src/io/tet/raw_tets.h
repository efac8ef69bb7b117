#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/files/source.h"
#include "io/tet/tet_io.h"

namespace sunder {

/// A tet as the file has it: nodes by the file's own numbers, and where it stands.
struct RawTet {
    std::array<int64_t, 4> nodes{};
    int region = 0;
    size_t offset = 0;  // in the file
};

/// What a tet file holds before its numbers are checked against each other.
struct RawTets {
    std::vector<Vec3> positions;
    std::vector<int64_t> numbers;  // of the nodes, in the file
    std::vector<RawTet> tets;
    std::vector<std::string> notes;
    bool binary = false;  // places are bytes rather than lines
};

/// Looks up nodes, turns and checks the tets. Throws InputError at the tet that is wrong.
TetFile checkedTets(const Source& source, RawTets file);

/// A count that the rest of the file cannot hold is a lie: throws. `bytesEach`: the least that one item takes.
void checkCount(const Source& source, size_t offset, int64_t count, size_t bytesEach, const char* items, bool binary);

/// Region labels are ints. Throws InputError.
int regionOf(const Source& source, size_t offset, int64_t label, bool binary);

/// At a line or a byte.
InputError errorAt(const Source& source, size_t offset, bool binary, const std::string& message);

}  // namespace sunder
