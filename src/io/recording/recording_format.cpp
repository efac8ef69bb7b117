#include "io/recording/recording_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>
#include <zstd.h>

#include "base/archive.h"
#include "base/hash.h"
#include "io/files/packed_numbers.h"

namespace sunder {

namespace {

constexpr int kCompressionLevel = 3;

/// Differences wrap around, so that no damaged file can overflow.
int64_t minus(int64_t a, int64_t b) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t plus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

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

QuantisedPose quantised(const Vec3& centre, const Quat& rotation, double quantum) {
    constexpr double kFarthest = 0x1p60;  // quanta; what flies beyond stays there
    QuantisedPose pose;
    for (size_t k = 0; k < 3; ++k) {
        const double quanta = centre[static_cast<int>(k)] / quantum;
        pose.position[k] = std::llround(std::clamp(quanta, -kFarthest, kFarthest));
    }
    const Vec4 q = rotation.normalized().coeffs();  // x y z w
    int largest = 0;
    for (int k = 1; k < 4; ++k) {
        if (std::abs(q[k]) > std::abs(q[largest])) largest = k;
    }
    pose.largest = static_cast<uint8_t>(largest);
    const double sign = q[largest] < 0 ? -1 : 1;
    for (int k = 0, at = 0; k < 4; ++k) {
        if (k != largest)
            pose.others[static_cast<size_t>(at++)] = static_cast<int32_t>(std::lround(sign * q[k] / kRotationQuantum));
    }
    return pose;
}

Vec3 positionOf(const QuantisedPose& pose, double quantum) {
    return quantum * Vec3(static_cast<double>(pose.position[0]), static_cast<double>(pose.position[1]),
                          static_cast<double>(pose.position[2]));
}

Quat rotationOf(const QuantisedPose& pose) {
    Vec4 q = Vec4::Zero();
    double squares = 0;
    for (int k = 0, at = 0; k < 4; ++k) {
        if (k == pose.largest) continue;
        q[k] = kRotationQuantum * pose.others[static_cast<size_t>(at++)];
        squares += q[k] * q[k];
    }
    q[pose.largest] = std::sqrt(std::max(0.0, 1 - squares));
    return Quat(q).normalized();
}

std::vector<std::byte> poseBytes(const QuantisedPoses& before, const QuantisedPoses& now) {
    std::vector<std::byte> bytes;
    uint64_t last = 0;
    for (const auto& [serial, pose] : now) {
        const auto old = before.find(serial);
        const QuantisedPose base = old == before.end() ? QuantisedPose{} : old->second;
        if (old != before.end() && base == pose) continue;
        writeNumber(bytes, (serial - last) << 2 | pose.largest);
        last = serial;
        for (size_t k = 0; k < 3; ++k) writeSigned(bytes, minus(pose.position[k], base.position[k]));
        const bool same = base.largest == pose.largest;
        for (size_t k = 0; k < 3; ++k) writeSigned(bytes, int64_t{pose.others[k]} - (same ? base.others[k] : 0));
    }
    return bytes;
}

size_t applyPoseBytes(std::span<const std::byte> bytes, QuantisedPoses& poses) {
    NumberReader reader(bytes);
    uint64_t serial = 0;
    size_t count = 0;
    for (; !reader.empty(); ++count) {
        const uint64_t head = reader.number();
        serial += head >> 2;
        if (serial > UINT32_MAX) throw std::runtime_error("poses are damaged: they name a body that cannot be");
        QuantisedPose& pose = poses[static_cast<uint32_t>(serial)];
        const auto largest = static_cast<uint8_t>(head & 3);
        for (int64_t& position : pose.position) position = plus(position, reader.signedNumber());
        const bool same = pose.largest == largest;
        for (int32_t& other : pose.others) {
            const int64_t value = plus(reader.signedNumber(), same ? other : 0);
            if (value > 1 << 20 || value < -(1 << 20))
                throw std::runtime_error("poses are damaged: a rotation that cannot be");
            other = static_cast<int32_t>(value);
        }
        pose.largest = largest;
    }
    return count;
}

// impacts are copied as they are in memory
static_assert(sizeof(RecordedImpact) == 48 && std::is_trivially_copyable_v<RecordedImpact> &&
              std::endian::native == std::endian::little);

std::vector<std::byte> impactBytes(std::span<const RecordedImpact> impacts) {
    const auto bytes = std::as_bytes(impacts);
    return {bytes.begin(), bytes.end()};
}

std::vector<RecordedImpact> impactsFromBytes(std::span<const std::byte> bytes) {
    if (bytes.size() % sizeof(RecordedImpact) != 0) throw std::runtime_error("impacts end early");
    std::vector<RecordedImpact> impacts(bytes.size() / sizeof(RecordedImpact));
    if (!bytes.empty()) std::memcpy(impacts.data(), bytes.data(), bytes.size());
    return impacts;
}

}  // namespace sunder
