// SPDX-License-Identifier: MIT
/// @file machine.h  Which class of machine this is, of those that goals are set for.
#ifndef PTO_BENCH_MACHINE_H
#define PTO_BENCH_MACHINE_H

#include "measure/goal.h"

#include <string>

namespace bench {

/// "Zen 4"
const char *name_of(Machine machine);

/// The class whose goals this machine has.
Machine machine();

/// For the heading: the class, what the processor says that it is, and whether that is of the class or only near it.
std::string describe_machine();

} // namespace bench

#endif
