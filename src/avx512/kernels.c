/* SPDX-License-Identifier: MIT */
#include "vec.h"
#include "../fpenv.h"

#define ISA          avx512
#define PTO_ISA_SELF PTO_ISA_AVX512
#include "../table_tmpl.h"
