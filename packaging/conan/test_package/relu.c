/* SPDX-License-Identifier: MIT */
/* Calls both libraries: -1 becomes 0, and the version of the package is the version of the headers. */
#include <pto/program.h>
#include <pto/pto.h>
#include <stdio.h>

int main(void) {
    const float x[2] = {-1, 2};
    float y[2] = {9, 9};
    if (pto_vrelu(PTO_F32, 0, x, y, 2) != PTO_OK || y[0] != 0 || y[1] != 2) {
        return 1;
    }
    char name[PTO_PROGRAM_INSTRUCTION_SIZE];
    if (pto_program_instruction(PTO_PROGRAM_PTX, 0, name) != PTO_OK) {
        return 2;
    }
    printf("libpto %s, headers %d\n", pto_version(), PTO_VERSION);
    return 0;
}
