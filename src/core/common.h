/* SPDX-License-Identifier: MIT */
/* Short integer type names, inlining macros, and loads and stores of exact sizes, for every source file. */
#ifndef PTO_CORE_COMMON_H
#define PTO_CORE_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#    error "libpto's element and mask formats are little-endian; this target is not"
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

/* Many kernels are thin functions that call one common body with constant arguments. ALWAYS_INLINE gives each of
 * them its own copy of the body. NOINLINE marks functions that kernels share, and rarely called ones. */
#if defined(__GNUC__)
#    define ALWAYS_INLINE inline __attribute__((always_inline))
#    define NOINLINE      __attribute__((noinline))
#else
#    define ALWAYS_INLINE inline
#    define NOINLINE
#endif

/* For bodies so large that copies pay only if the compiler folds their constant arguments. At -O0, one file with
 * hundreds of such copies took minutes and gigabytes of memory to compile. */
#ifdef __OPTIMIZE__
#    define INLINE_IF_FOLDED ALWAYS_INLINE
#else
#    define INLINE_IF_FOLDED inline
#endif

/* Marks a condition that is false in ordinary calls, so that the compiler moves its branch off the main path. */
static ALWAYS_INLINE bool unlikely(bool condition) {
#if defined(__GNUC__)
    return __builtin_expect(condition, false);
#else
    return condition;
#endif
}

/* UNROLL goes before a loop with a small constant trip count. An array that the loop indexes can be held in
 * registers only after unrolling. UNROLL_4 goes before a counted loop of few instructions, where counting would
 * be half of the work. NO_UNROLL disables both, for backends that need many instructions per vector operation. */
#if defined(NO_UNROLL)
#    define UNROLL
#    define UNROLL_4
#elif defined(__clang__)
#    define UNROLL   _Pragma("clang loop unroll(full)")
#    define UNROLL_4 _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__)
#    define UNROLL   _Pragma("GCC unroll 64")
#    define UNROLL_4 _Pragma("GCC unroll 4")
#else
#    define UNROLL
#    define UNROLL_4
#endif

#define CAT_(a, b)    a##b
#define CAT(a, b)     CAT_(a, b)
#define CAT3(a, b, c) CAT(CAT(a, b), c)

static ALWAYS_INLINE u64 load64(const void *p) {
    u64 x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* The stores and copies below use __builtin_memcpy(): with _FORTIFY_SOURCE=3 each memcpy() to a part of an array would
 * become a call that checks the size. */
static ALWAYS_INLINE void store64(void *p, u64 x) {
    __builtin_memcpy(p, &x, sizeof x);
}

/* load_bytes() and store_bytes() transfer the low `bytes` <= 8 bytes of a word, little-endian, and touch no byte
 * after them. */
static ALWAYS_INLINE u64 load_bytes(const u8 *p, size_t bytes) {
    u64 x = 0;
    unsigned at = 0;
    u32 four;
    u16 two;
    if (bytes >= 8) return load64(p);
    if (bytes & 4) {
        memcpy(&four, p, sizeof four);
        x = four;
        at = 4;
    }
    if (bytes & 2) {
        memcpy(&two, p + at, sizeof two);
        x |= (u64)two << 8 * at;
        at += 2;
    }
    if (bytes & 1) x |= (u64)p[at] << 8 * at;
    return x;
}

static ALWAYS_INLINE void store_bytes(u8 *p, u64 x, size_t bytes) {
    u32 four = (u32)x;
    u16 two;
    if (bytes >= 8) {
        store64(p, x);
        return;
    }
    if (bytes & 4) {
        __builtin_memcpy(p, &four, sizeof four);
        p += 4;
        x >>= 32;
    }
    if (bytes & 2) {
        two = (u16)x;
        __builtin_memcpy(p, &two, sizeof two);
        p += 2;
        x >>= 16;
    }
    if (bytes & 1) *p = (u8)x;
}

/* copy_short() is for copies of at most a few tens of bytes, for which a call of memcpy() would take longer than the
 * copy itself. It copies chunks of this many bytes. */
enum { SHORT_CHUNK = 16 };

static ALWAYS_INLINE void copy_short(u8 *to, const u8 *from, size_t n) {
    if (n >= SHORT_CHUNK) {
        for (size_t i = 0; i + SHORT_CHUNK < n; i += SHORT_CHUNK)
            __builtin_memcpy(to + i, from + i, SHORT_CHUNK);
        __builtin_memcpy(to + n - SHORT_CHUNK, from + n - SHORT_CHUNK, SHORT_CHUNK);
        return;
    }
    store_bytes(to, load_bytes(from, n), n);
    if (n > 8) store_bytes(to + 8, load_bytes(from + 8, n - 8), n - 8);
}

/* Clears n bytes, rounded up to whole chunks of SHORT_CHUNK bytes. */
static ALWAYS_INLINE void clear_chunks(u8 *p, size_t n) {
    for (size_t i = 0; i < n; i += SHORT_CHUNK) __builtin_memset(p + i, 0, SHORT_CHUNK);
}

/* Returns a word whose low `count` <= 64 bits are set. */
static ALWAYS_INLINE u64 low_bits(size_t count) {
    return count >= 64 ? ~(u64)0 : ((u64)1 << count) - 1;
}

/* Returns bits `at` to `at + count - 1` of packed bits; `count` is at most 64. Reads only the bytes that contain these
 * bits. */
static ALWAYS_INLINE u64 bits_at(const u8 *bits, size_t at, size_t count) {
    const size_t shift = at % 8, bytes = (shift + count + 7) / 8;
    const u8 *p = bits + at / 8;
    const u64 low = load_bytes(p, bytes) >> shift;
    return bytes > 8 ? low | (u64)p[8] << (64 - shift) : low;
}

/* Copies `bytes` bytes of packed bits that begin at bit `at` of `from`; `at` is 1 to 7. Reads only the bytes that
 * contain these bits. */
static ALWAYS_INLINE void copy_bits_by_words(const u8 *from, size_t at, u8 *to, size_t bytes) {
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8) store64(to + i, load64(from + i) >> at | load64(from + i + 1) << (8 - at));
    if (i < bytes) store_bytes(to + i, bits_at(from + i, at, 8 * (bytes - i)), bytes - i);
}

static ALWAYS_INLINE size_t min_size(size_t a, size_t b) {
    return a < b ? a : b;
}

#endif
