/* SPDX-License-Identifier: MIT */
/* Initialises a struct compare_kernels from kernels named NAME(vv_eq_) and so on; BYTES(vv_eq_) and
 * IMAGE(vv_eq_) name those of the other forms. */
/* clang-format off */
#if FLOATING
#    define ROW_VV(KERNEL) { \
        [BASIS_EQ] = KERNEL(vv_eq_), [BASIS_LT] = KERNEL(vv_lt_), [BASIS_LE] = KERNEL(vv_le_), \
        [BASIS_LG] = KERNEL(vv_lg_), [BASIS_ORD] = KERNEL(vv_ord_) }
#    define ROW_VS(KERNEL) { \
        [BASIS_EQ] = KERNEL(vs_eq_), [BASIS_LT] = KERNEL(vs_lt_), [BASIS_LE] = KERNEL(vs_le_), \
        [BASIS_LG] = KERNEL(vs_lg_), [BASIS_ORD] = KERNEL(vs_ord_), \
        [BASIS_GT] = KERNEL(vs_gt_), [BASIS_GE] = KERNEL(vs_ge_) }
#else
#    define ROW_VV(KERNEL) {[BASIS_EQ] = KERNEL(vv_eq_), [BASIS_LT] = KERNEL(vv_lt_)}
#    define ROW_VS(KERNEL) \
        {[BASIS_EQ] = KERNEL(vs_eq_), [BASIS_LT] = KERNEL(vs_lt_), [BASIS_GT] = KERNEL(vs_gt_)}
#endif
.vv = {[AS_BITS] = ROW_VV(NAME), [AS_BYTES] = ROW_VV(BYTES), [AS_IMAGE] = ROW_VV(IMAGE)},
.vs = {[AS_BITS] = ROW_VS(NAME), [AS_BYTES] = ROW_VS(BYTES), [AS_IMAGE] = ROW_VS(IMAGE)},
.choose = {
    [BASIS_EQ] = NAME(choose_eq_),
    [BASIS_LT] = NAME(choose_lt_),
#if FLOATING
    [BASIS_LE] = NAME(choose_le_),
    [BASIS_LG] = NAME(choose_lg_),
    [BASIS_ORD] = NAME(choose_ord_),
#endif
},
#undef ROW_VV
#undef ROW_VS
    /* clang-format on */
