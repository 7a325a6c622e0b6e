#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests pto.triton in Triton's interpreter. `./run integrations triton` runs this; tools/run/integrations.sh explains the
# variables. The kernels run on tensors of torch if `./run test frameworks` has installed it.
set -euo pipefail
if [[ -e build/frameworks-python/complete ]]; then
    site=$("$PYTHON" -c 'import site; print(site.getsitepackages()[0])')
    echo "$PWD"/build/frameworks-python/lib/python3*/site-packages >"$site/frameworks.pth"
fi
"$PYTHON" -c 'import torch' 2>/dev/null ||
    echo "integrations: triton: kernels are skipped: torch is not here; ./run test frameworks installs it (3 GB)"
"$PYTHON" -m pytest -q -rs -n "$(nproc)" -c pyproject.toml integrations/triton
"$PYTHON" integrations/triton/measure.py --quick | sed 's/^/integrations: triton: /'
