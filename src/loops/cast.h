/* SPDX-License-Identifier: MIT */
/*
 * pto_cast() in vectors of f32 and f64 (convert_vector.h). A backend's cast.c defines ISA and VBYTES, and includes this
 * file. It may also define CVT_ISA (see vector_types.h).
 *
 * There is no loop for each pair of types: elements become words of f32 or f64 in a buffer, and these become elements of
 * the destination, whose format is a value at run time. Types of up to 8 bits are looked up in a table of results.
 * What has no loop is converted by the scalar kernel.
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

enum { GRANULE = 16, CHUNK = 256, CODES = 256, WIDEST = 8 };
enum { HIF8_TOO_LARGE = 0x100 };

/* Converts n words to elements; n is a multiple of GRANULE. */
typedef void cast_loop(pto_cast_op op, const u8 *words, u8 *dst, size_t n);

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

/* ---- types of less than 8 bits: their elements are bytes in buffers ---- */

static ALWAYS_INLINE void unpack_by(unsigned bits, const u8 *src, u8 *codes, size_t n) {
    for (size_t i = 0; i < n; ++i) codes[i] = (u8)(src[i * bits / 8] >> i * bits % 8 & low_bits(bits));
}

static ALWAYS_INLINE void pack_by(unsigned bits, const u8 *codes, u8 *dst, size_t n) {
    const size_t group = 8 / bits;
    for (size_t i = 0; i < n; i += group) {
        unsigned byte = 0;
        UNROLL
        for (size_t k = 0; k < group; ++k) byte |= (unsigned)codes[i + k] << k * bits;
        dst[i * bits / 8] = (u8)byte;
    }
}

static NOINLINE void unpack(unsigned bits, const u8 *src, u8 *codes, size_t n) {
    if (bits == 4)
        unpack_by(4, src, codes, n);
    else
        unpack_by(2, src, codes, n);
}

static NOINLINE void pack(unsigned bits, const u8 *codes, u8 *dst, size_t n) {
    if (bits == 4)
        pack_by(4, codes, dst, n);
    else
        pack_by(2, codes, dst, n);
}

/* ---- what a conversion consists of ---- */

struct cast {
    pto_cast_op op;
    const u8 *table; /* the results of all codes of a source of up to 8 bits, otherwise NULL */
    words_fn *words; /* NULL if the source has the form that `loop` takes */
    bool is_wide;    /* `loop` takes longs */
    bool needs_fp;   /* `loop` adds floats */
    cast_loop *loop;
    unsigned in, out; /* bits of an element */
};

static cast_loop *loop_to_float(pto_cast_op op, bool *needs_fp) {
    const struct cvt_format f = cvt_format_of(op.dst);
    if (op.dst == PTO_UE8M0) return cast_to_ue8m0;
    if (op.dst == PTO_HIF8) return cast_to_hif8;
    *needs_fp = op.round == PTO_RN && cast_adds(f);
    switch (pto_dtypes[op.dst].bits) {
    case 16: return *needs_fp ? cast_to_f16_nearest : cast_to_f16;
    case 32: return cast_to_f32;
    default: return *needs_fp ? cast_to_f8_nearest : cast_to_f8;
    }
}

static cast_loop *loop_to_integer(pto_dtype dst) {
    switch (pto_dtypes[dst].bits) {
    case 16: return cast_to_half;
    case 32: return cast_to_word;
    default: return cast_to_byte;
    }
}

/* Sets the loops of a conversion from a type of more than 8 bits. Returns false if there are none. */
static bool set_loops(struct cast *c) {
    const pto_cast_op op = c->op;
    const bool exact = words_are_exact(op.src), is_long = c->out == 64 || op.dst == PTO_F32 || c->out == 32;
    if (op.round == PTO_RS) return false;
    c->words = words_of(op.src);
    if (is_long && (!exact || c->out == 64) && op.dst != PTO_TF32) {
        c->is_wide = true;
        if (op.src == PTO_F64) c->words = NULL;
        c->loop = loop_of_longs(op.dst);
        return rounds_longs(op.round) && (exact || op.src == PTO_F64);
    }
    if (cast_is_integer(op.dst) || op.dst == PTO_S2F6)
        c->loop = loop_to_integer(op.dst);
    else
        c->loop = loop_to_float(op, &c->needs_fp);
    return true;
}

/* ---- chunks ---- */

static NOINLINE void look_up_8(const u8 *table, const u8 *codes, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) dst[i] = table[codes[i]];
}

static NOINLINE void look_up_64(const u8 *table, const u8 *codes, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) memcpy(dst + 8 * i, table + (size_t)8 * codes[i], 8);
}

static void look_up(unsigned out, const u8 *table, const u8 *codes, u8 *dst, size_t n) {
    switch (out) {
    case 16: pto_look_up_16(table, codes, dst, n); break;
    case 32: pto_look_up_32(table, codes, dst, n); break;
    case 64: look_up_64(table, codes, dst, n); break;
    default: look_up_8(table, codes, dst, n); break;
    }
}

/* Converts up to CHUNK elements to whole bytes or words; n is a multiple of GRANULE. */
static void convert_elements(const struct cast *c, const u8 *src, u8 *dst, size_t n) {
    u8 words[CHUNK * 4], longs[CHUNK * 8], codes[CHUNK];
    if (c->table != NULL) {
        if (c->in < 8) unpack(c->in, src, codes, n);
        look_up(c->out, c->table, c->in < 8 ? codes : src, dst, n);
        return;
    }
    if (c->words != NULL) {
        c->words(src, words, n);
        src = words;
    }
    if (c->is_wide && c->op.src != PTO_F64) {
        longs_of_words(src, longs, n);
        src = longs;
    }
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

/* Converts fewer than CHUNK elements through zero-padded buffers. */
static NOINLINE void convert_rest(const struct cast *c, const u8 *src, u8 *dst, size_t n) {
    u8 from[CHUNK * WIDEST], to[CHUNK * WIDEST];
    const size_t padded = (n + GRANULE - 1) / GRANULE * GRANULE, size = bytes_of(c->out, n);
    memset(from, 0, bytes_of(c->in, padded));
    memcpy(from, src, bytes_of(c->in, n));
    convert_chunk(c, from, to, padded);
    if (n * c->out % 8 != 0) to[size - 1] &= (u8)low_bits(n * c->out % 8);
    memcpy(dst, to, size);
}

static NOINLINE void convert_chunks(const struct cast *c, const u8 *src, u8 *dst, size_t n) {
    const size_t in = bytes_of(c->in, CHUNK), out = bytes_of(c->out, CHUNK);
    for (; n >= CHUNK; n -= CHUNK, src += in, dst += out) convert_chunk(c, src, dst, CHUNK);
    if (n != 0) convert_rest(c, src, dst, n);
}

/* ---- the kernel ---- */

/* Fills the table with the result of every code of the source type. */
static void fill_table(pto_cast_op op, unsigned in, unsigned out, u8 *table) {
    for (size_t code = 0; code < (size_t)1 << in; ++code) {
        const u8 byte = (u8)code;
        pto_cast_scalar(&op, &byte, table + code * bytes_of(out, 1), NULL, 1);
    }
}

static void convert_by_table(struct cast *c, const u8 *src, u8 *dst, size_t n) {
    u8 table[CODES * WIDEST];
    fill_table(c->op, c->in, c->out, table);
    c->table = table;
    convert_chunks(c, src, dst, n);
}

static void convert_by_loops(const struct cast *c, const u8 *src, u8 *dst, size_t n) {
    fp_state saved;
    if (c->needs_fp) saved = fp_enter(FP_IEEE);
    convert_chunks(c, src, dst, n);
    if (c->needs_fp) fp_leave(saved);
}

void NAME(pto_cast)(const pto_cast_op *op, const void *src, void *dst, const void *random, size_t n) {
    struct cast c = {.op = *op, .in = pto_dtypes[op->src].bits, .out = pto_dtypes[op->dst].bits};
    const bool is_small = c.in <= 8;
    if (op->round == PTO_RS || (is_small && n >> c.in == 0) || (!is_small && !set_loops(&c)))
        pto_cast_scalar(op, src, dst, random, n);
    else if (is_small)
        convert_by_table(&c, src, dst, n);
    else
        convert_by_loops(&c, src, dst, n);
}
