#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the module for TVM FFI, and tests it. `./run integrations tvm-ffi` runs this; tools/run/integrations.sh explains
# the variables. Tensors of torch are tested if `./run test frameworks` has installed it, and arrays of jax if the
# Python has it.
set -euo pipefail
if ! command -v g++ >/dev/null; then
    echo "integrations: tvm-ffi: skipped: g++ is not here"
    exit 0
fi
PATH=$(dirname "$PYTHON"):$PATH
export PTO_TVM_FFI=$PWD/build/tvm-ffi/libpto_tvm_ffi.so
mkdir -p build/tvm-ffi
libraries=$(realpath "$BUILD")
# The macro of TVM FFI that exports a function has an unused parameter.
# shellcheck disable=SC2046 # the output is several words
g++ -std=c++17 -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror -Wno-unused-parameter \
    integrations/tvm-ffi/pto_tvm_ffi.cpp -o "$PTO_TVM_FFI" $(tvm-ffi-config --cxxflags --ldflags --libs) \
    -Iinclude "$libraries/libpto.so" -Wl,-rpath,"$libraries" -Wl,--no-undefined
if [[ -e build/frameworks-python/complete ]]; then
    site=$("$PYTHON" -c 'import site; print(site.getsitepackages()[0])')
    echo "$PWD"/build/frameworks-python/lib/python3*/site-packages >"$site/frameworks.pth"
fi
"$PYTHON" -c 'import torch' 2>/dev/null ||
    echo "integrations: tvm-ffi: torch is not here, and its tensors are not tested; ./run test frameworks installs it"
"$PYTHON" -m pytest -q -rs -n "$(nproc)" -c pyproject.toml integrations/tvm-ffi
"$PYTHON" integrations/tvm-ffi/measure.py | sed 's/^/integrations: tvm-ffi: /'
