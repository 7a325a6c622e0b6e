/* SPDX-License-Identifier: MIT */
/** @file legal_table.h  The forms that NVIDIA's assembler takes, from data/setp_legal.json. */
#ifndef PTO_TEST_LEGAL_TABLE_H
#define PTO_TEST_LEGAL_TABLE_H

#include "model/model_ptx.h"

enum { LEGAL_SETP_FORMS = 180, LEGAL_SET_FORMS = 848, LEGAL_PACKED_FORMS = 32 };

/** Whether the table has the form; names as PTX spells them, in memory that stays: they are known again by
 * address. */
bool legal_table_setp(const char *type, bool ftz, const char *cmp);
bool legal_table_set(const char *dtype, const char *stype, bool ftz, const char *cmp);

/** How many forms the table holds. */
size_t legal_table_setp_count(void);
size_t legal_table_set_count(void);

#endif
