/* SPDX-License-Identifier: MIT */
/* Initialises a struct compare_kernels from kernels named NAME(vv_eq_) and so on; BYTES(vv_eq_) and
 * IMAGE(vv_eq_) name those of the other forms. */
/* clang-format off */
#if FLOATING
#    define ROW(KERNEL, vx) { \
        [BASIS_EQ] = KERNEL(vx##_eq_), [BASIS_LT] = KERNEL(vx##_lt_), [BASIS_LE] = KERNEL(vx##_le_), \
        [BASIS_LG] = KERNEL(vx##_lg_), [BASIS_ORD] = KERNEL(vx##_ord_), \
        [BASIS_GT] = KERNEL(vx##_gt_), [BASIS_GE] = KERNEL(vx##_ge_) }
#else
#    define ROW(KERNEL, vx) \
        {[BASIS_EQ] = KERNEL(vx##_eq_), [BASIS_LT] = KERNEL(vx##_lt_), [BASIS_GT] = KERNEL(vx##_gt_)}
#endif
.vv = {[AS_BITS] = ROW(NAME, vv), [AS_BYTES] = ROW(BYTES, vv), [AS_IMAGE] = ROW(IMAGE, vv)},
.vs = {[AS_BITS] = ROW(NAME, vs), [AS_BYTES] = ROW(BYTES, vs), [AS_IMAGE] = ROW(IMAGE, vs)},
.choose = {
    [BASIS_EQ] = NAME(choose_eq_),
    [BASIS_LT] = NAME(choose_lt_),
#if FLOATING
    [BASIS_LE] = NAME(choose_le_),
    [BASIS_LG] = NAME(choose_lg_),
    [BASIS_ORD] = NAME(choose_ord_),
#endif
},
#undef ROW
    /* clang-format on */
