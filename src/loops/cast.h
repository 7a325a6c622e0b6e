/* SPDX-License-Identifier: MIT */
/*
 * pto_cast() in vectors of f32 and f64 (convert_vector.h). A backend's cast.c defines ISA and VBYTES, and includes this
 * file. It may also define
 *
 *   CVT_ISA            see vector_types.h
 *   CAST_LOAD_F16(p)   returns a vector of f16 as words of f32
 *   CAST_NARROW        a function like pto_cast_narrow_avx2()
 *   CAST_NARROW_TO_HIF8(op, words, dst, n)
 *                      converts to hif8, to nearest, if `overflow` is not SATURATE_FINITE. Returns how many of the n
 *                      elements it did
 *   CAST_LOOK_UP(table, bytes, src, dst, n)
 *                      looks up bytes like pto_look_up(), whose results have at most 2 bytes, or are f32 whose lower
 *                      half is 0 except in the NaN. Returns how many of the n bytes it did
 *
 * There is no loop for each pair of types: elements become words of f32 or f64 in a buffer, and these become elements
 * of the destination, whose format is a value at run time. For source types of up to 8 bits, results are looked up in
 * a table, unless n is small, an entry would be too large, or the rounding is PTO_RS. The scalar kernel converts
 * everything that has no loop.
 */
#include "core/cast.h"
#include "core/fpenv.h"

#define WORD 32
#include "loops/convert_vector.h"
#define WORD 64
#include "loops/convert_vector.h"

#include "loops/hif8.h"
#include "loops/vcvt_integer.h"
#include "loops/vrounding.h"

#define NAME(name) CAT3(name, _, ISA)

/* REST elements have whole bytes in every format. */
enum { GRANULE = 16, REST = 32, CHUNK = 256, CODES = 256, WIDEST = 8 };
/* For fewer elements, filling a table takes longer than converting them, and so does preparing vectors of tables. */
enum { TABLE_PAYS = 128, VECTORS_PAY = 2048 };
enum { HIF8_TOO_LARGE = 0x100 };

/* Converts n words to elements; n is a multiple of GRANULE. */
typedef void cast_loop(pto_cast_op op, const u8 *words, u8 *dst, size_t n);
typedef void random_loop(pto_cast_op op, const u8 *words, const u8 *random, u8 *dst, size_t n);

static pto_vrnd cast_vrnd(pto_round round) {
    switch (round) {
    case PTO_RNA: return PTO_VRND_A;
    case PTO_RZ: return PTO_VRND_Z;
    case PTO_RM: return PTO_VRND_F;
    case PTO_RP: return PTO_VRND_C;
    case PTO_RO: return PTO_VRND_O;
    default: return PTO_VRND_R;
    }
}

#include "loops/cast_float.h"
#include "loops/cast_integer.h"
#include "loops/cast_source.h"
#include "loops/cast_wide.h"

/* ---- results of less than 8 bits: they are bytes in a buffer ---- */

typedef u16 packed_pairs __attribute__((vector_size(GRANULE), aligned(1), may_alias));
typedef u8 half_bytes __attribute__((vector_size(GRANULE / 2), aligned(1), may_alias));

/* Packs n bytes to n / 2: the low `bits` bits of two neighbours side by side, the first one lowest. */
static ALWAYS_INLINE void pack_pairs(unsigned bits, const u8 *codes, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; i += GRANULE) {
        const packed_pairs apart = *(const packed_pairs *)(codes + i);
        *(half_bytes *)(dst + i / 2) =
            __builtin_convertvector((apart | apart >> (8 - bits)) & (u16)0xff, half_bytes);
    }
}

/* Packs n codes of 4 or 2 bits; n is a multiple of 2 * GRANULE. */
static NOINLINE void pack(unsigned bits, const u8 *codes, u8 *dst, size_t n) {
    u8 nibbles[CHUNK / 2];
    if (bits == 4) {
        pack_pairs(4, codes, dst, n);
        return;
    }
    pack_pairs(2, codes, nibbles, n);
    pack_pairs(4, nibbles, dst, n / 2);
}

/* ---- what a conversion consists of ---- */

struct cast {
    pto_cast_op op;
    words_fn *words; /* NULL if the source has the form that `loop` takes */
    bool is_wide;    /* `loop` takes longs */
    bool needs_fp;   /* `words` or `loop` needs the FP state FP_IEEE */
    cast_loop *loop;
    random_loop *by_random; /* used instead of `loop` with PTO_RS, with the words at `random` */
    const u8 *random;
    unsigned in, out; /* bits of an element */
};

#ifdef CAST_NARROW_TO_HIF8
static NOINLINE void cast_to_hif8_fast(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    const size_t whole = CAST_NARROW_TO_HIF8(op, words, dst, n);
    cast_to_hif8_nearest(op, words + 4 * whole, dst + whole, n - whole);
}
#endif

static cast_loop *loop_to_hif8(pto_cast_op op) {
    if (op.round != PTO_RN) return cast_to_hif8;
#ifdef CAST_NARROW_TO_HIF8
    if (op.overflow != PTO_OVERFLOW_SATURATE_FINITE) return cast_to_hif8_fast;
#endif
    return cast_to_hif8_nearest;
}

static cast_loop *loop_to_float(pto_cast_op op, bool *needs_fp) {
    const struct cvt_format f = cvt_format_of(op.dst);
    bool adds;
    if (op.dst == PTO_UE8M0) return op.round == PTO_RN ? cast_to_ue8m0_nearest : cast_to_ue8m0;
    adds = op.round == PTO_RN && (op.dst == PTO_HIF8 || cast_adds(f));
    *needs_fp |= adds;
    if (op.dst == PTO_HIF8) return loop_to_hif8(op);
    switch (pto_dtypes[op.dst].bits) {
    case 16: return adds ? cast_to_f16_nearest : cast_to_f16;
    case 32: return cast_to_f32;
    default: return adds ? cast_to_f8_nearest : cast_to_f8;
    }
}

static cast_loop *loop_to_integer(pto_cast_op op, bool *needs_fp) {
    const bool adds = op.round == PTO_RN && pto_dtypes[op.dst].bits <= 16;
    *needs_fp |= adds;
    switch (pto_dtypes[op.dst].bits) {
    case 16: return adds ? cast_to_half_nearest : cast_to_half;
    case 32: return cast_to_word;
    default: return adds ? cast_to_byte_nearest : cast_to_byte;
    }
}

#ifdef CAST_NARROW
/* Converts by a kernel of pto_cvt(), and what is less than its granule by a loop. */
static NOINLINE void cast_by_narrowing(pto_cast_op op, const u8 *src, u8 *dst, size_t n) {
    pto_cvt_op cvt;
    const struct cvt_kernel *const kernel = CAST_NARROW(op, &cvt);
    const size_t whole = n & ~(size_t)(kernel->granule - 1U);
    if (whole != 0) kernel->run(&cvt, src, dst, NULL, whole);
    nearest_loop(op.src)(op, src + element_bytes(op.src) * whole, dst + whole, n - whole);
}

static bool use_narrowing(struct cast *c) {
    pto_cast_op from_words = c->op;
    pto_cvt_op cvt;
    from_words.src = PTO_F32;
    if (CAST_NARROW(c->op, &cvt) != NULL)
        c->words = NULL;
    else if (CAST_NARROW(from_words, &cvt) != NULL)
        c->op = from_words;
    else
        return false;
    c->loop = cast_by_narrowing;
    return true;
}
#else
static bool use_narrowing(struct cast *c) {
    (void)c;
    return false;
}
#endif

/* Chooses among the loops to 8 bits, to nearest: a kernel of pto_cvt(), or one that reads f16 and bf16 itself. */
static void use_fastest(struct cast *c) {
    const bool is_half = c->op.src == PTO_F16 || c->op.src == PTO_BF16;
    if (c->loop != cast_to_f8_nearest || use_narrowing(c) || !is_half) return;
    c->loop = nearest_loop(c->op.src);
    c->words = NULL;
}

/* Sets the loops of a conversion from a type of more than 8 bits. Returns false if there are none. */
static bool set_loops(struct cast *c) {
    const pto_cast_op op = c->op;
    const bool exact = words_are_exact(op.src), is_long = c->out == 64 || op.dst == PTO_F32 || c->out == 32;
    c->words = words_of(op.src);
    c->needs_fp = words_need_fp(c->words);
    if (op.round == PTO_RS) {
        c->by_random = random_loop_of(op.dst);
        return exact && c->by_random != NULL;
    }
    if (is_long && (!exact || c->out == 64) && op.dst != PTO_TF32) {
        c->is_wide = true;
        if (op.src == PTO_F64) c->words = NULL;
        c->loop = loop_of_longs(op.dst);
        return rounds_longs(op.round) && (exact || op.src == PTO_F64);
    }
    if (cast_is_integer(op.dst) || op.dst == PTO_S2F6)
        c->loop = loop_to_integer(op, &c->needs_fp);
    else
        c->loop = loop_to_float(op, &c->needs_fp);
    use_fastest(c);
    return true;
}

/* ---- chunks ---- */

/* Converts elements to whole bytes or words, up to CHUNK of them unless the loop takes the source as it is; n is a
 * multiple of GRANULE. */
static void convert_elements(const struct cast *c, const u8 *src, u8 *dst, size_t n) {
    u8 words[CHUNK * 4], longs[CHUNK * 8];
    if (c->words != NULL) {
        c->words(src, words, n);
        src = words;
    }
    if (c->is_wide && c->op.src != PTO_F64) {
        longs_of_words(src, longs, n);
        src = longs;
    }
    if (c->by_random != NULL)
        c->by_random(c->op, src, c->random, dst, n);
    else
        c->loop(c->op, src, dst, n);
}

static void convert_chunk(const struct cast *c, const u8 *src, u8 *dst, size_t n) {
    u8 codes[CHUNK];
    if (c->out >= 8) {
        convert_elements(c, src, dst, n);
        return;
    }
    convert_elements(c, src, codes, n);
    pack(c->out, codes, dst, n);
}

static size_t bytes_of(unsigned bits, size_t n) {
    return (n * bits + 7) / 8;
}

/* Converts fewer than REST elements through zero-padded buffers. */
static NOINLINE void convert_rest(const struct cast *c, const u8 *src, u8 *dst, size_t n) {
    u8 from[REST * WIDEST] = {0}, to[REST * WIDEST], random[REST * sizeof(u32)] = {0};
    const size_t size = bytes_of(c->out, n);
    struct cast here = *c;
    memcpy(from, src, bytes_of(c->in, n));
    if (c->by_random != NULL) here.random = memcpy(random, c->random, n * sizeof(u32));
    convert_chunk(&here, from, to, REST);
    if (n * c->out % 8 != 0) to[size - 1] &= (u8)low_bits(n * c->out % 8);
    memcpy(dst, to, size);
}

static void convert_by_loops(struct cast *c, const u8 *src, u8 *dst, size_t n) {
    const bool is_direct = c->words == NULL && c->out >= 8 && (!c->is_wide || c->op.src == PTO_F64);
    const size_t longest = is_direct ? SIZE_MAX : CHUNK;
    fp_state saved;
    if (c->needs_fp) saved = fp_enter(FP_IEEE);
    while (n >= REST) {
        const size_t some = min_size(n, longest) & ~(size_t)(REST - 1);
        convert_chunk(c, src, dst, some);
        src += bytes_of(c->in, some);
        dst += bytes_of(c->out, some);
        if (c->by_random != NULL) c->random += some * sizeof(u32);
        n -= some;
    }
    if (n != 0) convert_rest(c, src, dst, n);
    if (c->needs_fp) fp_leave(saved);
}

/* ---- sources of up to 8 bits: results of whole bytes are looked up ---- */

/* A byte of the source has `elements` elements, whose results have `bits` bits together. */
struct lookup {
    unsigned elements, bits;
    u8 table[CODES * LOOKUP_MAX_BYTES];
};

/* Converts every code. Codes of whole bytes are converted as f32, which holds their values. */
static void fill_table(pto_cast_op op, struct lookup *l) {
    const size_t bytes = bytes_of(l->bits, 1);
    struct cast c = {.op = op, .in = 32, .out = pto_dtypes[op.dst].bits};
    u8 codes[CODES], words[CODES * 4];
    for (size_t code = 0; code < CODES; ++code) codes[code] = (u8)code;
    c.op.src = PTO_F32;
    if (l->elements == 1 && c.out >= 8 && set_loops(&c)) {
        decode(op.src, codes, words, CODES);
        convert_by_loops(&c, words, l->table, CODES);
        return;
    }
    for (size_t code = 0; code < CODES; ++code)
        pto_cast_scalar(&op, codes + code, l->table + code * bytes, NULL, l->elements);
}

/* Looks up n bytes whose results have less than 8 bits. */
static void look_up_and_pack(const struct lookup *l, const u8 *src, u8 *dst, size_t n) {
    u8 codes[CHUNK] = {0}, to[CHUNK];
    for (size_t i = 0; i < n; i += CHUNK) {
        const size_t some = min_size(n - i, CHUNK);
        pto_look_up(1, l->table, src + i, codes, some);
        pack(l->bits, codes, to, CHUNK);
        memcpy(dst + i * l->bits / 8, to, bytes_of(l->bits, some));
    }
}

/* Looks up n bytes whose results have whole bytes. */
static void look_up(pto_cast_op op, const struct lookup *l, const u8 *src, u8 *dst, size_t n) {
    const size_t bytes = l->bits / 8;
    size_t done = 0;
#ifdef CAST_LOOK_UP
    const bool is_f32 = op.dst == PTO_F32 && l->elements == 1 && op.overflow != PTO_OVERFLOW_SATURATE;
    if (n >= VECTORS_PAY && (bytes <= 2 || is_f32)) done = CAST_LOOK_UP(l->table, bytes, src, dst, n);
#endif
    (void)op;
    pto_look_up(bytes, l->table, src + done, dst + bytes * done, n - done);
}

/* Converts whole source bytes by the table, and the remaining elements by the scalar kernel. If the results of a source
 * byte have less than 8 bits, the table converts only as many source bytes as fill whole result bytes. */
static NOINLINE void convert_by_table(pto_cast_op op, const u8 *src, u8 *dst, size_t n) {
    struct lookup l;
    size_t bytes;
    l.elements = 8 / pto_dtypes[op.src].bits;
    l.bits = l.elements * pto_dtypes[op.dst].bits;
    fill_table(op, &l);
    bytes = n / l.elements;
    if (l.bits < 8) bytes &= ~(size_t)(8 / l.bits - 1);
    if (l.bits >= 8)
        look_up(op, &l, src, dst, bytes);
    else
        look_up_and_pack(&l, src, dst, bytes);
    pto_cast_scalar(&op, src + bytes, dst + bytes * l.bits / 8, NULL, n - bytes * l.elements);
}

/* ---- the kernel ---- */

void NAME(pto_cast)(const pto_cast_op *op, const void *src, void *dst, const void *random, size_t n) {
    struct cast c = {.op = *op, .in = pto_dtypes[op->src].bits, .out = pto_dtypes[op->dst].bits};
    const bool is_small = c.in <= 8, fits = c.out <= LOOKUP_MAX_BYTES * c.in;
    const bool is_table = is_small && fits && n >= TABLE_PAYS && op->round != PTO_RS;
    c.random = random;
    if (is_small ? !is_table : !set_loops(&c))
        pto_cast_scalar(op, src, dst, random, n);
    else if (is_small)
        convert_by_table(*op, src, dst, n);
    else
        convert_by_loops(&c, src, dst, n);
}
