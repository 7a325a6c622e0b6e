/* SPDX-License-Identifier: MIT */
/*
 * bf16 to e4m3 and e5m2, to nearest, where a look-up in 128 bytes costs no more than one in 64. Part of vbmi.c.
 *
 * All 7 digits of a bf16 are looked up, and become their rank among what numbers of any binade are rounded at. The next
 * binade begins `step` ranks further on, so that a rank and the last exponent bit above it tell the digits of two
 * binades. These have a place in a table of codes, by the upper bits of the exponent: each pair of binades with
 * subnormal codes has one of its own, all others share theirs and add what they are above it. Pairs lie over one another
 * where their codes agree. What is not known here is infinities and NaNs, and numbers as large as half of those.
 */

struct ranked_format {
    unsigned digits, step; /* of a code; ranks in a binade */
    unsigned normal;       /* exponent field of the smallest normal numbers: an odd one */
    unsigned last;         /* rank, from `start[0]` on, of all codes of two binades */
    u8 largest;
    u8 start[5]; /* where a binade lies, by how far it is below the normal ones */
};

static ALWAYS_INLINE struct ranked_format ranked_format_of(pto_dtype type) {
    const struct cvt_format to = cvt_format_of(type), from = cvt_format_of(PTO_BF16);
    const struct ranked_format f = {to.fraction_bits,
                                    2U << to.fraction_bits,
                                    (unsigned)(from.bias - to.bias) + 1,
                                    4U << to.fraction_bits,
                                    (u8)cvt_max_code(to),
                                    {86, 70, 56, 40, 32}},
                               g = {f.digits, f.step, f.normal, f.last, f.largest, {38, 30, 24, 16, 0}};
    return type == PTO_E4M3 ? f : g;
}

/* Half of a table: entries for `index`, the first 64 or the others. */
static ALWAYS_INLINE bytes rank_entries(struct ranked_format f, bytes index) {
    const bytes place = index >> (6 - f.digits), number = place | (u8)f.step, lowest = number & -number;
    const bytes is_behind = T_IF((index & (u8)low_bits(6 - f.digits)) != 0);
    const bytes is_odd = T_IF((number & (lowest << 1)) != 0); /* what a tie would leave */
    return place + ((is_behind | is_odd) & 1);
}

static ALWAYS_INLINE bytes code_entries(struct ranked_format f, bytes index) {
    const unsigned lowest = f.digits + 1;
    const bytes bounded =
        t_select(T_IF(index > (u8)(f.start[0] + f.last)), b_all(f.start[0] + f.last), index);
    bytes code = b_all(0);
    UNROLL for (unsigned n = 0; n <= lowest; ++n) {
        const unsigned below = lowest - n;
        const bytes rank = bounded - f.start[below], number = rank + (u8)(f.step + (1U << below) - 1);
        code = t_select(T_IF(bounded >= f.start[below]), number >> (below + 1), code);
    }
    return code;
}

/* By the upper 7 bits of the exponent. The top bit is for what is not known here. */
enum { IS_UNKNOWN = 0x80, LAST_PAIR = 0x7f };

static ALWAYS_INLINE unsigned top_pair(struct ranked_format f) {
    return ((f.largest >> f.digits) + f.normal - 1) / 2;
}

static ALWAYS_INLINE bytes place_entries(struct ranked_format f, bytes pair) {
    const unsigned lowest = f.digits + 1, normals = (f.normal + 1) / 2;
    const unsigned of_largest = (f.largest & (unsigned)low_bits(f.digits)) +
                                ((f.normal - 1 + (f.largest >> f.digits)) % 2 << f.digits);
    const unsigned top = f.start[0] + f.last - 2 * of_largest;
    bytes place = b_all(0);
    if (lowest % 2 == 0)
        place = t_select(T_IF(pair >= (u8)((f.normal - lowest) / 2)), b_all(f.start[lowest] - f.step), place);
    if (f.digits >= 2) place = t_select(T_IF(pair >= (u8)(normals - 2)), b_all(f.start[3]), place);
    place = t_select(T_IF(pair >= (u8)(normals - 1)), b_all(f.start[1]), place);
    place = t_select(T_IF(pair >= (u8)normals), b_all(f.start[0]), place);
    place = t_select(T_IF(pair >= (u8)top_pair(f)), b_all(top), place);
    place = t_select(T_IF(pair > (u8)top_pair(f)), b_all(0), place);
    return t_select(T_IF(pair == LAST_PAIR), b_all(IS_UNKNOWN), place);
}

static ALWAYS_INLINE bytes base_entries(struct ranked_format f, bytes pair) {
    const unsigned normals = (f.normal + 1) / 2, codes = (f.last / 2) + (1U << f.digits);
    const bytes above = ((pair << 1) - (u8)f.normal) << f.digits;
    const bytes base = t_select(T_IF(pair >= (u8)normals), above, b_all(0));
    const bytes top = t_select(T_IF(pair >= (u8)top_pair(f)), b_all(f.largest - codes), base);
    return t_select(T_IF(pair > (u8)top_pair(f)), b_all(f.largest), top);
}

#define TABLE_128(entries, f)                                                                                \
    { entries(f, t_count()), entries(f, t_count() + 64) }

/* The lower bytes of the words of a and b, or the upper ones. */
static ALWAYS_INLINE bytes every_other(bytes a, bytes b, unsigned first) {
    const struct table_128 both = {a, b};
    return look_up_128(both, (t_count() << 1) + (u8)first);
}

/* Of each byte the top bit alone, moved down to where it counts as `weight`, a power of two. */
static ALWAYS_INLINE bytes top_bit_as(unsigned weight, bytes a) {
    unsigned row = 7; /* of an 8 x 8 matrix of bits: the first one makes the top bit of the product */
    while (weight >> (7 - row) != 1) --row;
    return (bytes)_mm512_gf2p8affine_epi64_epi8((__m512i)a,
                                                _mm512_set1_epi64((long long)(0x80ULL << 8 * row)), 0);
}

struct ranked_tables {
    struct table_128 ranks, codes, places, bases;
};

/* Stores 64 codes, and gives the places, of which those at the top are of what is not known. */
static ALWAYS_INLINE bytes narrow_64(unsigned step, const struct ranked_tables *t, const u8 *src, u8 *dst) {
    const bytes a = b_load(src), b = b_load(src + VBYTES);
    const bytes lower = every_other(a, b, 0), upper = every_other(a, b, 1);
    const bytes rank = look_up_128(t->ranks, lower) + top_bit_as(step, lower);
    const bytes place = rank + look_up_128(t->places, upper);
    b_store(dst, b_pick(b_all(0x80), upper, look_up_128(t->codes, place) + look_up_128(t->bases, upper)));
    return place;
}

static ALWAYS_INLINE bool narrow_ranked(pto_dtype type, const u8 *src, u8 *dst, size_t n) {
    const struct ranked_format f = ranked_format_of(type);
    const struct ranked_tables t = {TABLE_128(rank_entries, f), TABLE_128(code_entries, f),
                                    TABLE_128(place_entries, f), TABLE_128(base_entries, f)};
    bytes unknown = b_all(0);
    size_t i = 0;
    for (; n - i >= (size_t)2 * VBMI_STEP; i += (size_t)2 * VBMI_STEP) {
        const bytes first = narrow_64(f.step, &t, src + 2 * i, dst + i);
        const size_t next = i + VBMI_STEP;
        unknown = any_of_three(unknown, first, narrow_64(f.step, &t, src + 2 * next, dst + next));
    }
    if (i < n) unknown |= narrow_64(f.step, &t, src + 2 * i, dst + i);
    return no_top_bit(unknown);
}

/* ---- kernels ---- */

#define NARROW(name, dst_, narrow)                                                                           \
    static ALWAYS_INLINE bool try_##name(const u8 *src, u8 *dst, const u8 *scales, size_t n) {               \
        (void)scales;                                                                                        \
        return narrow;                                                                                       \
    }                                                                                                        \
    CVT_KERNEL(name, VBMI_STEP, FP_ANY, in_stretches(try_##name, PTO_##dst_, PTO_BF16, op, src, dst, NULL, n))
NARROW(narrow_e4m3_rn, E4M3, narrow(PTO_E4M3, true, src, dst, n))
NARROW(narrow_e4m3_rz, E4M3, narrow(PTO_E4M3, false, src, dst, n))
NARROW(narrow_e5m2_rn, E5M2, narrow(PTO_E5M2, true, src, dst, n))
NARROW(narrow_e5m2_rz, E5M2, narrow(PTO_E5M2, false, src, dst, n))
NARROW(ranked_e4m3_rn, E4M3, narrow_ranked(PTO_E4M3, src, dst, n))
NARROW(ranked_e5m2_rn, E5M2, narrow_ranked(PTO_E5M2, src, dst, n))

static const struct cvt_kernel *narrow_kernel(pto_cvt_op op, bool of_128) {
    const bool to_nearest = op.round == PTO_RN, to_e4m3 = op.dst == PTO_E4M3;
    if (op.src != PTO_BF16 || cvt_modifiers(op) != CVT_SATFINITE) return NULL;
    if ((!to_nearest && op.round != PTO_RZ) || (!to_e4m3 && op.dst != PTO_E5M2)) return NULL;
    if (!to_nearest) return to_e4m3 ? &narrow_e4m3_rz : &narrow_e5m2_rz;
    if (of_128) return to_e4m3 ? &ranked_e4m3_rn : &ranked_e5m2_rn;
    return to_e4m3 ? &narrow_e4m3_rn : &narrow_e5m2_rn;
}
