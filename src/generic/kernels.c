/* SPDX-License-Identifier: MIT */
/* Compare, select, mask and EFLAGS kernels of the generic backend. */
#include "generic/vec.h"

#define ISA          generic
#define PTO_ISA_SELF PTO_ISA_GENERIC
#include "loops/mask.h"
#include "loops/compare_all.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#include "loops/table.h"
