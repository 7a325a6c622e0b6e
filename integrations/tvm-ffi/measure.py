# SPDX-License-Identifier: MIT
"""Prints the time of calls on small arrays: through TVM FFI, with arrays of NumPy, tensors of TVM FFI and of torch, and
of the same calls of the package pto. The environment variable PTO_TVM_FFI is the path of the module."""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import tvm_ffi

import pto

COUNT = 64
CALLS, EPOCHS = 1000, 30


def best(calls: list[Callable[[], Any]]) -> list[float]:
    """Returns the shortest time of each call in microseconds. They are measured in turns."""
    times = [float("inf")] * len(calls)
    for _ in range(EPOCHS):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            for _ in range(CALLS):
                call()
            times[i] = min(times[i], (time.perf_counter() - start) / CALLS * 1e6)
    return times


def rows(convert: Callable[[Any], Any]) -> dict[str, Callable[[], Any]]:
    """Returns the calls by their names, with operands that ``convert`` makes of arrays."""
    module = tvm_ffi.load_module(os.environ["PTO_TVM_FFI"])
    cvt, vcmp, vmax, vclamp, vsel = (module[name] for name in ("cvt", "vcmp", "vmax", "vclamp", "vsel"))
    quantize, cast = module.block_quantize, module.cast
    x, y, z = (convert(np.full(COUNT, value, np.float32)) for value in (1.5, 2.5, 0))
    code, bools = convert(np.zeros(COUNT, np.uint8)), convert(np.zeros(COUNT, bool))
    scale = convert(np.zeros(COUNT // 32, np.uint8))
    return {
        "cvt": lambda: cvt("cvt.rn.satfinite.e4m3x2.f32", x, code, None),
        "cast": lambda: cast("e4m3fnuz", "f32", "rn", "saturate", x, code, None),
        "vcmp": lambda: vcmp("f32", "lt", "", x, y, None, bools),
        "vsel": lambda: vsel("f32", x, y, bools, z),
        "vmax": lambda: vmax("f32", "", x, y, z),
        "vclamp": lambda: vclamp("f32", "", x, 0.0, 1.0, z),
        "block_quantize": lambda: quantize(
            "f32", "e4m3", "mx.rceil", "rn", False, False, 0.0, 1, 32, x, code, scale, None
        ),
    }


def package() -> dict[str, Callable[[], Any]]:
    """Returns the same calls of the package."""
    x, y, z = (np.full(COUNT, value, np.float32) for value in (1.5, 2.5, 0))
    codes, bools = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x), np.zeros(COUNT, bool)
    other = pto.cast(x, "e4m3fnuz")
    q = pto.quantize(x, "e4m3", "mx.rceil")
    return {
        "cvt": lambda: pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x, out=codes),
        "cast": lambda: pto.cast(x, "e4m3fnuz", "rn", "saturate", out=other),
        "vcmp": lambda: pto.vcmp(x, y, "lt", out=bools),
        "vsel": lambda: pto.vsel(x, y, bools, out=z),
        "vmax": lambda: pto.vmax(x, y, out=z),
        "vclamp": lambda: pto.vclamp(x, 0.0, 1.0, out=z),
        "block_quantize": lambda: pto.quantize(x, "e4m3", "mx.rceil", out=(q.codes, q.scales)),
    }


def main() -> None:
    kinds = {"NumPy": rows(lambda a: a), "tvm_ffi.Tensor": rows(tvm_ffi.from_dlpack)}
    if importlib.util.find_spec("torch") is not None:
        import torch

        kinds["torch"] = rows(torch.from_numpy)
    kinds["package pto, NumPy"] = package()
    print(f"microseconds of a call on {COUNT} elements: " + ", ".join(kinds))
    for name in kinds["NumPy"]:
        print(f"{name}: " + ", ".join(f"{t:.2f}" for t in best([calls[name] for calls in kinds.values()])))


if __name__ == "__main__":
    main()
