/* SPDX-License-Identifier: MIT */
/*
 * Kernels of pto_vpermute(). The including file defines ISA. Without further operations the kernels copy lane by lane.
 *
 * If the backend looks up lanes in registers, the file includes vec.h, and defines PERMUTE_LOOKS_UP and for each width
 * W
 *
 *   look_up_W(table, vectors, index)  lane i of the result is lane index[i] of the `vectors` vectors at `table`;
 *                        `vectors` is a power of 2 and a compile-time constant, and all indices are in range
 *   LOOK_UP_MAX_W        the largest number of vectors for which this is faster than copying lane by lane
 *
 * If it gathers lanes from memory, it defines PERMUTE_GATHERS and for each W
 *
 *   gather_W(lanes, src, index, dst, n)  permutes all lanes, or returns false without having written any
 */
#ifndef PTO_LOOPS_PERMUTE_H
#define PTO_LOOPS_PERMUTE_H

#include "core/permute.h"

#define NAME(name) CAT3(name, _, ISA)

static ALWAYS_INLINE bool is_power_of_2(size_t n) {
    return (n & (n - 1)) == 0;
}

/* Returns index mod lanes. Indices are rarely out of range, so the slow division is rare, too. */
static ALWAYS_INLINE size_t lane_of(u64 index, size_t lanes) {
    return (size_t)(index < lanes ? index : index % lanes);
}

/* Permutes lane by lane. */
static ALWAYS_INLINE void permute_each(size_t bytes, size_t lanes, const u8 *src, const u8 *index, u8 *dst,
                                       size_t n) {
    const bool masks = is_power_of_2(lanes);
    for (size_t group = 0; group < n; group += lanes) {
        UNROLL_4
        for (size_t i = 0; i < lanes; ++i) {
            const u64 k = load_bytes(index + i * bytes, bytes);
            const size_t from = masks ? (size_t)k & (lanes - 1) : lane_of(k, lanes);
            store_bytes(dst + i * bytes, load_bytes(src + from * bytes, bytes), bytes);
        }
        src += lanes * bytes;
        index += lanes * bytes;
        dst += lanes * bytes;
    }
}

#ifdef PERMUTE_LOOKS_UP

typedef vec look_up_fn(const u8 *table, size_t vectors, vec index);

/* Sets every lane of *mask to lanes - 1, and each lane of *first to the number of the first lane of its group, counted
 * from the beginning of its vector. */
static ALWAYS_INLINE void set_group_vectors(size_t bytes, size_t lanes, vec *mask, vec *first) {
    u8 masks[VBYTES], firsts[VBYTES];
    for (size_t i = 0; i < VBYTES / bytes; ++i) {
        store_bytes(masks + i * bytes, lanes - 1, bytes);
        store_bytes(firsts + i * bytes, i & ~(lanes - 1), bytes);
    }
    *mask = v_load(masks);
    *first = v_load(firsts);
}

/* Permutes as many lanes as are in whole vectors, and returns their number. A group has `vectors` vectors, or a vector
 * has one or more groups and `vectors` is 1. */
static ALWAYS_INLINE size_t look_up_groups(look_up_fn *look_up, size_t vectors, size_t bytes, size_t lanes,
                                           const u8 *src, const u8 *index, u8 *dst, size_t n) {
    const size_t step = vectors * VBYTES, end = n * bytes / step * step;
    vec mask, first;
    set_group_vectors(bytes, lanes, &mask, &first);
    for (size_t group = 0; group < end; group += step) {
        for (size_t at = group; at < group + step; at += VBYTES) {
            const vec from = v_or(v_and(v_load(index + at), mask), first);
            v_store(dst + at, look_up(src + group, vectors, from));
        }
    }
    return end / bytes;
}

static ALWAYS_INLINE void permute(look_up_fn *look_up, size_t max_vectors, size_t bytes, size_t lanes,
                                  const u8 *src, const u8 *index, u8 *dst, size_t n) {
    size_t done = 0;
    if (is_power_of_2(lanes) && lanes <= max_vectors * VBYTES / bytes) {
        UNROLL
        for (size_t vectors = 1; vectors <= max_vectors; vectors *= 2) {
            if (lanes > vectors * VBYTES / bytes) continue;
            done = look_up_groups(look_up, vectors, bytes, lanes, src, index, dst, n);
            break;
        }
    }
    if (done != n)
        permute_each(bytes, lanes, src + done * bytes, index + done * bytes, dst + done * bytes, n - done);
}
#    define PERMUTE(W) permute(look_up_##W, LOOK_UP_MAX_##W, (W) / 8, lanes, src, index, dst, n)
#elif defined PERMUTE_GATHERS
#    define PERMUTE(W)                                                                                       \
        if (!gather_##W(lanes, src, index, dst, n)) permute_each((W) / 8, lanes, src, index, dst, n)
#else
#    define PERMUTE(W) permute_each((W) / 8, lanes, src, index, dst, n)
#endif

static void permute_8(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    PERMUTE(8);
}

static void permute_16(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    PERMUTE(16);
}

static void permute_32(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    PERMUTE(32);
}

static void permute_64(size_t lanes, const void *src, const void *index, void *dst, size_t n) {
    PERMUTE(64);
}

const struct permute_table NAME(pto_permute) = {{permute_8, permute_16, permute_32, permute_64}};

#endif
