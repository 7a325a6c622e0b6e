/* SPDX-License-Identifier: MIT */
/** @file legal_table.h  The forms of setp and set that NVIDIA's assembler accepts, from data/setp_legal.json. */
#ifndef PTO_TEST_LEGAL_TABLE_H
#define PTO_TEST_LEGAL_TABLE_H

#include "model/model_ptx.h"

enum { LEGAL_SETP_FORMS = 180, LEGAL_SET_FORMS = 848, LEGAL_PACKED_FORMS = 32 };

/** Whether the table has the form. Names are spelled as in PTX and must be in static memory, because they are
 * cached by address. */
bool legal_table_setp(const char *type, bool ftz, const char *cmp);
bool legal_table_set(const char *dtype, const char *stype, bool ftz, const char *cmp);

/** The number of forms in the table. */
size_t legal_table_setp_count(void);
size_t legal_table_set_count(void);

#endif
