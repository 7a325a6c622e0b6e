// SPDX-License-Identifier: MIT
/// @file machine.h  Determines the class of this machine, among those for which goals are set.
#ifndef PTO_BENCH_MACHINE_H
#define PTO_BENCH_MACHINE_H

#include "measure/goal.h"

#include <string>

namespace bench {

/// Returns the name of a class, such as "Zen 4".
const char *name_of(Machine machine);

/// Returns the class whose goals apply to this machine.
Machine machine();

/// Returns the heading: the class, the processor's maker, family and model, and whether it is of the class or only
/// near.
std::string describe_machine();

} // namespace bench

#endif
