#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the extension of OpenVINO with the headers of its wheel and tests it. `./run integrations openvino` runs this;
# tools/run/integrations.sh explains the variables.
set -euo pipefail
source=integrations/openvino
folder=$PWD/build/integrations-openvino/extension
cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTO_LIBRARY="$PWD/$BUILD/libpto.a" \
    -DOpenVINO_DIR="$("$PYTHON" -c 'import openvino.utils; print(openvino.utils.get_cmake_path())')" >"$folder.log"
cmake --build "$folder"
export PTO_OPENVINO=$folder/libpto_openvino.so
"$PYTHON" -m pytest -q -rs -n "$(nproc)" -c pyproject.toml "$source"
"$PYTHON" "$source/measure.py" --quick | sed 's/^/integrations: openvino: /'
