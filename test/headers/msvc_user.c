/* SPDX-License-Identifier: MIT */
/** A program compiled for MSVC's ABI, without a C library. It calls both libraries and exits with 42. */
#include <pto/program.h>
#include <pto/pto.h>

int start(void);

/** Code for MSVC's ABI that uses floating-point values refers to this variable of the C library. */
int _fltused = 0;

int start(void) {
    static const float x[4] = {-1, 0, 1, 2};
    static float y[4];
    static unsigned char codes[4];
    static const float zero;
    static const pto_program_options options;
    const pto_in in = pto_in_array(x), nothing = pto_in_scalar(&zero);
    const pto_cvt_op op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
    pto_program *const program = pto_program_new("add.f32 y, x, x;", options, NULL);
    const size_t count = program != NULL ? pto_program_register_count(program) : 0;
    pto_program_free(program);
    if (count != 2) return 1;
    if (pto_vcmpsel(PTO_F32, PTO_LT, 0, in, nothing, nothing, in, y, 4) != PTO_OK) return 2;
    if (y[0] != 0 || y[3] != 2) return 3;
    if (pto_cvt(op, x, codes, NULL, 4) != PTO_OK || codes[3] != 0x40) return 4;
    return 42;
}
