/* SPDX-License-Identifier: MIT */
/* The parent's own library, whose assertions the parent's build type keeps. */
#include <assert.h>

int checked(int *times);

int checked(int *times) {
    assert(++*times == 1);
    return *times;
}
