/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"
#include "core/fpenv.h"

#define ISA          neon
#define PTO_ISA_SELF PTO_ISA_NEON
#include "loops/table.h"
