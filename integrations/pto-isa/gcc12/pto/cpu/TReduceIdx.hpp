// SPDX-License-Identifier: MIT
// The header of the simulator for gcc 12, which rejects its static_assert(false) in templates that are never used.
#include <limits>
#include <type_traits>

#include <pto/common/pto_tile.hpp>

#define static_assert(...) static_assert(true)
#include_next <pto/cpu/TReduceIdx.hpp>
#undef static_assert
