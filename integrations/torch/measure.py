# SPDX-License-Identifier: MIT
"""Prints tables of torch's results on the CPU, before and inside ``pto.torch.exact``.

A row has the number of results that differ from an NVIDIA GPU: of all values of types of at most 16 bits, and of 1 Mi
of f32 and f64. Times are those of one call on 1 Mi normally distributed values, on one thread.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import gpu
import oracle
import pto.torch
import samples

COUNT = 1 << 20
EPOCHS = 7
QUICK = [
    ("float32", "float8_e4m3fn"),
    ("float8_e4m3fn", "float32"),
    ("float16", "float8_e5m2"),
    ("float32", "int8"),
]
SELECTIONS: dict[str, Callable[..., Any]] = {
    "maximum": torch.maximum,
    "fmax": torch.fmax,
    "clamp(0, 6)": lambda x, y: x.clamp(0, 6),
    "relu": lambda x, y: x.relu(),
    "where(x > y, x, f64)": lambda x, y: torch.where(x > y, x, torch.tensor(0.5, dtype=torch.float64)),
}


def best(call: Callable[[], Any]) -> float:
    """Returns the shortest time of a call in milliseconds."""
    times = []
    for _ in range(EPOCHS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def times(call: Callable[[], Any]) -> tuple[float, float]:
    """Returns the times of a call before and inside ``exact``, measured in turns."""
    before, after = [], []
    for _ in range(2):
        before.append(best(call))
        with pto.torch.exact():
            after.append(best(call))
    return min(before), min(after)


def line(cells: list[Any]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def cast_row(source: str, target: str) -> str:
    codes = samples.codes(source)[:COUNT]
    x, dtype = gpu.tensor(codes, source), getattr(torch, target)
    stock = x.to(dtype)
    with pto.torch.exact():
        exact = x.to(dtype)
    got = gpu.codes_of(stock)
    values = ~oracle.same(got.view(oracle.DTYPES[target]), gpu.codes_of(exact).view(oracle.DTYPES[target]))
    differ = got != gpu.codes_of(exact)
    many = torch.randn(COUNT).to(getattr(torch, source))
    before, after = times(lambda: many.to(dtype))
    return line([source, target, len(codes), values.sum(), (differ & ~values).sum(), f"{before:.2f}", f"{after:.2f}"])


def selection_row(name: str, dtype: str) -> str:
    special = samples.special(dtype)
    a, b = (gpu.tensor(part.ravel(), dtype) for part in np.meshgrid(special, special))
    call = SELECTIONS[name]
    stock = call(a, b)
    with pto.torch.exact():
        exact = call(a, b)
    values = ~oracle.same(stock.double().numpy(), exact.double().numpy())
    differ = gpu.codes_of(stock) != gpu.codes_of(exact)
    x, y = (torch.randn(COUNT).to(getattr(torch, dtype)) for _ in range(2))
    before, after = times(lambda: call(x, y))
    return line([name, dtype, len(a), values.sum(), (differ & ~values).sum(), f"{before:.2f}", f"{after:.2f}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="print only some rows")
    quick = parser.parse_args().quick
    torch.set_num_threads(1)
    with np.errstate(all="ignore"):
        print("| from | to | values | other values | other NaNs | ms before | ms inside |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        pairs = [(s, t) for s, t in itertools.product(samples.FLOATS, samples.BITS) if s != t and t != "bool"]
        for source, target in QUICK if quick else pairs:
            print(cast_row(source, target), flush=True)
        print("\n| call | type | pairs | other values | other NaNs | ms before | ms inside |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        for name, dtype in itertools.product(SELECTIONS, ["float32"] if quick else ["float64", "float32", "bfloat16"]):
            print(selection_row(name, dtype), flush=True)


main()
