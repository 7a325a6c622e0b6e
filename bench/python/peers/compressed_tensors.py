# SPDX-License-Identifier: MIT
"""compressed-tensors' block scaling, including the packing of 4-bit codes."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from compressed_tensors.compressors.nvfp4.helpers import pack_fp4_to_uint8
from compressed_tensors.quantization import QuantizationArgs
from compressed_tensors.quantization.lifecycle.forward import quantize
from compressed_tensors.quantization.utils import compute_dynamic_scales_and_zp, generate_gparam

import pto
from race import Cell

from .data import matrix
from .torch import bits


def arguments(width: int, block: int, strategy: str, scales: torch.dtype | None) -> QuantizationArgs:
    return QuantizationArgs(
        num_bits=width, type="float", strategy=strategy, symmetric=True, group_size=block, scale_dtype=scales
    )


def quantized(t: torch.Tensor, args: QuantizationArgs) -> Any:
    """Returns codes, and scales in the type in which they are computed."""
    number = generate_gparam(t.min(), t.max()) if args.strategy == "tensor_group" else None
    scales, zero_points = compute_dynamic_scales_and_zp(t, args, torch.nn.Module(), number)
    if args.num_bits == 8:
        return quantize(t, scales, zero_points, args, torch.float8_e4m3fn, number), scales
    return pack_fp4_to_uint8(quantize(t, scales, zero_points, args, global_scale=number)), scales


def stored(result: Any, args: QuantizationArgs) -> Any:
    """Returns the bytes of codes and scales, with scales in the type that is stored in files."""
    codes, scales = result
    if args.scale_dtype is torch.uint8:
        scales = (torch.log2(scales) + 127).to(torch.uint8)
    elif args.scale_dtype is not None:
        scales = scales.to(args.scale_dtype)
    return bits((codes, scales))


def cells(threads: int, sizes: list[int]) -> Iterator[Cell]:
    torch.set_num_threads(threads)
    recipes = [
        ("MXFP8", "pto.quantize(x, 'e4m3', 'mx.even1')", arguments(8, 32, "group", torch.uint8)),
        ("MXFP4", "pto.quantize(x, 'e2m1', 'mx.even')", arguments(4, 32, "group", torch.uint8)),
        ("NVFP4", "pto.quantize(x, 'e2m1', 'nv.ct')", arguments(4, 16, "tensor_group", torch.float8_e4m3fn)),
        ("FP8 1x128", "pto.quantize(x, 'e4m3', 'fp8.ct')", arguments(8, 128, "group", None)),
    ]
    for elements in sizes:
        x = matrix(elements)
        for label, ours, args in recipes:
            names = {"pto": pto, "x": x, "t": torch.from_numpy(x), "args": args, "quantized": quantized}
            yield Cell("blocks", label, elements, ours, "quantized(t, args)", names, None, partial(stored, args=args))
