/* SPDX-License-Identifier: MIT */
#include "vec.h"
#include "../fpenv.h"

#define ISA          neon
#define PTO_ISA_SELF PTO_ISA_NEON
#include "../table_tmpl.h"
