/* SPDX-License-Identifier: MIT */
/** @file checks_ptx.h  The checkers of setp, set, selp, slct, vcmpsel, registers, SETcc and text: see
 * checks.h. */
#ifndef PTO_TEST_CHECKS_PTX_H
#define PTO_TEST_CHECKS_PTX_H

#include "check/checks.h"

/* check_setp.c */
checker check_setp_lengths, check_setp_values, check_setp_offsets, check_setp_in_place, check_setp_examples;
/* check_set.c */
checker check_set_lengths, check_set_values, check_set_in_place, check_set_examples;
/* check_choose.c */
checker check_selp, check_slct, check_slct_examples;
/* check_vcmpsel.c */
checker check_vcmpsel_lengths, check_vcmpsel_values, check_vcmpsel_in_place;
/* check_preg.c */
checker check_preg_patterns, check_preg_plt, check_preg_logic, check_preg_lanes, check_preg_status;
/* check_setcc.c */
checker check_setcc_flags, check_setcc_mnemonics, check_setcc_bytes, check_setcc_wide, check_setcc_lengths;
/* check_text.c, check_text_bad.c */
checker check_text_legal, check_text_legality, check_text_format, check_text_malformed, check_text_words;
checker check_text_mutations;
/* check_ptx_status.c, check_ptx_overlap.c */
checker check_setp_status, check_set_status, check_choose_status, check_setcc_status, check_ptx_overlaps;
/* check_ptx_fpstate.c */
checker check_ptx_fpstate;

#endif
