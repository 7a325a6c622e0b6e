/* SPDX-License-Identifier: MIT */
/**
 * @file contender.h
 * The common interface of all contenders: libpto, its peers and the rooflines. It is valid C and C++, because peers are
 * written in both, and compiled with the flags of one instruction set.
 */
#ifndef PTO_BENCH_CONTENDER_H
#define PTO_BENCH_CONTENDER_H

#include "peers/operations.h"

#include <pto/pto.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The description of a call: BENCH_VCMP and so on. For BENCH_CVT only `operation`, `type` and `cvt` are used. For
 * BENCH_QUANTIZE and BENCH_DEQUANTIZE, `cvt` has the types that are read and written, and `block` has the rule.
 */
#define ENUMERATOR(NAME, name) BENCH_##NAME,
enum bench_operation { BENCH_OPERATIONS(ENUMERATOR) };
#undef ENUMERATOR

/* A text of PTX without declarations: its result is d, its operands are a, b and c. */
enum bench_text_number { BENCH_FOUR_LINES, BENCH_POLYNOMIAL, BENCH_HASH, BENCH_OTHER_TEXT };

struct bench_text {
    enum bench_text_number number;
    const char *name; /* "hash.u32" */
    pto_dtype type;   /* of the elements of its operands and its result */
    const char *lines;
};

struct bench_what {
    enum bench_operation operation;
    pto_dtype type;
    pto_cmp cmp;
    unsigned flags;
    pto_mask_kind mask; /* kind of the result of a comparison, or of the mask of a selection */
    bool seed;          /* the comparison has a packed seed */
    pto_cvt_op cvt;
    pto_block_op block;
    pto_vrnd rnd;                  /* rounding of PTO's conversions; their types and saturation are in cvt */
    uint64_t bounds[2];            /* lo and hi of a clamp, each in the lowest bits */
    const struct bench_text *text; /* of BENCH_PROGRAM, BENCH_KERNEL and BENCH_INSTRUCTION */
};

struct bench_args {
    const struct bench_what *what;
    const void *a, *b, *u, *v;
    const void
        *m; /* mask of select, seed of vcmp, c of setp, random bits or scales of cvt, scales of dequantize */
    void *dst, *dst2; /* dst2: q of setp, or the scales that quantize writes */
    size_t n;
};

/*
 * Makes a call `repeat` times. The loop is inside the function, so that the measurement does not include an indirect
 * call that a user would not make. Each pass ends with BENCH_BARRIER, so that the compiler does not merge passes.
 */
typedef void bench_fn(const struct bench_args *args, size_t repeat);

#define BENCH_BARRIER() __asm__ volatile("" ::: "memory")

/* Returns a peer's function for a call, or NULL if the peer lacks it. There is one for each instruction set. */
typedef bench_fn *bench_find(const struct bench_what *what);

/*
 * The minimum work of a kernel with this traffic: read `reads` streams and write `writes` streams of `bytes` each. One
 * input and one output is a copy; two inputs and one output is dst = a ^ b. Without an output it is the read roofline,
 * the xor of all inputs; without an input it is a fill. `bytes` is a multiple of 256.
 */
struct bench_traffic {
    const unsigned char *in[9]; /* the most: f32 to a 4-bit type is 8 streams, and scales one more */
    unsigned char *out[8];
    unsigned reads, writes;
    size_t bytes; /* of each stream */
};
typedef void bench_roofline(const struct bench_traffic *traffic, size_t repeat);

#ifdef __cplusplus
}
#endif
#endif
