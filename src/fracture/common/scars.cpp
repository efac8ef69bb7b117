#include "fracture/common/scars.h"

#include <stdexcept>

#include "base/archive.h"

namespace sunder::fracture {

namespace {

constexpr uint32_t kVersion = 2;

template <class Archive, class Items, class Transfer>
void transferEach(Archive& archive, Items& items, const Transfer& transferOne) {
    const size_t count = transferCount(archive, items.size());
    if constexpr (Archive::kReads) items.resize(count);
    for (auto& item : items) transferOne(item);
}

template <class Archive, class T>
void transferScars(Archive& archive, T& scars) {
    uint32_t version = kVersion;
    transfer(archive, version);
    if (version != kVersion) throw std::runtime_error("inherited cracks are of another version");
    transferEach(archive, scars.spots, [&](auto& spot) { transferAll(archive, spot.place, spot.normal, spot.size); });
    transferEach(archive, scars.gaps, [&](auto& gap) {
        transferEach(archive, gap.positions, [&](auto& place) { transfer(archive, place); });
        transferEach(archive, gap.triangles, [&](auto& corners) {
            transferAll(archive, corners[0], corners[1], corners[2]);
            for (const VertexIndex corner : corners) {
                if (raw(corner) >= gap.positions.size()) throw std::runtime_error("inherited cracks are damaged");
            }
        });
    });
}

}  // namespace

Inheritance inheritanceOf(const Scars& scars) {
    if (scars.empty()) return {};
    ByteWriter writer;
    transferScars(writer, scars);
    return writer.take();
}

Scars scarsIn(const Inheritance& inherited) {
    Scars scars;
    if (inherited.empty()) return scars;
    try {
        ByteReader reader(inherited);
        transferScars(reader, scars);
    } catch (const std::runtime_error&) {
        scars = {};
    }
    return scars;
}

}  // namespace sunder::fracture
