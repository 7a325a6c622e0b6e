# SPDX-License-Identifier: MIT
"""Prints a table of the casts of Triton's interpreter, before and after ``pto.triton.install()``.

A row has the number of wrong results and the time of one cast between two types. Types of at most 16 bits are measured
with all their values, f32 and f64 with 4 Mi values. ``--quick`` prints only the
time of f32 to E4M3: of random codes, some of which are subnormal, and of normally distributed values.
"""

from __future__ import annotations

import argparse
import itertools
import time
from typing import Any

import numpy as np

import oracle
import pto.triton
from oracle import DTYPES, interpreter, type_of

COUNT = 4 << 20
EPOCHS = 3


def convert(x: Any, source: str, target: str) -> Any:
    """Returns what the interpreter's builder makes of an array of any size, by the calls of Triton's language."""
    if target == "fp64" and source in ("fp16", "bf16"):
        return convert(convert(x, source, "fp32"), "fp32", target)
    handle = interpreter.TensorHandle(x.view(interpreter._get_np_dtype(type_of(source))), type_of(source))
    builder = interpreter.interpreter_builder
    sizes = oracle.width(source), oracle.width(target)
    if "fp8" in source + target or {source, target} == {"fp16", "bf16"}:
        return builder.create_fp_to_fp(handle, type_of(target), interpreter._ir.ROUNDING_MODE.RTNE).data
    return (builder.create_fp_trunc if sizes[0] > sizes[1] else builder.create_fp_ext)(handle, type_of(target)).data


def measured(x: Any, source: str, target: str, epochs: int) -> tuple[Any, float]:
    """Returns the results and the shortest time in milliseconds, or the error and NaN."""
    best = float("inf")
    for _ in range(epochs):
        start = time.perf_counter()
        try:
            y = convert(x, source, target)
        except (TypeError, OverflowError) as error:
            return type(error).__name__, float("nan")
        best = min(best, 1000 * (time.perf_counter() - start))
    return y, best


def wrong(y: Any, x: Any, target: str) -> str:
    return y if isinstance(y, str) else str(np.count_nonzero(oracle.wrong(y, oracle.nearest(x, target))))


def row(source: str, target: str) -> str:
    x = oracle.every_code(source) if oracle.width(source) <= 16 else oracle.sample(source, COUNT)
    before, before_ms = measured(x, source, target, 1)
    with pto.triton.exact():
        after, after_ms = measured(x, source, target, EPOCHS)
    cells = [
        source,
        target,
        len(x),
        wrong(before, x, target),
        wrong(after, x, target),
        f"{before_ms:.2f}",
        f"{after_ms:.3f}",
    ]
    return "| " + " | ".join(map(str, cells)) + " |"


def race(title: str, x: Any) -> str:
    """Returns a line with the times of f32 to E4M3, measured in turns."""
    times: list[tuple[float, float]] = []
    for _ in range(EPOCHS):
        _, before = measured(x, "fp32", "fp8e4nv", 1)
        with pto.triton.exact():
            _, after = measured(x, "fp32", "fp8e4nv", 20)
        times.append((before, after))
    before, after = (min(column) for column in zip(*times, strict=True))
    return f"{len(x)} {title} to e4m3: {before:.0f} ms before, {after:.2f} ms after: {before / after:.0f} times faster"


def quick() -> str:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 1 << 32, COUNT, np.uint32).view(np.float32)
    normal = rng.standard_normal(COUNT).astype(np.float32)
    return race("random codes of f32", codes) + "\n" + race("normally distributed f32", normal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only the time of f32 to E4M3")
    if not parser.parse_args().quick:
        print("| from | to | values | wrong before | wrong after | ms before | ms after |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
        with np.errstate(all="ignore"):
            for source, target in itertools.permutations(DTYPES, 2):
                print(row(source, target), flush=True)
    print(quick())


main()
