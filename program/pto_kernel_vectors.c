/* SPDX-License-Identifier: MIT */
/* Lane by lane operations of kernel programs, on vector registers and VMI vectors. */
#include "pto_kernel.h"

#include "arithmetic.h"
#include "pto_kernel_operations.h"
#include "transcendental.h"

#include <math.h>
#include <string.h>

#ifndef PTO_NO_VMATH
#    include "pto/vmath.h"
#endif

/* ---- operands ---- */

static bool is_vector(const struct kernel_value *v) {
    return v->type.kind == KERNEL_VECTOR;
}

/* Returns operand i as an array. A scalar is copied to all lanes of a scratch array. Returns NULL after an
 * error. */
static const void *array(struct kernel_machine *m, const struct kernel_op *op, size_t i) {
    return is_vector(op->in[i]) ? kernel_at(m, op->in[i])
                                : pto_kernel_spread(m, op, op->in[i], (unsigned)(i % 3));
}

static pto_in operand(const struct kernel_machine *m, const struct kernel_op *op, size_t i) {
    return is_vector(op->in[i]) ? pto_in_array(kernel_at(m, op->in[i]))
                                : pto_in_scalar(kernel_at(m, op->in[i]));
}

static bool finish(struct kernel_machine *m, const struct kernel_op *op, pto_status status) {
    return pto_kernel_is_ok(m, op, status) && pto_kernel_zero_off(m, op, kernel_at(m, op->out[0]));
}

/* ---- sums and products ---- */

/* variant: an enum arithmetic that has two operands */
bool pto_kernel_arithmetic(struct kernel_machine *m, const struct kernel_op *op) {
    const struct typed_parameters typed = {.type = op->lanes.type, .elements_per_lane = 1};
    struct addresses at; /* only the used members are set: to clear all takes longer than to add 64 lanes */
    at.dst[0] = kernel_at(m, op->out[0]);
    at.src[0] = array(m, op, 0);
    at.src[1] = array(m, op, 1);
    if (!at.src[0] || !at.src[1]) return false;
    return finish(m, op, pto_arithmetic((enum arithmetic)op->variant, &typed, &at, op->lanes.count));
}

/* Computes a b + c with one rounding. Integers wrap. */
static bool multiply_add(struct kernel_machine *m, const struct kernel_op *op, const void *a, const void *b,
                         const void *c) {
    const struct typed_parameters typed = {.type = op->lanes.type, .elements_per_lane = 1};
    const size_t n = op->lanes.count;
    void *to = kernel_at(m, op->out[0]);
    if (!a || !b || !c) return false;
    if (pto_is_integer(op->lanes.type)) {
        const struct addresses product = {.dst = {m->scratch[2]}, .src = {a, b}};
        const struct addresses sum = {.dst = {to}, .src = {m->scratch[2], c}};
        return pto_kernel_is_ok(m, op, pto_arithmetic(ARITHMETIC_MUL, &typed, &product, n)) &&
               finish(m, op, pto_arithmetic(ARITHMETIC_ADD, &typed, &sum, n));
    }
    return finish(
        m, op, pto_arithmetic(ARITHMETIC_FMA, &typed, &(struct addresses){.dst = {to}, .src = {a, b, c}}, n));
}

bool pto_kernel_vmula(struct kernel_machine *m, const struct kernel_op *op) {
    return multiply_add(m, op, array(m, op, 1), array(m, op, 2), array(m, op, 0));
}

bool pto_kernel_vmadd(struct kernel_machine *m, const struct kernel_op *op) {
    return multiply_add(m, op, array(m, op, 0), array(m, op, 1), array(m, op, 2));
}

/* in: a, b, alpha. Computes alpha a + b. */
bool pto_kernel_vaxpy(struct kernel_machine *m, const struct kernel_op *op) {
    return multiply_add(m, op, array(m, op, 2), array(m, op, 0), array(m, op, 1));
}

/* ---- signs, bits and shifts ---- */

static uint64_t lane_mask(unsigned bytes) {
    return bytes == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * bytes)) - 1;
}

static int64_t sign_extend(uint64_t x, unsigned bytes) {
    const unsigned unused = 64 - 8 * bytes;
    return (int64_t)(x << unused) >> unused;
}

/* Computes vneg if `negate` is true, otherwise vabs, on n floats or signed integers of `bytes` bytes. Only the sign bit
 * of a float changes, also if the float is a NaN. */
static inline void sign_lanes(const void *from, void *to, unsigned bytes, size_t n, bool is_float,
                              bool negate) {
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = kernel_load(from, bytes, i);
        const bool changes = negate || (x & sign) != 0;
        kernel_store(to, bytes, i, is_float ? (negate ? x ^ sign : x & ~sign) : changes ? 0 - x : x);
    }
}

/* variant: 0 for vabs, 1 for vneg. vabs does not change unsigned integers. */
bool pto_kernel_vsign(struct kernel_machine *m, const struct kernel_op *op) {
    const bool is_float = !pto_is_integer(op->lanes.type), negate = op->variant == 1;
    const bool is_unsigned = pto_dtype_class(op->lanes.type) == PTO_CLASS_UNSIGNED;
    const void *from = kernel_at(m, op->in[0]);
    void *to = kernel_at(m, op->out[0]);
    const size_t n = op->lanes.count;
    if (is_unsigned && !negate)
        memmove(to, from, n * op->lanes.bytes);
    else
        switch (op->lanes.bytes) { /* each loop has a constant width, so compilers vectorize it */
        case 1: sign_lanes(from, to, 1, n, is_float, negate); break;
        case 2: sign_lanes(from, to, 2, n, is_float, negate); break;
        case 4: sign_lanes(from, to, 4, n, is_float, negate); break;
        default: sign_lanes(from, to, 8, n, is_float, negate);
        }
    return pto_kernel_zero_off(m, op, to);
}

enum { AND, OR, XOR, NOT };

bool pto_kernel_vlogic(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned char *a = kernel_at(m, op->in[0]), *b = op->variant == NOT ? a : kernel_at(m, op->in[1]);
    unsigned char *to = kernel_at(m, op->out[0]);
    for (size_t i = 0; i < (size_t)op->lanes.count * op->lanes.bytes; i++)
        to[i] = (unsigned char)(op->variant == AND   ? a[i] & b[i]
                                : op->variant == OR  ? a[i] | b[i]
                                : op->variant == XOR ? a[i] ^ b[i]
                                                     : ~a[i]);
    return pto_kernel_zero_off(m, op, to);
}

static bool set_lanes(struct kernel_front *f, struct kernel_call *c, size_t operands) {
    if (c->operand_count == operands + 1) {
        const struct kernel_type wanted = pto_kernel_mask_for(&c->type);
        const struct kernel_type *mask = &c->operand[operands].value->type;
        if (!pto_kernel_types_agree(&wanted, mask))
            return pto_kernel_wrong_type(f, &c->operand[operands].token, &wanted, mask);
        c->op->mask = c->operand[operands].value;
    }
    c->op->lanes = pto_kernel_lanes(&c->type);
    return true;
}

/* VMI has these operations for vectors and for masks. */
bool pto_kernel_prepare_vmi_logic(struct kernel_front *f, struct kernel_call *c) {
    const size_t operands = c->operation->variant == NOT ? 1 : 2;
    const struct kernel_type *type;
    if (c->operand_count < operands || c->operand_count > operands + 1 || c->result_count != 1)
        return pto_text_error(&f->text, &c->opcode, "expected %zu operands, a mask, and a result", operands);
    type = &c->operand[0].value->type;
    if (!type->is_vmi || (type->kind != KERNEL_VECTOR && type->kind != KERNEL_MASK))
        return pto_text_error(&f->text, &c->operand[0].token, "expected a vector or a mask of VMI");
    if (!pto_kernel_types_agree(type, &c->operand[operands - 1].value->type))
        return pto_kernel_wrong_type(f, &c->operand[operands - 1].token, type,
                                     &c->operand[operands - 1].value->type);
    c->type = *type;
    if (!pto_kernel_result(f, c, 0, c->type) || !set_lanes(f, c, operands)) return false;
    if (type->kind == KERNEL_MASK) c->op->run = pto_kernel_vmi_logic;
    return true;
}

/* number[0]: whether a shift to the right copies the sign bit. `by` is unsigned. */
static uint64_t shifted(const struct kernel_op *op, uint64_t x, uint64_t by) {
    const unsigned bytes = op->lanes.bytes, bits = 8 * bytes;
    if (op->variant == 0) return by >= bits ? 0 : x << by;
    if (op->number[0]) return (uint64_t)(sign_extend(x, bytes) >> (by >= bits ? bits - 1 : by));
    return by >= bits ? 0 : x >> by;
}

/* variant: 0 for vshl, 1 for vshr */
bool pto_kernel_vshift(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned bytes = op->lanes.bytes;
    for (size_t i = 0; i < op->lanes.count; i++) {
        const uint64_t x = kernel_load(kernel_at(m, op->in[0]), bytes, i);
        const uint64_t by =
            is_vector(op->in[1]) ? kernel_load(kernel_at(m, op->in[1]), bytes, i) : kernel_bits(m, op->in[1]);
        kernel_store(kernel_at(m, op->out[0]), bytes, i, shifted(op, x, by));
    }
    return pto_kernel_zero_off(m, op, kernel_at(m, op->out[0]));
}

/* A shift of iN to the right copies the sign bit, except in VMI. */
bool pto_kernel_prepare_shift(struct kernel_front *f, struct kernel_call *c) {
    (void)f;
    c->op->number[0] =
        pto_dtype_class(c->type.element) == PTO_CLASS_SIGNED && !(c->is_vmi && c->type.is_signless);
    return true;
}

/* ---- quotients and functions ---- */

/* Results are computed in f64, CHUNK lanes at a time, and then rounded to the type. For quotients and square
 * roots of at most f32, and for exponentials and logarithms of f16, the f64 result is never so close to a tie
 * that rounding twice changes the result. */
enum { CHUNK = 256 };

/* Returns the number of lanes in the chunk that starts at lane i. */
static size_t chunk_at(const struct kernel_op *op, size_t i) {
    const size_t left = op->lanes.count - i;
    return left < CHUNK ? left : CHUNK;
}

static bool widen(struct kernel_machine *m, const struct kernel_op *op, const void *from, size_t i, size_t n,
                  double *to) {
    const pto_cvt_op widen = {.dst = PTO_F64, .src = op->lanes.type};
    return pto_kernel_is_ok(m, op,
                            pto_cvt(widen, (const unsigned char *)from + i * op->lanes.bytes, to, NULL, n));
}

/* Rounds n values to the op's type and stores them from lane i on. NaNs become the canonical NaN. */
static bool narrow(struct kernel_machine *m, const struct kernel_op *op, double *from, void *to, size_t i,
                   size_t n) {
    const pto_cvt_op narrow = {.dst = op->lanes.type, .src = PTO_F64, .round = PTO_RN};
    const uint64_t nan = op->lanes.bytes == 4 ? 0x7fffffff : 0x7fff;
    if (!pto_kernel_is_ok(m, op, pto_cvt(narrow, from, (unsigned char *)to + i * op->lanes.bytes, NULL, n)))
        return false;
    for (size_t k = 0; k < n; k++)
        if (from[k] != from[k]) kernel_store(to, op->lanes.bytes, i + k, nan);
    return true;
}

static bool divide_floats(struct kernel_machine *m, const struct kernel_op *op) {
    const void *b = array(m, op, 1);
    for (size_t i = 0; i < op->lanes.count && b; i += CHUNK) {
        const size_t n = chunk_at(op, i);
        double x[CHUNK], y[CHUNK];
        if (!widen(m, op, kernel_at(m, op->in[0]), i, n, x) || !widen(m, op, b, i, n, y)) return false;
        for (size_t k = 0; k < n; k++) x[k] /= y[k];
        if (!narrow(m, op, x, kernel_at(m, op->out[0]), i, n)) return false;
    }
    return b != NULL && pto_kernel_zero_off(m, op, kernel_at(m, op->out[0]));
}

static bool divide_integers(struct kernel_machine *m, const struct kernel_op *op) {
    const bool is_signed = pto_dtype_class(op->lanes.type) == PTO_CLASS_SIGNED;
    const unsigned bytes = op->lanes.bytes;
    unsigned char on[KERNEL_VMI_LANES / 8];
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    for (size_t i = 0; i < op->lanes.count; i++) {
        const uint64_t a = kernel_load(kernel_at(m, op->in[0]), bytes, i),
                       b = kernel_load(kernel_at(m, op->in[1]), bytes, i);
        const int64_t x = sign_extend(a, bytes), y = sign_extend(b, bytes);
        uint64_t quotient = 0;
        if (kernel_is_on(on, i) && b == 0)
            return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "lane %zu divides by zero", i);
        if (kernel_is_on(on, i)) quotient = !is_signed ? a / b : y == -1 ? 0 - a : (uint64_t)(x / y);
        kernel_store(kernel_at(m, op->out[0]), bytes, i, quotient);
    }
    return true;
}

bool pto_kernel_vdiv(struct kernel_machine *m, const struct kernel_op *op) {
    return pto_is_integer(op->lanes.type) ? divide_integers(m, op) : divide_floats(m, op);
}

enum { SQRT, LN, EXP };

/* Returns ln(x) correctly rounded to f32, for an x that is an f32 value. log() has errors of a few units in the last
 * place, which differ between C libraries. Where they could matter, the result is computed without log(). */
static double ln_to_f32(double x) {
    const double y = log(x), error = y * 0x1p-49;
    const bool is_certain = !isfinite(y) || (float)(y - error) == (float)(y + error);
    return is_certain ? y : (double)dd_to_f32(pto_slow_ln(x));
}

static double function_of(int variant, pto_dtype type, double x) {
    if (variant == SQRT) return sqrt(x);
    if (variant == EXP) return exp(x);
    return type == PTO_F32 ? ln_to_f32(x) : log(x);
}

/* variant: SQRT, LN or EXP */
bool pto_kernel_vfunction(struct kernel_machine *m, const struct kernel_op *op) {
    for (size_t i = 0; i < op->lanes.count; i += CHUNK) {
        const size_t n = chunk_at(op, i);
        double x[CHUNK];
        if (!widen(m, op, kernel_at(m, op->in[0]), i, n, x)) return false;
        for (size_t k = 0; k < n; k++) x[k] = function_of(op->variant, op->lanes.type, x[k]);
        if (!narrow(m, op, x, kernel_at(m, op->out[0]), i, n)) return false;
    }
    return pto_kernel_zero_off(m, op, kernel_at(m, op->out[0]));
}

#ifndef PTO_NO_VMATH
static pto_status exp_f32(const void *from, void *to, size_t n) {
    return pto_vexp(PTO_F32, from, PTO_NO_MASK, to, n);
}

bool pto_kernel_prepare_exp(struct kernel_front *f, struct kernel_call *c) {
    (void)f, (void)c;
    return true;
}
#else
/* Without SLEEF, pto_kernel_prepare_exp() refuses vexp and vexpdif, so this is never called. */
static pto_status exp_f32(const void *from, void *to, size_t n) {
    (void)from, (void)to, (void)n;
    return PTO_ERR_TYPE;
}

bool pto_kernel_prepare_exp(struct kernel_front *f, struct kernel_call *c) {
    return pto_text_error(&f->text, &c->opcode,
                          "this library was built without SLEEF, which exponentials need");
}
#endif

bool pto_kernel_vexp(struct kernel_machine *m, const struct kernel_op *op) {
    if (op->lanes.type != PTO_F32) return pto_kernel_vfunction(m, op);
    return finish(m, op, exp_f32(kernel_at(m, op->in[0]), kernel_at(m, op->out[0]), op->lanes.count));
}

/* ---- vexpdif ---- */

/* Computes exp(x - max) in f32; both the difference and the exponential are rounded. number[0]: which lane
 * of each pair in a register of f16 is converted; number[1]: lanes of the operands for each lane of the
 * result */

bool pto_kernel_prepare_expdif(struct kernel_front *f, struct kernel_call *c) {
    static const char *const parts[] = {"EVEN", "ODD", NULL};
    const struct kernel_type *to = &c->op->out[0]->type;
    const unsigned each = c->type.is_vmi ? 1 : (unsigned)(4 / c->op->lanes.bytes);
    if (!pto_kernel_word(f, c, "part", parts, &c->op->number[0])) return false;
    if (c->op->number[0] < 0) c->op->number[0] = 0;
    c->op->number[1] = each;
    if (to->element != PTO_F32 || to->lanes * each != c->type.lanes)
        return pto_text_error(&f->text, &c->opcode, "expected a result of f32");
    return pto_kernel_prepare_exp(f, c);
}

bool pto_kernel_vexpdif(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_cvt_op to_f32 = {.dst = PTO_F32, .src = op->lanes.type};
    const struct typed_parameters typed = {.type = PTO_F32, .elements_per_lane = 1};
    const size_t each = (size_t)op->number[1], part = each == 2 ? (size_t)op->number[0] : 0;
    const size_t lanes = op->out[0]->type.lanes, bytes = op->lanes.bytes;
    const struct addresses difference = {.dst = {m->scratch[0]}, .src = {m->scratch[0], m->scratch[1]}};
    unsigned char on[KERNEL_VMI_LANES / 8], *to = kernel_at(m, op->out[0]);
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < lanes; i++)
            memcpy(m->scratch[2] + i * bytes,
                   (const unsigned char *)kernel_at(m, op->in[k]) + (each * i + part) * bytes, bytes);
        if (bytes == 4)
            memcpy(m->scratch[k], m->scratch[2], lanes * bytes);
        else if (!pto_kernel_is_ok(m, op, pto_cvt(to_f32, m->scratch[2], m->scratch[k], NULL, lanes)))
            return false;
    }
    if (!pto_kernel_is_ok(m, op, pto_arithmetic(ARITHMETIC_SUB, &typed, &difference, lanes)) ||
        !pto_kernel_is_ok(m, op, exp_f32(m->scratch[0], to, lanes)))
        return false;
    for (size_t i = 0; i < lanes; i++)
        if (!kernel_is_on(on, each * i + part)) kernel_store(to, 4, i, 0);
    return true;
}

/* ---- extrema and rectifiers ---- */

unsigned pto_kernel_nan_flags(pto_dtype type) {
    return pto_is_integer(type) ? 0 : PTO_PROPAGATE_NAN;
}

/* variant: 0 for vmax, 1 for vmin */
bool pto_kernel_vextremum(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned flags = pto_kernel_nan_flags(op->lanes.type);
    const pto_in a = operand(m, op, 0), b = operand(m, op, 1);
    void *to = kernel_at(m, op->out[0]);
    return finish(m, op,
                  op->variant == 0 ? pto_vmax(op->lanes.type, flags, a, b, to, op->lanes.count)
                                   : pto_vmin(op->lanes.type, flags, a, b, to, op->lanes.count));
}

bool pto_kernel_vrelu(struct kernel_machine *m, const struct kernel_op *op) {
    return finish(
        m, op,
        pto_vrelu(op->lanes.type, 0, kernel_at(m, op->in[0]), kernel_at(m, op->out[0]), op->lanes.count));
}

/* in: x, alpha. Computes x >= 0 ? x : alpha x, so a NaN is multiplied, too. */
bool pto_kernel_vlrelu(struct kernel_machine *m, const struct kernel_op *op) {
    const struct typed_parameters typed = {.type = op->lanes.type, .elements_per_lane = 1};
    const uint64_t zero = 0;
    const void *x = kernel_at(m, op->in[0]), *alpha = array(m, op, 1);
    const struct addresses at = {.dst = {m->scratch[2]}, .src = {x, alpha}};
    if (!alpha || !pto_kernel_is_ok(m, op, pto_arithmetic(ARITHMETIC_MUL, &typed, &at, op->lanes.count)))
        return false;
    return finish(m, op,
                  pto_vcmpsel(op->lanes.type, PTO_GE, 0, pto_in_array(x), pto_in_scalar(&zero),
                              pto_in_array(x), pto_in_array(m->scratch[2]), kernel_at(m, op->out[0]),
                              op->lanes.count));
}

/* ---- carries and long products ---- */

/* in: a, b[, carry]; out: result, carry; variant: 0 for vaddc and vaddcs, 1 for vsubc and vsubcs, in which
 * carry means that there was no borrow */
bool pto_kernel_vcarry(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned bytes = op->lanes.bytes;
    const size_t n = op->lanes.count;
    const struct kernel_value *carry = op->number[0] ? op->in[2] : NULL;
    unsigned char on[KERNEL_VMI_LANES / 8], in[KERNEL_VMI_LANES / 8], out[KERNEL_VMI_LANES / 8] = {0};
    if (!pto_kernel_packed(m, op, op->mask, on, n) || !pto_kernel_packed(m, op, carry, in, n)) return false;
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = kernel_load(kernel_at(m, op->in[0]), bytes, i),
                       b = kernel_load(kernel_at(m, op->in[1]), bytes, i);
        const uint64_t c =
            carry ? kernel_is_on(in, i) : op->variant; /* without a carry in, vsubc has no borrow */
        const uint64_t sum = op->variant == 0 ? a + b + c : a + (b ^ lane_mask(bytes)) + c;
        const bool is_on = kernel_is_on(on, i);
        kernel_store(kernel_at(m, op->out[0]), bytes, i, is_on ? sum : 0);
        if (is_on && sum > lane_mask(bytes)) out[i / 8] |= (unsigned char)(1U << (i % 8));
    }
    return pto_kernel_is_ok(m, op, pto_mask_mov(pto_packed(out), pto_kernel_mask(m, op->out[1]), n));
}

/* number[0]: whether the operation has a carry in; set for vaddcs and vsubcs */
bool pto_kernel_prepare_carry_in(struct kernel_front *f, struct kernel_call *c) {
    (void)f;
    c->op->number[0] = 1;
    if (c->operand_count == 3) c->op->mask = NULL; /* the third operand is the carry, not the mask */
    return true;
}

bool pto_kernel_vmull(struct kernel_machine *m, const struct kernel_op *op) {
    const bool is_signed = pto_dtype_class(op->lanes.type) == PTO_CLASS_SIGNED;
    unsigned char on[KERNEL_VMI_LANES / 8];
    if (!pto_kernel_packed(m, op, op->mask, on, op->lanes.count)) return false;
    for (size_t i = 0; i < op->lanes.count; i++) {
        const uint64_t a = kernel_load(kernel_at(m, op->in[0]), 4, i),
                       b = kernel_load(kernel_at(m, op->in[1]), 4, i);
        uint64_t product = is_signed ? (uint64_t)(sign_extend(a, 4) * sign_extend(b, 4)) : a * b;
        if (!kernel_is_on(on, i)) product = 0;
        kernel_store(kernel_at(m, op->out[0]), 4, i, product);
        kernel_store(kernel_at(m, op->out[1]), 4, i, product >> 32);
    }
    return true;
}

/* ---- compare and select ---- */

/* number[0]: a pto_cmp */
bool pto_kernel_prepare_compare(struct kernel_front *f, struct kernel_call *c) {
    static const char *const words[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge", "oeq",
                                        "one", "olt", "ole", "ogt", "oge", NULL};
    static const pto_cmp relations[] = {PTO_EQ, PTO_NE, PTO_LT, PTO_LE, PTO_GT, PTO_GE};
    static const pto_cmp unordered[] = {PTO_EQU, PTO_NEU, PTO_LTU, PTO_LEU, PTO_GTU, PTO_GEU};
    const pto_program_options *o = &f->program->options;
    const bool is_float = !pto_is_integer(c->type.element);
    const bool page = c->is_vmi && o->vmi_compare == PTO_VMI_COMPARE_PAGE;
    int64_t index;
    if (!pto_kernel_word(f, c, c->is_vmi ? "cmp" : "cmp_mode", words, &index)) return false;
    if (index < 0)
        return pto_text_error(&f->text, &c->opcode, "expected a relation: eq, ne, lt, le, gt or ge");
    if (index >= 6 && !(c->is_vmi && is_float))
        return pto_text_error(&f->text, &c->opcode,
                              "expected a relation of these types: eq, ne, lt, le, gt or ge");
    c->op->number[0] = page && is_float && index < 6 ? unordered[index] : relations[index % 6];
    if (!page && is_float && index % 6 == 1 && o->profile == PTO_PROFILE_A5) c->op->number[0] = PTO_NEU;
    if (c->is_vmi && c->type.is_signless && c->op->lanes.type >= PTO_S8 && c->op->lanes.type <= PTO_S64)
        c->op->lanes.type = c->op->lanes.type - PTO_S8 + PTO_U8; /* VMI compares iN as unsigned */
    return true;
}

bool pto_kernel_vcmp(struct kernel_machine *m, const struct kernel_op *op) {
    const pto_mask to = pto_kernel_mask(m, op->out[0]), seed = pto_kernel_active(m, op);
    const pto_cmp relation = (pto_cmp)op->number[0];
    const void *a = kernel_at(m, op->in[0]), *b = kernel_at(m, op->in[1]);
    return pto_kernel_is_ok(m, op,
                            is_vector(op->in[1])
                                ? pto_vcmp(op->lanes.type, relation, 0, a, b, seed, to, op->lanes.count)
                                : pto_vcmps(op->lanes.type, relation, 0, a, b, seed, to, op->lanes.count));
}

/* variant: the index of the operand that is selected where the mask is on; the next operand is the other
 * one */
bool pto_kernel_vsel(struct kernel_machine *m, const struct kernel_op *op) {
    const void *a = kernel_at(m, op->in[op->variant]), *b = kernel_at(m, op->in[op->variant + 1]);
    return pto_kernel_is_ok(m, op,
                            pto_vsel(op->lanes.bits, a, b, pto_kernel_mask(m, op->mask),
                                     kernel_at(m, op->out[0]), op->lanes.count));
}

/* With three operands, a mask selects between two registers. With two operands, the second one has the
 * numbers of the lanes of the first one that are selected. */
bool pto_kernel_prepare_selr(struct kernel_front *f, struct kernel_call *c) {
    const struct kernel_type *second = &c->op->in[1]->type;
    if (c->operand_count == 3) {
        if (!pto_kernel_types_agree(second, &c->type))
            return pto_kernel_wrong_type(f, &c->operand[1].token, &c->type, second);
        c->op->run = pto_kernel_vselr_pair;
        return true;
    }
    c->op->number[0] = f->program->options.strict;
    if (pto_is_integer(second->element) && second->lanes == c->type.lanes &&
        pto_kernel_lane_bits(second->element) == pto_kernel_lane_bits(c->type.element))
        return true;
    return pto_text_error(&f->text, &c->operand[1].token,
                          "expected a vector of integers as wide as the elements, or a mask");
}

bool pto_kernel_vselr_pair(struct kernel_machine *m, const struct kernel_op *op) {
    return pto_kernel_is_ok(m, op,
                            pto_vselr(op->lanes.bits, kernel_at(m, op->in[0]), kernel_at(m, op->in[1]),
                                      pto_kernel_mask(m, op->mask), kernel_at(m, op->out[0]),
                                      op->lanes.count));
}

/* number[0]: whether a lane number that is too large is an error; otherwise it is reduced modulo the number
 * of lanes */
bool pto_kernel_vselr(struct kernel_machine *m, const struct kernel_op *op) {
    const unsigned bytes = op->lanes.bytes;
    const size_t n = op->lanes.count;
    const void *const numbers = kernel_at(m, op->in[1]);
    for (size_t i = 0; op->number[0] && i < n; i++) {
        const uint64_t number = kernel_load(numbers, bytes, i);
        if (number >= n)
            return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "lane %zu selects lane %llu of %zu", i,
                                   (unsigned long long)number, n);
    }
    if (!pto_kernel_is_ok(
            m, op, pto_vpermute(op->lanes.bits, n, kernel_at(m, op->in[0]), numbers, m->scratch[0], n)))
        return false;
    memcpy(kernel_at(m, op->out[0]), m->scratch[0], n * bytes);
    return true;
}
