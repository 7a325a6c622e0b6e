/* SPDX-License-Identifier: MIT */
/*
 * The kernel interface of a backend: one constant table of kernels, struct pto_kernels, which must be complete, and
 * further tables and functions for the other groups of kernels.
 *
 * Inside the library masks are packed bits. Mask logic and predicate operands are computed on packed bits, and the
 * mask kernels convert every other mask kind to packed bits and back. Only the commonest calls, comparing into a
 * mask and selecting by a mask, have kernels for every kind. Below, "bits" means n packed bits in ceil(n/8) bytes;
 * the unused bits of the last byte are 0.
 *
 * Unless stated otherwise, a kernel accepts any n > 0 and any alignment. It reads and writes no memory outside its
 * operands. dst may be exactly one of the sources if their elements have the same size.
 */
#ifndef PTO_CORE_KERNELS_H
#define PTO_CORE_KERNELS_H

#include "core/common.h"
#include "core/isas.h"
#include "core/relations.h"
#include "pto/convert.h"
#include "pto/isa.h"
#include "pto/mask.h"

/*
 * Results of at least this many bytes are written with non-temporal (streaming) stores. With two sources, these were
 * 1.2 times as fast at 4 MiB, 1.4 at 16 MiB and 1.7 at 64 MiB (Xeon, 2 MiB of L2, 260 MiB of shared L3). But results of
 * a few MiB are usually read again soon, so they go through the caches. Two sources and a result of 16 MiB each exceed
 * the 32 MiB of L3 that most cores can use.
 */
enum { STREAM_BYTES = 16 << 20 };

/* The lane types that kernels distinguish. Untyped bits compare as unsigned integers. LANE_F16Z and LANE_F32Z are
 * f16 and f32 with .ftz. */
enum lane {
    LANE_U8,
    LANE_U16,
    LANE_U32,
    LANE_U64,
    LANE_S8,
    LANE_S16,
    LANE_S32,
    LANE_S64,
    LANE_F16,
    LANE_F16Z,
    LANE_BF16,
    LANE_F32,
    LANE_F32Z,
    LANE_F64,
    LANE_COUNT,
    LANE_NONE = LANE_COUNT
};

/*
 * The floating-point state that a kernel requires:
 *   FP_ANY        any state
 *   FP_IEEE       the IEEE 754 default
 *   FP_FLUSH      the default, but with subnormal operands flushed to zero
 *   FP_UNFLUSHED  any state that does not flush subnormal operands; such kernels raise no flag and specify the
 *                 rounding mode in every instruction
 */
enum fp_requirement { FP_ANY, FP_IEEE, FP_FLUSH, FP_UNFLUSHED };

/*
 * How a mask is stored:
 *   MASK_AS_BITS   packed bits
 *   MASK_AS_BYTES  one byte per lane: 0 and 1 are written, and every byte other than 0 is read as true
 *   MASK_AS_IMAGE  the predicate image for the element width, with lane i in bit i * width / 8; the unused bits of its
 *             last byte are written as 0; for 8-bit elements it is identical to MASK_AS_BITS
 */
enum mask_storage { MASK_AS_BITS, MASK_AS_BYTES, MASK_AS_IMAGE, MASK_STORAGES };

/* Returns the number of mask bits per lane. */
static ALWAYS_INLINE size_t storage_lane_bits(enum mask_storage storage, size_t element_bytes) {
    return storage == MASK_AS_BITS ? 1 : storage == MASK_AS_BYTES ? 8 : element_bytes;
}

/* Sets lane i of `mask` to (a[i] R b[i]) ^ flip, where `flip` is 0 or all ones. In vs kernels b is a single element.
 * Always returns PTO_OK, so that a public call can tail-call the kernel. */
typedef pto_status compare_fn(const void *a, const void *b, void *mask, size_t n, u64 flip);

/*
 * The sources of a kernel. For dst[i] = x[i] R y[i] ? u[i] : v[i], where all have the same width, in[] is x, y, u and
 * v.
 */
struct sources {
    const void *in[4];
    unsigned scalars; /* bit k: in[k] is a single element that does not overlap dst */
};

static ALWAYS_INLINE bool is_scalar(const struct sources *c, size_t k) {
    return (c->scalars >> k & 1) != 0;
}

typedef void choose_fn(const struct sources *c, void *dst, size_t n);

/* The kernels of one lane type: vv compares two arrays, vs an array with a single element. Integer types have only
 * INTEGER_RELATIONS. */
struct compare_kernels {
    compare_fn *vv[MASK_STORAGES][RELATION_COUNT];
    compare_fn *vs[MASK_STORAGES][RELATION_COUNT];
};

struct compare_entry {
    const struct compare_kernels *kernels;
    enum fp_requirement fp;
    bool raises_no_flags; /* the kernels raise no exception flag; always true with FP_ANY */
};

/* dst[i] = mask[i] ? x[i] : y[i] */
typedef void select_fn(const void *x, const void *y, const void *mask, void *dst, size_t n);

/* Like select_fn, with x = in[0] and y = in[1]. The caller broadcasts a scalar operand to BROADCAST_LANES lanes. */
enum { BROADCAST_LANES = 64 };
typedef void selects_fn(const struct sources *c, const void *mask, void *dst, size_t n);

/* dst[i] = *scalar */
typedef void fill_fn(const void *scalar, void *dst, size_t n);

/* Converts a mask of one kind to bits, or bits to a mask of one kind. Spare bits of a mask may be anything, and those
 * of the bits are 0. */
typedef void mask_fn(const void *from, void *to, size_t n);

/* Copies `bytes` bytes of packed bits that begin at bit `at` of `from`; `at` is 1 to 7. */
typedef void shift_bits_fn(const u8 *from, size_t at, u8 *to, size_t bytes);

/*
 * Logic on bits: dst = a AND b, a OR b, a XOR b, or s ? a : b. a is complemented first if flip_a is all ones, and b
 * if flip_b is. Only LOGIC_SEL uses s. dst may be exactly a, b or s.
 */
enum logic { LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_SEL, LOGICS };
typedef void logic_fn(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,
                      u64 flip_b);

/* flags_fn stores the EFLAGS that result from comparing or testing a[i] and b[i], one 32-bit word per lane. setcc_fn
 * evaluates condition `cc` of such words and stores bytes 0 and 1. */
typedef void flags_fn(const void *a, const void *b, void *eflags, size_t n);
typedef void setcc_fn(const void *eflags, void *dst, size_t n, unsigned cc);

/*
 * Converts n elements of src as *op specifies; op is a PTX form or a composed one. `extra` is the random bits for .rs,
 * or the scales if op has a scale. n is a multiple of the kernel's granule, and for .rs of the number of elements that
 * share a random word.
 */
typedef void cvt_fn(const pto_cvt_op *op, const void *src, void *dst, const void *extra, size_t n);

enum { CVT_MAX_GRANULE = 64 };

/* A conversion kernel. If op flushes subnormal sources, a kernel whose `fp` is FP_IEEE or FP_UNFLUSHED is run in the
 * state FP_FLUSH instead, where the CPU flushes them. */
struct cvt_kernel {
    cvt_fn *run;
    u8 granule; /* n is a multiple of it; a power of 2 */
    u8 fp;      /* enum fp_requirement */
};

enum { WIDTHS = 4, MASK_KINDS = PTO_MASK_BYTE + 1 };

/* Maps the widths 8, 16, 32, 64 to the indices 0, 1, 2, 3. */
#define WIDTH_INDEX(bits) (((bits) >= 16) + ((bits) >= 32) + ((bits) >= 64))
static ALWAYS_INLINE unsigned width_index(unsigned bits) {
    return WIDTH_INDEX(bits);
}

struct pto_kernels {
    pto_isa isa;
    struct compare_entry compare[LANE_COUNT];
    select_fn *select[MASK_STORAGES][WIDTHS];
    fill_fn *fill[WIDTHS];
    mask_fn *mask_load[MASK_KINDS];
    mask_fn *mask_store[MASK_KINDS];
    shift_bits_fn *shift_bits;
    logic_fn *logic[LOGICS];
};

/*
 * Kernels that few programs call are not in struct pto_kernels. Each group has a table of its own, so that a static
 * program links only the groups that it calls.
 */
struct choose_kernels {
    choose_fn
        *by_relation[RELATION_COUNT]; /* NULL for mirrored relations: the caller exchanges x and y instead */
};

struct choose_table {
    const struct choose_kernels *lane[LANE_COUNT];
    selects_fn *selects[MASK_STORAGES][WIDTHS];
};

struct flags_kernels {
    flags_fn *cmp[WIDTHS], *test[WIDTHS];
    flags_fn *ucomi_f16, *ucomi_bf16, *ucomi_f32, *ucomi_f64;
    setcc_fn *setcc;
};

/* The symbols that each backend exports. pto_cvt_<isa>() returns the kernel for op, which must be a form that pto_cvt()
 * takes. */
#define EXPORTS(ISA, isa, attribute)                                                                         \
    extern const struct pto_kernels pto_kernels_##isa attribute;                                             \
    extern const struct choose_table pto_choose_##isa attribute;                                             \
    extern const struct flags_kernels pto_flags_##isa attribute;                                             \
    const struct cvt_kernel *pto_cvt_##isa(pto_cvt_op op) attribute;
EVERY_ISA(EXPORTS)
#undef EXPORTS

/* AVX-512 with f16 and bf16 comparisons that use AVX512-FP16. For short bf16 arrays, and for bf16 values that f16
 * instructions cannot compare, they call pto_compare_bf16_avx512. */
extern const struct pto_kernels pto_kernels_avx512_fp16;
extern const struct compare_kernels pto_compare_f16_avx512_fp16, pto_compare_f16z_avx512_fp16;
extern const struct compare_kernels pto_compare_bf16_avx512_fp16, pto_compare_bf16_avx512;
extern const struct choose_table pto_choose_avx512_fp16;
extern const struct choose_kernels pto_choose_f16_avx512_fp16, pto_choose_f16z_avx512_fp16;

/* NEON with f16 comparisons that use the FP16 instructions. */
extern const struct pto_kernels pto_kernels_neon_fp16;
extern const struct compare_kernels pto_compare_f16_neon_fp16, pto_compare_f16z_neon_fp16;
extern const struct choose_table pto_choose_neon_fp16;
extern const struct choose_kernels pto_choose_f16_neon_fp16, pto_choose_f16z_neon_fp16;

/* RVV with f16 comparisons that use Zvfh. pto_cvt_rvv_fp16() returns the Zvfh kernel for a form that pto_cvt() takes,
 * or NULL if there is none. */
extern const struct pto_kernels pto_kernels_rvv_fp16;
extern const struct compare_kernels pto_compare_f16_rvv_fp16, pto_compare_f16z_rvv_fp16;
extern const struct choose_table pto_choose_rvv_fp16;
extern const struct choose_kernels pto_choose_f16_rvv_fp16, pto_choose_f16z_rvv_fp16;
const struct cvt_kernel *pto_cvt_rvv_fp16(pto_cvt_op op);

/* Returns the kernel that uses AVX512_VBMI and VBMI2 for op, a form that pto_cvt() takes. Returns NULL if the AVX-512
 * kernel without them is to be used. `fast_128` is set on CPUs that look up 128-byte tables as fast as 64-byte ones. */
const struct cvt_kernel *pto_cvt_avx512_vbmi(pto_cvt_op op, bool fast_128);

/* Return the NEON and the SVE kernel that convert f32 to bf16 by BF16 instructions: to nearest even, without
 * modifiers. */
const struct cvt_kernel *pto_cvt_neon_bf16(void);
const struct cvt_kernel *pto_cvt_sve_bf16(void);

#endif
