#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests pto_execute.cc in GPGPU-Sim. `./run integrations gpgpu-sim` runs this; tools/run/integrations.sh explains the
# variables. GPGPU_SIM is the folder of a checkout of GPGPU-Sim.
set -euo pipefail
skip()
{
    echo "integrations: gpgpu-sim: skipped: $1"
    exit 0
}
[[ -n ${GPGPU_SIM:-} ]] || skip "set GPGPU_SIM to the folder of a checkout of GPGPU-Sim"
[[ -f $GPGPU_SIM/src/cuda-sim/instructions.cc ]] || skip "$GPGPU_SIM has no src/cuda-sim/instructions.cc"
for tool in bison flex; do
    command -v "$tool" >/dev/null || skip "no $tool; apt-get install bison flex zlib1g-dev"
done
[[ -f /usr/include/zlib.h ]] || skip "no zlib.h; apt-get install zlib1g-dev"

headers=$("$PYTHON" -c 'import site; print(site.getsitepackages()[0])')/nvidia/cuda_runtime/include
folder=$PWD/build/integrations-gpgpu-sim-build
GPGPU_SIM=$(realpath "$GPGPU_SIM")
cmake -S integrations/gpgpu-sim -B "$folder" -G Ninja -DCMAKE_CXX_FLAGS=-O1 -DGPGPU_SIM="$GPGPU_SIM" \
    -DCUDA_INCLUDE="$headers" -DLIBPTO="$PWD/$BUILD"
cmake --build "$folder" -j "$(nproc)"
cp "$GPGPU_SIM"/configs/tested-cfgs/SM7_QV100/* "$folder"
cd "$folder"
status=0
./test_gpgpu_sim 2>results.txt >log.txt || status=$?
sed 's/^/integrations: gpgpu-sim: /' results.txt
[[ $status -eq 0 ]] || grep '^first: ' log.txt || true
exit "$status"
