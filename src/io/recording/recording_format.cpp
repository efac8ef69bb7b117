#include "io/recording/recording_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <zstd.h>

#include "base/archive.h"
#include "base/hash.h"

namespace sunder {

namespace {

constexpr int kCompressionLevel = 3;

constexpr size_t kFirstStep = size_t{1} << 20;  // bytes that are given out before any have come
constexpr int kLargestWindow = 27;              // 128 MB, what zstd itself allows at most without being asked

/// The most bytes that so many compressed ones may stand for. A block of zstd has at least 4 bytes and holds at most
/// 128 kB; nothing of a recording is large and yet packed into a thousandth.
size_t mostFrom(size_t packed) {
    constexpr size_t kBlock = size_t{128} << 10, kSmallestBlock = 4, kSmall = size_t{64} << 20, kRatio = 1000;
    return std::min((packed / kSmallestBlock + 1) * kBlock, std::max(kSmall, kRatio * packed));
}

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
    // what it claims is bounded by what it can hold
    const auto damaged = [] { return std::runtime_error("compressed data is damaged"); };
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) throw damaged();
    if (size > std::min(limit, mostFrom(bytes.size()))) throw damaged();
    // and memory grows with what really comes
    const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
    if (!stream || ZSTD_isError(ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kLargestWindow)))
        throw std::runtime_error("zstd cannot be used");
    std::vector<std::byte> out;
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    size_t filled = 0, left = 1;
    while (left != 0) {
        if (filled == out.size()) out.resize(std::min<size_t>(size, std::max(kFirstStep, 2 * filled)));
        ZSTD_outBuffer part{out.data(), out.size(), filled};
        const size_t before = in.pos;
        left = ZSTD_decompressStream(stream.get(), &part, &in);
        if (ZSTD_isError(left)) throw damaged();
        if (left != 0 && part.pos == filled && in.pos == before) throw damaged();
        filled = part.pos;
    }
    if (filled != size || in.pos != in.size) throw damaged();
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
    // numbers that no export could write
    for (const VertexIndex v : mesh.positions.indices()) {
        if (!isSane(mesh.positions[v]))
            throw std::runtime_error(fmt::format("its vertex {} is nowhere: a number is not finite", raw(v)));
    }
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const bool normals =
            mesh.normals.empty() || std::ranges::all_of(mesh.normals[t], [](const Vec3& n) { return isSane(n); });
        const bool uvs = mesh.uvs.empty() || std::ranges::all_of(mesh.uvs[t], [](const Vec2& v) {
                             return isSane({v.x(), v.y(), 0});
                         });
        if (!normals || !uvs)
            throw std::runtime_error(fmt::format("its triangle {} has {} that is not finite", raw(t),
                                                 normals ? "a texture coordinate" : "a normal"));
    }
    return mesh;
}

bool isSane(double number) { return std::abs(number) <= kLargestNumber; }
bool isSane(const Vec3& v) { return isSane(v.x()) && isSane(v.y()) && isSane(v.z()); }

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
