# SPDX-License-Identifier: MIT
"""Prints a table of the casts of ONNX Runtime, before and after ``replace_casts()``.

A row has the number of wrong results and the time of one inference of a model that is one cast. Both sessions have one
thread, are measured in turns, and the best time counts. f32 has 4 Mi random and special codes; other types have all
their values. ``--quick`` prints only the time of f32 to E4M3.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from common import data, run, session, tensor
from models import ONNX, floats, onnx_type, values
from replace_casts import replace_casts

from oracle import LARGEST, SOURCES, cast_model, rounded, wrong

COUNT = 4 << 20
TURNS = 7


def measured(active: Any, feeds: Any, turns: int) -> float:
    """Returns the shortest time of an inference in milliseconds."""
    best = float("inf")
    for _ in range(turns):
        start = time.perf_counter()
        run(active, feeds)
        best = min(best, 1000 * (time.perf_counter() - start))
    return best


def sessions(source: str, target: str, threads: int) -> list[Any]:
    """Returns a session of ONNX Runtime's cast, None if it has no such cast, and a session of pto.Cast."""
    proto = cast_model(source, target)
    try:
        before = session(proto, library=False, threads=threads)
    except Exception as error:
        if "NOT_IMPLEMENTED" not in str(error):
            raise
        before = None
    replace_casts(proto, wide=True)
    return [before, session(proto, threads=threads)]


def row(source: str, target: str) -> str:
    x = values(source, COUNT)
    feeds = {"x": tensor(x, onnx_type(source))}
    want = rounded(x.view(ONNX[source][1]), target)
    both = sessions(source, target, 1)
    bits = 4 if target == "e2m1" else 8 * want.itemsize
    counts = [str(wrong(data(run(s, feeds)[0], bits), want)) if s else "not implemented" for s in both]
    best = [float("inf"), float("inf")]
    for _ in range(TURNS):
        for i, active in enumerate(both):
            if active:
                best[i] = min(best[i], measured(active, feeds, 1 if i == 0 else 5))
    times = [f"{ms:.3f}" if ms < float("inf") else "-" for ms in best]
    ratio = f"{best[0] / best[1]:.1f}" if best[0] < float("inf") else "-"
    return "| " + " | ".join([source, target, str(len(x)), *counts, *times, ratio]) + " |"


def quick(title: str, x: Any, threads: int) -> str:
    feeds = {"x": tensor(x, onnx_type("f32"))}
    before, after = sessions("f32", "e4m3", threads)
    best = [float("inf"), float("inf")]
    for _ in range(3):
        best = [min(best[0], measured(before, feeds, 1)), min(best[1], measured(after, feeds, 10))]
    return (
        f"{len(x)} {title} of f32 to e4m3, {threads} threads: {best[0]:.0f} ms before, {best[1]:.2f} ms after: "
        f"{best[0] / best[1]:.0f} times faster"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only the time of f32 to E4M3")
    if not parser.parse_args().quick:
        print("| from | to | values | wrong before | wrong after | ms before | ms after | ratio |")
        print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        with np.errstate(all="ignore"):
            for source in (*SOURCES, *LARGEST):
                for target in (*LARGEST, *SOURCES):
                    if source != target and source != "e2m1" and {source, target} & set(SOURCES):
                        print(row(source, target), flush=True)
    normal = np.random.default_rng(1).standard_normal(COUNT).astype(np.float32)
    for threads in (1, 2):
        print(quick("random codes", floats(COUNT), threads))
        print(quick("normally distributed values", normal, threads))


main()
