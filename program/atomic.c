/* SPDX-License-Identifier: MIT */
/* Runs atomic accesses of kernels. The lanes of a group make their accesses one after the other, in ascending
 * order. Other threads of the CPU that run an atomic access wait. */
#include "launch.h"

#include <string.h>

/* Held while one thread of the process makes the atomic accesses of a step. */
static atomic_flag lock = ATOMIC_FLAG_INIT;

static bool is_less(uint64_t a, uint64_t b, pto_dtype type) {
    const uint64_t sign =
        pto_dtype_class(type) == PTO_CLASS_SIGNED ? (uint64_t)1 << (pto_dtype_bits(type) - 1) : 0;
    return (a ^ sign) < (b ^ sign);
}

/* Returns the bits of an f32, or a zero of the same sign if it is subnormal. */
static uint32_t flushed(uint32_t bits) {
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

/* PTX defines that atom.add.f32 flushes subnormal values in global memory, but not in shared memory. */
static uint64_t add_f32(uint64_t a, uint64_t b, bool flushes) {
    uint32_t in[2] = {(uint32_t)a, (uint32_t)b}, bits;
    float x, y;
    if (flushes) in[0] = flushed(in[0]), in[1] = flushed(in[1]);
    memcpy(&x, &in[0], 4);
    memcpy(&y, &in[1], 4);
    x += y;
    memcpy(&bits, &x, 4);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fffffff;
    return flushes ? flushed(bits) : bits;
}

static uint64_t add_f64(uint64_t a, uint64_t b) {
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x += y;
    memcpy(&a, &x, 8);
    return a;
}

static uint64_t add(const struct memory_parameters *m, uint64_t a, uint64_t b) {
    if (m->type == PTO_F32) return add_f32(a, b, m->space != SPACE_SHARED);
    return m->type == PTO_F64 ? add_f64(a, b) : a + b;
}

/* Returns the new value in memory. b and c are the operands after the address, in the order of the text. */
static uint64_t update(const struct memory_parameters *m, uint64_t old, uint64_t b, uint64_t c) {
    switch (m->atomic) {
    case ATOMIC_AND: return old & b;
    case ATOMIC_OR: return old | b;
    case ATOMIC_XOR: return old ^ b;
    case ATOMIC_EXCHANGE: return b;
    case ATOMIC_COMPARE: return old == b ? c : old;
    case ATOMIC_ADD: return add(m, old, b);
    case ATOMIC_INCREMENT: return old >= b ? 0 : old + 1;
    case ATOMIC_DECREMENT: return old == 0 || old > b ? b : old - 1;
    case ATOMIC_MIN: return is_less(b, old, m->type) ? b : old;
    default: return is_less(old, b, m->type) ? b : old;
    }
}

static uint64_t operand(const unsigned char *lanes, size_t lane, size_t bytes) {
    uint64_t v = 0;
    if (lanes) memcpy(&v, lanes + lane * bytes, bytes);
    return v;
}

pto_status pto_atomic_run(struct launch *l, const struct step *s, const struct lane_mask *mask) {
    const struct memory_parameters *m = &s->parameters.memory;
    const size_t bytes = pto_dtype_bits(m->type) / 8;
    const unsigned char *b = pto_launch_lanes(l, s->src[1]),
                        *c = s->src[2] == ABSENT ? NULL : pto_launch_lanes(l, s->src[2]);
    struct lane_mask all;
    const pto_status status = pto_memory_find(l, s, true, mask);
    memset(&all, 0xff, sizeof all);
    if (status != PTO_OK) return status;
    while (atomic_flag_test_and_set(&lock)) {
    }
    for (size_t i = 0; i < l->group.lanes; i++) {
        uint64_t old = 0, new;
        if (mask && !pto_mask_has(mask, i)) continue;
        memcpy(&old, l->places[i], bytes);
        new = update(m, old, operand(b, i, bytes), operand(c, i, bytes));
        memcpy(l->places[i], &new, bytes);
        memcpy(l->scratch[0] + i * bytes, &old, bytes);
    }
    atomic_flag_clear(&lock);
    return s->dst[0] == ABSENT ? PTO_OK : pto_launch_merge(l, s->dst[0], l->scratch[0], mask ? mask : &all);
}
