#include "io/tet/raw_tets.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/assert.h"
#include "math/predicates.h"

namespace sunder {

namespace {

/// From the file's node numbers to positions in the list.
class NodeNumbers {
public:
    NodeNumbers(const Source& source, const std::vector<int64_t>& numbers) {
        sorted_.reserve(numbers.size());
        for (size_t i = 0; i < numbers.size(); ++i) sorted_.push_back({numbers[i], static_cast<uint32_t>(i)});
        std::sort(sorted_.begin(), sorted_.end());
        const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end(),
                                              [](const Entry& a, const Entry& b) { return a.first == b.first; });
        if (twice != sorted_.end()) {
            throw errorInFile(source,
                              fmt::format("two nodes have the number {}; every node needs its own", twice->first));
        }
    }

    /// kInvalidIndex when there is none.
    uint32_t find(int64_t number) const {
        if (sorted_.empty()) return kInvalidIndex;
        // files number without gaps as a rule
        const uint64_t guess = static_cast<uint64_t>(number) - static_cast<uint64_t>(sorted_.front().first);
        if (guess < sorted_.size() && sorted_[guess].first == number) return sorted_[guess].second;
        const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), Entry{number, 0});
        return at != sorted_.end() && at->first == number ? at->second : kInvalidIndex;
    }

    std::string range() const {
        if (sorted_.empty()) return "there are no nodes";
        return fmt::format("the file's {} are numbered {} to {}", counted(sorted_.size(), "node"),
                           sorted_.front().first, sorted_.back().first);
    }

private:
    using Entry = std::pair<int64_t, uint32_t>;
    std::vector<Entry> sorted_;
};

}  // namespace

InputError errorAt(const Source& source, size_t offset, bool binary, const std::string& message) {
    return binary ? errorAtByte(source, offset, message) : errorAtLine(source, offset, message);
}

void checkCount(const Source& source, size_t offset, int64_t count, size_t bytesEach, const char* items, bool binary) {
    const size_t left = source.bytes.size() - std::min(offset, source.bytes.size());
    if (count >= 0 && static_cast<uint64_t>(count) <= left / bytesEach) return;
    throw errorAt(
        source, offset, binary,
        fmt::format("says there are {} {}, but the {} bytes left hold at most {}; the file is cut short or its "
                    "count is wrong",
                    count, items, left, left / bytesEach));
}

int regionOf(const Source& source, size_t offset, int64_t label, bool binary) {
    if (label >= std::numeric_limits<int>::min() && label <= std::numeric_limits<int>::max()) {
        return static_cast<int>(label);
    }
    throw errorAt(source, offset, binary,
                  fmt::format("region label {} does not fit 32 bits; use a smaller one", label));
}

TetFile checkedTets(const Source& source, RawTets file) {
    // what no mesh can be without, and what its numbers can count
    if (file.tets.empty()) {
        throw errorInFile(source, fmt::format("no tetrahedra: the file has {} and no tets; a volume mesh is needed",
                                              counted(file.positions.size(), "node")));
    }
    if (file.positions.size() >= kInvalidIndex || file.tets.size() >= kInvalidIndex) {
        throw errorInFile(source, "more than 2^32 - 1 nodes or tets, which is more than fits");
    }
    ASSERT(file.numbers.size() == file.positions.size());
    // tets by the place of their nodes instead of the numbers that the file gave them, all turned the same way
    const NodeNumbers numbers(source, file.numbers);
    TetMesh mesh;
    mesh.nodes = IndexedVector<NodeIndex, Vec3>(std::move(file.positions));
    mesh.tets.reserve(file.tets.size());
    size_t turned = 0;
    bool anyRegion = false;
    for (size_t i = 0; i < file.tets.size(); ++i) {
        const RawTet& rawTet = file.tets[i];
        Tet tet;
        for (size_t c = 0; c < 4; ++c) {
            const uint32_t node = numbers.find(rawTet.nodes[c]);
            if (node == kInvalidIndex) {
                throw errorAt(source, rawTet.offset, file.binary,
                              fmt::format("tet {} names node {}, but {}", i + 1, rawTet.nodes[c], numbers.range()));
            }
            tet[c] = static_cast<NodeIndex>(node);
        }
        // flat tets have no volume, so no stiffness; turned ones only have the other order of corners
        const int side = orient3d(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]);
        if (side == 0) {
            throw errorAt(source, rawTet.offset, file.binary,
                          fmt::format("tet {} with the nodes {}, {}, {}, {} is flat; remove it or mesh again", i + 1,
                                      rawTet.nodes[0], rawTet.nodes[1], rawTet.nodes[2], rawTet.nodes[3]));
        }
        if (side < 0) {
            std::swap(tet[2], tet[3]);
            ++turned;
        }
        mesh.tets.push_back(tet);
        anyRegion |= rawTet.region != 0;
    }
    // a mesh in which every region is 0 has none
    if (anyRegion) {
        for (const RawTet& rawTet : file.tets) mesh.regions.push_back(rawTet.region);
    }
    if (turned > 0) file.notes.push_back(counted(turned, "tet") + " with negative volume turned");

    // nodes of other elements, mid-edge nodes
    std::vector<uint8_t> used(mesh.nodeCount(), 0);
    for (const Tet& tet : mesh.tets) {
        for (const NodeIndex n : tet) used[raw(n)] = 1;
    }
    const auto unused = static_cast<size_t>(std::count(used.begin(), used.end(), 0));
    if (unused > 0) {
        const auto all = mesh.tets.indices();
        mesh = subset(mesh, std::vector<TetIndex>(all.begin(), all.end()));
        file.notes.push_back(counted(unused, "node") + " without a tet dropped");
    }
    return {std::move(mesh), std::move(file.notes)};
}

}  // namespace sunder
