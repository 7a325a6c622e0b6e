/* SPDX-License-Identifier: MIT */
/* Runs PTX steps on a block of lanes. */
#include "steps.h"

#include "floats.h"
#include "loops.h"

#include <string.h>

static pto_mask bits_in(const void *data) {
    return pto_packed_in(data);
}

/* ---- comparisons and selections ---- */

pto_status pto_step_setp(const struct step *s, const struct addresses *at, size_t n) {
    return pto_setp(s->parameters.setp, at->src[0], at->src[1], bits_in(at->src[2]), pto_packed(at->dst[0]),
                    pto_packed(at->dst[1]), n);
}

pto_status pto_step_set(const struct step *s, const struct addresses *at, size_t n) {
    return pto_set(s->parameters.set, at->src[0], at->src[1], bits_in(at->src[2]), at->dst[0], n);
}

pto_status pto_step_selp(const struct step *s, const struct addresses *at, size_t n) {
    return pto_selp(s->parameters.typed.type, at->src[0], at->src[1], bits_in(at->src[2]), at->dst[0], n);
}

pto_status pto_step_slct(const struct step *s, const struct addresses *at, size_t n) {
    const struct typed_parameters *t = &s->parameters.typed;
    return pto_slct(t->type, t->other, t->ftz, at->src[0], at->src[1], at->src[2], at->dst[0], n);
}

pto_status pto_step_max(const struct step *s, const struct addresses *at, size_t n) {
    const struct typed_parameters *t = &s->parameters.typed;
    return pto_vmax(t->type, t->flags, pto_in_array(at->src[0]), pto_in_array(at->src[1]), at->dst[0],
                    n * t->elements_per_lane);
}

pto_status pto_step_min(const struct step *s, const struct addresses *at, size_t n) {
    const struct typed_parameters *t = &s->parameters.typed;
    return pto_vmin(t->type, t->flags, pto_in_array(at->src[0]), pto_in_array(at->src[1]), at->dst[0],
                    n * t->elements_per_lane);
}

/* ---- copying, joining and splitting registers ---- */

pto_status pto_step_mov(const struct step *s, const struct addresses *at, size_t n) {
    memmove(at->dst[0], at->src[0], n * pto_dtype_bits(s->parameters.typed.type) / 8);
    return PTO_OK;
}

/* Interleaves `parts` arrays of n elements: element i * parts + k of `to` is element i of from[k]. */
static void interleave(size_t bytes, size_t parts, const void *const *from, unsigned char *to, size_t n) {
    for (size_t k = 0; k < parts; k++) {
        const unsigned char *in = from[k];
        unsigned char *out = to + k * bytes;
        if (bytes == 4) /* with a constant size, memcpy() becomes one store */
            for (size_t i = 0; i < n; i++) memcpy(out + i * parts * 4, in + i * 4, 4);
        else if (bytes == 2)
            for (size_t i = 0; i < n; i++) memcpy(out + i * parts * 2, in + i * 2, 2);
        else
            for (size_t i = 0; i < n; i++) memcpy(out + i * parts * bytes, in + i * bytes, bytes);
    }
}

pto_status pto_step_join(const struct step *s, const struct addresses *at, size_t n) {
    const struct typed_parameters *t = &s->parameters.typed;
    interleave(pto_dtype_bits(t->type) / 8, t->elements_per_lane, at->src, at->dst[0], n);
    return PTO_OK;
}

pto_status pto_step_split(const struct step *s, const struct addresses *at, size_t n) {
    const size_t bytes = pto_dtype_bits(s->parameters.typed.type) / 8,
                 parts = s->parameters.typed.elements_per_lane;
    unsigned char whole[BLOCK_LANES * 8]; /* a copy, because a part may overwrite the source */
    memcpy(whole, at->src[0], n * parts * bytes);
    for (size_t k = 0; k < parts; k++) {
        unsigned char *out = at->dst[k];
        if (!out) continue;
        for (size_t i = 0; i < n; i++) memcpy(out + i * bytes, whole + (i * parts + k) * bytes, bytes);
    }
    return PTO_OK;
}

/* ---- conversions ---- */

/* Copies the low `narrow` bytes of each of n elements of `wide` bytes. */
static void keep_low(size_t wide, size_t narrow, const unsigned char *from, unsigned char *to, size_t n) {
    for (size_t i = 0; i < n; i++) memcpy(to + i * narrow, from + i * wide, narrow);
}

/* Extends n elements of `narrow` bytes to `wide` bytes, with copies of the sign bit or with zeros. */
static void extend(size_t narrow, size_t wide, bool is_signed, const unsigned char *from, unsigned char *to,
                   size_t n) {
    for (size_t i = 0; i < n; i++) {
        const unsigned char *element = from + i * narrow;
        const bool ones = is_signed && element[narrow - 1] >> 7 != 0;
        unsigned char wider[8];
        memset(wider, ones ? 0xff : 0, sizeof wider);
        memcpy(wider, element, narrow);
        memcpy(to + i * wide, wider, wide);
    }
}

pto_status pto_step_cvt(const struct step *s, const struct addresses *at, size_t n) {
    const struct cvt_parameters *c = &s->parameters.cvt;
    const size_t src_bits = pto_dtype_bits(c->op.src),
                 dst_bits = pto_dtype_bits(c->op.dst) * c->elements_per_lane;
    unsigned char in[BLOCK_LANES * 16], out[BLOCK_LANES * 8];
    const void *src = at->src[0];
    pto_status status;
    if (c->elements_per_lane > 1 && !c->packed) {
        interleave(src_bits / 8, c->elements_per_lane, at->src, in, n);
        src = in;
    } else if (c->elements_per_lane == 1 && c->src_bits > src_bits) {
        keep_low(c->src_bits / 8, src_bits / 8, at->src[0], in, n);
        src = in;
    }
    if (c->dst_bits == dst_bits && src != at->dst[0] && at->src[4] != at->dst[0])
        return pto_cvt(c->op, src, at->dst[0], at->src[4], n * c->elements_per_lane);
    status =
        pto_cvt(c->op, src, out, at->src[4],
                n * c->elements_per_lane); /* through `out`, because not every conversion works in place */
    if (status == PTO_OK)
        extend(dst_bits / 8, c->dst_bits / 8, pto_dtype_class(c->op.dst) == PTO_CLASS_SIGNED, out, at->dst[0],
               n);
    return status;
}

/* ---- bits ---- */

/* Bitwise operations do not depend on the width of elements, so they are done on bytes. */
static struct integer_parameters bitwise_parameters(enum integer_op op) {
    return (struct integer_parameters){.op = op, .bits = 8, .lane_elements = 1};
}

static size_t lane_bytes(const struct typed_parameters *t) {
    return t->elements_per_lane * pto_dtype_bits(t->type) / 8;
}

static pto_status bitwise(enum integer_op op, const struct step *s, const struct addresses *at, size_t n) {
    const struct integer_parameters parameters = bitwise_parameters(op);
    pto_integers(&parameters, at, n * lane_bytes(&s->parameters.typed));
    return PTO_OK;
}

pto_status pto_step_and(const struct step *s, const struct addresses *at, size_t n) {
    return bitwise(INTEGER_AND, s, at, n);
}

pto_status pto_step_or(const struct step *s, const struct addresses *at, size_t n) {
    return bitwise(INTEGER_OR, s, at, n);
}

pto_status pto_step_xor(const struct step *s, const struct addresses *at, size_t n) {
    return bitwise(INTEGER_XOR, s, at, n);
}

pto_status pto_step_not(const struct step *s, const struct addresses *at, size_t n) {
    return bitwise(INTEGER_NOT, s, at, n);
}

/* ---- arithmetic ---- */

pto_status pto_step_add(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_ADD, &s->parameters.typed, at, n);
}

pto_status pto_step_sub(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_SUB, &s->parameters.typed, at, n);
}

pto_status pto_step_mul(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_MUL, &s->parameters.typed, at, n);
}

pto_status pto_step_fma(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_FMA, &s->parameters.typed, at, n);
}

pto_status pto_step_neg(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_NEG, &s->parameters.typed, at, n);
}

pto_status pto_step_abs(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_ABS, &s->parameters.typed, at, n);
}

pto_status pto_step_shl(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_SHL, &s->parameters.typed, at, n);
}

pto_status pto_step_shr(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic(ARITHMETIC_SHR, &s->parameters.typed, at, n);
}

pto_status pto_step_integer(const struct step *s, const struct addresses *at, size_t n) {
    pto_integers(&s->parameters.integer, at, n);
    return PTO_OK;
}

pto_status pto_step_float(const struct step *s, const struct addresses *at, size_t n) {
    return pto_arithmetic((enum arithmetic)s->parameters.typed.operation, &s->parameters.typed, at, n);
}

pto_status pto_step_testp(const struct step *s, const struct addresses *at, size_t n) {
    const struct typed_parameters *t = &s->parameters.typed;
    return pto_testp(t->type, (pto_float_test)t->operation, 0, at->src[0], PTO_NO_MASK,
                     pto_packed(at->dst[0]), n);
}

/* ---- predicates ---- */

pto_status pto_step_pand(const struct step *s, const struct addresses *at, size_t n) {
    (void)s;
    return pto_mask_and(bits_in(at->src[0]), bits_in(at->src[1]), pto_packed(at->dst[0]), n);
}

pto_status pto_step_por(const struct step *s, const struct addresses *at, size_t n) {
    (void)s;
    return pto_mask_or(bits_in(at->src[0]), bits_in(at->src[1]), pto_packed(at->dst[0]), n);
}

pto_status pto_step_pxor(const struct step *s, const struct addresses *at, size_t n) {
    (void)s;
    return pto_mask_xor(bits_in(at->src[0]), bits_in(at->src[1]), pto_packed(at->dst[0]), n);
}

pto_status pto_step_pmov(const struct step *s, const struct addresses *at, size_t n) {
    (void)s;
    return pto_mask_mov(bits_in(at->src[0]), pto_packed(at->dst[0]), n);
}

pto_status pto_step_pnot(const struct step *s, const struct addresses *at, size_t n) {
    (void)s;
    return pto_mask_not(bits_in(at->src[0]), pto_packed(at->dst[0]), n);
}

pto_status pto_step_psel(const struct step *s, const struct addresses *at, size_t n) {
    (void)s;
    return pto_mask_sel(bits_in(at->src[0]), bits_in(at->src[1]), bits_in(at->src[2]), pto_packed(at->dst[0]),
                        n);
}

/* ---- prepared steps ---- */

static pto_status run_plan(const struct step *s, const struct addresses *at, size_t n) {
    const pto_operands operands = {{at->src[0], at->src[1], at->src[2]}, {at->dst[0], at->dst[1]}};
    (void)s;
    pto_run_operands(&at->ready->plan, &operands, n * at->ready->each);
    return PTO_OK;
}

static pto_status run_floats(const struct step *s, const struct addresses *at, size_t n) {
    const struct prepared *ready = at->ready;
    ready->loops->floats((enum arithmetic)ready->operation, &s->parameters.typed, at, n * ready->each);
    return PTO_OK;
}

static pto_status run_integers(const struct step *s, const struct addresses *at, size_t n) {
    const struct prepared *ready = at->ready;
    (void)s;
    ready->loops->integers(&ready->integer, at, n * ready->each);
    return PTO_OK;
}

/* If one of the library's plans can run the step, makes that plan, and returns true. */
static bool plan_step(const struct step *s, struct prepared *ready) {
    const struct typed_parameters *t = &s->parameters.typed;
    const pto_mask_kind packed = PTO_MASK_PACKED;
    pto_plan *plan = &ready->plan;
    pto_status status = PTO_ERR_OP;
    if (s->run == pto_step_setp) status = pto_plan_setp(plan, s->parameters.setp, packed, packed, packed);
    if (s->run == pto_step_set) status = pto_plan_set(plan, s->parameters.set, packed);
    if (s->run == pto_step_selp) status = pto_plan_vsel(plan, t->type, packed);
    if (s->run == pto_step_slct) status = pto_plan_slct(plan, t->type, t->other, t->ftz);
    if (status == PTO_OK) return true;
    if (s->run == pto_step_max) status = pto_plan_vmax(plan, t->type, t->flags, 0);
    if (s->run == pto_step_min) status = pto_plan_vmin(plan, t->type, t->flags, 0);
    if (status == PTO_OK) ready->each = t->elements_per_lane;
    return status == PTO_OK;
}

/* If the step is bitwise or an integer instruction, sets the parameters of the loops that run it, and returns true. */
static bool find_integers(const struct step *s, struct prepared *ready) {
    static const struct {
        step_fn *run;
        enum integer_op op;
    } bitwise_steps[] = {{pto_step_and, INTEGER_AND},
                         {pto_step_or, INTEGER_OR},
                         {pto_step_xor, INTEGER_XOR},
                         {pto_step_not, INTEGER_NOT}};
    for (size_t i = 0; i < sizeof bitwise_steps / sizeof bitwise_steps[0]; i++)
        if (s->run == bitwise_steps[i].run) {
            ready->integer = bitwise_parameters(bitwise_steps[i].op);
            ready->each = lane_bytes(&s->parameters.typed);
            return true;
        }
    if (s->run == pto_step_integer) ready->integer = s->parameters.integer;
    return s->run == pto_step_integer;
}

/* If the step is arithmetic, sets the parameters of the loops that run it, and returns true. Returns false if struct
 * loops has no loop for it. */
static bool find_arithmetic(const struct step *s, struct prepared *ready) {
    static const struct {
        step_fn *run;
        enum arithmetic op;
    } steps[] = {{pto_step_add, ARITHMETIC_ADD}, {pto_step_sub, ARITHMETIC_SUB},
                 {pto_step_mul, ARITHMETIC_MUL}, {pto_step_fma, ARITHMETIC_FMA},
                 {pto_step_neg, ARITHMETIC_NEG}, {pto_step_abs, ARITHMETIC_ABS},
                 {pto_step_shl, ARITHMETIC_SHL}, {pto_step_shr, ARITHMETIC_SHR}};
    const struct typed_parameters *t = &s->parameters.typed;
    if (s->run == pto_step_float) return pto_arithmetic_prepare((enum arithmetic)t->operation, t, ready);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (s->run == steps[i].run) return pto_arithmetic_prepare(steps[i].op, t, ready);
    return false;
}

void pto_step_prepare(const struct step *s, struct prepared *ready) {
    *ready = (struct prepared){.run = s->run, .at = {.ready = ready}, .each = 1, .loops = pto_loops()};
    if (plan_step(s, ready))
        ready->run = run_plan;
    else if (find_integers(s, ready) || find_arithmetic(s, ready))
        ready->run = ready->is_float ? run_floats : run_integers;
}
