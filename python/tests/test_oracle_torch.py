# SPDX-License-Identifier: MIT
"""pto.cast against torch's float8 types: every code to f32; every f16 and bf16, and random f32, to each type.

Two kinds of results are left out: magnitudes beyond the range of e4m3, which newer versions of torch saturate and
older ones do not, and values between 2^-127 and 1.5 * 2^-127 to ue8m0, which torch rounds up. All NaNs count as equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pto
from checks import Faulty, floats

torch = pytest.importorskip("torch", reason="torch is not installed: its float8 types are not compared")

Array = np.ndarray[Any, Any]
TYPES = {
    "e4m3": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
    "e4m3fnuz": torch.float8_e4m3fnuz,
    "e5m2fnuz": torch.float8_e5m2fnuz,
    "ue8m0": torch.float8_e8m0fnu,
}
CODES = np.arange(256, dtype=np.uint8)


def sources() -> dict[str, tuple[Array, Any]]:
    """Returns for each source type the operand of pto.cast, and torch's tensor with the same bits."""
    halves = np.arange(65536, dtype=np.uint16)
    words = np.concatenate([np.random.default_rng(1).integers(0, 2**32, 2**19, np.uint32).view(np.float32), floats()])
    return {
        "f16": (halves.view(np.float16), torch.from_numpy(halves.view(np.int16)).view(torch.float16)),
        "bf16": (halves, torch.from_numpy(halves.view(np.int16)).view(torch.bfloat16)),
        "f32": (words, torch.from_numpy(words)),
    }


SOURCES = sources()


def decoded(name: str, codes: Array) -> Array:
    return torch.from_numpy(codes.copy()).view(TYPES[name]).to(torch.float32).numpy()


def compared(name: str, x: Array) -> Array:
    size = np.abs(x)
    if name == "e4m3":
        return ~(size > 448)
    return ~((size > 2.0**-127) & (size < 1.5 * 2.0**-127)) if name == "ue8m0" else np.full(x.shape, True)


def differing(p: Any, name: str, src: str) -> tuple[int, int]:
    """Returns how many results differ, and how many are compared."""
    operand, tensor = SOURCES[src]
    kept = compared(name, tensor.to(torch.float32).numpy())
    theirs = tensor.to(TYPES[name]).view(torch.uint8).numpy()
    rounding = "rna" if name == "ue8m0" else "rn"  # torch rounds ties of ue8m0 up
    ours = p.cast(operand, name, rounding, src=src).view(np.uint8)
    nans = np.isnan(decoded(name, ours)) & np.isnan(decoded(name, theirs))
    return int(((ours != theirs) & ~nans & kept).sum()), int(kept.sum())


@pytest.mark.parametrize("src", SOURCES)
@pytest.mark.parametrize("name", TYPES)
def test_to_float8(name: str, src: str, isa: str, tally: Callable[[str, int, int], None]) -> None:
    wrong, count = differing(pto, name, src)
    assert wrong == 0
    if isa == "scalar":
        tally("torch", 1, count)


@pytest.mark.parametrize("name", TYPES)
def test_from_float8(name: str, isa: str) -> None:
    ours, theirs = pto.cast(CODES, "f32", src=name), decoded(name, CODES)
    same = (ours.view(np.uint32) == theirs.view(np.uint32)) | (np.isnan(ours) & np.isnan(theirs))
    assert same.all()


@pytest.mark.parametrize("name", TYPES)
def test_finds_an_altered_result_and_another_rounding(name: str) -> None:
    def altered(*args: Any, **named: Any) -> Array:
        result = pto.cast(*args, **named).view(np.uint8).copy()
        result[0x3C00] ^= 1  # of 1.0
        return result

    def toward_zero(x: Array, to: str, round: str, **named: Any) -> Array:
        return pto.cast(x, to, "rz", **named)

    assert differing(Faulty("cast", altered), name, "f16")[0] == 1
    assert differing(Faulty("cast", toward_zero), name, "f32")[0] > 0
