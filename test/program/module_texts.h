/* SPDX-License-Identifier: MIT */
/** @file module_texts.h Parts of PTX modules that several tests use. */
#ifndef PTO_TEST_MODULE_TEXTS_H
#define PTO_TEST_MODULE_TEXTS_H

#define HEADER ".version 8.0\n.target sm_90\n.address_size 64\n"

/* Declares registers, and sets %r1 to the number of the thread in a grid of one dimension, and %rd1 to 4 *
 * %r1. */
#define INDEX                                                                                                \
    ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .f32 %f<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>;\n"             \
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mul.lo.s32 %r1, %r1, %r2; mov.u32 %r2, %tid.x;\n"          \
    "add.s32 %r1, %r1, %r2; cvt.u64.u32 %rd1, %r1; shl.b64 %rd1, %rd1, 2;\n"

/* Sets %rd2 to x + %rd1 and %rd3 to y + %rd1, where x and y are parameters with pointers. */
#define X_AND_Y                                                                                              \
    "ld.param.u64 %rd2, [x]; add.s64 %rd2, %rd2, %rd1; ld.param.u64 %rd3, [y]; add.s64 %rd3, %rd3, %rd1;\n"

#endif
