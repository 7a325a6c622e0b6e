/* SPDX-License-Identifier: MIT */
/* Runs the tests of pto::program on one instruction set. */
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <stdio.h>

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document_setp_halves),
        cmocka_unit_test(document_declaration),
        cmocka_unit_test(document_if_i_lt_n),
        cmocka_unit_test(document_selp),
        cmocka_unit_test(document_conversions),
        cmocka_unit_test(document_rounding),
        cmocka_unit_test(document_tables_22_to_25),
        cmocka_unit_test(document_predicates),
        cmocka_unit_test(document_guard_of_itself),
        cmocka_unit_test(snippets),
        cmocka_unit_test(errors),
        cmocka_unit_test(good_texts),
        cmocka_unit_test(interface_packed),
        cmocka_unit_test(interface_statuses),
        cmocka_unit_test(interface_registers),
        cmocka_unit_test(interface_names),
        cmocka_unit_test(interface_many_registers),
        cmocka_unit_test(interface_decimals),
        cmocka_unit_test(interface_instructions),
        cmocka_unit_test(interface_unbound),
        cmocka_unit_test(interface_values),
        cmocka_unit_test(interface_again),
        cmocka_unit_test(interface_trace),
        cmocka_unit_test(interface_stop),
        cmocka_unit_test(interface_places),
        cmocka_unit_test(interface_fp_state),
        cmocka_unit_test(interface_callback_state),
        cmocka_unit_test(interface_lane_numbers),
        cmocka_unit_test(arithmetic_model),
        cmocka_unit_test(arithmetic_floats),
        cmocka_unit_test(arithmetic_fma),
        cmocka_unit_test(arithmetic_modifiers),
        cmocka_unit_test(arithmetic_pairs),
        cmocka_unit_test(arithmetic_integers),
        cmocka_unit_test(module_lengths),
        cmocka_unit_test(module_in_place),
        cmocka_unit_test(module_overlap),
        cmocka_unit_test(module_wide_vectors),
        cmocka_unit_test(module_widths),
        cmocka_unit_test(module_vectors),
        cmocka_unit_test(module_variables),
        cmocka_unit_test(module_geometry),
        cmocka_unit_test(module_parts),
        cmocka_unit_test(module_divergence),
        cmocka_unit_test(module_barriers),
        cmocka_unit_test(module_dynamic_shared),
        cmocka_unit_test(module_kernels),
        cmocka_unit_test(module_arguments),
        cmocka_unit_test(module_trace),
        cmocka_unit_test(module_stop),
        cmocka_unit_test(module_bad_texts),
        cmocka_unit_test(module_options),
        cmocka_unit_test(module_faults),
        cmocka_unit_test(module_unsupported),
        cmocka_unit_test(module_file_faults),
        cmocka_unit_test(module_functions),
        cmocka_unit_test(module_survey),
        cmocka_unit_test(module_survey_good),
        cmocka_unit_test(module_random),
        cmocka_unit_test(module_shuffles),
        cmocka_unit_test(module_votes),
        cmocka_unit_test(module_atomics),
        cmocka_unit_test(integers_model),
        cmocka_unit_test(integers_forms),
        cmocka_unit_test(integers_lop3),
        cmocka_unit_test(integers_examples),
        cmocka_unit_test(floats_approximate),
        cmocka_unit_test(floats_examples),
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    return harness_end(cmocka_run_group_tests_name("programs", tests, NULL, NULL));
}
