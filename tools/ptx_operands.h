/* SPDX-License-Identifier: MIT */
/**
 * @file ptx_operands.h
 * The operands of one PTX instruction, and how they and its result are loaded from and stored to libpto's arrays. It is
 * valid C, C++ and CUDA, because the GPU and its replacement in the tests share it.
 */
#ifndef PTO_PTX_OPERANDS_H
#define PTO_PTX_OPERANDS_H

#include "truth_inputs.h"

#include <stddef.h>

/** Operands as bits, with the names of the PTX ISA's section on cvt. */
struct ptx_operands {
    uint64_t a, b, e, f;
    uint64_t random, scales;
    uint64_t c; /* the predicate operand, 0 or 1; for slct the operand c */
};

/** Returns the source operands of a cvt that reads `count` units. In ascending order, one unit is operand a, two units
 * are b and a, and four units are f, e, b and a. */
TRUTH_FN struct ptx_operands ptx_sources(const uint64_t units[4], unsigned count) {
    struct ptx_operands o;
    memset(&o, 0, sizeof o);
    o.a = units[count == 4 ? 3 : count == 2 ? 1 : 0];
    o.b = units[count == 4 ? 2 : 0];
    o.e = units[1];
    o.f = units[0];
    return o;
}

/** Consecutive executions of an instruction on arrays of operands, in libpto's memory layout. */
struct ptx_batch {
    const void *source, *other, *extra; /* extra: random words, scales, c of slct, or the mask of selp */
    void *result;
    size_t source_bytes, other_bytes, extra_bytes, result_bytes;
    uint64_t instructions;
};

/** The maximum size of an array of a batch. */
enum { PTX_MOST_BYTES = 1 << 17 };

/** The number of results that are stored together. One-bit results of a group fill a byte. */
enum { PTX_GROUP = 8 };

/** Returns element i of an array of elements of 8, 16, 32 or 64 bits. */
TRUTH_FN uint64_t ptx_load(const void *memory, unsigned bits, uint64_t i) {
    const unsigned char *const at = (const unsigned char *)memory + i * (bits / 8);
    uint64_t value = 0;
    memcpy(&value, at, bits / 8);
    return value;
}

/** Returns the operands of execution i of a batch. */
TRUTH_FN struct ptx_operands ptx_fetch(const struct truth_shape *shape, const struct ptx_batch *batch,
                                       uint64_t i) {
    uint64_t units[4] = {0, 0, 0, 0};
    struct ptx_operands o;
    const unsigned bits = shape->family == TRUTH_SLCT ? shape->result_bits : shape->unit_bits;
    for (unsigned k = 0; k < shape->units_in; k++) {
        units[k] = ptx_load(batch->source, bits, i * shape->units_in + k);
    }
    o = ptx_sources(units, shape->units_in);
    switch (shape->family) {
    case TRUTH_CVT:
        if (shape->random_mask != 0) o.random = ptx_load(batch->extra, 32, i) & shape->random_mask;
        if (shape->scales != 0) o.scales = ptx_load(batch->extra, 8 * shape->scales, i);
        return o;
    case TRUTH_SLCT: o.c = ptx_load(batch->extra, 32, i); break;
    case TRUTH_SELP: o.c = ptx_load(batch->extra, 8, i / 8) >> i % 8 & 1; break;
    default: break;
    }
    o.b = ptx_load(batch->other, bits, i);
    return o;
}

/** Stores the results of executions `first` to first + PTX_GROUP - 1. `first` is a multiple of PTX_GROUP. */
TRUTH_FN void ptx_store(const struct truth_shape *shape, const struct ptx_batch *batch, uint64_t first,
                        const uint64_t results[PTX_GROUP]) {
    const uint64_t left = batch->instructions - first;
    const unsigned count = left < PTX_GROUP ? (unsigned)left : PTX_GROUP;
    const unsigned bytes = shape->result_bits / 8;
    unsigned char *const at = (unsigned char *)batch->result + first * shape->result_bits / 8;
    if (bytes == 0) {
        unsigned truths = 0;
        for (unsigned k = 0; k < count; k++) truths |= (unsigned)(results[k] & 1) << k;
        *at = (unsigned char)truths;
        return;
    }
    for (unsigned k = 0; k < count; k++) memcpy(at + k * bytes, &results[k], bytes);
}

#endif
