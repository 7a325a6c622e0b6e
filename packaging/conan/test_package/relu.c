/* SPDX-License-Identifier: MIT */
/* Tests the package: calls both libraries, and compares the version of the library with that of the headers. */
#include <pto/program.h>
#include <pto/pto.h>
#include <stdio.h>
#include <string.h>

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
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", PTO_VERSION_MAJOR, PTO_VERSION_MINOR, PTO_VERSION_PATCH);
    printf("libpto %s, headers %s\n", pto_version(), version);
    if (strcmp(pto_version(), version) != 0) {
        return 3;
    }
    return 0;
}
