/* SPDX-License-Identifier: MIT */
/* The table of a backend's classify kernels. Part of classify.h and of classify_plain.h. */
const struct classify_table CAT(pto_classify_, ISA) = {{classify_8, classify_16, classify_32, classify_64}};
