// SPDX-License-Identifier: MIT
/// @file forms.h  Every form of a conversion that libpto takes, which are far too many for cells.
#ifndef PTO_BENCH_FORMS_H
#define PTO_BENCH_FORMS_H

#include "measure/race.h"

namespace bench {

/// Verify and time them all and print the table; Scope::tiny: verify few lanes of each. False if a form
/// differs from scalar.
bool sweep_forms(Memory &memory, Scope scope);

} // namespace bench

#endif
