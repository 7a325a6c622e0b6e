#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests pto.torch.exact. `./run integrations torch` runs this; tools/run/integrations.sh explains the variables. torch is
# not installed by it: the tests need the one that `./run test frameworks` installs.
set -euo pipefail
if [[ ! -e build/frameworks-python/complete ]]; then
    echo "integrations: torch: skipped: torch is not here; ./run test frameworks installs it (3 GB)"
    exit 0
fi
site=$("$PYTHON" -c 'import site; print(site.getsitepackages()[0])')
echo "$PWD"/build/frameworks-python/lib/python3*/site-packages >"$site/frameworks.pth"
"$PYTHON" -m pytest -q -rs -n "$(nproc)" -c pyproject.toml integrations/torch
"$PYTHON" integrations/torch/measure.py --quick | sed 's/^/integrations: torch: /'
