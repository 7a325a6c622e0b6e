/* SPDX-License-Identifier: MIT */
/* A program that calls only pto_program_*. */
#include <pto/program.h>

#include <stdint.h>
#include <stdio.h>

int main(void) {
    const int32_t x[3] = {1, 2, 3};
    pto_program_error error;
    pto_program *const program =
        pto_program_new("add.s32 y, x, 1;", (pto_program_options){.language = PTO_PROGRAM_PTX}, &error);
    pto_dtype type;
    const void *y;
    size_t n;
    if (program == NULL) return 1;
    if (pto_program_bind(program, "x", PTO_S32, x, 3) != PTO_OK) return 2;
    if (pto_program_run(program, 3) != PTO_OK) return 3;
    if (pto_program_value(program, "y", &type, &y, &n) != PTO_OK || n != 3) return 4;
    for (size_t i = 0; i < n; i++)
        if (((const int32_t *)y)[i] != x[i] + 1) return 5;
    pto_program_free(program);
    puts("x + 1");
    return 0;
}
