/* SPDX-License-Identifier: MIT */
/* The parent's own library. The parent's build type decides whether its assertions are active. */
#include <assert.h>

int checked(int *times);

int checked(int *times) {
    assert(++*times == 1);
    return *times;
}
