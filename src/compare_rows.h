/* SPDX-License-Identifier: MIT */
/* Initialises a struct compare_kernels from kernels named NAME(vv_eq_) and so on. */
/* clang-format off */
.vv = {
    [BASIS_EQ] = NAME(vv_eq_),
    [BASIS_LT] = NAME(vv_lt_),
#if FLOATING
    [BASIS_LE] = NAME(vv_le_),
    [BASIS_LG] = NAME(vv_lg_),
    [BASIS_ORD] = NAME(vv_ord_),
#endif
},
.vs = {
    [BASIS_EQ] = NAME(vs_eq_),
    [BASIS_LT] = NAME(vs_lt_),
    [BASIS_GT] = NAME(vs_gt_),
#if FLOATING
    [BASIS_LE] = NAME(vs_le_),
    [BASIS_GE] = NAME(vs_ge_),
    [BASIS_LG] = NAME(vs_lg_),
    [BASIS_ORD] = NAME(vs_ord_),
#endif
},
.bytes_vv = {
    [BASIS_EQ] = NAME(bytes_vv_eq_),
    [BASIS_LT] = NAME(bytes_vv_lt_),
#if FLOATING
    [BASIS_LE] = NAME(bytes_vv_le_),
    [BASIS_LG] = NAME(bytes_vv_lg_),
    [BASIS_ORD] = NAME(bytes_vv_ord_),
#endif
},
.bytes_vs = {
    [BASIS_EQ] = NAME(bytes_vs_eq_),
    [BASIS_LT] = NAME(bytes_vs_lt_),
    [BASIS_GT] = NAME(bytes_vs_gt_),
#if FLOATING
    [BASIS_LE] = NAME(bytes_vs_le_),
    [BASIS_GE] = NAME(bytes_vs_ge_),
    [BASIS_LG] = NAME(bytes_vs_lg_),
    [BASIS_ORD] = NAME(bytes_vs_ord_),
#endif
},
.choose = {
    [BASIS_EQ] = NAME(choose_eq_),
    [BASIS_LT] = NAME(choose_lt_),
#if FLOATING
    [BASIS_LE] = NAME(choose_le_),
    [BASIS_LG] = NAME(choose_lg_),
    [BASIS_ORD] = NAME(choose_ord_),
#endif
},
    /* clang-format on */
