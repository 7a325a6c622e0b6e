# SPDX-License-Identifier: MIT
"""torchao's block scaling, in eager mode."""

from collections.abc import Iterator
from typing import Any

import torch
from torchao.prototype.mx_formats.config import ScaleCalculationMode
from torchao.prototype.mx_formats.mx_tensor import to_mx
from torchao.prototype.mx_formats.nvfp4_tensor import nvfp4_quantize, per_tensor_amax_to_scale
from torchao.quantization.quant_primitives import _choose_scale_float8, _quantize_affine_float8

import pto
from race import Cell

from .data import matrix
from .torch import bits

E4M3, E2M1 = torch.float8_e4m3fn, torch.float4_e2m1fn_x2


# Each function returns codes and scales.


def mx(t: torch.Tensor, kind: torch.dtype, mode: ScaleCalculationMode) -> Any:
    return to_mx(t, kind, 32, mode)[::-1]


def nvfp4(t: torch.Tensor) -> Any:
    return nvfp4_quantize(t, 16, per_tensor_amax_to_scale(t.abs().max()))[::-1]


def fp8(t: torch.Tensor) -> Any:
    scales = _choose_scale_float8(t, [1, 128])
    return _quantize_affine_float8(t, scales), scales


def cells(threads: int, sizes: list[int]) -> Iterator[Cell]:
    torch.set_num_threads(threads)
    floor, rceil = ScaleCalculationMode.FLOOR, ScaleCalculationMode.RCEIL
    recipes = [
        ("MXFP8", "pto.quantize(x, 'e4m3', 'mx.floor')", "mx(t, e4m3, floor)"),
        ("MXFP4", "pto.quantize(x, 'e2m1', 'mx.floor')", "mx(t, e2m1, floor)"),
        ("MXFP8 rceil", "pto.quantize(x, 'e4m3', 'mx.rceil')", "mx(t, e4m3, rceil)"),
        ("NVFP4", "pto.quantize(x, 'e2m1', 'nv.ao')", "nvfp4(t)"),
        ("FP8 1x128", "pto.quantize(x, 'e4m3', 'fp8.div')", "fp8(t)"),
    ]

    for elements in sizes:
        x = matrix(elements)
        names = {"pto": pto, "x": x, "t": torch.from_numpy(x), "mx": mx, "nvfp4": nvfp4, "fp8": fp8}
        names |= {"e4m3": E4M3, "e2m1": E2M1, "floor": floor, "rceil": rceil}
        for label, ours, theirs in recipes:
            yield Cell("blocks", label, elements, ours, theirs, names, None, bits)
