/* SPDX-License-Identifier: MIT */
/* A model of PTX's instructions on integers and bits, written from the pseudocode and the tables of the PTX
 * ISA. */
#include "program/exact_bits.h"

#include "support/cmocka_all.h"

#include <string.h>

const struct exact_form exact_forms[] = {
    {"add.sat.s32", "www", true},
    {"sub.sat.s32", "www", true},
    {"add.sat.u32", "www", true},
    {"add.s16x2", "www", false},
    {"add.u16x2", "www", false},
    {"add.sat.s16x2", "www", false},
    {"add.sat.u16x2", "www", false},
    {"add.s8x4", "www", false},
    {"sub.u8x4", "www", false},
    {"add.sat.u8x4", "www", false},
    {"add.sat.s8x4", "www", false},
    {"sub.sat.u8x4", "www", false},
    {"sub.sat.s8x4", "www", false},
    {"neg.s8x4", "ww", false},
    {"add.cc.u32", "www", false},
    {"add.cc.s64", "ddd", false},
    {"addc.u16", "hhh", false},
    {"addc.cc.s32", "www", false},
    {"addc.sat.s32", "www", false},
    {"addc.u64", "ddd", false},
    {"sub.cc.s32", "www", false},
    {"sub.cc.u64", "ddd", false},
    {"subc.s16", "hhh", false},
    {"subc.cc.u32", "www", false},
    {"subc.sat.s32", "www", false},
    {"subc.cc.u64", "ddd", false},
    {"mul.lo.u16", "hhh", true},
    {"mul.hi.u16", "hhh", true},
    {"mul.hi.s16", "hhh", true},
    {"mul.hi.u32", "www", true},
    {"mul.hi.s32", "www", true},
    {"mul.hi.u64", "ddd", false},
    {"mul.hi.s64", "ddd", false},
    {"mul.wide.u16", "whh", true},
    {"mul.wide.s16", "whh", true},
    {"mul.wide.u32", "dww", true},
    {"mul.wide.s32", "dww", true},
    {"mad.lo.u16", "hhhh", true},
    {"mad.lo.s32", "wwww", true},
    {"mad.lo.u64", "dddd", false},
    {"mad.hi.u16", "hhhh", false},
    {"mad.hi.s16", "hhhh", false},
    {"mad.hi.u32", "wwww", false},
    {"mad.hi.s32", "wwww", false},
    {"mad.hi.s64", "dddd", false},
    {"mad.hi.u64", "dddd", false},
    {"mad.hi.sat.s32", "wwww", false},
    {"mad.wide.u16", "whhw", false},
    {"mad.wide.s16", "whhw", false},
    {"mad.wide.u32", "dwwd", false},
    {"mad.wide.s32", "dwwd", false},
    {"mad.lo.cc.u32", "wwww", false},
    {"mad.lo.cc.s64", "dddd", false},
    {"mad.hi.cc.u32", "wwww", false},
    {"mad.hi.cc.s32", "wwww", false},
    {"mad.hi.cc.u64", "dddd", false},
    {"madc.lo.u16", "hhhh", false},
    {"madc.lo.cc.u32", "wwww", false},
    {"madc.hi.s32", "wwww", false},
    {"madc.hi.cc.s64", "dddd", false},
    {"madc.hi.sat.s32", "wwww", false},
    {"mul24.lo.u32", "www", true},
    {"mul24.lo.s32", "www", true},
    {"mul24.hi.u32", "www", true},
    {"mul24.hi.s32", "www", true},
    {"mad24.lo.u32", "wwww", true},
    {"mad24.lo.s32", "wwww", true},
    {"mad24.hi.u32", "wwww", true},
    {"mad24.hi.s32", "wwww", true},
    {"mad24.hi.sat.s32", "wwww", false},
    {"div.u16", "hhh", false},
    {"div.s16", "hhh", false},
    {"div.u32", "www", false},
    {"div.s32", "www", false},
    {"div.u64", "ddd", false},
    {"div.s64", "ddd", false},
    {"rem.u16", "hhh", false},
    {"rem.s16", "hhh", false},
    {"rem.u32", "www", false},
    {"rem.s32", "www", false},
    {"rem.u64", "ddd", false},
    {"rem.s64", "ddd", false},
    {"sad.u16", "hhhh", false},
    {"sad.s16", "hhhh", false},
    {"sad.u32", "wwww", false},
    {"sad.s32", "wwww", false},
    {"sad.u64", "dddd", false},
    {"sad.s64", "dddd", false},
    {"cnot.b16", "hh", true},
    {"cnot.b32", "ww", true},
    {"cnot.b64", "dd", true},
    {"popc.b32", "ww", true},
    {"popc.b64", "wd", true},
    {"clz.b32", "ww", true},
    {"clz.b64", "wd", true},
    {"bfind.u32", "ww", true},
    {"bfind.s32", "ww", true},
    {"bfind.u64", "wd", true},
    {"bfind.s64", "wd", true},
    {"bfind.shiftamt.u32", "ww", true},
    {"bfind.shiftamt.s32", "ww", true},
    {"bfind.shiftamt.u64", "wd", true},
    {"bfind.shiftamt.s64", "wd", true},
    {"brev.b32", "ww", true},
    {"brev.b64", "dd", true},
    {"bfe.u32", "wwcc", true},
    {"bfe.s32", "wwcc", true},
    {"bfe.u64", "ddcc", true},
    {"bfe.s64", "ddcc", true},
    {"bfi.b32", "wwwcc", true},
    {"bfi.b64", "dddcc", true},
    {"bmsk.clamp.b32", "wcc", false},
    {"bmsk.wrap.b32", "wcc", false},
    {"szext.clamp.u32", "wwc", false},
    {"szext.clamp.s32", "wwc", false},
    {"szext.wrap.u32", "wwc", false},
    {"szext.wrap.s32", "wwc", false},
    {"prmt.b32", "wwww", false},
    {"prmt.b32.f4e", "wwww", false},
    {"prmt.b32.b4e", "wwww", false},
    {"prmt.b32.rc8", "wwww", false},
    {"prmt.b32.ecl", "wwww", false},
    {"prmt.b32.ecr", "wwww", false},
    {"prmt.b32.rc16", "wwww", false},
    {"shf.l.clamp.b32", "wwwc", true},
    {"shf.l.wrap.b32", "wwwc", true},
    {"shf.r.clamp.b32", "wwwc", true},
    {"shf.r.wrap.b32", "wwwc", true},
    {"dp4a.u32.u32", "wwww", false},
    {"dp4a.u32.s32", "wwww", false},
    {"dp4a.s32.u32", "wwww", false},
    {"dp4a.s32.s32", "wwww", false},
    {"dp2a.lo.u32.u32", "wwww", false},
    {"dp2a.lo.s32.u32", "wwww", false},
    {"dp2a.hi.u32.s32", "wwww", false},
    {"dp2a.hi.s32.s32", "wwww", false},
    {"min.s16x2", "www", false},
    {"max.u16x2", "www", false},
    {"min.u8x4", "www", false},
    {"max.s8x4", "www", false},
    {"min.relu.s32", "www", false},
    {"max.relu.s32", "www", false},
    {"min.relu.s16x2", "www", false},
    {"max.relu.s16x2", "www", false},
    {"max.relu.s8x4", "www", false},
    {"min.relu.s8x4", "www", false},
    {"cvt.pack.sat.s16.s32", "www", false},
    {"cvt.pack.sat.u16.s32", "www", false},
    {"cvt.pack.sat.u8.s32.b32", "wwww", false},
    {"cvt.pack.sat.s8.s32.b32", "wwww", false},
    {"cvt.pack.sat.u4.s32.b32", "wwww", false},
    {"cvt.pack.sat.s4.s32.b32", "wwww", false},
    {"cvt.pack.sat.u2.s32.b32", "wwww", false},
    {"cvt.pack.sat.s2.s32.b32", "wwww", false},
    {"fns.b32", "wwcc", true},
    {"min.s64", "ddd", false},
    {"max.u16", "hhh", false},
    {"abs.s16", "hh", true},
    {"add.u16", "hhh", false},
    {"add.u32", "www", false},
    {"add.u64", "ddd", false},
    {"sub.u16", "hhh", false},
    {"sub.u32", "www", false},
    {"sub.u64", "ddd", false},
    {"mul.lo.u32", "www", false},
    {"mul.lo.u64", "ddd", false},
    {"and.b16", "hhh", false},
    {"and.b32", "www", false},
    {"and.b64", "ddd", false},
    {"or.b16", "hhh", false},
    {"or.b32", "www", false},
    {"or.b64", "ddd", false},
    {"xor.b16", "hhh", false},
    {"xor.b32", "www", false},
    {"xor.b64", "ddd", false},
    {"not.b16", "hh", false},
    {"not.b32", "ww", false},
    {"not.b64", "dd", false},
    {"neg.s16", "hh", false},
    {"neg.s32", "ww", false},
    {"neg.s64", "dd", false},
    {"abs.s32", "ww", false},
    {"abs.s64", "dd", false},
    {"shl.b16", "hhc", false},
    {"shl.b32", "wwc", false},
    {"shl.b64", "ddc", false},
    {"shr.u16", "hhc", false},
    {"shr.u32", "wwc", false},
    {"shr.u64", "ddc", false},
    {"shr.s16", "hhc", false},
    {"shr.s32", "wwc", false},
    {"shr.s64", "ddc", false},
};

const size_t exact_forms_count = sizeof exact_forms / sizeof exact_forms[0];

unsigned exact_width(char letter) {
    return letter == 'h' ? 16 : letter == 'd' ? 64 : 32;
}

/* ---- exact integers: the bits of two's complement, the lowest bit first ---- */

enum { BITS = 160 };

struct exact {
    bool bit[BITS];
};

static bool is_negative(const struct exact *x) {
    return x->bit[BITS - 1];
}

/* Returns the integer in the bits `from` to `from` + `count` - 1 of a word, signed if `sign` is set. */
static struct exact part(uint64_t word, unsigned from, unsigned count, bool sign) {
    struct exact x;
    for (unsigned i = 0; i < BITS; i++) {
        const unsigned at = i < count ? from + i : from + count - 1;
        x.bit[i] = (i < count || sign) && (word >> at & 1) != 0;
    }
    return x;
}

static struct exact integer(int value) {
    return part((uint64_t)(int64_t)value, 0, 64, true);
}

static uint64_t low(const struct exact *x, unsigned from, unsigned count) {
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++) word |= (uint64_t)x->bit[from + i] << i;
    return word;
}

static struct exact sum(struct exact x, struct exact y) {
    bool carry = false;
    for (unsigned i = 0; i < BITS; i++) {
        const int total = x.bit[i] + y.bit[i] + carry;
        x.bit[i] = total % 2 != 0;
        carry = total > 1;
    }
    return x;
}

static struct exact negated(struct exact x) {
    for (unsigned i = 0; i < BITS; i++) x.bit[i] = !x.bit[i];
    return sum(x, integer(1));
}

static struct exact difference(struct exact x, struct exact y) {
    return sum(x, negated(y));
}

static struct exact magnitude(struct exact x) {
    return is_negative(&x) ? negated(x) : x;
}

static struct exact doubled(struct exact x) {
    memmove(x.bit + 1, x.bit, sizeof x.bit - sizeof x.bit[0]);
    x.bit[0] = false;
    return x;
}

static struct exact product(struct exact x, struct exact y) {
    const bool negative = is_negative(&x) != is_negative(&y);
    struct exact p = integer(0);
    x = magnitude(x);
    y = magnitude(y);
    for (unsigned i = 0; i < 64; i++, x = doubled(x))
        if (y.bit[i]) p = sum(p, x);
    return negative ? negated(p) : p;
}

/* Returns x / y, rounded towards zero, and sets *rest to the remainder. y must not be 0. */
static struct exact quotient(struct exact x, struct exact y, struct exact *rest) {
    const bool sign = is_negative(&x), negative = sign != is_negative(&y);
    struct exact q = integer(0), r = integer(0);
    x = magnitude(x);
    y = magnitude(y);
    for (int i = BITS - 2; i >= 0; i--) {
        struct exact less;
        r = doubled(r);
        r.bit[0] = x.bit[i];
        less = difference(r, y);
        q.bit[i] = !is_negative(&less);
        if (q.bit[i]) r = less;
    }
    *rest = sign ? negated(r) : r;
    return negative ? negated(q) : q;
}

static struct exact smaller(struct exact x, struct exact y) {
    const struct exact d = difference(x, y);
    return is_negative(&d) ? x : y;
}

static struct exact larger(struct exact x, struct exact y) {
    const struct exact d = difference(x, y);
    return is_negative(&d) ? y : x;
}

static struct exact power(unsigned bit) {
    struct exact x = integer(0);
    x.bit[bit] = true;
    return x;
}

/* Returns the integer of `bits` bits that is nearest to x. */
static struct exact saturated(struct exact x, unsigned bits, bool sign) {
    const struct exact end = power(sign ? bits - 1 : bits), least = sign ? negated(end) : integer(0);
    return smaller(larger(x, least), difference(end, integer(1)));
}

/* ---- opcodes ---- */

static bool has(const char *opcode, const char *word) {
    const size_t length = strlen(word);
    for (; *opcode; opcode++) {
        if (strncmp(opcode, word, length) == 0 && (opcode[length] == '.' || opcode[length] == 0)) return true;
        opcode += strcspn(opcode, ".");
        if (*opcode == 0) return false;
    }
    return false;
}

static bool is(const char *opcode, const char *name) {
    return strncmp(opcode, name, strlen(name)) == 0 && strchr(".", opcode[strlen(name)]) != NULL;
}

/* The first type of an opcode. */
struct type {
    bool sign;
    unsigned bits, count;
};

static struct type type_of(const char *opcode) {
    for (const char *dot = strchr(opcode, '.'); dot; dot = strchr(dot + 1, '.')) {
        unsigned bits = 0, count = 1;
        const char *at = dot + 2;
        if (!strchr("usb", dot[1])) continue;
        for (; *at >= '0' && *at <= '9'; at++) bits = 10 * bits + (unsigned)(*at - '0');
        if (bits != 0 && *at == 'x') count = (unsigned)(at[1] - '0');
        if (bits != 0) return (struct type){dot[1] == 's', bits, count};
    }
    fail_msg("no type in %s", opcode);
    return (struct type){false, 0, 0};
}

bool exact_reads_carry(const char *opcode) {
    return is(opcode, "addc") || is(opcode, "subc") || is(opcode, "madc");
}

bool exact_sets_carry(const char *opcode) {
    return has(opcode, "cc");
}

/* ---- sums and products ---- */

/* Returns x + y, or with `minus` x - y, with a carry: plus 1 if the flag is set, or for a difference minus 1
 * if it is not set. Sets the flag to the carry out of unsigned integers; for a difference, to whether there
 * is no borrow. */
static uint64_t with_carry(const char *opcode, struct type t, uint64_t x, uint64_t y, bool minus,
                           bool *flag) {
    const bool in = exact_reads_carry(opcode) ? *flag : minus;
    const struct exact one = integer(minus ? (in ? 0 : -1) : (in ? 1 : 0));
    const struct exact a = part(x, 0, t.bits, false), b = part(y, 0, t.bits, false);
    const struct exact total = sum(minus ? difference(a, b) : sum(a, b), one);
    if (exact_sets_carry(opcode)) *flag = minus ? !is_negative(&total) : total.bit[t.bits];
    if (has(opcode, "sat")) {
        const struct exact c = part(x, 0, t.bits, true), d = part(y, 0, t.bits, true);
        const struct exact s = saturated(sum(minus ? difference(c, d) : sum(c, d), one), t.bits, true);
        return low(&s, 0, t.bits);
    }
    return low(&total, 0, t.bits);
}

static uint64_t multiplied(const char *opcode, struct type t, const uint64_t in[], bool *flag) {
    const bool short_factors = is(opcode, "mul24") || is(opcode, "mad24"), adds = opcode[1] == 'a';
    const unsigned bits = short_factors ? 24 : t.bits;
    const struct exact p = product(part(in[0], 0, bits, t.sign), part(in[1], 0, bits, t.sign));
    uint64_t half;
    if (has(opcode, "wide")) {
        const struct exact s = adds ? sum(p, part(in[2], 0, 2 * t.bits, t.sign)) : p;
        return low(&s, 0, 2 * t.bits);
    }
    half = low(&p, !has(opcode, "hi") ? 0 : short_factors ? 16 : t.bits, t.bits);
    return adds ? with_carry(opcode, t, half, in[2], false, flag) : half;
}

static uint64_t divided(const char *opcode, struct type t, const uint64_t in[]) {
    const struct exact a = part(in[0], 0, t.bits, t.sign), b = part(in[1], 0, t.bits, t.sign);
    const struct exact ones = integer(-1);
    struct exact q, r;
    if (low(&b, 0, t.bits) == 0) return low(&ones, 0, t.bits);
    q = quotient(a, b, &r);
    return low(is(opcode, "div") ? &q : &r, 0, t.bits);
}

static uint64_t dot_product(const char *opcode, const uint64_t in[]) {
    const bool sign_a = strstr(opcode, ".s32.") != NULL, sign_b = strcmp(strrchr(opcode, '.'), ".s32") == 0;
    struct exact s = part(in[2], 0, 32, false);
    for (unsigned i = 0; i < (is(opcode, "dp4a") ? 4U : 2U); i++) {
        const struct exact a =
            is(opcode, "dp4a") ? part(in[0], 8 * i, 8, sign_a) : part(in[0], 16 * i, 16, sign_a);
        s = sum(s, product(a, part(in[1], 8 * i + (has(opcode, "hi") ? 16 : 0), 8, sign_b)));
    }
    return low(&s, 0, 32);
}

/* Returns element i of the result of an instruction that computes each element in the same way. */
static uint64_t element(const char *opcode, struct type t, const uint64_t in[], unsigned i) {
    const struct exact a = part(in[0], t.bits * i, t.bits, t.sign),
                       b = part(in[1], t.bits * i, t.bits, t.sign);
    struct exact d = integer(0);
    if (is(opcode, "add")) d = sum(a, b);
    if (is(opcode, "sub")) d = difference(a, b);
    if (is(opcode, "neg")) d = negated(a);
    if (is(opcode, "abs")) d = magnitude(a);
    if (is(opcode, "min")) d = smaller(a, b);
    if (is(opcode, "max")) d = larger(a, b);
    if (is(opcode, "sad")) d = sum(magnitude(difference(a, b)), part(in[2], 0, t.bits, t.sign));
    if (has(opcode, "sat")) d = saturated(d, t.bits, t.sign);
    if (has(opcode, "relu")) d = larger(d, integer(0));
    return low(&d, 0, t.bits);
}

static uint64_t packed(const char *opcode, struct type t, const uint64_t in[]) {
    const struct exact a = saturated(part(in[0], 0, 32, true), t.bits, t.sign),
                       b = saturated(part(in[1], 0, 32, true), t.bits, t.sign);
    uint64_t d = low(&b, 0, t.bits) | low(&a, 0, t.bits) << t.bits;
    if (strstr(opcode, "b32")) d |= in[2] << (2 * t.bits);
    return d & 0xffffffff;
}

/* ---- bits ---- */

static bool bit(uint64_t word, uint64_t i) {
    return i < 64 && (word >> i & 1) != 0;
}

static uint64_t found(const char *opcode, struct type t, uint64_t a) {
    const bool sign = t.sign && bit(a, t.bits - 1);
    for (unsigned i = t.bits; i-- > 0;)
        if (bit(a, i) != sign) return has(opcode, "shiftamt") ? t.bits - 1 - i : i;
    return 0xffffffff;
}

static uint64_t counted(const char *opcode, struct type t, uint64_t a) {
    uint64_t ones = 0, zeros = 0;
    for (unsigned i = 0; i < t.bits; i++) {
        ones += bit(a, i);
        zeros = bit(a, i) ? 0 : zeros + 1;
    }
    return is(opcode, "popc") ? ones : zeros;
}

/* Returns the position or length that bfe and bfi use. The ISA restricts these operands to 0 to 255. For
 * larger ones, ptxas uses the low 8 bits if the instruction has 32 bits, and all bits if it has 64. */
static uint64_t restricted(struct type t, uint64_t count) {
    return t.bits == 64 ? count : count & 255;
}

static uint64_t field(struct type t, const uint64_t in[]) {
    const uint64_t position = restricted(t, in[1]), length = restricted(t, in[2]),
                   last = position + length - 1;
    const bool sign = t.sign && length != 0 && bit(in[0], last < t.bits - 1 ? last : t.bits - 1);
    uint64_t d = 0;
    for (unsigned i = 0; i < t.bits; i++) {
        const bool inside = i < length && position + i < t.bits;
        d |= (uint64_t)(inside ? bit(in[0], position + i) : sign) << i;
    }
    return d;
}

static uint64_t inserted(struct type t, const uint64_t in[]) {
    const uint64_t position = restricted(t, in[2]), length = restricted(t, in[3]);
    uint64_t d = 0;
    for (unsigned i = 0; i < t.bits; i++)
        d |= (uint64_t)(i >= position && i - position < length ? bit(in[0], i - position) : bit(in[1], i))
             << i;
    return d;
}

static uint64_t wrapped(const char *opcode, uint64_t count) {
    return has(opcode, "wrap") ? count % 32 : count < 32 ? count : 32;
}

static uint64_t masked(const char *opcode, const uint64_t in[]) {
    const uint64_t from = wrapped(opcode, in[0]), length = wrapped(opcode, in[1]);
    uint64_t d = 0;
    for (uint64_t i = from; i < from + length && i < 32; i++) d |= (uint64_t)1 << i;
    return d;
}

static uint64_t extended(const char *opcode, struct type t, const uint64_t in[]) {
    const unsigned length = (unsigned)wrapped(opcode, in[1]);
    const struct exact x = length == 0 ? integer(0) : part(in[0], 0, length, t.sign);
    return low(&x, 0, 32);
}

static uint64_t nth(const uint64_t in[]) {
    const int32_t offset = (int32_t)in[2];
    const uint64_t wanted = (uint64_t)(offset < 0 ? -(int64_t)offset : offset);
    uint64_t seen = 0;
    if (in[1] > 31) return 0xffffffff;
    if (offset == 0) return bit(in[0], in[1]) ? in[1] : 0xffffffff;
    for (int i = (int)in[1]; i >= 0 && i < 32; i += offset < 0 ? -1 : 1) {
        seen += bit(in[0], (uint64_t)i);
        if (bit(in[0], (uint64_t)i) && seen == wanted) return (uint64_t)i;
    }
    return 0xffffffff;
}

/* Computes prmt. The table has the bytes that each mode selects for the four values of the low bits of c, as
 * in the ISA: the highest byte first. */
static uint64_t permuted(const char *opcode, const uint64_t in[]) {
    static const struct {
        const char *mode, *bytes[4];
    } modes[] = {{"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
                 {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
                 {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
    uint64_t d = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = (unsigned)(in[2] >> (4 * i)) & 15, byte;
        for (size_t k = 0; k < 6; k++)
            if (has(opcode, modes[k].mode)) nibble = (unsigned)(modes[k].bytes[in[2] & 3][3 - i] - '0');
        byte = (unsigned)(in[nibble >> 2 & 1] >> (8 * (nibble & 3))) & 255;
        if (nibble & 8) byte = byte & 128 ? 255 : 0;
        d |= (uint64_t)byte << (8 * i);
    }
    return d;
}

static uint64_t funnel(const char *opcode, const uint64_t in[]) {
    const unsigned by = (unsigned)wrapped(opcode, in[2]);
    uint64_t d = 0;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned from = has(opcode, "l") ? 32 + i - by : i + by; /* index in the 64 bits of b and a */
        d |= (uint64_t)(from < 32 ? bit(in[0], from) : bit(in[1], from - 32)) << i;
    }
    return d;
}

static uint64_t reversed(struct type t, uint64_t a) {
    uint64_t d = 0;
    for (unsigned i = 0; i < t.bits; i++) d |= (uint64_t)bit(a, i) << (t.bits - 1 - i);
    return d;
}

/* Shifts in zeros, or copies of the sign. */
static uint64_t shifted(const char *opcode, struct type t, const uint64_t in[]) {
    uint64_t d = 0;
    for (unsigned i = 0; i < t.bits; i++) {
        const bool sign = t.sign && bit(in[0], t.bits - 1), is_left = is(opcode, "shl");
        const bool inside = is_left ? i >= in[1] : i + in[1] < t.bits;
        d |= (uint64_t)(inside ? bit(in[0], is_left ? i - in[1] : i + in[1]) : sign) << i;
    }
    return d;
}

static uint64_t combined(const char *opcode, struct type t, const uint64_t in[]) {
    uint64_t d = 0;
    for (unsigned i = 0; i < t.bits; i++) {
        const unsigned a = bit(in[0], i), b = bit(in[1], i), ones = a + b;
        const bool one = is(opcode, "and")   ? ones == 2
                         : is(opcode, "or")  ? ones != 0
                         : is(opcode, "xor") ? ones == 1
                                             : a == 0;
        d |= (uint64_t)one << i;
    }
    return d;
}

static uint64_t looked_up(const uint64_t in[], unsigned table) {
    uint64_t d = 0;
    for (unsigned i = 0; i < 32; i++)
        d |= (uint64_t)bit(table, 4U * bit(in[0], i) + 2U * bit(in[1], i) + bit(in[2], i)) << i;
    return d;
}

uint64_t exact_bits(const char *opcode, const uint64_t in[EXACT_OPERANDS], bool *flag, unsigned table) {
    const struct type t = type_of(opcode);
    uint64_t d = 0;
    if (is(opcode, "mul") || is(opcode, "mul24") || is(opcode, "mad") || is(opcode, "mad24") ||
        is(opcode, "madc"))
        return multiplied(opcode, t, in, flag);
    if (exact_reads_carry(opcode) || exact_sets_carry(opcode))
        return with_carry(opcode, t, in[0], in[1], opcode[0] == 's', flag);
    if (is(opcode, "div") || is(opcode, "rem")) return divided(opcode, t, in);
    if (is(opcode, "dp4a") || is(opcode, "dp2a")) return dot_product(opcode, in);
    if (is(opcode, "cvt.pack")) return packed(opcode, t, in);
    if (is(opcode, "cnot")) return in[0] == 0;
    if (is(opcode, "popc") || is(opcode, "clz")) return counted(opcode, t, in[0]);
    if (is(opcode, "bfind")) return found(opcode, t, in[0]);
    if (is(opcode, "brev")) return reversed(t, in[0]);
    if (is(opcode, "bfe")) return field(t, in);
    if (is(opcode, "bfi")) return inserted(t, in);
    if (is(opcode, "bmsk")) return masked(opcode, in);
    if (is(opcode, "szext")) return extended(opcode, t, in);
    if (is(opcode, "fns")) return nth(in);
    if (is(opcode, "prmt")) return permuted(opcode, in);
    if (is(opcode, "shf")) return funnel(opcode, in);
    if (is(opcode, "shl") || is(opcode, "shr")) return shifted(opcode, t, in);
    if (is(opcode, "and") || is(opcode, "or") || is(opcode, "xor") || is(opcode, "not"))
        return combined(opcode, t, in);
    if (is(opcode, "lop3")) return looked_up(in, table);
    for (unsigned i = 0; i < t.count; i++) d |= element(opcode, t, in, i) << (t.bits * i);
    return d;
}
