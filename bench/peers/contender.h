/* SPDX-License-Identifier: MIT */
/**
 * @file contender.h
 * What runs in a race: libpto, its peers and the rooflines, all behind one signature. C and C++ speak it,
 * since the peers are compiled each in its language and with the flags of one instruction set.
 */
#ifndef PTO_BENCH_CONTENDER_H
#define PTO_BENCH_CONTENDER_H

#include "peers/operations.h"

#include <pto/pto.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What is computed: BENCH_VCMP and so on. For BENCH_CVT only `operation` and `cvt` count. For BENCH_QUANTIZE
 * and BENCH_DEQUANTIZE `cvt` has the types of what is read and written, and `block` is the rule.
 */
#define ENUMERATOR(NAME, name) BENCH_##NAME,
enum bench_operation { BENCH_OPERATIONS(ENUMERATOR) };
#undef ENUMERATOR

struct bench_what {
    enum bench_operation operation;
    pto_dtype type;
    pto_cmp cmp;
    unsigned flags;
    pto_mask_kind mask; /* of the result of a compare; of the mask of a select */
    bool seed;          /* a compare under a packed seed */
    pto_cvt_op cvt;
    pto_block_op block;
    pto_vrnd rnd;       /* of a conversion of PTO's, whose types and saturation are in cvt */
    uint64_t bounds[2]; /* lo and hi of a clamp, each in the lowest bits */
};

struct bench_args {
    const struct bench_what *what;
    const void *a, *b, *u, *v;
    const void
        *m; /* mask of a select, seed of a compare, c of setp, random bits or scales of cvt, of blocks */
    void *dst, *dst2; /* dst2: q of setp, the scales that are found */
    size_t n;
};

/*
 * Do it `repeat` times. The loop is inside so that nobody pays for an indirect call that its user would not
 * make; each pass ends in BENCH_BARRIER, so that no compiler merges passes.
 */
typedef void bench_fn(const struct bench_args *args, size_t repeat);

#define BENCH_BARRIER() __asm__ volatile("" ::: "memory")

/* What each peer gives for one instruction set: NULL for what it lacks. */
typedef bench_fn *bench_find(const struct bench_what *what);

/*
 * The least that any kernel with this traffic must do: read `reads` streams of `in_bytes` each and, if there
 * are `writes` streams of `out_bytes`, write them. One input and one output stream is a copy, two inputs and
 * one output is dst = a ^ b, no output is the read roofline, the xor of all inputs, no input a fill. Sizes are multiples of
 * 256 bytes.
 */
struct bench_traffic {
    const unsigned char *in[9]; /* an f32 to four bits, and its scales */
    unsigned char *out[8];
    unsigned reads, writes;
    size_t bytes; /* of each stream */
};
typedef void bench_roofline(const struct bench_traffic *traffic, size_t repeat);

#ifdef __cplusplus
}
#endif
#endif
