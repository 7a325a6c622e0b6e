# SPDX-License-Identifier: MIT
"""Reference implementations of block scaling: block_rules.py, and gfloat and torchao if they are installed."""

from importlib import metadata

import numpy as np

import block_rules as rules

try:
    import gfloat
    from gfloat import formats
except ImportError:
    gfloat = None

try:
    import torch
    from torchao.prototype.mx_formats import config, constants, mx_tensor

    # Releases up to 0.18 use the same names for other rules.
    torchao = mx_tensor if hasattr(mx_tensor, "_f32_to_e8m0_rceil") else None
except ImportError:
    torchao = None

GFLOAT_BLOCKS = 150  # random blocks and special blocks of a case; gfloat is slow, because it converts single elements
TORCHAO_MODES = {"mx.floor": "FLOOR", "mx.ceil": "CEIL", "mx.even": "EVEN", "mx.rceil": "RCEIL"}


def versions():
    """A line with the versions of the packages that were used, and with those that are missing."""
    words = []
    for package, there in (("numpy", True), ("ml_dtypes", True), ("gfloat", gfloat), ("torchao", torchao)):
        words.append(f"{package} {metadata.version(package)}" if there else f"{package} skipped: not here, or too old")
    return "witnesses: " + "; ".join(words)


def opinions(case, blocks):
    """Yields the name of each reference, its results, and a mask of the blocks that they cover."""
    yield "numpy", rules.answer(case, blocks), np.full(len(blocks), True)
    if gfloat is not None and case.rule == "mx.floor":
        kept = np.isfinite(blocks.astype(np.float32)).all(axis=1)
        kept[GFLOAT_BLOCKS:-GFLOAT_BLOCKS] = False
        yield "gfloat", gfloat_answer(case, blocks[kept]), kept
    if torchao is not None and case.rule in TORCHAO_MODES and case.wide != "f16":
        theirs = torchao_answer(case, blocks)
        kept = theirs.scales != 255  # codes of blocks with a NaN scale are not specified
        yield "torchao", rules.Answer(*(array[kept] for array in theirs)), kept


def scaled(codes, scales):
    """The results of an MX rule, from its codes and scales."""
    return rules.Answer(codes, scales, rules.power_of_two(scales.astype(int) - 127, scales))


def gfloat_answer(case, blocks):
    """The results of the OCP specification's own algorithm, in double precision."""
    elem = {"e4m3": formats.format_info_ocp_e4m3, "e5m2": formats.format_info_ocp_e5m2}
    elem |= {"e2m3": formats.format_info_ocp_e2m3, "e3m2": formats.format_info_ocp_e3m2}
    elem |= {"e2m1": formats.format_info_ocp_e2m1}
    info = gfloat.BlockFormatInfo("mx", elem[case.elem], blocks.shape[1], formats.format_info_ocp_e8m0)

    def encoded(block):
        scale = gfloat.compute_scale_amax(info.etype.emax, block)
        return list(gfloat.encode_block(info, scale, block / scale))

    rows = np.array([encoded(block) for block in blocks.astype(np.float64)], np.uint8)
    return scaled(rows[:, 1:], rows[:, 0])


def torchao_answer(case, blocks):
    """The results of torchao's to_mx, where each row is one block."""
    elems = {"e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2, "e2m1": torch.float4_e2m1fn_x2}
    elems |= {"e2m3": constants.DTYPE_FP6_E2M3, "e3m2": constants.DTYPE_FP6_E3M2}
    bits, kind = ("i4", torch.float32) if case.wide == "f32" else ("i2", torch.bfloat16)
    source = torch.from_numpy(np.ascontiguousarray(blocks).view(bits)).view(kind)
    mode = config.ScaleCalculationMode[TORCHAO_MODES[case.rule]]
    scales, codes = torchao.to_mx(source, elems[case.elem], blocks.shape[1], mode)
    scales, codes = (tensor.view(torch.uint8).numpy() for tensor in (scales, codes))
    if case.elem == "e2m1":
        codes = np.stack([codes & 15, codes >> 4], axis=-1)
    return scaled(codes.reshape(len(blocks), -1), scales.reshape(-1))
