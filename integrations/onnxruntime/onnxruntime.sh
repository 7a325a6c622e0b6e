#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the library of operators for ONNX Runtime and tests it. `./run integrations onnxruntime` runs this;
# tools/run/integrations.sh explains the variables. If ORT_INCLUDE is a folder with onnxruntime_c_api.h, the library is
# also compiled with that header, which checks the declarations in ort.h.
set -euo pipefail
source=integrations/onnxruntime
library=$PWD/build/integrations-onnxruntime/libpto_onnxruntime.so
compile() { "${CC:-cc}" -std=c11 -O2 -Wall -Wextra -fPIC -shared -Iinclude "$@" "$source"/*.c "$BUILD/libpto.a" -lm; }
if [[ -n ${ORT_INCLUDE:-} ]]; then
    compile -isystem "$ORT_INCLUDE" -o "$library.header"
    echo "integrations: onnxruntime: ort.h agrees with $ORT_INCLUDE/onnxruntime_c_api.h"
else
    echo "integrations: onnxruntime: ort.h is not compared with onnxruntime_c_api.h, whose folder ORT_INCLUDE names"
fi
compile -Wl,--exclude-libs,ALL -o "$library"
export PTO_ONNXRUNTIME=$library
"$PYTHON" -m pytest -q -rs -n "$(nproc)" -c pyproject.toml "$source"
"$PYTHON" "$source/measure.py" --quick | sed 's/^/integrations: onnxruntime: /'
