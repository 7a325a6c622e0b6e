/* SPDX-License-Identifier: MIT */
/* Operations of kernel programs that make or move lanes: broadcasts, indices, interleaving, packing,
 * squeezing. */
#include "pto_kernel.h"

#include "arithmetic.h"
#include "pto_kernel_operations.h"

#include <string.h>

/* ---- one value for all lanes ---- */

bool pto_kernel_vbr(struct kernel_machine *m, const struct kernel_op *op) {
    return pto_kernel_is_ok(
        m, op, pto_vbr(op->lanes.bits, kernel_at(m, op->in[0]), kernel_at(m, op->out[0]), op->lanes.count));
}

/* number[0]: whether the last lane of a vector operand is copied, not the first */
bool pto_kernel_prepare_vdup(struct kernel_front *f, struct kernel_call *c) {
    static const char *const positions[] = {"LOWEST", "HIGHEST", NULL};
    if (!pto_kernel_word(f, c, "position", positions, &c->op->number[0])) return false;
    if (c->op->number[0] < 0) c->op->number[0] = 0;
    return true;
}

bool pto_kernel_vdup(struct kernel_machine *m, const struct kernel_op *op) {
    const bool vector = op->in[0]->type.kind == KERNEL_VECTOR;
    const size_t lane = vector && op->number[0] ? op->lanes.count - 1 : 0;
    const uint64_t x = kernel_load(kernel_at(m, op->in[0]), op->lanes.bytes, lane);
    return pto_kernel_is_ok(m, op, pto_vbr(op->lanes.bits, &x, kernel_at(m, op->out[0]), op->lanes.count)) &&
           pto_kernel_zero_off(m, op, kernel_at(m, op->out[0]));
}

/* number[0]: number of lanes of the result that get the same lane of the source */
bool pto_kernel_prepare_vbrc(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *from;
    const char *key = c->operation->variant == 0 ? "group" : "num_groups";
    int64_t groups = 1;
    bool found;
    if (c->operand_count != 1) return pto_text_error(&f->text, &c->opcode, "expected 1 operand");
    from = &c->op->in[0]->type;
    if (!pto_kernel_integer_attribute(f, c, key, &groups, &found)) return false;
    if (from->kind != KERNEL_VECTOR) {
        const unsigned bits =
            from->kind == KERNEL_INTEGER ? from->bits : (unsigned)pto_dtype_bits(from->element);
        if (found || from->kind > KERNEL_FLOAT || bits != 8 * c->op->lanes.bytes)
            return pto_text_error(&f->text, &c->operand[0].token, "expected a scalar of the vector's type%s",
                                  found ? ", or a vector with one lane for each group" : "");
    } else if (from->element != c->type.element || groups != from->lanes ||
               c->type.lanes % from->lanes != 0) {
        return pto_text_error(&f->text, &c->operand[0].token,
                              "expected a vector with one lane for each group");
    }
    c->op->number[0] = c->type.lanes / groups;
    return true;
}

bool pto_kernel_vbrc(struct kernel_machine *m, const struct kernel_op *op) {
    for (size_t i = 0; i < op->lanes.count; i++)
        kernel_store(kernel_at(m, op->out[0]), op->lanes.bytes, i,
                     kernel_load(kernel_at(m, op->in[0]), op->lanes.bytes, i / (size_t)op->number[0]));
    return true;
}

/* ---- indices ---- */

/* number[0]: whether the indices descend; number[1]: number of lanes after which the indices start again */
bool pto_kernel_prepare_vci(struct kernel_front *f, struct kernel_call *c) {
    static const char *const orders[] = {"ASC", "DESC", NULL};
    int64_t groups = 1;
    bool found;
    if (!pto_kernel_word(f, c, "order", orders, &c->op->number[0])) return false;
    if (c->op->number[0] < 0) c->op->number[0] = 0;
    if (c->is_vmi && !pto_kernel_integer_attribute(f, c, "group", &groups, &found)) return false;
    if (groups < 1 || c->type.lanes % (uint64_t)groups != 0)
        return pto_text_error(&f->text, &c->opcode, "expected a number of groups that divides %u lanes",
                              c->type.lanes);
    c->op->number[1] = c->type.lanes / groups;
    return true;
}

/* Sets *bits to base + i, computed in f64 and rounded. The sum in f64 is exact for f16, and for bf16 unless
 * the base is tiny. Returns false after an error. */
static bool float_index(struct kernel_machine *m, const struct kernel_op *op, int64_t i, uint64_t *bits) {
    const pto_cvt_op widen = {.dst = PTO_F64, .src = op->lanes.type};
    const pto_cvt_op narrow = {.dst = op->lanes.type, .src = PTO_F64, .round = PTO_RN};
    double base;
    if (!pto_kernel_is_ok(m, op, pto_cvt(widen, kernel_at(m, op->in[0]), &base, NULL, 1))) return false;
    base += (double)i;
    *bits = 0;
    return pto_kernel_is_ok(m, op, pto_cvt(narrow, &base, bits, NULL, 1));
}

static bool float_indices(struct kernel_machine *m, const struct kernel_op *op) {
    const struct typed_parameters typed = {.type = PTO_F32, .elements_per_lane = 1};
    const struct addresses at = {.dst = {kernel_at(m, op->out[0])}, .src = {m->scratch[0], m->scratch[1]}};
    for (size_t i = 0; i < op->lanes.count; i++) {
        const int64_t index = (int64_t)(i % (size_t)op->number[1]) * (op->number[0] ? -1 : 1);
        const float exact = (float)index;
        uint64_t bits;
        memcpy(m->scratch[1] + 4 * i, &exact, 4);
        if (op->lanes.type == PTO_F32) continue;
        if (!float_index(m, op, index, &bits)) return false;
        kernel_store(kernel_at(m, op->out[0]), op->lanes.bytes, i, bits);
    }
    if (op->lanes.type != PTO_F32) return true;
    return pto_kernel_spread(m, op, op->in[0], 0) &&
           pto_kernel_is_ok(m, op, pto_arithmetic(ARITHMETIC_ADD, &typed, &at, op->lanes.count));
}

bool pto_kernel_vci(struct kernel_machine *m, const struct kernel_op *op) {
    const uint64_t base = kernel_bits(m, op->in[0]);
    if (!pto_is_integer(op->lanes.type)) return float_indices(m, op);
    for (size_t i = 0; i < op->lanes.count; i++) {
        const uint64_t index = i % (size_t)op->number[1];
        kernel_store(kernel_at(m, op->out[0]), op->lanes.bytes, i,
                     op->number[0] ? base - index : base + index);
    }
    return true;
}

/* ---- interleaving ---- */

/* variant: 0 for vintlv, 1 for vdintlv. A result may also be an input, so all of both inputs is read
 * first. */
bool pto_kernel_vintlv(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned bytes = op->lanes.bytes;
    const size_t n = op->lanes.count, size = n * bytes;
    unsigned char *to = m->scratch[1], *high = m->scratch[2];
    for (size_t i = 0; i < 2 * n; i++) {
        /* vintlv: element i of the interleaved sequence is element i / 2 of input i % 2; vdintlv: the
         * reverse */
        const size_t input = op->variant == 0 ? i % 2 : i / n, place = op->variant == 0 ? i / 2 : i % n;
        const size_t output = op->variant == 0 ? i / n : i % 2, target = op->variant == 0 ? i % n : i / 2;
        kernel_store(output ? high : to, bytes, target,
                     kernel_load(kernel_at(m, op->in[input]), bytes, place));
    }
    memcpy(kernel_at(m, op->out[0]), to, size);
    memcpy(kernel_at(m, op->out[1]), high, size);
    return pto_kernel_zero_off(m, op, kernel_at(m, op->out[0])) &&
           pto_kernel_zero_off(m, op, kernel_at(m, op->out[1]));
}

/* ---- squeezing ---- */

/* Moves the active lanes to the front, and records how many bytes they are for vstur. */
bool pto_kernel_vsqz(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned bytes = op->lanes.bytes;
    unsigned char on[KERNEL_VMI_LANES / 8];
    size_t count = 0;
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    memset(m->scratch[0], 0, (size_t)op->lanes.count * bytes);
    for (size_t i = 0; i < op->lanes.count; i++)
        if (kernel_is_on(on, i))
            kernel_store(m->scratch[0], bytes, count++, kernel_load(kernel_at(m, op->in[0]), bytes, i));
    memcpy(kernel_at(m, op->out[0]), m->scratch[0], (size_t)op->lanes.count * bytes);
    m->squeezed = (uint32_t)(count * bytes);
    return true;
}

bool pto_kernel_vusqz(struct kernel_machine *m, const struct kernel_op *op) {
    unsigned char on[KERNEL_VMI_LANES / 8];
    uint64_t count = 0;
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    for (size_t i = 0; i < op->lanes.count; i++) {
        kernel_store(kernel_at(m, op->out[0]), op->lanes.bytes, i, count);
        count += kernel_is_on(on, i);
    }
    return true;
}

/* ---- halves ---- */

/* number[0]: a pto_half, the half of the result that gets the integers. The result has twice as many integers
 * of half the width. */
bool pto_kernel_prepare_vpack(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *to = &c->op->out[0]->type;
    if (!pto_is_integer(to->element) || kernel_element_bytes(c->op->out[0]) * 2 != c->op->lanes.bytes)
        return pto_text_error(&f->text, &c->opcode, "expected a result of integers of half the width");
    return pto_kernel_prepare_half(f, c);
}

bool pto_kernel_vpack(struct kernel_machine *m, const struct kernel_op *op) {
    const size_t n = op->lanes.count, first = op->number[0] == PTO_HIGHER ? n : 0;
    const unsigned bytes = op->lanes.bytes / 2;
    memset(m->scratch[0], 0, KERNEL_VECTOR_BYTES);
    for (size_t i = 0; i < n; i++)
        kernel_store(m->scratch[0], bytes, first + i,
                     kernel_load(kernel_at(m, op->in[0]), op->lanes.bytes, i));
    memcpy(kernel_at(m, op->out[0]), m->scratch[0], KERNEL_VECTOR_BYTES);
    return true;
}

bool pto_kernel_prepare_unpack(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *to = &c->op->out[0]->type;
    return (pto_is_integer(to->element) && kernel_element_bytes(c->op->out[0]) == 2 * c->op->lanes.bytes) ||
           pto_text_error(&f->text, &c->opcode, "expected a result of integers of twice the width");
}

/* variant: 0 for zero extension, 1 for sign extension */
bool pto_kernel_unpack(struct kernel_machine *m, const struct kernel_op *op) {
    const uint64_t half = kernel_bits(m, op->in[1]);
    const unsigned bytes = op->lanes.bytes, unused = 64 - 8 * bytes;
    const size_t n = op->lanes.count / 2;
    if (half > 1) return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "the part is neither 0 nor 1");
    for (size_t i = 0; i < n; i++) {
        uint64_t x = kernel_load(kernel_at(m, op->in[0]), bytes, half * n + i);
        if (op->variant == 1) x = (uint64_t)((int64_t)(x << unused) >> unused);
        kernel_store(m->scratch[0], 2 * bytes, i, x);
    }
    memcpy(kernel_at(m, op->out[0]), m->scratch[0], KERNEL_VECTOR_BYTES);
    return true;
}

/* ---- bits ---- */

bool pto_kernel_prepare_bitcast(struct kernel_front *f, struct kernel_call *c) {
    return pto_kernel_value_bytes(&c->op->in[0]->type) == pto_kernel_value_bytes(&c->op->out[0]->type) ||
           pto_text_error(&f->text, &c->opcode, "expected a result with as many bytes");
}

bool pto_kernel_bitcast(struct kernel_machine *m, const struct kernel_op *op) {
    memcpy(kernel_at(m, op->out[0]), kernel_at(m, op->in[0]), pto_kernel_value_bytes(&op->out[0]->type));
    return true;
}

/* ---- histograms ---- */

/* in: counts, bytes, mask; variant: 0 adds to lane i the number of bytes equal to i, 1 the number of bytes up
 * to i */
bool pto_kernel_histogram(struct kernel_machine *m, const struct kernel_op *op) {
    unsigned char on[KERNEL_VMI_LANES / 8];
    const unsigned char *bytes = kernel_at(m, op->in[1]);
    uint64_t count[256] = {0}, sum = 0;
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    for (size_t i = 0; i < op->lanes.count; i++) count[bytes[i]] += kernel_is_on(on, i);
    for (size_t b = 0; b < 256; b++) {
        sum = op->variant == 1 ? sum + count[b] : count[b];
        kernel_store(kernel_at(m, op->out[0]), 2, b, kernel_load(kernel_at(m, op->in[0]), 2, b) + sum);
    }
    return true;
}

bool pto_kernel_prepare_histogram(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *counts = &c->op->in[0]->type;
    return (counts->lanes == 256 && kernel_element_bytes(c->op->in[0]) == 2 && c->op->lanes.bytes == 1 &&
            pto_kernel_types_agree(counts, &c->op->out[0]->type)) ||
           pto_text_error(&f->text, &c->opcode, "expected counts of 256 lanes of ui16, and bytes");
}
