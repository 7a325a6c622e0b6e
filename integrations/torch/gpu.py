# SPDX-License-Identifier: MIT
"""Digests of the results of torch: of all casts of samples.py, and of comparisons, minima, maxima and clamps.

``python gpu.py`` prints those of the first NVIDIA GPU as JSON, in the format of gpu.json.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor

import samples

CODES = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32, 8: torch.uint64}
NUMBERS = (0.0, -0.0, 1.0, float("nan"), float("inf"), -float("inf"), 0.1)
BOUNDS = (0.0, -0.0, 1.0, float("nan"), 0.1)


def tensor(codes: np.ndarray, name: str, device: str = "cpu") -> Tensor:
    """Returns the tensor of a dtype that has these codes."""
    return torch.from_numpy(codes).to(device).view(getattr(torch, name))


def codes_of(x: Tensor) -> np.ndarray:
    """Returns the codes of a tensor."""
    return x.detach().contiguous().view(CODES[x.element_size()]).cpu().numpy()


def digest(x: Tensor) -> str:
    return hashlib.sha256(codes_of(x).tobytes()).hexdigest()[:16]


def casts(device: str = "cpu") -> Iterator[tuple[str, Tensor]]:
    """Yields the name and the result of every cast between two dtypes."""
    for source in samples.BITS:
        x = tensor(samples.codes(source), source, device)
        for target in samples.BITS:
            if source != target:
                yield f"{source} {target}", x.to(getattr(torch, target))


def _calls(name: str, device: str) -> dict[str, Callable[[], Tensor]]:
    x = tensor(samples.special(name), name, device)
    n = x.numel()
    rows = x.view(CODES[x.element_size()])[:, None].expand(n, n).contiguous().view(x.dtype)
    columns = x.view(CODES[x.element_size()])[None, :].expand(n, n).contiguous().view(x.dtype)
    pairs = ("eq", "ne", "lt", "le", "gt", "ge", "maximum", "minimum", "fmax", "fmin")
    calls: dict[str, Callable[[], Tensor]] = {
        pair: lambda pair=pair: getattr(torch, pair)(rows, columns) for pair in pairs
    }
    calls["clamp_min tensor"] = lambda: torch.clamp(rows, min=columns)
    calls["clamp_max tensor"] = lambda: torch.clamp(rows, max=columns)
    few = slice(0, min(n, 64))
    calls["clamp tensors"] = lambda: torch.clamp(
        rows[few, few, None], columns[few, few, None], x.view(CODES[x.element_size()])[few].view(x.dtype)
    )
    for low in NUMBERS:
        calls[f"clamp_min {low}"] = lambda low=low: torch.clamp(x, min=low)
        calls[f"clamp_max {low}"] = lambda low=low: torch.clamp(x, max=low)
        for high in BOUNDS:
            calls[f"clamp {low} {high}"] = lambda low=low, high=high: torch.clamp(x, low, high)
        for cmp in pairs[:6]:
            calls[f"{cmp} {low}"] = lambda low=low, cmp=cmp: getattr(torch, cmp)(x, low)
    calls["relu"] = lambda: torch.relu(x)
    wide = torch.tensor(0.1, dtype=torch.float64, device=device)
    calls["where promotes"] = lambda: torch.where(x.to(torch.float32) < 1, x, wide)
    calls["maximum promotes"] = lambda: torch.maximum(x, torch.full((1,), 0.1, device=device))
    return calls


def selections(device: str = "cpu") -> Iterator[tuple[str, Tensor | None]]:
    """Yields the name and the result of every comparison and selection, None for those that torch lacks."""
    for name in samples.FLOATS:
        for call, compute in _calls(name, device).items():
            try:
                yield f"{name} {call}", compute()
            except (NotImplementedError, RuntimeError):
                yield f"{name} {call}", None


def _lines(digests: dict[str, str]) -> str:
    """Returns JSON of a dict with three items on a line."""
    items = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in digests.items()]
    return "{\n" + ",\n".join(", ".join(items[i : i + 3]) for i in range(0, len(items), 3)) + "\n}"


def main() -> None:
    warnings.simplefilter("ignore")
    cast = {name: digest(x) for name, x in casts("cuda")}
    selected = {name: digest(x) for name, x in selections("cuda") if x is not None}
    print(f'{{"casts": {_lines(cast)},\n"selections": {_lines(selected)}}}')


if __name__ == "__main__":
    main()
