# SPDX-License-Identifier: MIT
"""Runs kernels as Triton's compiler translates them for NVIDIA GPUs: libpto executes their PTX. No GPU is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime import interpreter
from triton.runtime.jit import JITFunction

import pto
from oracle import type_of

SIZE = 256  # elements of one block of a kernel


def cast(X, Y, R: tl.constexpr):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    tl.store(Y + at, tl.load(X + at).to(Y.dtype.element_ty, fp_downcast_rounding=R))


def select(X, Y, Z, R: tl.constexpr):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    x = tl.load(X + at)
    y = tl.load(Y + at)
    if R == "minimum":
        z = tl.minimum(x, y)
    elif R == "maximum":
        z = tl.maximum(x, y)
    elif R == "minimum ALL":
        z = tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)
    elif R == "maximum ALL":
        z = tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)
    elif R == "clamp":
        z = tl.clamp(x, y, tl.abs(y))
    elif R == "clamp ALL":
        z = tl.clamp(x, y, tl.abs(y), propagate_nan=tl.PropagateNan.ALL)
    elif R == "<":
        z = (x < y).to(tl.int8)
    elif R == "<=":
        z = (x <= y).to(tl.int8)
    elif R == ">":
        z = (x > y).to(tl.int8)
    elif R == ">=":
        z = (x >= y).to(tl.int8)
    elif R == "==":
        z = (x == y).to(tl.int8)
    else:
        z = (x != y).to(tl.int8)
    tl.store(Z + at, z)


def _signature_name(name: str) -> str:
    return name.replace("uint", "u").replace("int", "i")


def run(kernel: Callable[..., None], operands: list[tuple[Any, str]], result: str, option: Any, cap: int = 90) -> Any:
    """Returns what the compiled kernel computes: one element of the type ``result`` for each of the operands.

    ``operands`` are arrays of a multiple of SIZE elements and the names of their types; ``option`` is the kernel's
    constant R, and ``cap`` the compute capability for which it is compiled.
    """
    names = [*"XYZ"[: len(operands) + 1]]
    types = [*(name for _, name in operands), result]
    signature = {name: "*" + _signature_name(kind) for name, kind in zip(names, types, strict=True)}
    source = ASTSource(JITFunction(kernel), {**signature, "R": "constexpr"}, {"R": option})
    text = triton.compile(source, target=GPUTarget("cuda", cap, 32), options={"num_warps": 2}).asm["ptx"]
    arrays = [np.ascontiguousarray(x).view(interpreter._get_np_dtype(type_of(name))) for x, name in operands]
    out = np.zeros(len(arrays[0]), interpreter._get_np_dtype(type_of(result)))
    scratch = np.zeros(1, np.uint8)  # two pointers that Triton adds, and that these kernels do not use
    pto.Module(text)[kernel.__name__](len(out) // SIZE, 64, *arrays, out, scratch, scratch)
    return out
