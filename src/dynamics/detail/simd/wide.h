#pragma once

/// Eight floats side by side, as GCC and clang vectors. Files that include this are compiled twice, for AVX2 and for
/// any machine (see kernels.h); element by element both round alike. Keep this header free of the standard library: an
/// inline function compiled for AVX2 must never be the one the linker picks for every file.
namespace sunder::dynamics::detail {
namespace {

constexpr int kWide = 8;
typedef float f8 __attribute__((vector_size(32)));
typedef int i8 __attribute__((vector_size(32)));

#define SUNDER_INLINE inline __attribute__((always_inline))

SUNDER_INLINE f8 load(const float* p) {
    f8 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
SUNDER_INLINE void store(float* p, f8 v) { __builtin_memcpy(p, &v, sizeof v); }
SUNDER_INLINE f8 all(float x) { return f8{x, x, x, x, x, x, x, x}; }
SUNDER_INLINE f8 max8(f8 a, f8 b) { return a > b ? a : b; }
SUNDER_INLINE f8 min8(f8 a, f8 b) { return a < b ? a : b; }
SUNDER_INLINE bool any(i8 mask) {
#ifdef __AVX__
    return __builtin_ia32_movmskps256((f8)mask) != 0;
#else
    int bits = 0;
    for (int i = 0; i < kWide; ++i) bits |= mask[i];
    return bits != 0;
#endif
}

/// Eight vectors.
struct V8 {
    f8 x, y, z;
};
SUNDER_INLINE V8 operator+(const V8& a, const V8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
SUNDER_INLINE V8 operator-(const V8& a, const V8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
SUNDER_INLINE V8 operator*(f8 s, const V8& a) { return {s * a.x, s * a.y, s * a.z}; }
SUNDER_INLINE f8 dot(const V8& a, const V8& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SUNDER_INLINE V8 cross(const V8& a, const V8& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Eight symmetric tensors.
struct S8 {
    f8 xx, yy, zz, xy, yz, zx;
};
SUNDER_INLINE V8 operator*(const S8& m, const V8& v) {
    return {m.xx * v.x + m.xy * v.y + m.zx * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.zx * v.x + m.yz * v.y + m.zz * v.z};
}

/// Rows become columns.
SUNDER_INLINE void transpose(f8 r[8]) {
#ifdef __clang__
#define SUNDER_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SUNDER_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, i8{__VA_ARGS__})
#endif
    const f8 a0 = SUNDER_SHUFFLE(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13),
             a1 = SUNDER_SHUFFLE(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const f8 a2 = SUNDER_SHUFFLE(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13),
             a3 = SUNDER_SHUFFLE(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
    const f8 a4 = SUNDER_SHUFFLE(r[4], r[5], 0, 8, 1, 9, 4, 12, 5, 13),
             a5 = SUNDER_SHUFFLE(r[4], r[5], 2, 10, 3, 11, 6, 14, 7, 15);
    const f8 a6 = SUNDER_SHUFFLE(r[6], r[7], 0, 8, 1, 9, 4, 12, 5, 13),
             a7 = SUNDER_SHUFFLE(r[6], r[7], 2, 10, 3, 11, 6, 14, 7, 15);
    const f8 b0 = SUNDER_SHUFFLE(a0, a2, 0, 1, 8, 9, 4, 5, 12, 13),
             b1 = SUNDER_SHUFFLE(a0, a2, 2, 3, 10, 11, 6, 7, 14, 15);
    const f8 b2 = SUNDER_SHUFFLE(a1, a3, 0, 1, 8, 9, 4, 5, 12, 13),
             b3 = SUNDER_SHUFFLE(a1, a3, 2, 3, 10, 11, 6, 7, 14, 15);
    const f8 b4 = SUNDER_SHUFFLE(a4, a6, 0, 1, 8, 9, 4, 5, 12, 13),
             b5 = SUNDER_SHUFFLE(a4, a6, 2, 3, 10, 11, 6, 7, 14, 15);
    const f8 b6 = SUNDER_SHUFFLE(a5, a7, 0, 1, 8, 9, 4, 5, 12, 13),
             b7 = SUNDER_SHUFFLE(a5, a7, 2, 3, 10, 11, 6, 7, 14, 15);
    r[0] = SUNDER_SHUFFLE(b0, b4, 0, 1, 2, 3, 8, 9, 10, 11);
    r[1] = SUNDER_SHUFFLE(b1, b5, 0, 1, 2, 3, 8, 9, 10, 11);
    r[2] = SUNDER_SHUFFLE(b2, b6, 0, 1, 2, 3, 8, 9, 10, 11);
    r[3] = SUNDER_SHUFFLE(b3, b7, 0, 1, 2, 3, 8, 9, 10, 11);
    r[4] = SUNDER_SHUFFLE(b0, b4, 4, 5, 6, 7, 12, 13, 14, 15);
    r[5] = SUNDER_SHUFFLE(b1, b5, 4, 5, 6, 7, 12, 13, 14, 15);
    r[6] = SUNDER_SHUFFLE(b2, b6, 4, 5, 6, 7, 12, 13, 14, 15);
    r[7] = SUNDER_SHUFFLE(b3, b7, 4, 5, 6, 7, 12, 13, 14, 15);
}

SUNDER_INLINE float largest(f8 v) {
    float m = v[0];
    for (int i = 1; i < kWide; ++i) m = v[i] > m ? v[i] : m;
    return m;
}
SUNDER_INLINE float smallest(f8 v) { return -largest(-v); }
SUNDER_INLINE f8 sqrt8(f8 v) {
#ifdef __AVX__
    return __builtin_ia32_sqrtps256(v);
#else
    f8 r;
    for (int i = 0; i < kWide; ++i) r[i] = __builtin_sqrtf(v[i]);
    return r;
#endif
}

}  // namespace
}  // namespace sunder::dynamics::detail
