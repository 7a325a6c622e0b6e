/* SPDX-License-Identifier: MIT */
/* The conversions of PTO's vcvt, and their kernel interface. */
#ifndef PTO_CORE_VCVT_H
#define PTO_CORE_VCVT_H

#include "core/isas.h"
#include "core/types.h"
#include "pto/vcvt.h"

/* VCVT_TYPES is the number of types of PTO's vcvt; later types have only pto_cast(). */
enum { VRND_COUNT = PTO_VRND_O + 1, VCVT_TYPES = PTO_HIF8 + 1 };

/* The ops that a pair of types accepts. Bit `rnd` of `rounds` is set for each legal rounding; no bit is set if there is
 * no such pair. `sat` is true if the op may set `sat`. */
struct vcvt_rule {
    u8 rounds;
    bool sat;
};

/* Rules by destination and source type. */
extern const struct vcvt_rule pto_vcvt_rules[VCVT_TYPES][VCVT_TYPES];

/* Returns PTO_OK if vcvt has op, otherwise PTO_ERR_TYPE or PTO_ERR_MODIFIER. */
pto_status pto_vcvt_status(pto_vcvt_op op);

/* Returns PTO_OK if vtrc takes this type and rounding, otherwise PTO_ERR_TYPE or PTO_ERR_MODIFIER. For the kernels, a
 * vtrc is a vcvt whose op has equal source and destination types. */
pto_status pto_vtrc_status(pto_dtype type, pto_vrnd rnd);

/* Returns whether `type` has 4 bits. Such elements are stored two in a byte, and conversions to them always
 * saturate. */
static inline bool vcvt_is_4_bit(pto_dtype type) {
    return type == PTO_E2M1 || type == PTO_E1M2;
}

/* Returns whether results are clamped. They are if op.sat is set, and always for s16 to u32, which does not accept
 * `sat`. */
static inline bool vcvt_saturates(pto_vcvt_op op) {
    return op.sat || (op.dst == PTO_U32 && op.src == PTO_S16);
}

/* Returns PTX's rounding that is most similar to `rnd`. Two of them differ: ties away from zero becomes ties to even,
 * and round to odd becomes rounding towards zero. */
static ALWAYS_INLINE pto_round vcvt_ptx_round(pto_vrnd rnd) {
    static const u8 ptx_rounds[VRND_COUNT] = {
        [PTO_VRND_R] = PTO_RN, [PTO_VRND_A] = PTO_RN, [PTO_VRND_F] = PTO_RM,
        [PTO_VRND_C] = PTO_RP, [PTO_VRND_Z] = PTO_RZ, [PTO_VRND_O] = PTO_RZ};
    return (pto_round)ptx_rounds[rnd];
}

/* Returns the NaN that a conversion without saturation produces: positive, quiet, without payload. For fp8 it is the
 * NaN of PTX's cvt. */
static ALWAYS_INLINE u64 vcvt_nan(pto_dtype dst) {
    switch (dst) {
    case PTO_F16: return 0x7e00;
    case PTO_BF16: return 0x7fc0;
    case PTO_F32: return 0x7fc00000;
    case PTO_HIF8: return 0x80;
    default: return 0x7f;
    }
}

/* A PTX conversion whose results equal those of a vcvt except for NaNs and overflow, and its fastest kernel. */
struct ptx_cvt {
    pto_cvt_op op;
    const struct cvt_kernel *kernel;
};

/* Sets *ptx to the PTX conversion by which a backend computes op. It does not return the struct: a copy made right
 * after the members are stored would have to wait for these stores. */
void pto_vcvt_as_ptx(pto_vcvt_op op, pto_cvt_op *ptx);

/* Converts n elements of src as *op specifies; n is a multiple of the kernel's granule. Only kernels with
 * uses_ptx_kernel set read *ptx. */
typedef void vcvt_fn(const pto_vcvt_op *op, const struct ptx_cvt *ptx, const void *src, void *dst, size_t n);

struct vcvt_kernel {
    vcvt_fn *run;
    u8 granule;           /* n is a multiple of it; a power of 2, at most CVT_MAX_GRANULE */
    u8 fp;                /* enum fp_requirement: FP_ANY or FP_IEEE */
    bool uses_ptx_kernel; /* the kernel runs the PTX kernel in *ptx and handles NaNs and overflow itself */
};

/* Set dst[i] to the 16-bit or 32-bit entry that byte src[i] has in `table`. They are in vcvt.c, not in a file of
 * kernels, because with the compiler flags of those files compilers vectorise such loops, which makes them slower. */
void pto_look_up_16(const u8 *table, const u8 *src, u8 *dst, size_t n);
void pto_look_up_32(const u8 *table, const u8 *src, u8 *dst, size_t n);

#define VCVT_EXPORTS(ISA, isa, attribute) const struct vcvt_kernel *pto_vcvt_##isa(pto_vcvt_op op) attribute;
EVERY_ISA(VCVT_EXPORTS)
#undef VCVT_EXPORTS

#endif
