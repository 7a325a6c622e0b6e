/* SPDX-License-Identifier: MIT */
/** @file cmocka_all.h  cmocka.h or its replacement, with the headers that cmocka.h requires before it. */
#ifndef PTO_TEST_CMOCKA_ALL_H
#define PTO_TEST_CMOCKA_ALL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef PTO_NO_CMOCKA
#    include "support/plain_runner.h"
#else
#    include <setjmp.h>

#    include <cmocka.h>
#endif

#endif
