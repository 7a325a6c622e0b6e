/* SPDX-License-Identifier: MIT */
/* Which forms the native kernels of AVX2 and AVX-512 serve. At the end of each folder's convert_native.h. */

static const u8 rounding_index[CVT_ROUNDS] = {
    [PTO_RZ] = 1, [PTO_RZI] = 1, [PTO_RM] = 2, [PTO_RMI] = 2, [PTO_RP] = 3, [PTO_RPI] = 3};

/* Whether the instructions do as op says: .sat only where it changes nothing, and .ftz only where nothing is
 * flushed, or, for integers, DAZ does it. */
static ALWAYS_INLINE bool is_native(pto_cvt_op op) {
    const unsigned said = cvt_modifiers(op);
    const bool to_integer = cvt_is_integer(op.dst),
               ftz_is_void = cvt_is_integer(op.src) || op.dst == PTO_F16 || op.src == PTO_F16;
    if (said == 0) return true;
    return (said & ~((to_integer ? CVT_SAT | CVT_FTZ : 0U) | (ftz_is_void ? CVT_FTZ : 0U))) == 0;
}

static const struct cvt_kernel *native(pto_cvt_op op) {
    const struct cvt_kernel *small = small_kernels[op.dst][op.src], *narrow = narrow_kernel(op),
                            *wide = widen_kernel(op);
    if (small != NULL && is_plain(op)) return small;
    if (narrow != NULL) return narrow;
    if (wide != NULL) return wide;
    return is_native(op) && op.round != PTO_RS ? natives[op.dst][op.src][rounding_index[op.round]] : NULL;
}
