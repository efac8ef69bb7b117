#include "fracture/common/noise.h"

#include <cmath>

namespace sunder::fracture {

namespace {

uint64_t mixed(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    return x;
}

uint64_t cornerHash(int64_t i, int64_t j, int64_t k, uint64_t seed) {
    return mixed(static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15ull ^ static_cast<uint64_t>(j) * 0xc2b2ae3d27d4eb4full ^
                 static_cast<uint64_t>(k) * 0x165667b19e3779f9ull ^ seed);
}

/// One of 64 x 64 x 64 gradients in the cube of side 2, dotted with the offset.
double slope(uint64_t bits, const Vec3& offset) {
    const auto part = [&](int shift) { return static_cast<double>((bits >> shift) & 63) / 31.5 - 1; };
    return part(0) * offset.x() + part(6) * offset.y() + part(12) * offset.z();
}

double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

}  // namespace

Vec3 vectorNoise(const Vec3& point, uint64_t seed) {
    const Vec3 low(std::floor(point.x()), std::floor(point.y()), std::floor(point.z()));
    const Vec3 offset = point - low;
    const Vec3 weight(fade(offset.x()), fade(offset.y()), fade(offset.z()));
    Vec3 sum = Vec3::Zero();
    for (int corner = 0; corner < 8; ++corner) {
        const int di = corner & 1, dj = (corner >> 1) & 1, dk = corner >> 2;
        const uint64_t bits = cornerHash(static_cast<int64_t>(low.x()) + di, static_cast<int64_t>(low.y()) + dj,
                                         static_cast<int64_t>(low.z()) + dk, seed);
        const double share = (di == 1 ? weight.x() : 1 - weight.x()) * (dj == 1 ? weight.y() : 1 - weight.y()) *
                             (dk == 1 ? weight.z() : 1 - weight.z());
        const Vec3 from = offset - Vec3(di, dj, dk);
        sum += share * Vec3(slope(bits, from), slope(bits >> 18, from), slope(bits >> 36, from));
    }
    return sum;
}

}  // namespace sunder::fracture
