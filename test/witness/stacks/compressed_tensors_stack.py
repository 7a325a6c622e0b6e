# SPDX-License-Identifier: MIT
"""compressed-tensors, which llm-compressor uses: MXFP4, MXFP6, MXFP8, NVFP4 and FP8."""

import block_rules as rules
import numpy as np
import torch
from compressed_tensors.compressors import mx_utils
from compressed_tensors.quantization import QuantizationArgs
from compressed_tensors.quantization.lifecycle import forward
from compressed_tensors.quantization.utils import helpers

from stacks import Known, magnitudes, quotient_is_zero, tensors, zeros_lose_sign

PACKAGES = ("compressed-tensors", "torch")
RULES = ("mx.even", "mx.even1", "nv.ct", "fp8.ct")
BITS = {"e4m3": 8, "e2m3": 6, "e2m1": 4}


def covers(case, blocks):
    if case.block[0] != 1 or case.elem not in BITS:
        return False
    return case.elem != "e4m3" if case.rule == "mx.even" else True


def arguments(case):
    shared = {"num_bits": BITS[case.elem], "type": "float", "symmetric": True}
    if case.rule in rules.MX:
        return QuantizationArgs(strategy="group", group_size=32, scale_dtype=torch.uint8, **shared)
    if case.rule == "nv.ct":
        return QuantizationArgs(strategy="tensor_group", group_size=16, scale_dtype=torch.float8_e4m3fn, **shared)
    return QuantizationArgs(strategy="channel", **shared)


def answer(case, blocks, ours):
    args, source = arguments(case), tensors.tensor(case, blocks)
    level = None if case.tensor is None else tensors.scalar(case.tensor).reshape(1)
    low, high = source.amin(dim=1, keepdim=True), source.amax(dim=1, keepdim=True)
    scales, zeros = helpers.calculate_qparams(low, high, args, global_scale=level)
    values = forward.quantize(source, scales, zeros, args, global_scale=level).to(torch.float32).numpy()
    codes = rules.encode(case.elem, values)
    if case.rule in rules.MX:
        return rules.Answer(codes, tensors.as_scales(mx_utils.compress_mx_scale(scales, torch.uint8)), None)
    if case.rule == "nv.ct":
        return rules.Answer(codes, tensors.as_scales(scales.to(torch.float8_e4m3fn)), None)
    return rules.Answer(codes, tensors.as_floats(scales), None)


def known(case, blocks, ours):
    least = 2.0**-25 if case.wide == "f16" and case.rule == "nv.ct" and case.tensor is None else 0
    found = [zeros_lose_sign(case, quotient_is_zero(case, blocks, divisors(case, ours), least))]
    if case.rule not in rules.MX:
        return found
    found.append(Known("an a that is not finite, or near 2^128, gives c = 127 or 0", where=ours.scales == 255))
    if case.wide == "f16":
        a = magnitudes(blocks)
        found.append(Known("f16 blocks below 2^-14 or near 2^16 have c = 127", where=(a < 2.0**-14) | (a > 57000)))
    return found


def divisors(case, ours):
    if case.rule in rules.MX:
        return np.ldexp(np.float32(1), ours.scales.astype(int) - 127)
    if case.rule == "nv.ct":
        v = rules.decode("e4m3", ours.scales)
        return v if case.tensor is None else v / case.tensor
    return ours.scales
