// SPDX-License-Identifier: MIT
/// @file forms.h  Measures every form of a conversion that libpto has. There are too many to make cells of them.
#ifndef PTO_BENCH_FORMS_H
#define PTO_BENCH_FORMS_H

#include "measure/race.h"

namespace bench {

/// Verifies and times all forms and prints a table. For Scope::tiny it only verifies a few lanes of each. Returns false
/// if the result of a form differs from scalar's.
bool sweep_forms(Memory &memory, Scope scope);

} // namespace bench

#endif
