/* SPDX-License-Identifier: MIT */
#define ISA    avx2
#define VBYTES 32
#include "../cvt_tmpl.h"
