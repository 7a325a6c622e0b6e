/* SPDX-License-Identifier: MIT */
/* The table that calls use now. */
#ifndef PTO_SRC_DISPATCH_H
#define PTO_SRC_DISPATCH_H

#include "kernels.h"

const struct pto_kernels *pto_active_kernels(void);

#endif
