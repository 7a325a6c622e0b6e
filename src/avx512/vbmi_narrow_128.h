/* SPDX-License-Identifier: MIT */
/*
 * Converts bf16 and f32 to e4m3 and e5m2, to nearest even, on CPUs where a look-up in 128 bytes costs no more than one
 * in 64. Part of vbmi.c.
 *
 * The 7 fraction bits of a bf16 index a table of ranks. A rank is the position of a fraction among the points where the
 * rounded result changes in any binade.
 *
 * Two binades whose exponents differ only in the lowest bit form a pair, which the upper exponent bits identify. A
 * table of codes has two halves: the lowest exponent bit selects the half. The pair determines the place in the half
 * where its codes begin, and the rank is added to that. Each pair with subnormal codes has a place of its own. All
 * other pairs share one place, and a base that depends on the pair is added to the codes there. A sum of place and rank
 * that would be below 0 is set to 0, where the code is zero.
 *
 * Infinities, NaNs and finite values from 2^127 on are not handled here. An f32 is first rounded to odd to a bf16,
 * which has four or five bits more than a code.
 */

struct rank_format {
    unsigned fraction_bits, ranks; /* fraction bits of a code; the number of ranks in a binade, minus 1 */
    unsigned normal;               /* exponent field of the smallest normal values, which is odd */
    u8 largest, shared_last;       /* the largest code; the last code of the shared place */
    u8 start[3];                   /* the shared place; those of the two pairs below, the higher one first */
    bool has_half_pair;            /* whether subnormal codes begin in the upper binade of one more pair */
};

/*
 * If `has_half_pair` is set, there is one more pair, of which only the upper binade has subnormal codes. That binade
 * has the place 0; the lower one falls below 0. The last entries of that binade are the first ones of the next pair's
 * lower binade.
 */
static ALWAYS_INLINE struct rank_format rank_format_of(pto_dtype type) {
    const struct cvt_format to = cvt_format_of(type), from = cvt_format_of(PTO_BF16);
    struct rank_format f;
    f.fraction_bits = to.fraction_bits;
    f.ranks = 2U << f.fraction_bits;
    f.normal = (unsigned)(from.bias - to.bias) + 1;
    f.largest = (u8)cvt_max_code(to);
    f.shared_last = (u8)(3U << f.fraction_bits);
    f.has_half_pair = f.fraction_bits % 2 != 0;
    f.start[2] = (u8)(f.has_half_pair ? f.ranks / 2 : 0);
    f.start[1] = (u8)(f.start[2] + f.ranks + 1);
    f.start[0] = (u8)(f.start[1] + f.ranks); /* the last entry of the pair below is the first one here */
    return f;
}

enum { HALF_TABLE = 64 };

/*
 * Returns the entries for `index`, which holds either the first or the last 64 indices. The mean of an entry
 * and a lower byte is the rank plus HALF_TABLE. If the top bit of the byte is set, HALF_TABLE is added once
 * more.
 */
static ALWAYS_INLINE bytes rank_entries(struct rank_format f, bytes index) {
    const bytes place = index >> (6 - f.fraction_bits), number = place | (u8)f.ranks,
                lowest = number & -number;
    const bytes is_after = T_MASK((index & (u8)low_bits(6 - f.fraction_bits)) != 0);
    const bytes is_odd =
        T_MASK((number & (lowest << 1)) != 0); /* whether the last kept bit is odd, in a tie */
    const bytes rank = place + ((is_after | is_odd) & 1);
    return 2 * rank + (u8)(2 * HALF_TABLE - 1) - index;
}

/* Returns the codes for ranks in the binade that is `below` binades under the smallest normal one. */
static ALWAYS_INLINE bytes codes_below(struct rank_format f, bytes rank, unsigned below) {
    return (rank + (u8)(f.ranks + (1U << below) - 1)) >> (below + 1);
}

static ALWAYS_INLINE bytes code_entries(struct rank_format f, bytes index) {
    const bytes is_upper = T_MASK(index >= HALF_TABLE), at = index & (HALF_TABLE - 1);
    bytes code = T_MASK(at != 0) & 1;
    UNROLL for (unsigned pair = 3; pair-- > 0;) {
        const bytes rank = at - f.start[pair];
        const bytes lower = pair == 0 ? codes_below(f, rank, 0) : codes_below(f, rank, 2 * pair - 1);
        const bytes upper =
            pair == 0 ? lower + (u8)(1U << f.fraction_bits) : codes_below(f, rank, 2 * pair - 2);
        code = t_select(T_MASK(at >= f.start[pair]), t_select(is_upper, upper, lower), code);
    }
    return t_select(T_MASK(code > f.shared_last), b_const(f.shared_last), code);
}

/* Pairs are numbered by the upper 7 bits of the exponent field. */
enum { LAST_PAIR = 0x7f, UNHANDLED = 0x80 };

static ALWAYS_INLINE unsigned top_pair(struct rank_format f) {
    return ((f.largest >> f.fraction_bits) + f.normal - 1) / 2;
}

static ALWAYS_INLINE u8 base_of(struct rank_format f, unsigned pair) {
    return (u8)((2 * pair - f.normal) << f.fraction_bits);
}

/*
 * The base of the pair with the largest finite code. It is chosen so that larger values find the last code.
 */
static ALWAYS_INLINE u8 top_base(struct rank_format f) {
    return (u8)(f.largest - f.shared_last);
}

/* Returns what to subtract from a rank plus HALF_TABLE to find its place. */
static ALWAYS_INLINE bytes place_entries(struct rank_format f, bytes pair) {
    const unsigned normals = (f.normal + 1) / 2;
    const u8 top = (u8)(2 * (base_of(f, top_pair(f)) - top_base(f)));
    bytes less = b_const(0xff);
    if (f.has_half_pair) less = t_select(T_MASK(pair == (u8)(normals - 3)), b_const(2 * HALF_TABLE), less);
    UNROLL for (unsigned k = 3; k-- > 0;) less =
        t_select(T_MASK(pair >= (u8)(normals - k)), b_const(HALF_TABLE - f.start[k]), less);
    less = t_select(T_MASK(pair == (u8)top_pair(f)), b_const(HALF_TABLE - f.start[0] - top), less);
    return t_select(T_MASK(pair > (u8)top_pair(f)), b_const(0xff), less);
}

static ALWAYS_INLINE bytes base_entries(struct rank_format f, bytes pair) {
    const unsigned normals = (f.normal + 1) / 2;
    const bytes above = ((pair << 1) - (u8)f.normal) << f.fraction_bits;
    bytes base = t_select(T_MASK(pair >= (u8)normals), above, b_const(0));
    base = t_select(T_MASK(pair == (u8)top_pair(f)), b_const(top_base(f)), base);
    base = t_select(T_MASK(pair > (u8)top_pair(f)), b_const(f.largest), base);
    return t_select(T_MASK(pair == LAST_PAIR), b_const(UNHANDLED), base);
}

#define TABLE_128(entries, f)                                                                                \
    { entries(f, t_iota()), entries(f, t_iota() + 64) }

/* Returns the lower bytes of the 16-bit words of a and b if `first` is 0, the upper bytes if it is 1. */
static ALWAYS_INLINE bytes every_other(bytes a, bytes b, unsigned first) {
    const struct table_128 both = {a, b};
    return look_up_128(both, (t_iota() << 1) + (u8)first);
}

struct rank_tables {
    struct table_128 ranks, codes, places, bases;
};

static ALWAYS_INLINE bytes mean(bytes a, bytes b) {
    return (bytes)_mm512_avg_epu8((__m512i)a, (__m512i)b);
}

/* The lower and the upper bytes of 64 bf16. */
struct bf16_bytes {
    bytes lower, upper;
};

static ALWAYS_INLINE struct bf16_bytes bytes_of_bf16(const u8 *src) {
    const bytes a = (bytes)load_once(src), b = (bytes)load_once(src + VBYTES);
    return (struct bf16_bytes){every_other(a, b, 0), every_other(a, b, 1)};
}

/* Converts four vectors of f32 to bf16 rounded to odd. */
static ALWAYS_INLINE struct bf16_bytes bytes_of_f32(const __m512i x[4]) {
    const bytes thirds_then_fourths = (t_iota() << 2) + 2 + (T_MASK(t_iota() >= 32) & 1);
    const struct table_128 a = {(bytes)odd_bf16_above(x[0]), (bytes)odd_bf16_above(x[1])},
                           b = {(bytes)odd_bf16_above(x[2]), (bytes)odd_bf16_above(x[3])};
    const __m512i first = (__m512i)look_up_128(a, thirds_then_fourths),
                  second = (__m512i)look_up_128(b, thirds_then_fourths);
    return (struct bf16_bytes){(bytes)_mm512_inserti64x4(first, _mm512_castsi512_si256(second), 1),
                               (bytes)_mm512_shuffle_i64x2(first, second, 0xee)};
}

static ALWAYS_INLINE struct bf16_bytes bytes_of(pto_dtype src_type, const u8 *src) {
    __m512i x[4];
    if (src_type != PTO_F32) return bytes_of_bf16(src);
    UNROLL for (size_t k = 0; k < 4; ++k) x[k] = _mm512_loadu_si512(src + k * VBYTES);
    return bytes_of_f32(x);
}

/* Intermediate results for 64 elements, which each stage replaces. */
struct pipeline_block {
    struct bf16_bytes x;
    bytes rank, base;
};

static ALWAYS_INLINE void narrow_to_rank(const struct rank_tables *t, struct pipeline_block *b) {
    b->rank = look_up_128(t->ranks, b->x.lower);
    b->base = look_up_128(t->places, b->x.upper);
}

static ALWAYS_INLINE void narrow_to_place(const struct rank_tables *t, struct pipeline_block *b) {
    b->rank = b_sub_saturated(mean(b->x.lower, b->rank), b->base);
    b->base = look_up_128(t->bases, b->x.upper);
}

static ALWAYS_INLINE void narrow_to_code(const struct rank_tables *t, struct pipeline_block *b) {
    b->rank = look_up_128(t->codes, b->rank);
}

/* Stores 64 codes with their signs. Sets the top bit of `unhandled` in lanes that are not handled. */
static ALWAYS_INLINE void narrow_to_memory(const struct pipeline_block *b, u8 *dst, bytes *unhandled) {
    const bytes code = b->rank + b->base;
    *unhandled |= code;
    b_store(dst, b_select_bits(b_const(0x80), b->x.upper, code));
}

static ALWAYS_INLINE void narrow_bytes(const struct rank_tables *t, struct bf16_bytes x, u8 *dst,
                                       bytes *unhandled) {
    struct pipeline_block b = {.x = x};
    narrow_to_rank(t, &b);
    narrow_to_place(t, &b);
    narrow_to_code(t, &b);
    narrow_to_memory(&b, dst, unhandled);
}

static ALWAYS_INLINE struct rank_tables rank_tables_of(pto_dtype type) {
    const struct rank_format f = rank_format_of(type);
    return (struct rank_tables){TABLE_128(rank_entries, f), TABLE_128(code_entries, f),
                                TABLE_128(place_entries, f), TABLE_128(base_entries, f)};
}

/*
 * Each stage depends on the one before, and its latency is longer than out-of-order execution can hide. So as many
 * blocks are in progress as there are stages, each at a different stage. narrow_stages() loads block i and advances
 * each earlier block by one stage, but runs only the stages from `first` to `last`.
 */
enum { STAGES = 5, LAST_STAGE = STAGES - 1 };

static ALWAYS_INLINE void narrow_stages(pto_dtype src_type, const struct rank_tables *t, unsigned first,
                                        unsigned last, struct pipeline_block b[STAGES], const u8 *src,
                                        u8 *dst, unsigned i, bytes *unhandled) {
    if (first <= 4 && 4 <= last)
        narrow_to_memory(&b[(i + 1) % STAGES], dst + (size_t)VBMI_GRANULE * (i - 4), unhandled);
    if (first <= 3 && 3 <= last) narrow_to_code(t, &b[(i + 2) % STAGES]);
    if (first <= 2 && 2 <= last) narrow_to_place(t, &b[(i + 3) % STAGES]);
    if (first <= 1 && 1 <= last) narrow_to_rank(t, &b[(i + 4) % STAGES]);
    if (first == 0) b[i % STAGES].x = bytes_of(src_type, src + VBMI_GRANULE * element_bytes(src_type) * i);
}

/* This many turns of the loop, of STAGES blocks each, run before the check that all elements are handled. The
 * first check follows the first turn. */
enum { CHECK_INTERVAL = 16 };

/* Converts `blocks` blocks. Returns how many of them are done: all, or some of those before the first one
 * with an element that is not handled. */
static ALWAYS_INLINE size_t narrow_blocks(pto_dtype src_type, const struct rank_tables *t, const u8 *src,
                                          u8 *dst, size_t blocks) {
    const size_t in = VBMI_GRANULE * element_bytes(src_type);
    struct pipeline_block b[STAGES];
    bytes unhandled = b_const(0);
    size_t done = 0, i = 0; /* blocks that are stored and checked; blocks that are stored */
    if (blocks >= (size_t)2 * STAGES) {
        size_t turns = (blocks - LAST_STAGE) / STAGES, between_checks;
        UNROLL for (unsigned k = 0; k < LAST_STAGE; ++k)
            narrow_stages(src_type, t, 0, k, b, src, dst, k, &unhandled);
        for (; turns > 0; turns -= between_checks) {
            between_checks = i == 0 ? 1 : min_size(turns, CHECK_INTERVAL);
            for (size_t turn = 0; turn < between_checks; ++turn, i += STAGES)
                UNROLL for (unsigned k = LAST_STAGE; k < LAST_STAGE + STAGES; ++k) narrow_stages(
                    src_type, t, 0, LAST_STAGE, b, src + in * i, dst + VBMI_GRANULE * i, k, &unhandled);
            if (!no_top_bit(unhandled)) return done;
            done = i;
        }
        UNROLL for (unsigned k = 0; k < LAST_STAGE; ++k)
            narrow_stages(src_type, t, k + 1, LAST_STAGE, b, src + in * i, dst + VBMI_GRANULE * i,
                          k + LAST_STAGE, &unhandled);
        i += LAST_STAGE;
    }
    for (; i < blocks; ++i)
        narrow_bytes(t, bytes_of(src_type, src + in * i), dst + VBMI_GRANULE * i, &unhandled);
    return no_top_bit(unhandled) ? blocks : done;
}

/* Converts n elements. Where narrow_blocks() stops, the AVX-512 kernel converts FALLBACK_LANES elements. */
static ALWAYS_INLINE void narrow_by_rank(pto_dtype dst_type, pto_dtype src_type, const pto_cvt_op *op,
                                         const u8 *src, u8 *dst, size_t n) {
    const struct rank_tables t = rank_tables_of(dst_type);
    const size_t in = element_bytes(src_type);
    size_t i = 0;
    while (i < n) {
        size_t lanes;
        i += VBMI_GRANULE * narrow_blocks(src_type, &t, src + in * i, dst + i, (n - i) / VBMI_GRANULE);
        lanes = min_size(n - i, FALLBACK_LANES);
        if (lanes != 0) pto_cvt_avx512(*op)->run(op, src + in * i, dst + i, NULL, lanes);
        i += lanes;
    }
}

/* ---- kernels ---- */

#define NARROW(name, dst_, src_, to_nearest)                                                                 \
    static ALWAYS_INLINE bool try_##name(const u8 *src, u8 *dst, const u8 *scales, size_t n) {               \
        (void)scales;                                                                                        \
        return narrow(PTO_##dst_, PTO_##src_, to_nearest, src, dst, n);                                      \
    }                                                                                                        \
    CVT_KERNEL(name, VBMI_GRANULE, FP_ANY,                                                                   \
               try_in_chunks(try_##name, PTO_##dst_, PTO_##src_, op, src, dst, NULL, n))
#define NARROW_TO(dst_)                                                                                      \
    NARROW(narrow_rn_##dst_##_BF16, dst_, BF16, true)                                                        \
    NARROW(narrow_rz_##dst_##_BF16, dst_, BF16, false)                                                       \
    NARROW(narrow_rn_##dst_##_F32, dst_, F32, true)                                                          \
    NARROW(narrow_rz_##dst_##_F32, dst_, F32, false)
NARROW_TO(E4M3)
NARROW_TO(E5M2)

CVT_KERNEL(rank_E4M3_BF16, VBMI_GRANULE, FP_ANY, narrow_by_rank(PTO_E4M3, PTO_BF16, op, src, dst, n))
CVT_KERNEL(rank_E5M2_BF16, VBMI_GRANULE, FP_ANY, narrow_by_rank(PTO_E5M2, PTO_BF16, op, src, dst, n))

/* Long calls use the AVX-512 kernel. On data from memory narrow_by_rank() takes a seventh longer (Zen 5), although it
 * has half of the operations. */
static ALWAYS_INLINE void narrow_f32(pto_dtype dst_type, const pto_cvt_op *op, const u8 *src, u8 *dst,
                                     size_t n) {
    if (n < STREAM_BYTES / sizeof(float))
        narrow_by_rank(dst_type, PTO_F32, op, src, dst, n);
    else
        pto_cvt_avx512(*op)->run(op, src, dst, NULL, n);
}

CVT_KERNEL(rank_E4M3_F32, VBMI_GRANULE, FP_ANY, narrow_f32(PTO_E4M3, op, src, dst, n))
CVT_KERNEL(rank_E5M2_F32, VBMI_GRANULE, FP_ANY, narrow_f32(PTO_E5M2, op, src, dst, n))

static const struct cvt_kernel *narrow_kernel(pto_cvt_op op, bool fast_128) {
#define KERNELS_64(dst)                                                                                      \
    {                                                                                                        \
        {&narrow_rn_##dst##_BF16, &narrow_rz_##dst##_BF16}, {                                                \
            &narrow_rn_##dst##_F32, &narrow_rz_##dst##_F32                                                   \
        }                                                                                                    \
    }
    static const struct cvt_kernel *const kernels_64[2][2][2] = {KERNELS_64(E4M3), KERNELS_64(E5M2)};
#undef KERNELS_64
    static const struct cvt_kernel *const kernels_128[2][2] = {{&rank_E4M3_BF16, &rank_E4M3_F32},
                                                               {&rank_E5M2_BF16, &rank_E5M2_F32}};
    const bool to_zero = op.round == PTO_RZ, is_e5m2 = op.dst == PTO_E5M2, of_f32 = op.src == PTO_F32;
    if (cvt_modifiers(op) != CVT_SATFINITE || (!is_e5m2 && op.dst != PTO_E4M3)) return NULL;
    if ((!of_f32 && op.src != PTO_BF16) || (!to_zero && op.round != PTO_RN)) return NULL;
    if (fast_128 && !to_zero) return kernels_128[is_e5m2][of_f32];
    return fast_128 && of_f32 ? NULL : kernels_64[is_e5m2][of_f32][to_zero];
}
