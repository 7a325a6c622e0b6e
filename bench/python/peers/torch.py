# SPDX-License-Identifier: MIT
"""torch: Tensor.to, comparisons and where, against pto's calls on arrays and tensors."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

import pto
import pto.torch
from race import Array, Cell

from .data import DTYPES, casts, numbers

KINDS = {
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "e4m3": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
}


def tensor(array: Array, kind: str) -> torch.Tensor:
    """Returns a tensor over an array's memory. torch.from_numpy accepts only NumPy's own dtypes."""
    return torch.from_numpy(array.view(np.uint8)).view(KINDS[kind])


def bits(result: Any) -> Array:
    if isinstance(result, tuple):
        return np.concatenate([bits(part) for part in result])
    if isinstance(result, np.ndarray):
        return result.reshape(-1).view(np.uint8)
    octets: Array = result.detach().contiguous().reshape(-1).view(torch.uint8).numpy()
    return octets


def calls() -> Iterator[Cell]:
    for n in (1, 64):
        x = numbers("f32", n)
        names: dict[str, Any] = {"pto": pto, "torch": torch, "x": x, "t": tensor(x, "f32"), "zeros": torch.zeros(n)}
        names |= {"m": names["t"] > 0, "b": np.zeros(n, np.float32), "mask": x > 0, "text": "cvt.rn.bf16.f32"}
        yield Cell("calls", "cvt by text", n, "pto.cvt(text, x)", "t.to(torch.bfloat16)", names, None, bits)
        yield Cell("calls", "cvt of a tensor", n, "pto.cvt(text, t)", "t.to(torch.bfloat16)", names, None, bits)
        yield Cell("calls", "vcmp", n, "pto.vcmp(x, b, 'lt')", "t < zeros", names, None, bits)
        yield Cell("calls", "vsel", n, "pto.vsel(x, b, mask)", "torch.where(m, t, zeros)", names, None, bits)


def cells(threads: int, sizes: list[int]) -> Iterator[Cell]:
    torch.set_num_threads(threads)
    if threads == 1:
        yield from calls()
    for elements in sizes:
        for name, source, target, ours in casts():
            x, y = numbers(source, elements), np.zeros(elements, DTYPES[target])
            names = {"pto": pto, "x": x, "y": y, "t": tensor(x, source), "z": tensor(y, target), "to": KINDS[target]}
            yield Cell("casts", name, elements, ours, "t.to(to)", names, None, bits)
            yield Cell("casts to out", name, elements, ours[:-1] + ", out=y)", "z.copy_(t)", names, y, bits)
