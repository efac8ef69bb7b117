#pragma once

/// Put before a plain loop function that the compiler can vectorise: GCC makes an AVX2 version of it beside the
/// portable one and picks at start. Without fused multiply-add and without reassociation both give the same bits. Off
/// under sanitizers and other compilers, whose resolvers do not mix well with it.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SUNDER_SIMD __attribute__((target_clones("avx2", "default"), optimize("O3", "no-math-errno")))
/// The same for functions that call std::fma: a version with the instruction beside one that calls the library.
#define SUNDER_FMA __attribute__((target_clones("fma", "default"), flatten))
#else
#define SUNDER_SIMD
#define SUNDER_FMA
#endif
