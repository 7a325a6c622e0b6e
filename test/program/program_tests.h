/* SPDX-License-Identifier: MIT */
/** @file program_tests.h The cmocka tests of pto::program, listed by the file that defines them. */
#ifndef PTO_TEST_PROGRAM_TESTS_H
#define PTO_TEST_PROGRAM_TESTS_H

/* documents.c: the PTX examples of the source documents */
void document_setp_halves(void **state);
void document_declaration(void **state);
void document_if_i_lt_n(void **state);
void document_selp(void **state);
void document_conversions(void **state);
void document_rounding(void **state);
void document_tables_22_to_25(void **state);
void document_predicates(void **state);
void document_guard_of_itself(void **state);

/* snippets.c: PTX as compilers and users write it */
void snippets(void **state);

/* errors.c */
void errors(void **state);
void good_texts(void **state);

/* interface.c */
void interface_packed(void **state);
void interface_statuses(void **state);
void interface_registers(void **state);
void interface_names(void **state);
void interface_many_registers(void **state);
void interface_decimals(void **state);
void interface_instructions(void **state);
void interface_unbound(void **state);
void interface_values(void **state);
void interface_again(void **state);
void interface_trace(void **state);
void interface_stop(void **state);
void interface_places(void **state);
void interface_fp_state(void **state);
void interface_callback_state(void **state);
void interface_lane_numbers(void **state);

/* arithmetic.c: arithmetic, compared with a model */
void arithmetic_model(void **state);
void arithmetic_facts(void **state);
void arithmetic_floats(void **state);
void arithmetic_fma(void **state);
void arithmetic_modifiers(void **state);
void arithmetic_pairs(void **state);
void arithmetic_integers(void **state);

/* modules.c: launches of PTX modules */
void module_lengths(void **state);
void module_in_place(void **state);
void module_overlap(void **state);
void module_same_array(void **state);
void module_wide_vectors(void **state);
void module_widths(void **state);
void module_vectors(void **state);
void module_variables(void **state);
void module_geometry(void **state);
void module_parts(void **state);
void module_divergence(void **state);
void module_barriers(void **state);
void module_dynamic_shared(void **state);
void module_kernels(void **state);
void module_arguments(void **state);
void module_trace(void **state);
void module_stop(void **state);

/* module_errors.c */
void module_bad_texts(void **state);
void module_options(void **state);
void module_faults(void **state);

/* module_survey.c */
void module_unsupported(void **state);
void module_file_faults(void **state);
void module_functions(void **state);
void module_survey(void **state);
void module_survey_good(void **state);

/* module_random.c */
void module_random(void **state);

/* module_record.c */
void module_record(void **state);

/* module_record_cases.c */
void module_record_cases(void **state);
void module_record_threads(void **state);
void module_record_isas(void **state);

/* module_warps.c */
void module_shuffles(void **state);
void module_votes(void **state);
void module_atomics(void **state);

/* integers.c: integer and bit instructions, compared with a model */
void integers_model(void **state);
void integers_forms(void **state);
void integers_lop3(void **state);
void integers_examples(void **state);

/* floats.c: approximations, and instructions on floats of several types */
void floats_approximate(void **state);
void floats_examples(void **state);

#endif
