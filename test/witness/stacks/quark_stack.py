# SPDX-License-Identifier: MIT
"""AMD Quark: MX in mode "even", and AMDFP4. Quark returns values of elements, which are converted to codes here."""

import logging

import numpy as np
import torch

logging.disable(logging.WARNING)
from quark.torch.kernel.float8_e5m3 import reference as ue5m3  # noqa: E402
from quark.torch.quantization.utils import even_round, get_dtype_params  # noqa: E402

logging.disable(logging.NOTSET)

import block_rules as rules  # noqa: E402

from stacks import Known, tensors, with_nan, zeros_lose_sign  # noqa: E402

PACKAGES = ("amd-quark", "torch")
RULES = ("mx.even.quark", "nv.quark")
ELEMENTS = {"e4m3": "fp8_e4m3", "e5m2": "fp8_e5m2", "e2m3": "fp6_e2m3", "e3m2": "fp6_e3m2", "e2m1": "fp4"}


def covers(case, blocks):
    return case.block[0] == 1


def answer(case, blocks, ours):
    source = tensors.tensor(case, blocks)
    largest = source.abs().amax(dim=1, keepdim=True)
    if case.rule == "nv.quark":
        scales = (largest / 6).to(torch.float32)
        scales = scales.masked_fill(scales == 0, 2.0**-23)
        stored = ue5m3.reference_convert_fp32_to_e5m3_bits(scales.clamp(max=114688.0))
        scales = ue5m3.reference_dequantize_float8_e5m3(stored)
    else:
        scales = even_round(largest, ELEMENTS[case.elem])
        stored = (torch.log2(scales) + 127).nan_to_num(255).to(torch.uint8)
    return rules.Answer(codes(case, source.to(torch.float32), scales), tensors.as_scales(stored), None)


def codes(case, source, scales):
    """Quark's element step: of fp8 a conversion by torch, of the smaller types a kernel of its own."""
    scales = scales.masked_fill(scales == 0, torch.finfo(torch.float32).eps)
    if case.elem in ("e4m3", "e5m2"):
        return rules.encode(case.elem, (source / scales).numpy())
    exponent_bits, fraction_bits, _ = get_dtype_params(ELEMENTS[case.elem])
    largest = float(rules.ELEMENTS[case.elem].max)
    round_low = torch.ops.quark.fake_quantize_to_low_precision_fp
    return rules.encode(case.elem, round_low(source / scales, exponent_bits, fraction_bits, largest, 0).numpy())


def known(case, blocks, ours):
    found = []
    if case.elem not in ("e4m3", "e5m2"):
        found.append(zeros_lose_sign(case, np.full(blocks.shape, True)))
    if case.rule == "nv.quark":
        found.append(Known("a NaN gives a finite scale", where=with_nan(blocks)))
    return found
