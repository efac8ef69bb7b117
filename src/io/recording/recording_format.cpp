#include "io/recording/recording_format.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <zstd.h>

#include "base/archive.h"
#include "base/hash.h"

namespace sunder {

namespace {

constexpr int kCompressionLevel = 3;

/// Writes or reads, by the archive: both orders are one.
template <class Archive, class Mesh>
void transferMesh(Archive& archive, Mesh& mesh) {
    const auto each = [&](auto& values) {
        const size_t count = transferCount(archive, values.size());
        if constexpr (Archive::kReads) values.resize(count);
        for (auto& value : values) transfer(archive, value);
    };
    each(mesh.positions);
    each(mesh.triangles);
    each(mesh.uvs);
    each(mesh.normals);
    each(mesh.materials);
    each(mesh.inside);
    each(mesh.materialNames);
}

}  // namespace

std::vector<std::byte> compressed(std::span<const std::byte> bytes) {
    std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
    const size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kCompressionLevel);
    if (ZSTD_isError(size)) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(size));
    out.resize(size);
    return out;
}

std::vector<std::byte> decompressed(std::span<const std::byte> bytes, size_t limit) {
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > limit)
        throw std::runtime_error("compressed data is damaged");
    std::vector<std::byte> out(size);
    const size_t got = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(got) || got != size) throw std::runtime_error("compressed data is damaged");
    return out;
}

std::vector<std::byte> meshBytes(const TriMesh& mesh) {
    ByteWriter writer;
    transferMesh(writer, mesh);
    return writer.take();
}

TriMesh meshFromBytes(std::span<const std::byte> bytes) {
    ByteReader reader(bytes);
    TriMesh mesh;
    transferMesh(reader, mesh);
    const size_t triangles = mesh.triangleCount();
    const auto fits = [&](size_t count) { return count == 0 || count == triangles; };
    bool good = reader.left() == 0 && fits(mesh.uvs.size()) && fits(mesh.normals.size()) &&
                fits(mesh.materials.size()) && fits(mesh.inside.size());
    for (const Triangle& triangle : mesh.triangles) {
        for (const VertexIndex v : triangle) good = good && raw(v) < mesh.vertexCount();
    }
    if (!good) throw std::runtime_error("a mesh is damaged");
    return mesh;
}

std::string contentHash(std::span<const std::byte> bytes) {
    Hasher one, two;
    two.add(uint64_t{1});
    one.add(uint64_t{bytes.size()});
    while (!bytes.empty()) {
        uint64_t word = 0;
        const size_t size = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), size);
        one.add(word);
        two.add(word);
        bytes = bytes.subspan(size);
    }
    return fmt::format("{:016x}{:016x}", one.value(), two.value());
}

}  // namespace sunder
