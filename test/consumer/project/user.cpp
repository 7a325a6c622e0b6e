// SPDX-License-Identifier: MIT
#include "user.c"
