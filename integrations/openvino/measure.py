# SPDX-License-Identifier: MIT
"""Prints a table of the casts of OpenVINO's CPU device, before and after ``replace_casts()``.

A row has the number of wrong results and the time of one inference of a model that is one cast. Both models are
measured in turns, and the best time counts. f32 has 4 Mi random and special codes; other types have all their values.
``--quick`` prints only f32 to E4M3.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time
from typing import Any

sys.path.append(str(pathlib.Path(__file__).parent.parent / "onnxruntime"))

import numpy as np
from inference import load, run, tensor
from models import ONNX, floats, onnx_type, values
from replace_casts import replace_casts

from oracle import SOURCES, cast_model, rounded, wrong

COUNT = 4 << 20
TURNS = 5
TARGETS = ("e4m3", "e5m2", "e2m1", *SOURCES)


def request_of(active: Any, x: Any) -> Any:
    request = active.create_infer_request()
    request.set_tensor("x", x)
    return request


def measured(request: Any, turns: int) -> float:
    """Returns the shortest time of an inference in milliseconds."""
    best = float("inf")
    for _ in range(turns):
        start = time.perf_counter()
        request.infer()
        best = min(best, 1000 * (time.perf_counter() - start))
    return best


def compare(source: str, target: str, x: Any, threads: int) -> tuple[list[str], list[float]]:
    """Returns the numbers of wrong results and the times, before and after. An error counts instead of a number."""
    want = rounded(x.view(ONNX[source][1]), target)
    given = tensor(x, onnx_type(source))
    counts, requests = [], []
    for replaced in (False, True):
        proto = cast_model(source, target)
        if replaced:
            replace_casts(proto, wide=True)
        try:
            active = load(proto, extension=replaced, threads=threads)
            counts.append(str(wrong(run(active, {"x": given})[0].data, want)))
            requests.append(request_of(active, given))
        except RuntimeError:
            if replaced:
                raise
            counts.append("error")
            requests.append(None)
    best = [float("inf"), float("inf")]
    for _ in range(TURNS):
        for i, request in enumerate(requests):
            if request:
                best[i] = min(best[i], measured(request, 1 if i == 0 else 5))
    return counts, best


def row(source: str, target: str) -> str:
    x = values(source, COUNT)
    counts, best = compare(source, target, x, 1)
    times = [f"{ms:.3f}" if ms < float("inf") else "-" for ms in best]
    return "| " + " | ".join([source, target, str(len(x)), *counts, *times]) + " |"


def quick(title: str, x: Any) -> str:
    counts, best = compare("f32", "e4m3", x, 1)
    normal = np.isfinite(x) & (np.abs(x) >= 2.0**-6) & (np.abs(x) <= 448)
    return (
        f"{len(x)} {title} of f32 to e4m3, {np.count_nonzero(normal)} in e4m3's normal range: {counts[0]} wrong "
        f"before, {counts[1]} after; {best[0]:.0f} ms before, {best[1]:.2f} ms after: {best[0] / best[1]:.0f} times "
        "faster"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only f32 to E4M3")
    with np.errstate(all="ignore"):
        if not parser.parse_args().quick:
            print("| from | to | values | wrong before | wrong after | ms before | ms after |")
            print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
            for source in (*SOURCES, "e4m3", "e5m2"):
                for target in TARGETS:
                    if source != target and {source, target} & set(SOURCES):
                        print(row(source, target), flush=True)
        normal = np.random.default_rng(1).standard_normal(COUNT).astype(np.float32)
        print(quick("random codes", floats(COUNT)))
        print(quick("normally distributed values", normal))


main()
