#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests the overlay for pto-isa's CPU simulator. `./run integrations pto-isa` runs this; tools/run/integrations.sh
# explains its variables. PTO_ISA_CHECKOUT is the folder of a checkout of pto-isa, which is only read. (The variable
# PTO_ISA selects a backend of libpto.)
set -euo pipefail
tested=3186c381
checkout=${PTO_ISA_CHECKOUT:-}
work=$PWD/build/pto-isa

# skip REASON: ends the script without an error.
skip()
{
    echo "integrations: pto-isa: skipped: $1"
    exit 0
}

[[ -n $checkout ]] || skip "PTO_ISA_CHECKOUT is not set to a checkout of https://github.com/hw-native-sys/pto-isa"
[[ -e $checkout/include/pto/pto-inst.hpp ]] || skip "there is no $checkout/include/pto/pto-inst.hpp"
[[ $("${CXX:-g++}" -dumpversion | cut -d. -f1) -ge 12 ]] || skip "${CXX:-g++} is older than gcc 12"
commit=$(git -C "$checkout" rev-parse --short=8 HEAD 2>/dev/null || echo unknown)
[[ $commit == "$tested" ]] || echo "integrations: pto-isa: $checkout is commit $commit; results are known for $tested"

# test_overlay PROGRAM: runs a Python program of this folder.
test_overlay()
{
    "$PYTHON" "integrations/pto-isa/$1.py" --pto-isa "$checkout" --include include --library "$BUILD" \
        --build "$work/$1" | sed 's/^/integrations: pto-isa: /'
}

test_overlay measure
if [[ -e /usr/include/gtest/gtest.h ]]; then
    test_overlay system_tests
else
    echo "integrations: pto-isa: pto-isa's own tests are skipped: GoogleTest is not here; apt-get install libgtest-dev"
fi
