#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Run in a fresh root, whose folder /package-test has the wheel. Installs the wheel without a network, uses it with the
# system's NumPy, uninstalls it, and checks that no file is left.
set -euo pipefail
cd /package-test
export LC_ALL=C.UTF-8

python3 -m venv --system-site-packages venv
find venv | sort >before.txt
venv/bin/pip install --quiet --no-cache-dir --no-index ./libpto-*.whl
venv/bin/pip check

# The expected codes follow from the formats: e4m3 has a bias of 7 and 3 mantissa bits, ue8m0 a bias of 127.
venv/bin/python -W error - <<'END'
import numpy as np, pto

assert pto.__file__.startswith("/package-test/venv/"), pto.__file__
x = np.array([1, -1000, np.nan, 0.3], np.float32)
codes = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x)
assert codes.view(np.uint8).tolist() == [0x38, 0xFE, 0x7F, 0x2A], codes
assert pto.vcmp(x, 0, "lt").tolist() == [False, True, False, False]
blocks = np.zeros((2, 32), np.float32)
blocks[0, :3] = 7, 1, -0.3  # 7 / 448 is 2^-6
blocks[1, 0] = 7.5  # 7.5 / 448 is rounded up to 2^-5
quantized = pto.quantize(blocks, "e4m3", "mx.rceil")
assert quantized.scales.view(np.uint8).ravel().tolist() == [127 - 6, 127 - 5], quantized.scales
assert quantized.codes.view(np.uint8)[:, :4].tolist() == [[0x7E, 0x68, 0xDA, 0], [0x77, 0, 0, 0]], quantized.codes
assert pto.dequantize(quantized)[:, :3].tolist() == [[7, 1, -0.3125], [7.5, 0, 0]]
assert pto.vexp(np.array([0, -np.inf], np.float32)).tolist() == [1, 0]  # needs the SLEEF in the wheel
assert "needs .satfinite" in str(pto.explain("cvt.rn.e4m3x2.f32"))
END

venv/bin/pip uninstall --quiet --yes libpto
find venv | sort >after.txt
diff before.txt after.txt || {
    echo "package: these files of the wheel are left" >&2
    exit 1
}
echo "package: installed, used and uninstalled in a fresh root: $(echo libpto-*.whl)"
