/* SPDX-License-Identifier: MIT */
/* A small program that uses only the public header, compiled as a user would compile it. */
#include <pto/module.h>
#include <pto/program.h>
#include <pto/pto.h>

#include <stdio.h>

size_t second_unit(const float *a, const float *b, unsigned char *mask, size_t n);

/* The numeric values that the headers define. */
_Static_assert(PTO_OK == 0, "PTO_OK");
_Static_assert(PTO_FTZ == 1 && PTO_MERGE == 2, "flags");

/* The layout of the structs, on CPUs with pointers of 64 and of 32 bits. A change breaks programs that are already
 * compiled: see "What may grow" in docs/calls.md. */
#define P                          sizeof(void *)
#define SIZE(type, size)           _Static_assert(sizeof(type) == (size), #type)
#define PLACE(type, member, place) _Static_assert(offsetof(type, member) == (place), #type "." #member)
SIZE(pto_setp_op, 16);
PLACE(pto_setp_op, ftz, 13);
SIZE(pto_set_op, 20);
PLACE(pto_set_op, ftz, 17);
SIZE(pto_cvt_op, 24);
PLACE(pto_cvt_op, ftz, 12);
PLACE(pto_cvt_op, reserved, 17);
PLACE(pto_cvt_op, scale, 20);
SIZE(pto_cast_op, 16);
PLACE(pto_cast_op, overflow, 12);
SIZE(pto_vcvt_op, 16);
PLACE(pto_vcvt_op, sat, 12);
SIZE(pto_block_op, 48 + 2 * P);
PLACE(pto_block_op, pow2, 16);
PLACE(pto_block_op, tensor, 20);
PLACE(pto_block_op, block_cols, 24 + P);
PLACE(pto_block_op, reserved, 24 + 2 * P);
SIZE(pto_block_size, 8 * P);
PLACE(pto_block_size, reserved, 4 * P);
SIZE(pto_mask, 2 * P);
PLACE(pto_mask, kind, P);
SIZE(pto_in, 2 * P);
PLACE(pto_in, scalar, P);
SIZE(pto_preg, 32);
SIZE(pto_plan, offsetof(pto_plan, priv) + 120);
PLACE(pto_plan, run, 0);
SIZE(pto_operands, 6 * P);
PLACE(pto_operands, dst, 4 * P);
SIZE(pto_steps, 6 * P);
PLACE(pto_steps, dst, 4 * P);
SIZE(pto_variant, 16 + 2 * P);
PLACE(pto_variant, used, 6 + 2 * P);
PLACE(pto_variant, reserved, 7 + 2 * P);
SIZE(pto_parse_error, 120 + P);
PLACE(pto_parse_error, text, P);
SIZE(pto_program_step, 7 * P);
PLACE(pto_program_step, data, 3 * P);
PLACE(pto_program_step, lanes, 5 * P);
SIZE(pto_program_options, 8 + 13 * P);
PLACE(pto_program_options, trace, 8 + 2 * P);
PLACE(pto_program_options, survey, 16 + 6 * P);
PLACE(pto_program_options, reserved, 16 + 7 * P);
SIZE(pto_program_error, 208 + 8 * P);
PLACE(pto_program_error, text, 48 + 2 * P);
PLACE(pto_program_error, reserved, 208 + 2 * P);
SIZE(pto_program_register, 8 + 6 * P);
PLACE(pto_program_register, each, 8 + P);
PLACE(pto_program_register, reserved, 8 + 2 * P);
SIZE(pto_kernel, (12 + P - 1) / P * P + 8 * P);
PLACE(pto_kernel, problem, (12 + P - 1) / P * P + 4 * P);
PLACE(pto_kernel, reserved, (12 + P - 1) / P * P + 5 * P);
SIZE(pto_instruction_use, 8 * P);
PLACE(pto_instruction_use, problem, 3 * P);

static int masks_hold_what_they_are_given(void) {
    static unsigned char bits;
    return PTO_NO_MASK.data == NULL && pto_packed(&bits).kind == PTO_MASK_PACKED &&
           pto_bytes(&bits).data == &bits && pto_bytes(&bits).kind == PTO_MASK_BYTE &&
           pto_mask_at(&bits, PTO_MASK_B32).kind == PTO_MASK_B32;
}

int main(void) {
    const float a[5] = {1, 2, 3, 4, 5};
    const float b[5] = {5, 4, 3, 2, 1};
    unsigned char mask[1] = {0};
    float chosen[5];
    const pto_status compared = pto_vcmp(PTO_F32, PTO_LT, 0, a, b, PTO_NO_MASK, pto_packed(mask), 5);
    const pto_status selected = pto_vsel(PTO_F32, a, b, pto_packed(mask), chosen, 5);
    size_t count;

    if (compared != PTO_OK || selected != PTO_OK || mask[0] != 3 || chosen[1] > 2 || chosen[4] > 1) {
        fprintf(stderr, "wrong: %s, %s, mask %d\n", pto_strerror(compared), pto_strerror(selected), mask[0]);
        return 1;
    }
    if (!masks_hold_what_they_are_given()) {
        fprintf(stderr, "wrong: a mask's kind or data\n");
        return 1;
    }
    count = second_unit(a, b, mask, 5);
    printf("libpto %s, %s: %zu lanes\n", pto_version(), pto_isa_name(pto_isa_active()), count);
    return count == 2 ? 0 : 1;
}
