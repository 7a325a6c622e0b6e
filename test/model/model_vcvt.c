/* SPDX-License-Identifier: MIT */
/* The model of PTO's vcvt and vtrc. */
#include "model/model_vcvt.h"
#include "model/model_number.h"

/* ---- HiFloat8 ---- */

enum { HIF8_NAN = 0x80, HIF8_INFINITY = 0x6f, HIF8_FRACTION = 3, HIF8_DENORMAL = -23 };

/** The dot field of a code is a prefix code. Each row has one of its values and the widths of the fields after it. */
static const struct hif8_row {
    unsigned mask, dot;
    int exponent_bits, fraction_bits;
} hif8_rows[] = {
    {0x78, 0x08, 0, 3}, {0x70, 0x10, 1, 3}, {0x60, 0x20, 2, 3}, {0x60, 0x40, 3, 2}, {0x60, 0x60, 4, 1},
};

/** Decodes an exponent, which is sign and magnitude with the magnitude's leading 1 omitted. */
static int hif8_exponent(unsigned field, int bits) {
    const int top = bits > 0 ? 1 << (bits - 1) : 0;
    const int magnitude = top | ((int)field & (top - 1));
    if (bits == 0) return 0;
    return ((int)field & top) ? -magnitude : magnitude;
}

/** Returns the value of a code without its sign. The code of infinity is decoded like a finite value, as in
 * number_decode(). */
void model_hif8_decode(unsigned code, uint64_t *m, int *q) {
    const struct hif8_row *row = hif8_rows;
    unsigned fraction;
    *m = code != 0 ? 1U << HIF8_FRACTION : 0;
    *q = HIF8_DENORMAL + (int)code - HIF8_FRACTION; /* powers of two */
    if (code < 8) return;
    while ((code & row->mask) != row->dot) {
        row++;
    }
    fraction = code & ((1U << row->fraction_bits) - 1);
    *m += fraction << (HIF8_FRACTION - row->fraction_bits);
    *q = hif8_exponent(code >> row->fraction_bits & ((1U << row->exponent_bits) - 1), row->exponent_bits);
    *q -= HIF8_FRACTION;
}

static bool hif8_less(unsigned a, unsigned b) {
    uint64_t m, n;
    int e, f;
    model_hif8_decode(a, &m, &e);
    model_hif8_decode(b, &n, &f);
    return number_compare(m, e, n, f) < 0;
}

/** Returns how many magnitudes are less than that of `code`. */
static size_t hif8_rank(unsigned code) {
    size_t less = 0;
    for (unsigned other = 0; other < MODEL_HIF8_RANKS; other++) {
        less += hif8_less(other, code);
    }
    return less;
}

/** Returns the code with this rank. The codes are not in the order of their values; the first call sorts them. */
unsigned model_hif8_code(size_t rank) {
    static unsigned char codes[MODEL_HIF8_RANKS];
    const bool sorted = codes[MODEL_HIF8_RANKS - 1] != 0;
    for (unsigned code = 0; !sorted && code < MODEL_HIF8_RANKS; code++) {
        codes[hif8_rank(code)] = (unsigned char)code;
    }
    return codes[rank];
}

struct number model_hif8_value(uint64_t bits) {
    const unsigned magnitude = (unsigned)bits & 0x7f;
    struct number x = {FINITE, (bits & 0x80) != 0, 0, 0};
    model_hif8_decode(magnitude, &x.m, &x.e);
    if ((bits & 0xff) == HIF8_NAN) x.kind = NOT_A_NUMBER;
    if (magnitude == HIF8_INFINITY) x.kind = INFINITE;
    return x;
}

static struct number value_of(pto_dtype type, uint64_t bits) {
    return type == PTO_HIF8 ? model_hif8_value(bits) : number_of(type, bits);
}

/* ---- the values of a float type, by rank ---- */

static uint64_t largest_rank(pto_dtype type) {
    return type == PTO_HIF8 ? MODEL_HIF8_RANKS - 2 : number_format(type)->largest;
}

static void rank_value(pto_dtype type, uint64_t rank, uint64_t *m, int *q) {
    if (type == PTO_HIF8)
        model_hif8_decode(model_hif8_code(rank), m, q);
    else
        number_decode(number_format(type), rank, m, q);
}

static uint64_t rank_code(pto_dtype type, uint64_t rank) {
    return type == PTO_HIF8 ? model_hif8_code(rank) : rank;
}

/* ---- rounding ---- */

/** The position of a value between two neighbours: how it compares (-1, 0 or 1) with the lower neighbour and with
 * their middle. */
struct between {
    bool negative;
    bool lower_is_odd;
    int to_lower, to_middle;
};

static bool chooses_upper(const struct between *x, pto_vrnd rnd) {
    const bool exact = x->to_lower == 0;
    switch (rnd) {
    case PTO_VRND_A: return x->to_middle >= 0;
    case PTO_VRND_F: return x->negative && !exact;
    case PTO_VRND_C: return !x->negative && !exact;
    case PTO_VRND_Z: return false;
    case PTO_VRND_O: return !exact && !x->lower_is_odd;
    default: return x->to_middle > 0 || (x->to_middle == 0 && x->lower_is_odd);
    }
}

/** Compares x with the middle of two neighbours, m * 2^e and n * 2^f. Their exponents are close unless m is 0. */
static int to_middle(const struct number *x, uint64_t m, int e, uint64_t n, int f) {
    if (m == 0) e = f;
    for (; f > e; f--) {
        n *= 2;
    }
    return number_compare(x->m, x->e, m + n, e - 1);
}

/** Returns the rank of the rounded magnitude, or one more than the largest rank if it overflows. */
static uint64_t round_to_rank(pto_dtype type, const struct number *x, pto_vrnd rnd) {
    uint64_t low = 0, high = largest_rank(type) + 1; /* the value of `low` is at most x */
    const uint64_t guess = type == PTO_HIF8 ? 0 : number_guess(number_format(type), x->m, x->e);
    uint64_t m, next;
    int q, next_q;
    struct between place = {x->negative, false, 0, 0};
    while (low < high) {
        const uint64_t middle = number_next_probe(low, high, guess);
        rank_value(type, middle, &m, &q);
        if (number_compare(m, q, x->m, x->e) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    if (low > largest_rank(type)) return low;
    rank_value(type, low, &m, &q);
    rank_value(type, low + 1, &next, &next_q);
    place.lower_is_odd = low % 2 == 1;
    place.to_lower = number_compare(x->m, x->e, m, q);
    place.to_middle = to_middle(x, m, q, next, next_q);
    return low + chooses_upper(&place, rnd);
}

/** Rounds x to an integral value. */
static struct number integral(struct number x, pto_vrnd rnd) {
    uint64_t low = 0, high = x.m;
    struct between place = {x.negative, false, 0, 0};
    uint64_t guess;
    if (x.kind != FINITE || x.e >= 0) return x;
    guess = x.e > -64 ? x.m >> -x.e : 0;
    while (low < high) {
        const uint64_t middle = number_next_probe(low, high, guess);
        if (number_compare(middle, 0, x.m, x.e) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    place.lower_is_odd = low % 2 == 1;
    place.to_lower = number_compare(x.m, x.e, low, 0);
    place.to_middle = number_compare(x.m, x.e, 2 * low + 1, -1);
    x.m = low + chooses_upper(&place, rnd);
    x.e = 0;
    return x;
}

/* ---- to an integer ---- */

/** Returns the low bits of the exact integer in two's complement. */
static uint64_t wrapped(pto_dtype type, const struct number *x) {
    uint64_t m = x->m;
    for (int i = 0; i < x->e; i++) {
        m *= 2;
    }
    return number_low_bits(x->negative ? number_negated(m) : m, model_code_bits(type));
}

static uint64_t to_integer(const pto_vcvt_op *op, struct number x) {
    const bool clamps = op->sat || (op->dst == PTO_U32 && op->src == PTO_S16);
    if (x.kind == NOT_A_NUMBER) return 0;
    x = integral(x, op->rnd);
    return clamps || x.kind == INFINITE ? number_clamped(op->dst, &x) : wrapped(op->dst, &x);
}

/* ---- to a float ---- */

/** The 4-bit types have only finite values, so conversions to them always saturate. */
static bool clamps_floats(const pto_vcvt_op *op) {
    return op->sat || model_code_bits(op->dst) == 4;
}

/** Returns the NaN code of a type. The documents do not specify it, so these codes are the library's choice. */
static uint64_t nan_code(pto_dtype type) {
    switch (type) {
    case PTO_F16: return 0x7e00;
    case PTO_BF16: return 0x7fc0;
    case PTO_F32: return 0x7fc00000;
    case PTO_HIF8: return HIF8_NAN;
    default: return 0x7f; /* e4m3, e5m2 */
    }
}

static uint64_t with_sign(pto_dtype type, uint64_t magnitude, bool negative) {
    const uint64_t sign = (uint64_t)1 << (model_code_bits(type) - 1);
    if (type == PTO_HIF8 && magnitude == 0) return 0; /* the code for -0 is the NaN */
    return negative ? magnitude | sign : magnitude;
}

static uint64_t overflow(const pto_vcvt_op *op, bool negative) {
    uint64_t code = rank_code(op->dst, largest_rank(op->dst));
    if (op->dst == PTO_E4M3 && !op->sat) return nan_code(PTO_E4M3);
    if (!clamps_floats(op)) code = rank_code(op->dst, largest_rank(op->dst) + 1);
    return with_sign(op->dst, code, negative);
}

static uint64_t to_float(const pto_vcvt_op *op, struct number x) {
    uint64_t rank;
    if (x.kind == NOT_A_NUMBER) return clamps_floats(op) ? 0 : nan_code(op->dst);
    if (x.kind == INFINITE) return overflow(op, x.negative);
    rank = round_to_rank(op->dst, &x, op->rnd);
    if (rank > largest_rank(op->dst)) return overflow(op, x.negative);
    return with_sign(op->dst, rank_code(op->dst, rank), x.negative);
}

uint64_t model_vcvt(const pto_vcvt_op *op, uint64_t bits) {
    const struct number x = value_of(op->src, number_low_bits(bits, model_code_bits(op->src)));
    return number_is_integer(op->dst) ? to_integer(op, x) : to_float(op, x);
}

uint64_t model_vtrc(pto_dtype type, pto_vrnd rnd, uint64_t bits) {
    const pto_vcvt_op same = {type, type, PTO_VRND_R, false};
    const struct number x = number_of(type, bits);
    const uint64_t quiet = (uint64_t)1 << (number_format(type)->fraction_bits - 1);
    if (x.kind == NOT_A_NUMBER) return number_low_bits(bits, model_code_bits(type)) | quiet;
    return to_float(&same, integral(x, rnd));
}
