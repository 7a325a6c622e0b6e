/* SPDX-License-Identifier: MIT */
/* Initialises a struct flags_kernels from the backend's kernels NAME(flags_cmp_8) and so on. */
/* clang-format off */
.cmp = {NAME(flags_cmp_8), NAME(flags_cmp_16), NAME(flags_cmp_32), NAME(flags_cmp_64)},
.test = {NAME(flags_test_8), NAME(flags_test_16), NAME(flags_test_32), NAME(flags_test_64)},
.ucomi_f16 = NAME(flags_ucomi_f16),
.ucomi_bf16 = NAME(flags_ucomi_bf16),
.ucomi_f32 = NAME(flags_ucomi_f32),
.ucomi_f64 = NAME(flags_ucomi_f64),
.setcc = NAME(setcc),
    /* clang-format on */
