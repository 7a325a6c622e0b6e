/* SPDX-License-Identifier: MIT */
/*
 * What a backend is: one complete, constant table of kernels.
 *
 * Inside the library masks have one currency, packed bits: logic, seeds and guards are worked on in them, and
 * the mask kernels turn any other kind into them and back. Only the commonest calls, a comparison into a mask
 * and a selection by one, have kernels for every kind. "Bits" below are n packed bits in ceil(n/8) bytes, the
 * spare ones of the last byte 0.
 *
 * Every kernel takes any n > 0 and any alignment, touches nothing outside its operands, and may have dst
 * exactly on a source of the same element size.
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
 * From this many bytes on a result is stored past the caches. Measured with two sources (Xeon, 2 MiB of L2, 260 MiB of
 * shared L3): 1.2 times as fast at 4 MiB, 1.4 at 16, 1.7 at 64. But results of some MiB are read again soon, so they
 * are left to the caches; three streams of 16 MiB are more than the 32 MiB of L3 that most cores have.
 */
enum { STREAM_BYTES = 16 << 20 };

/* What kernels tell apart. Untyped bits compare as unsigned; the Z types are their relatives under .ftz. */
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

/* The FP state in which a kernel must run: any, IEEE default, or default with subnormal operands flushed; or any that
 * does not flush them, by kernels that raise no flag and tell each instruction how to round. */
enum fp_need { FP_ANY, FP_IEEE, FP_FLUSH, FP_UNFLUSHED };

/*
 * How a mask lies in memory: as bits; as bytes, 0 and 1 where written, 0 and any other where read; as the
 * image of its elements' width, lane i in bit i * width / 8, the spare bits of its last byte written as 0.
 * The image for 8-bit elements is bits.
 */
enum mask_form { AS_BITS, AS_BYTES, AS_IMAGE, MASK_FORMS };

/* The bits that one lane takes. */
static ALWAYS_INLINE size_t form_lane_bits(enum mask_form form, size_t element_bytes) {
    return form == AS_BITS ? 1 : form == AS_BYTES ? 8 : element_bytes;
}

/* Lane i of mask = (a[i] R b[i]) ^ flip; flip is 0 or all ones. In the scalar form b is one element. Returns
 * always PTO_OK, so that a public call can tail-call the kernel. */
typedef pto_status compare_fn(const void *a, const void *b, void *mask, size_t n, u64 flip);

/*
 * dst[i] = x[i] R y[i] ? u[i] : v[i], all of one width; in[] has x, y, u and v.
 */
struct choice {
    const void *in[4];
    unsigned scalars; /* bit k: in[k] is one element, apart from dst */
};

static ALWAYS_INLINE bool is_scalar(const struct choice *c, size_t k) {
    return (c->scalars >> k & 1) != 0;
}

typedef void choose_fn(const struct choice *c, void *dst, size_t n);

/* Integer types have INTEGER_RELATIONS only; choose kernels leave mirrored ones to exchanged operands. */
struct compare_kernels {
    compare_fn *vv[MASK_FORMS][BASIS_COUNT];
    compare_fn *vs[MASK_FORMS][BASIS_COUNT];
};

struct compare_entry {
    const struct compare_kernels *kernels;
    enum fp_need fp;
    bool quiet; /* raises no exception flag; so does all that runs in any state */
};

/* dst[i] = mask[i] ? x[i] : y[i] */
typedef void select_fn(const void *x, const void *y, const void *mask, void *dst, size_t n);

/* The same of in[0] and in[1]; one that is one element is spread over SPREAD_LANES lanes. */
enum { SPREAD_LANES = 64 };
typedef void selects_fn(const struct choice *c, const void *mask, void *dst, size_t n);

/* dst[i] = *scalar */
typedef void fill_fn(const void *scalar, void *dst, size_t n);

/* From a mask of one kind to bits, or from bits to a mask. */
typedef void mask_fn(const void *from, void *to, size_t n);

/* Copies `bytes` bytes of packed bits, which begin at bit `at` of from; `at` is 1 to 7. */
typedef void shift_bits_fn(const u8 *from, size_t at, u8 *to, size_t bytes);

/*
 * Logic on bits: dst = a AND, OR, XOR b, or s ? a : b, where a and b are first flipped if their flip is all
 * ones. s is for LOGIC_SEL alone. dst may be exactly a, b or s.
 */
enum logic { LOGIC_AND, LOGIC_OR, LOGIC_XOR, LOGIC_SEL, LOGICS };
typedef void logic_fn(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,
                      u64 flip_b);

/* EFLAGS, one 32-bit word a lane, of comparing or testing two arrays; and a condition of such words as bytes
 * 0 and 1. */
typedef void flags_fn(const void *a, const void *b, void *eflags, size_t n);
typedef void setcc_fn(const void *eflags, void *dst, size_t n, unsigned cc);

/*
 * n elements of src converted as *op says, a form that PTX has or a composed one; extra: the random bits for
 * .rs, the scales where op has any. n is a multiple of the kernel's step, and for .rs of the group.
 */
typedef void cvt_fn(const pto_cvt_op *op, const void *src, void *dst, const void *extra, size_t n);

enum { CVT_LONGEST_STEP = 64 };

/* Where .ftz flushes sources, a kernel for FP_IEEE or FP_UNFLUSHED is run in FP_FLUSH, which does it. */
struct cvt_kernel {
    cvt_fn *run;
    u8 step; /* a power of 2 */
    u8 fp;   /* enum fp_need */
};

enum { WIDTHS = 4, MASK_KINDS = PTO_MASK_BYTE + 1 };

/* 8, 16, 32, 64 -> 0, 1, 2, 3 */
#define WIDTH_INDEX(bits) (((bits) >= 16) + ((bits) >= 32) + ((bits) >= 64))
static ALWAYS_INLINE unsigned width_index(unsigned bits) {
    return WIDTH_INDEX(bits);
}

struct pto_kernels {
    pto_isa isa;
    struct compare_entry compare[LANE_COUNT];
    select_fn *select[MASK_FORMS][WIDTHS];
    fill_fn *fill[WIDTHS];
    mask_fn *mask_load[MASK_KINDS];
    mask_fn *mask_store[MASK_KINDS];
    shift_bits_fn *shift_bits;
    logic_fn *logic[LOGICS];
};

/*
 * What few programs call stands beside struct pto_kernels, each group in a table of its own, so that static
 * programs that do not call it go without.
 */
struct choose_kernels {
    choose_fn *of[BASIS_COUNT]; /* of vectors */
};

struct choose_table {
    const struct choose_kernels *lane[LANE_COUNT];
    selects_fn *selects[MASK_FORMS][WIDTHS];
};

struct flags_kernels {
    flags_fn *cmp[WIDTHS], *test[WIDTHS];
    flags_fn *ucomi_f16, *ucomi_bf16, *ucomi_f32, *ucomi_f64;
    setcc_fn *setcc;
};

/* What each backend exports; of a conversion the kernel for a form that pto_cvt takes. */
#define EXPORTS(ISA, isa, attribute)                                                                         \
    extern const struct pto_kernels pto_kernels_##isa attribute;                                             \
    extern const struct choose_table pto_choose_##isa attribute;                                             \
    extern const struct flags_kernels pto_flags_##isa attribute;                                             \
    const struct cvt_kernel *pto_cvt_##isa(pto_cvt_op op) attribute;
EVERY_ISA(EXPORTS)
#undef EXPORTS

/* AVX-512 with the comparisons of f16 by AVX512-FP16, and those of bf16, which go back to the others now and then. */
extern const struct pto_kernels pto_kernels_avx512_fp16;
extern const struct compare_kernels pto_compare_f16_avx512_fp16, pto_compare_f16z_avx512_fp16;
extern const struct compare_kernels pto_compare_bf16_avx512_fp16, pto_compare_bf16_avx512;
extern const struct choose_table pto_choose_avx512_fp16;
extern const struct choose_kernels pto_choose_f16_avx512_fp16, pto_choose_f16z_avx512_fp16;

/* NEON with the comparisons of f16 by FP16. */
extern const struct pto_kernels pto_kernels_neon_fp16;
extern const struct compare_kernels pto_compare_f16_neon_fp16, pto_compare_f16z_neon_fp16;
extern const struct choose_table pto_choose_neon_fp16;
extern const struct choose_kernels pto_choose_f16_neon_fp16, pto_choose_f16z_neon_fp16;

/* RVV with the comparisons of f16 by Zvfh, and its kernel for a form that pto_cvt takes, or NULL. */
extern const struct pto_kernels pto_kernels_rvv_fp16;
extern const struct compare_kernels pto_compare_f16_rvv_fp16, pto_compare_f16z_rvv_fp16;
extern const struct choose_table pto_choose_rvv_fp16;
extern const struct choose_kernels pto_choose_f16_rvv_fp16, pto_choose_f16z_rvv_fp16;
const struct cvt_kernel *pto_cvt_rvv_fp16(pto_cvt_op op);

/* The kernel of AVX-512 with AVX512_VBMI and VBMI2 for a form that pto_cvt takes, or NULL: then that without them.
 * of_128: for CPUs that look up in 128 bytes as fast as in 64. */
const struct cvt_kernel *pto_cvt_avx512_vbmi(pto_cvt_op op, bool of_128);

/* The kernel of NEON and of SVE with BF16 for bf16 from f32 to nearest, without modifiers. */
const struct cvt_kernel *pto_cvt_neon_bf16(void);
const struct cvt_kernel *pto_cvt_sve_bf16(void);

#endif
