/* SPDX-License-Identifier: MIT */
/* Reductions of kernel programs: sums and extrema over all lanes, over blocks of 32 bytes, or over groups
 * of VMI. */
#include "pto_kernel.h"

#include "arithmetic.h"
#include "pto_kernel_operations.h"

#include <string.h>

/* number[0]: the number of groups into which the lanes are divided; each group gives one lane of the
 * result */

/* Copies the operand to scratch array 0, with 0 in the lanes that are off. */
static bool copy_active(struct kernel_machine *m, const struct kernel_op *op) {
    memcpy(m->scratch[0], kernel_at(m, op->in[0]), (size_t)op->lanes.count * op->lanes.bytes);
    return pto_kernel_zero_off(m, op, m->scratch[0]);
}

/* ---- sums ---- */

/* Replaces pairs of neighbours by their sums until one sum is left. Each sum is rounded. The n elements are
 * at `at`. A last element without a neighbour stays as it is. Returns false after an error. */
static bool sum_floats(struct kernel_machine *m, const struct kernel_op *op, unsigned char *at, size_t n) {
    const struct typed_parameters typed = {.type = op->lanes.type, .elements_per_lane = 1};
    const unsigned bytes = op->lanes.bytes;
    for (; n > 1; n = (n + 1) / 2) {
        const struct addresses sum = {.dst = {at}, .src = {m->scratch[1], m->scratch[2]}};
        const uint64_t last = kernel_load(at, bytes, n - 1);
        for (size_t i = 0; i < n / 2; i++) {
            kernel_store(m->scratch[1], bytes, i, kernel_load(at, bytes, 2 * i));
            kernel_store(m->scratch[2], bytes, i, kernel_load(at, bytes, 2 * i + 1));
        }
        if (!pto_kernel_is_ok(m, op, pto_arithmetic(ARITHMETIC_ADD, &typed, &sum, n / 2))) return false;
        if (n % 2 != 0) kernel_store(at, bytes, n / 2, last);
    }
    return true;
}

static uint64_t sum_integers(const struct kernel_op *op, const unsigned char *at, size_t n) {
    const bool is_signed = pto_dtype_class(op->lanes.type) == PTO_CLASS_SIGNED;
    const unsigned bytes = op->lanes.bytes, unused = 64 - 8 * bytes;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = kernel_load(at, bytes, i);
        sum += is_signed ? (uint64_t)((int64_t)(x << unused) >> unused) : x;
    }
    return sum;
}

bool pto_kernel_sum(struct kernel_machine *m, const struct kernel_op *op) {
    const size_t groups = (size_t)op->number[0], each = op->lanes.count / groups;
    unsigned char *to = kernel_at(m, op->out[0]);
    if (!copy_active(m, op)) return false;
    memset(to, 0, pto_kernel_value_bytes(&op->out[0]->type));
    for (size_t g = 0; g < groups; g++) {
        unsigned char *at = m->scratch[0] + g * each * op->lanes.bytes;
        if (pto_is_integer(op->lanes.type)) {
            kernel_store(to, kernel_element_bytes(op->out[0]), g, sum_integers(op, at, each));
        } else {
            if (!sum_floats(m, op, at, each)) return false;
            kernel_store(to, op->lanes.bytes, g, kernel_load(at, op->lanes.bytes, 0));
        }
    }
    return true;
}

/* Computes the sums of neighbours, which are the lower half of the result; its upper half is 0. */
bool pto_kernel_vcpadd(struct kernel_machine *m, const struct kernel_op *op) {
    const struct typed_parameters typed = {.type = op->lanes.type, .elements_per_lane = 1};
    const size_t n = op->lanes.count / 2;
    const unsigned bytes = op->lanes.bytes;
    unsigned char *to = kernel_at(m, op->out[0]);
    const struct addresses sum = {.dst = {to}, .src = {m->scratch[1], m->scratch[2]}};
    if (!copy_active(m, op)) return false;
    for (size_t i = 0; i < n; i++) {
        kernel_store(m->scratch[1], bytes, i, kernel_load(m->scratch[0], bytes, 2 * i));
        kernel_store(m->scratch[2], bytes, i, kernel_load(m->scratch[0], bytes, 2 * i + 1));
    }
    memset(to + n * bytes, 0, n * bytes);
    return pto_kernel_is_ok(m, op, pto_arithmetic(ARITHMETIC_ADD, &typed, &sum, n));
}

/* ---- extrema ---- */

/* The lowest and highest value of a type, which are infinities for floats; the canonical NaN; and the sign
 * bit. */
struct ends {
    uint64_t lowest, highest, nan, sign;
    bool is_float, is_signed;
};

static struct ends ends_of(pto_dtype type, unsigned bytes) {
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    const uint64_t infinity = type == PTO_F32 ? 0x7f800000 : type == PTO_BF16 ? 0x7f80 : 0x7c00;
    if (!pto_is_integer(type)) return (struct ends){infinity | sign, infinity, sign - 1, sign, true, true};
    if (pto_dtype_class(type) == PTO_CLASS_SIGNED) return (struct ends){sign, sign - 1, 0, sign, false, true};
    return (struct ends){0, sign | (sign - 1), 0, sign, false, false};
}

/* Returns a key for an element that is not a NaN. Comparing keys as unsigned integers compares the elements,
 * with -0 below +0. */
static uint64_t key(const struct ends *e, uint64_t x) {
    if (!e->is_signed) return x;
    if (e->is_float && (x & e->sign) != 0) return (x ^ (2 * e->sign - 1)) & (2 * e->sign - 1);
    return x ^ e->sign;
}

static bool is_nan(const struct ends *e, uint64_t x) {
    return e->is_float && (x & (e->sign - 1)) > e->highest;
}

/* Returns the extremum of the active lanes from `first` to `end` - 1, and sets *place to the number of lanes
 * before the first lane that has it. A NaN is the extremum. Without active lanes, the result is the lowest
 * value for a maximum and the highest for a minimum. */
static uint64_t extremum(const struct kernel_op *op, const struct ends *e, const unsigned char *lanes,
                         const unsigned char *on, size_t first, size_t end, size_t *place) {
    const bool max = op->variant == 0;
    uint64_t best = max ? e->lowest : e->highest;
    bool found = false;
    *place = 0;
    for (size_t i = first; i < end; i++) {
        const uint64_t x = kernel_load(lanes, op->lanes.bytes, i);
        if (!kernel_is_on(on, i)) continue;
        if (is_nan(e, x)) {
            *place = i - first;
            return e->nan;
        }
        if (found && (max ? key(e, x) <= key(e, best) : key(e, x) >= key(e, best))) continue;
        found = true;
        best = x;
        *place = i - first;
    }
    return best;
}

/* variant: 0 for maxima, 1 for minima; number[1]: whether lane 1 of the result is the index of the
 * extremum */
bool pto_kernel_reduce_extremum(struct kernel_machine *m, const struct kernel_op *op) {
    const struct ends e = ends_of(op->lanes.type, op->lanes.bytes);
    const size_t groups = (size_t)op->number[0], each = op->lanes.count / groups;
    unsigned char on[KERNEL_VMI_LANES / 8], *to = m->scratch[0];
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    memset(to, 0, pto_kernel_value_bytes(&op->out[0]->type));
    for (size_t g = 0; g < groups; g++) {
        size_t place;
        const uint64_t x = extremum(op, &e, kernel_at(m, op->in[0]), on, g * each, (g + 1) * each, &place);
        kernel_store(to, op->lanes.bytes, g, x);
        if (op->number[1]) kernel_store(to, op->lanes.bytes, 1, place);
    }
    memcpy(kernel_at(m, op->out[0]), to, pto_kernel_value_bytes(&op->out[0]->type));
    return true;
}

/* out: vector with the extremum in lane 0, mask of the active lanes that equal the extremum */
bool pto_kernel_reduce_and_mark(struct kernel_machine *m, const struct kernel_op *op) {
    uint64_t best;
    if (!pto_kernel_reduce_extremum(m, op)) return false;
    best = kernel_load(kernel_at(m, op->out[0]), op->lanes.bytes, 0);
    return pto_kernel_is_ok(m, op,
                            pto_vcmps(op->lanes.type, PTO_EQ, 0, kernel_at(m, op->in[0]), &best,
                                      pto_kernel_mask(m, op->mask), pto_kernel_mask(m, op->out[1]),
                                      op->lanes.count));
}

/* ---- checks ---- */

static bool no_result(struct kernel_front *f, struct kernel_call *c) {
    return pto_text_error(&f->text, c->out_count ? &c->out[0].token : &c->opcode,
                          "expected a result of another type for this reduction");
}

/* Checks that the sum of 8-bit or 16-bit integers has twice their width, or for vcgadd the same width. Sums
 * of other types have the same type. */
bool pto_kernel_prepare_vcadd(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *to = &c->op->out[0]->type;
    const bool widens = pto_is_integer(c->type.element) && c->op->lanes.bytes <= 2;
    const bool same = pto_kernel_types_agree(&c->type, to);
    const bool wider = pto_is_integer(to->element) && to->lanes * 2 == c->type.lanes &&
                       pto_dtype_class(to->element) == pto_dtype_class(c->type.element);
    c->op->number[0] = c->operation->variant; /* 1 group, or 8 groups of 32 bytes */
    return (widens ? wider || (same && c->operation->variant == 8) : same) || no_result(f, c);
}

/* number[0]: 1 group, or 8 groups of 32 bytes */
bool pto_kernel_prepare_extremum(struct kernel_front *f, struct kernel_call *c) {
    (void)f;
    c->op->variant = c->operation->variant % 2;
    c->op->number[0] = c->operation->variant / 2 == 1 ? KERNEL_VECTOR_BYTES / KERNEL_BLOCK_BYTES : 1;
    c->op->number[1] = c->operation->variant / 2 == 0;
    return true;
}

/* VMI: an attribute gives the number of groups, which must be the number of lanes of the result. */
bool pto_kernel_prepare_vmi_reduce(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *to = &c->op->out[0]->type;
    const bool older = c->name_length > 5 && memcmp(c->name, "group", 5) == 0;
    const bool reassociates = pto_kernel_attribute(c, "reassoc") != NULL;
    bool found;
    c->op->number[0] = 1;
    if (!pto_kernel_integer_attribute(f, c, older ? "num_groups" : "group", &c->op->number[0], &found))
        return false;
    if (c->op->number[0] < 1 || c->type.lanes % (uint64_t)c->op->number[0] != 0)
        return pto_text_error(&f->text, &c->opcode, "expected a number of groups that divides %u lanes",
                              c->type.lanes);
    if (to->element != c->type.element || to->lanes != c->op->number[0]) return no_result(f, c);
    if (c->op->run == pto_kernel_sum && !pto_is_integer(c->type.element) && !reassociates)
        return pto_text_error(&f->text, &c->opcode,
                              "expected the attribute reassoc: the order of a sum of floats is not defined");
    return true;
}
