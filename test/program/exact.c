/* SPDX-License-Identifier: MIT */
/* A model of PTX arithmetic that computes exact results with big integers and then rounds them. */
#include "program/exact.h"

#include "model/model.h"

#include <string.h>

const char *exact_name(enum exact_op op) {
    static const char *const names[EXACT_OPS] = {"add", "sub", "mul", "fma", "neg", "abs",
                                                 "shl", "shr", "div", "rcp", "sqrt"};
    return names[op];
}

size_t exact_sources(enum exact_op op) {
    switch (op) {
    case EXACT_FMA: return 3;
    case EXACT_NEG:
    case EXACT_ABS:
    case EXACT_RCP:
    case EXACT_SQRT: return 1;
    default: return 2;
    }
}

/* ---- unsigned integers of many bits ---- */

/* Integers count units of 2^UNIT. The product of the two smallest f64 is 2^8 units, and twice the largest
 * product is below 2^4210 units. */
enum { WORDS = 136, UNIT = -2156 };

struct big {
    uint32_t word[WORDS]; /* the lowest word first */
};

/* Adds value * 2^bit to *x. */
static void add_at(struct big *x, uint64_t value, size_t bit) {
    uint64_t carry = 0;
    for (size_t i = bit / 32, k = 0; i < WORDS && (k < 3 || carry); i++, k++) {
        const size_t shift = bit % 32;
        uint64_t part = 0;
        if (k == 0) part = (uint32_t)(value << shift);
        if (k == 1) part = (uint32_t)(value << shift >> 32);
        if (k == 2) part = shift ? value >> (64 - shift) : 0;
        carry += x->word[i] + part;
        x->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static int compare(const struct big *x, const struct big *y) {
    for (size_t i = WORDS; i-- > 0;)
        if (x->word[i] != y->word[i]) return x->word[i] < y->word[i] ? -1 : 1;
    return 0;
}

/* Returns x - y. x must not be less than y. */
static struct big difference(const struct big *x, const struct big *y) {
    struct big d;
    int64_t borrow = 0;
    for (size_t i = 0; i < WORDS; i++) {
        borrow += (int64_t)x->word[i] - y->word[i];
        d.word[i] = (uint32_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
    return d;
}

static struct big sum(const struct big *x, const struct big *y) {
    struct big s = *x;
    for (size_t i = 0; i < WORDS; i++) add_at(&s, y->word[i], 32 * i);
    return s;
}

static bool bit_at(const struct big *x, int bit) {
    return bit >= 0 && x->word[bit / 32] >> bit % 32 & 1;
}

/* Returns whether any bit below `bit` is set. */
static bool any_below(const struct big *x, int bit) {
    for (int i = 0; i < bit / 32; i++)
        if (x->word[i]) return true;
    return bit > 0 && (x->word[bit / 32] & ((1U << bit % 32) - 1)) != 0;
}

/* Returns the index of the highest bit that is set, or -1 if x is zero. */
static int highest(const struct big *x) {
    int word = WORDS - 1, bit = 31;
    while (word >= 0 && x->word[word] == 0) word--;
    while (word >= 0 && !(x->word[word] >> bit)) bit--;
    return word < 0 ? -1 : 32 * word + bit;
}

/* ---- floats ---- */

struct layout {
    int exponent_bits, fraction_bits, bias;
    uint64_t sign, infinity;
};

static struct layout layout_of(pto_dtype type) {
    struct layout l = {model_exponent_bits(type), model_fraction_bits(type), 0, 0, 0};
    l.bias = (1 << (l.exponent_bits - 1)) - 1;
    l.sign = (uint64_t)1 << (l.exponent_bits + l.fraction_bits);
    l.infinity = l.sign - ((uint64_t)1 << l.fraction_bits);
    return l;
}

/* A float: significand * 2^exponent, unless it is a NaN or infinite. */
struct number {
    bool negative, nan, infinite;
    uint64_t significand;
    int exponent;
};

static struct number number_of(const struct layout *l, bool ftz, uint64_t bits) {
    const uint64_t magnitude = bits & (l->sign - 1), hidden = (uint64_t)1 << l->fraction_bits;
    const int field = (int)(magnitude >> l->fraction_bits);
    struct number x = {(bits & l->sign) != 0, magnitude > l->infinity, magnitude == l->infinity, 0, 0};
    x.significand = magnitude & (hidden - 1);
    if (field != 0) x.significand |= hidden;
    if (field == 0 && ftz) x.significand = 0;
    x.exponent = (field ? field : 1) - l->bias - l->fraction_bits;
    return x;
}

static struct big product(const struct number *x, const struct number *y) {
    const size_t bit = (size_t)(x->exponent + y->exponent - UNIT);
    const uint64_t x0 = (uint32_t)x->significand, x1 = x->significand >> 32;
    const uint64_t y0 = (uint32_t)y->significand, y1 = y->significand >> 32;
    struct big p = {{0}};
    add_at(&p, x0 * y0, bit);
    add_at(&p, x0 * y1, bit + 32);
    add_at(&p, x1 * y0, bit + 32);
    add_at(&p, x1 * y1, bit + 64);
    return p;
}

/* Returns whether a magnitude that was truncated to `code` must be rounded up. `half` is the first bit that
 * was cut off, and `rest` is whether any bit after it is set. */
static bool rounds_up(pto_round round, bool negative, uint64_t code, bool half, bool rest) {
    switch (round) {
    case PTO_RZ: return false;
    case PTO_RM: return negative && (half || rest);
    case PTO_RP: return !negative && (half || rest);
    default: return half && (rest || code % 2 != 0);
    }
}

/* Returns x rounded to the precision of the format, as a code without sign. If `bounded` is set, bits below
 * the smallest subnormal value are rounded as well. Otherwise the exponent is unbounded, and the code is the
 * significand. */
static uint64_t rounded(const struct layout *l, pto_round round, bool negative, const struct big *x,
                        bool bounded) {
    const int top = highest(x), precision = l->fraction_bits;
    const int least = 1 - l->bias - l->fraction_bits - UNIT; /* the bit of the smallest subnormal */
    int last = top - precision;
    uint64_t code = 0;
    if (bounded && last < least) last = least;
    for (int bit = top; bit >= last; bit--) code = 2 * code + bit_at(x, bit);
    if (rounds_up(round, negative, code, bit_at(x, last - 1), any_below(x, last - 1))) code++;
    /* the hidden bit of a normal value adds one to the exponent field */
    return last == least || !bounded ? code : code + ((uint64_t)(last - least) << l->fraction_bits);
}

/* Returns whether x, rounded to full precision, is less than the smallest normal value. */
static bool tiny(const struct layout *l, pto_round round, bool negative, const struct big *x) {
    const int normal = 1 - l->bias - UNIT; /* the bit of the smallest normal value */
    const int top = highest(x);
    if (top < normal - 1 || top >= normal) return top < normal;
    return rounded(l, round, negative, x, false) >> (l->fraction_bits + 1) ==
           0; /* no carry to the next power of two */
}

/* Returns the code that an overflow gives: infinity, or the largest finite value if the rounding is towards
 * zero. */
static uint64_t overflow(const struct layout *l, pto_round round, bool negative) {
    return l->infinity - !(round == PTO_RN || rounds_up(round, negative, 0, true, true));
}

static uint64_t finite(const struct layout *l, struct exact_modifiers m, bool negative, const struct big *x) {
    const uint64_t sign = negative ? l->sign : 0;
    uint64_t code;
    if (highest(x) < 0 || (m.ftz && tiny(l, m.round, negative, x))) return sign;
    code = rounded(l, m.round, negative, x, true);
    return sign | (code >= l->infinity ? overflow(l, m.round, negative) : code);
}

static uint64_t nan_of(pto_dtype type, enum exact_op op, const struct layout *l, const uint64_t in[3]) {
    if (type == PTO_F32) return 0x7fffffff;
    if (type != PTO_F64) return 0x7fff;
    if (op == EXACT_DIV && (in[0] & ~l->sign) > l->infinity)
        return in[0] | (uint64_t)1 << (l->fraction_bits - 1);
    for (size_t i = 1; i <= exact_sources(op); i++) {
        const uint64_t operand = in[i % exact_sources(op)]; /* b, c, a */
        if ((operand & ~l->sign) > l->infinity) return operand | (uint64_t)1 << (l->fraction_bits - 1);
    }
    return 0xfff8000000000000;
}

static bool is_zero(const struct number *x) {
    return x->significand == 0 && !x->infinite;
}

/* Returns x * y + z, for add, sub and fma. If `is_product` is set, returns x * y, for mul: adding a zero could change
 * the sign of a zero product. Sets *nan to whether the result is a NaN. */
static uint64_t multiply_add(const struct layout *l, struct exact_modifiers m, const struct number *x,
                             const struct number *y, const struct number *z, bool is_product, bool *nan) {
    const bool sign = x->negative != y->negative, infinite = x->infinite || y->infinite;
    struct big p, c, d;
    int order;
    *nan = x->nan || y->nan || (!is_product && z->nan) || (x->infinite && is_zero(y)) ||
           (y->infinite && is_zero(x)) || (infinite && !is_product && z->infinite && z->negative != sign);
    if (*nan) return 0;
    if (infinite) return l->infinity | (sign ? l->sign : 0);
    if (!is_product && z->infinite) return l->infinity | (z->negative ? l->sign : 0);
    p = product(x, y);
    if (is_product) return finite(l, m, sign, &p);
    memset(&c, 0, sizeof c);
    add_at(&c, z->significand, (size_t)(z->exponent - UNIT));
    if (sign == z->negative) {
        d = sum(&p, &c);
        return finite(l, m, sign, &d);
    }
    order = compare(&p, &c);
    d = order < 0 ? difference(&c, &p) : difference(&p, &c);
    return finite(l, m, order == 0 ? m.round == PTO_RM : order < 0 ? z->negative : sign, &d);
}

static uint64_t sign_only(enum exact_op op, const struct layout *l, bool ftz, uint64_t a) {
    const uint64_t sign = op == EXACT_ABS ? 0 : ~a & l->sign;
    const uint64_t magnitude = a & (l->sign - 1);
    return sign | (ftz && magnitude >> l->fraction_bits == 0 ? 0 : magnitude);
}

/* ---- division and square root, by binary search ---- */

/* The equation r * y = x, or r * r = x if y is NULL, for positive finite x and y. */
struct equation {
    const struct layout *l;
    struct big x;
    const struct number *y;
};

/* Returns -1, 0 or 1 if r is less than, equal to or greater than the exact solution. */
static int compare_to_solution(const struct equation *e, const struct number *r) {
    const struct big p = product(r, e->y ? e->y : r);
    return compare(&p, &e->x);
}

/* Returns the value in the middle between the values of a code and the next code. */
static struct number middle_after(const struct layout *l, uint64_t code) {
    struct number r = number_of(l, false, code);
    r.significand = 2 * r.significand + 1;
    r.exponent--;
    return r;
}

/* Returns whether the solution, rounded to the precision of the format with an unbounded exponent, is below
 * `least`, the smallest normal value. `last` is the largest value of this precision below `least`, and
 * `middle` is between the two. */
static bool is_solution_tiny(const struct equation *e, pto_round round, bool negative) {
    const int unit = 1 - e->l->bias - e->l->fraction_bits - 1;
    struct number least = {.significand = (uint64_t)1 << (e->l->fraction_bits + 1), .exponent = unit};
    struct number last = {.significand = least.significand - 1, .exponent = unit};
    struct number middle = {.significand = 2 * last.significand + 1, .exponent = unit - 1};
    if (round == PTO_RN) return compare_to_solution(e, &middle) > 0;
    if (rounds_up(round, negative, 0, true, true)) return compare_to_solution(e, &last) >= 0;
    return compare_to_solution(e, &least) > 0;
}

static uint64_t solved(const struct equation *e, struct exact_modifiers m, bool negative) {
    uint64_t low = 0,
             high =
                 e->l->infinity; /* the solution is at least low; high is infinity, or above the solution */
    struct number middle, r;
    bool half, rest;
    if (m.ftz && is_solution_tiny(e, m.round, negative)) return 0;
    while (high - low > 1) {
        const uint64_t code = low + (high - low) / 2;
        r = number_of(e->l, false, code);
        if (compare_to_solution(e, &r) <= 0)
            low = code;
        else
            high = code;
    }
    middle = middle_after(e->l, low);
    r = number_of(e->l, false, low);
    half = compare_to_solution(e, &middle) <= 0;
    rest = half ? compare_to_solution(e, &middle) < 0 : compare_to_solution(e, &r) < 0;
    low += rounds_up(m.round, negative, low, half, rest);
    return low >= e->l->infinity ? overflow(e->l, m.round, negative) : low;
}

static const struct number one = {false, false, false, 1, 0};

static uint64_t quotient(const struct layout *l, struct exact_modifiers m, const struct number *x,
                         const struct number *y, bool *nan) {
    const bool negative = x->negative != y->negative, no_x = is_zero(x), no_y = is_zero(y);
    const uint64_t sign = negative ? l->sign : 0;
    struct equation e = {l, {{0}}, y};
    *nan = x->nan || y->nan || (x->infinite && y->infinite) || (no_x && no_y);
    if (x->infinite || no_y) return sign | l->infinity;
    if (no_x || y->infinite) return sign;
    e.x = product(x, &one);
    return sign | solved(&e, m, negative);
}

static uint64_t root(const struct layout *l, struct exact_modifiers m, const struct number *x, uint64_t a,
                     bool *nan) {
    struct equation e = {l, {{0}}, NULL};
    const bool zero = is_zero(x);
    *nan = x->nan || (x->negative && !zero);
    if (zero) return a & l->sign;
    if (*nan || x->infinite) return l->infinity;
    e.x = product(x, &one);
    return solved(&e, m, false);
}

/* ---- all operations ---- */

static uint64_t modified(struct exact_modifiers m, const struct layout *l, uint64_t result, bool nan) {
    const uint64_t one_code = (uint64_t)l->bias << l->fraction_bits;
    if (m.sat && (nan || result & l->sign)) return 0;
    if (m.sat) return result > one_code ? one_code : result;
    return m.relu && !nan && result & l->sign ? 0 : result;
}

uint64_t exact_modified(enum exact_op op, pto_dtype type, struct exact_modifiers m, uint64_t a, uint64_t b,
                        uint64_t c) {
    const struct layout l = layout_of(type);
    const uint64_t in[3] = {a, b, c};
    struct number x = number_of(&l, m.ftz, a), y = number_of(&l, m.ftz, b), z = number_of(&l, m.ftz, c);
    bool nan = x.nan;
    uint64_t result = 0;
    switch (op) {
    case EXACT_NEG:
    case EXACT_ABS: result = sign_only(op, &l, m.ftz, a); break;
    case EXACT_MUL: result = multiply_add(&l, m, &x, &y, &z, true, &nan); break;
    case EXACT_FMA: result = multiply_add(&l, m, &x, &y, &z, false, &nan); break;
    case EXACT_DIV: result = quotient(&l, m, &x, &y, &nan); break;
    case EXACT_RCP: result = quotient(&l, m, &one, &x, &nan); break;
    case EXACT_SQRT: result = root(&l, m, &x, a, &nan); break;
    default:
        if (op == EXACT_SUB) y.negative = !y.negative;
        result = multiply_add(&l, m, &x, &one, &y, false, &nan);
        break;
    }
    return modified(m, &l, nan ? nan_of(type, op, &l, in) : result, nan);
}

uint64_t exact_float(enum exact_op op, pto_dtype type, bool ftz, uint64_t a, uint64_t b, uint64_t c) {
    const struct exact_modifiers m = {.round = PTO_RN, .ftz = ftz};
    return exact_modified(op, type, m, a, b, c);
}

/* ---- integers: schoolbook algorithms on bits ---- */

static uint64_t add_bits(uint64_t a, uint64_t b, unsigned bits) {
    uint64_t out = 0;
    unsigned carry = 0;
    for (unsigned i = 0; i < bits; i++) {
        const unsigned total = (unsigned)(a >> i & 1) + (unsigned)(b >> i & 1) + carry;
        out |= (uint64_t)(total & 1) << i;
        carry = total >> 1;
    }
    return out;
}

static uint64_t negated(uint64_t a, unsigned bits) {
    return add_bits(~a, 1, bits);
}

static uint64_t shifted(uint64_t a, bool left, bool sign, uint64_t by, unsigned bits) {
    uint64_t out = 0;
    for (unsigned i = 0; i < bits; i++) {
        const bool inside = left ? by <= i : by < bits - i;
        const unsigned from = (unsigned)(left ? i - by : i + by);
        const bool bit = inside ? a >> from & 1 : !left && sign && a >> (bits - 1) & 1;
        out |= (uint64_t)bit << i;
    }
    return out;
}

static uint64_t multiplied(uint64_t a, uint64_t b, unsigned bits) {
    uint64_t out = 0;
    for (unsigned i = 0; i < bits; i++)
        if (b >> i & 1) out = add_bits(out, shifted(a, true, false, i, bits), bits);
    return out;
}

uint64_t exact_integer(enum exact_op op, pto_dtype type, uint64_t a, uint64_t b) {
    const unsigned bits = (unsigned)pto_dtype_bits(type);
    const bool is_signed = type == PTO_S16 || type == PTO_S32 || type == PTO_S64;
    switch (op) {
    case EXACT_ADD: return add_bits(a, b, bits);
    case EXACT_SUB: return add_bits(a, negated(b, bits), bits);
    case EXACT_MUL: return multiplied(a, b, bits);
    case EXACT_NEG: return negated(a, bits);
    case EXACT_ABS: return a >> (bits - 1) & 1 ? negated(a, bits) : a;
    case EXACT_SHL: return shifted(a, true, false, b, bits);
    default: return shifted(a, false, is_signed, b, bits);
    }
}
