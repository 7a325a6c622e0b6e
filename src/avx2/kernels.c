/* SPDX-License-Identifier: MIT */
#include "vec.h"
#include "../fpenv.h"

#define ISA          avx2
#define PTO_ISA_SELF PTO_ISA_AVX2
#include "../table_tmpl.h"
