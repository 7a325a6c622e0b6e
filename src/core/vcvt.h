/* SPDX-License-Identifier: MIT */
/* Which conversions PTO's vcvt has, and what a backend brings for them. */
#ifndef PTO_CORE_VCVT_H
#define PTO_CORE_VCVT_H

#include "core/isas.h"
#include "core/types.h"
#include "pto/vcvt.h"

enum { VRNDS = PTO_VRND_O + 1 };

/* What a pair of types takes: a set of roundings, bit rnd for each, empty where there is no such pair; and
 * whether it has a choice of saturation. */
struct vcvt_rule {
    u8 rounds;
    bool sat;
};

/* By destination and source. */
extern const struct vcvt_rule pto_vcvt_rules[DTYPES][DTYPES];

pto_status pto_vcvt_takes(pto_vcvt_op op);

/* The types and roundings of vtrc. As a kernel it is a conversion of a type to itself. */
pto_status pto_vtrc_takes(pto_dtype type, pto_vrnd rnd);

/* The formats of 4 bits lie two in a byte; their conversions always saturate. */
static inline bool vcvt_is_nibble(pto_dtype type) {
    return type == PTO_E2M1 || type == PTO_E1M2;
}

/* The pair that clamps without being asked, since it has no choice. */
static inline bool vcvt_clamps(pto_vcvt_op op) {
    return op.sat || (op.dst == PTO_U32 && op.src == PTO_S16);
}

/* PTX's rounding, of which ties away from zero are ties to even, and what goes to odd is cut. */
static ALWAYS_INLINE pto_round vcvt_like(pto_vrnd rnd) {
    static const u8 like[VRNDS] = {[PTO_VRND_R] = PTO_RN, [PTO_VRND_A] = PTO_RN, [PTO_VRND_F] = PTO_RM,
                                   [PTO_VRND_C] = PTO_RP, [PTO_VRND_Z] = PTO_RZ, [PTO_VRND_O] = PTO_RZ};
    return (pto_round)like[rnd];
}

/* The NaN that a conversion without saturation produces, the positive quiet one with no payload; those of fp8
 * are as PTX's cvt has them. */
static ALWAYS_INLINE u64 vcvt_nan(pto_dtype dst) {
    switch (dst) {
    case PTO_F16: return 0x7e00;
    case PTO_BF16: return 0x7fc0;
    case PTO_F32: return 0x7fc00000;
    case PTO_HIF8: return 0x80;
    default: return 0x7f;
    }
}

/* PTX's conversion with the same results as one of PTO's but for NaNs and overflow, and the quickest kernel for it. */
struct ptx_cvt {
    pto_cvt_op op;
    const struct cvt_kernel *kernel;
};

/* The operation, where a backend has PTX's do the work. Written in place, since a copy would wait for it. */
void pto_vcvt_as_ptx(pto_vcvt_op op, pto_cvt_op *as);

/* n elements of src converted as *op says; n is a multiple of the kernel's step. Whatever *as is, unless the kernel is by_ptx. */
typedef void vcvt_fn(const pto_vcvt_op *op, const struct ptx_cvt *as, const void *src, void *dst, size_t n);

struct vcvt_kernel {
    vcvt_fn *run;
    u8 step; /* a power of 2, at most CVT_LONGEST_STEP */
    u8 fp;   /* enum fp_need: FP_ANY or FP_IEEE */
    bool by_ptx;
};

/* The entry of each byte, of so many bits. Compilers make vectors of such loops, and slower ones. */
void pto_look_up_16(const u8 *table, const u8 *src, u8 *dst, size_t n);
void pto_look_up_32(const u8 *table, const u8 *src, u8 *dst, size_t n);

#define VCVT_EXPORTS(ISA, isa, attribute) const struct vcvt_kernel *pto_vcvt_##isa(pto_vcvt_op op) attribute;
EVERY_ISA(VCVT_EXPORTS)
#undef VCVT_EXPORTS

#endif
