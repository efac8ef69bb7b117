#include "fracture/prescored/detail/curved_assets.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/log.h"
#include "base/parallel.h"
#include "geometry/grid/mesh_to_grid.h"

namespace sunder::fracture {

namespace {

constexpr uint64_t kGridAsset = 0x1001;  // changes when what the bytes mean does

template <class Value>
void write(std::vector<std::byte>& bytes, std::span<const Value> values) {
    const auto raw = std::as_bytes(values);
    bytes.insert(bytes.end(), raw.begin(), raw.end());
}

template <class Value>
bool read(std::span<const std::byte>& bytes, std::span<Value> values) {
    if (bytes.size() < values.size_bytes()) return false;
    std::memcpy(values.data(), bytes.data(), values.size_bytes());
    bytes = bytes.subspan(values.size_bytes());
    return true;
}

/// A word over all bytes after it, so that half a file is noticed.
std::vector<std::byte> sealed(const std::vector<std::byte>& content) {
    Hasher hasher;
    for (const std::byte b : content) hasher.add(static_cast<uint64_t>(b));
    const uint64_t seal = hasher.value();
    std::vector<std::byte> bytes;
    write(bytes, std::span(&seal, 1));
    bytes.insert(bytes.end(), content.begin(), content.end());
    return bytes;
}

/// Takes assets out of the store, if there is one, and tells of those that are not what was put there: once, when all
/// have been asked for.
class Unsealer {
public:
    explicit Unsealer(const AssetStore* store) : store_(store) {}
    ~Unsealer() {
        if (spoilt_ == 0) return;
        logWarning("{} stored pattern asset{} cut off or altered (the first is {}); made again", spoilt_,
                   spoilt_ == 1 ? " was" : "s were", first_.text());
    }
    Unsealer(const Unsealer&) = delete;
    Unsealer& operator=(const Unsealer&) = delete;

    /// Without the seal.
    std::optional<std::vector<std::byte>> get(const ContentHash& name) {
        const auto bytes = store_ == nullptr ? std::nullopt : store_->get(name);
        if (!bytes) return std::nullopt;
        if (bytes->size() >= sizeof(uint64_t)) {
            std::vector<std::byte> content(bytes->begin() + sizeof(uint64_t), bytes->end());
            if (sealed(content) == *bytes) return content;
        }
        if (spoilt_++ == 0) first_ = name;
        return std::nullopt;
    }

private:
    const AssetStore* store_;
    size_t spoilt_ = 0;
    ContentHash first_;
};

std::vector<std::byte> bytesOf(const DistanceGrid& grid) {
    std::vector<std::byte> bytes;
    write(bytes, std::span(grid.frame().origin.data(), 3));
    write(bytes, std::span(&grid.frame().cellSize, 1));
    write(bytes, std::span<const int>(grid.frame().points));
    write(bytes, grid.values());
    return sealed(bytes);
}

std::optional<DistanceGrid> gridFrom(const std::optional<std::vector<std::byte>>& content) {
    if (!content) return std::nullopt;
    std::span<const std::byte> rest(*content);
    GridFrame frame;
    if (!read(rest, std::span(frame.origin.data(), 3)) || !read(rest, std::span(&frame.cellSize, 1)) ||
        !read(rest, std::span<int>(frame.points)) || rest.size() != frame.pointCount() * sizeof(float)) {
        return std::nullopt;
    }
    DistanceGrid grid(frame);
    read(rest, grid.values());
    return grid;
}

}  // namespace

uint16_t ScoredSpace::at(int i, int j, int k) const {
    const auto side = static_cast<size_t>(2 * half + 1);
    ASSERT(labels.size() == side * side * side);
    const auto place = [&](int n) { return static_cast<size_t>(std::clamp(n, -half, half) + half); };
    return labels[place(i) + side * (place(j) + side * place(k))];
}

std::shared_ptr<const std::vector<DistanceGrid>> CurvedAssets::gridsOf(const std::vector<TriMesh>& meshes, int cells,
                                                                       AssetStore* store) {
    ASSERT(cells > 0);
    Box3 box;
    for (const TriMesh& mesh : meshes) box.add(boundsOf(mesh));
    const double cellSize = box.size().maxCoeff() / cells;

    // each grid is stored under what it is made from, so that sets of meshes may share some
    std::vector<ContentHash> names;
    ContentHasher all(kGridAsset);
    for (const TriMesh& mesh : meshes) {
        ContentHasher hasher(kGridAsset);
        hasher.add(cellSize);
        hasher.add(mesh);
        names.push_back(hasher.value());
        all.add(names.back().high);
        all.add(names.back().low);
    }

    // from memory, else from the store, else made and stored
    return grids_.get(all.value(), [&] {
        std::vector<DistanceGrid> grids(meshes.size());
        Unsealer stored(store);
        for (size_t m = 0; m < meshes.size(); ++m) {
            std::optional<DistanceGrid> kept = gridFrom(stored.get(names[m]));
            grids[m] = kept ? std::move(*kept) : gridFromMesh(meshes[m], cellSize);
            if (!kept && store != nullptr) store->put(names[m], bytesOf(grids[m]));
        }
        return grids;
    });
}

std::shared_ptr<const ScoredSpace> CurvedAssets::score(const CurvedRegions& regions, int half, const ContentHash& name,
                                                       AssetStore* store) {
    ASSERT(half >= 0);
    return spaces_.get(name, [&] {
        ScoredSpace space{half, {}};
        const auto side = static_cast<size_t>(2 * half + 1);
        space.labels.resize(side * side * side);
        // what an earlier run scored and stored
        if (const auto kept = Unsealer(store).get(name);
            kept && kept->size() == space.labels.size() * sizeof(uint16_t)) {
            std::span<const std::byte> rest(*kept);
            read(rest, std::span(space.labels));
            return space;
        }
        // scored now, row by row: no two threads write one label
        std::visit(
            [&](const auto& r) {
                parallelFor(side * side, 4, [&](const BlockRange& block) {
                    for (size_t row = block.begin; row < block.end; ++row) {
                        const auto j = static_cast<int>(row % side) - half, k = static_cast<int>(row / side) - half;
                        for (int i = -half; i <= half; ++i) {
                            space.labels[row * side + static_cast<size_t>(i + half)] =
                                static_cast<uint16_t>(r.regionAt(Vec3(i, j, k)));
                        }
                    }
                });
            },
            regions);
        // kept for later runs
        if (store != nullptr) {
            std::vector<std::byte> bytes;
            write(bytes, std::span<const uint16_t>(space.labels));
            store->put(name, sealed(bytes));
        }
        return space;
    });
}

}  // namespace sunder::fracture
