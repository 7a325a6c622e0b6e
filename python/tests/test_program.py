# SPDX-License-Identifier: MIT
"""Programs in text: their number of lanes, and their results."""

from __future__ import annotations

import numpy as np
import pytest

import pto

WIDEN = """
%w = pto.vcvt %h, %mh {part = "EVEN"} : !pto.vreg<128xf16>, !pto.mask<b16> -> !pto.vreg<64xf32>
%s = pto.vadd %w, %x : !pto.vreg<64xf32>, !pto.vreg<64xf32> -> !pto.vreg<64xf32>
"""


@pytest.mark.parametrize("registers", [1, 3])
def test_lanes_of_mixed_widths(registers: int) -> None:
    """In a program with f32, a lane has two elements of f16. The input with the most lanes sets their number."""
    n = 64 * registers
    h, x = np.arange(2 * n, dtype=np.float16), np.ones(n, np.float32)
    mask = np.ones(2 * n, bool)
    want = h[::2].astype(np.float32) + 1
    for lanes in (None, n):
        got = pto.run(WIDEN, h=h, x=x, mh=mask, lanes=lanes)
        np.testing.assert_array_equal(got["%s"], want)
    got = pto.run(WIDEN, mh=mask, x=1.0, h=h)  # in any order of the inputs
    np.testing.assert_array_equal(got["%s"], want)


def test_lanes_of_narrow_inputs_alone() -> None:
    text = "%s = pto.vadd %h, %h, %m : !pto.vreg<128xf16>, !pto.vreg<128xf16>, !pto.mask<b16> -> !pto.vreg<128xf16>"
    h = np.arange(256, dtype=np.float16)
    got = pto.run(text, h=h, m=np.ones(256, bool))
    np.testing.assert_array_equal(got["%s"], h + h)


def test_four_elements_in_a_lane() -> None:
    text = '%w = pto.vcvt %h, %m {part = "P0"} : !pto.vreg<256xui8>, !pto.mask<b8> -> !pto.vreg<64xui32>'
    h = np.arange(256, dtype=np.uint8)
    got = pto.run(text, h=h, m=np.ones(256, bool))
    np.testing.assert_array_equal(got["%w"], h[::4])
