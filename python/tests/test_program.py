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


def test_a_register_has_one_value() -> None:
    text = "%y = pto.vadd %x, %x : !pto.vreg<64xf32>, !pto.vreg<64xf32> -> !pto.vreg<64xf32>"
    three = np.full(3, 7, np.float32)
    for inputs, value in (({"%x": 1.0}, three), ({"%x": three}, 1.0), ({"%x": three}, three)):
        with pytest.raises(TypeError, match="x: %x is given twice"):
            pto.run(text, inputs, x=value)
        with pytest.raises(TypeError, match="x: %x is given twice"):
            pto.run(text, {"x": value, **inputs})
    with pytest.raises(TypeError, match="x: it is given twice"):
        pto.run("add.f32 y, x, x;", {"x": 1.0}, x=2.0)
    assert pto.run("add.f32 y, x, z;", {"x": 1.0}, z=2.0)["y"].tolist() == [3]
