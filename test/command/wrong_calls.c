/* SPDX-License-Identifier: MIT */
/*
 * Faults that the command must find. Linked with --wrap, every backend except scalar gives a wrong last bit for one
 * f16 source, and a wrong result for one pair of bytes and one pair of s16.
 */
#include <pto/pto.h>

pto_status __real_pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n);
pto_status __wrap_pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n);
pto_status __real_pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                           pto_mask seed, pto_mask dst, size_t n);
pto_status __wrap_pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                           pto_mask seed, pto_mask dst, size_t n);

pto_status __wrap_pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = __real_pto_cvt(op, src, dst, extra, n);
    const size_t bits = pto_dtype_bits(op.dst);
    if (status != PTO_OK || op.src != PTO_F16 || pto_isa_active() == PTO_ISA_SCALAR) return status;
    for (size_t i = 0; i < n; ++i)
        if (((const uint16_t *)src)[i] == 0x3c01)
            ((uint8_t *)dst)[i * bits / 8] ^= (uint8_t)(1U << (i * bits % 8));
    return status;
}

/* Returns whether the planted fault inverts the result of pair i: bytes 5 and 7, or s16 5 and 2048. The inputs of the
 * command contain both pairs. */
static bool is_wrong(pto_dtype t, const void *src0, const void *src1, size_t i) {
    if (t == PTO_S16) return ((const int16_t *)src0)[i] == 5 && ((const int16_t *)src1)[i] == 2048;
    return pto_dtype_bits(t) == 8 && ((const uint8_t *)src0)[i] == 5 && ((const uint8_t *)src1)[i] == 7;
}

pto_status __wrap_pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                           pto_mask seed, pto_mask dst, size_t n) {
    const pto_status status = __real_pto_vcmp(t, op, flags, src0, src1, seed, dst, n);
    if (status != PTO_OK || pto_isa_active() == PTO_ISA_SCALAR) return status;
    for (size_t i = 0; i < n; ++i)
        if (is_wrong(t, src0, src1, i)) pto_mask_set(dst, i, !pto_mask_get(dst, i));
    return status;
}
