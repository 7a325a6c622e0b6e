# SPDX-License-Identifier: MIT
"""ModelOpt: the quantizers with which it exports weights."""

import warnings

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from modelopt.torch.quantization.qtensor import FP8QTensor, MXFP4QTensor, MXFP8QTensor, NVFP4QTensor

import block_rules as rules

from stacks import (
    Known,
    beside_power,
    floats,
    magnitudes,
    not_finite,
    quotient_is_zero,
    tensors,
    with_nan,
    zeros_lose_sign,
)

PACKAGES = ("nvidia-modelopt", "torch")
RULES = ("mx.rceil", "nv.modelopt", "fp8.div")


def covers(case, blocks):
    if case.block[0] != 1 or case.pow2 or case.eps:
        return False
    if case.rule == "fp8.div" and case.wide != "f32":
        return False  # the exporter calls it with a scale of f32; without one it computes in the tensor's type
    return case.elem in {"mx.rceil": ("e4m3", "e2m1"), "fp8.div": ("e4m3",)}.get(case.rule, ("e2m1",))


def answer(case, blocks, ours):
    source = tensors.tensor(case, blocks)
    if case.rule == "fp8.div":
        stored, scales = FP8QTensor.quantize(source, axis=0)
        return rules.Answer(tensors.as_bytes(stored._quantized_data, blocks), tensors.as_floats(scales), None)
    if case.rule == "nv.modelopt":
        level = tensors.scalar(1 if case.tensor is None else case.tensor)
        stored, scales = NVFP4QTensor.quantize(source, 16, None, level)[:2]
    elif case.elem == "e4m3":
        stored, scales = MXFP8QTensor.quantize(source)
    else:
        stored, scales = MXFP4QTensor.quantize(source, 32)
    codes = tensors.as_bytes(stored._quantized_data, blocks)
    codes = codes if case.elem == "e4m3" else tensors.nibbles(codes)
    return rules.Answer(codes, tensors.as_scales(scales), None)


def known(case, blocks, ours):
    if case.rule == "fp8.div":
        return (Known("keeps NaNs", where=with_nan(blocks)),)
    if case.rule == "nv.modelopt":
        level = np.float32(1) if case.tensor is None else case.tensor
        return (zeros_lose_sign(case, quotient_is_zero(case, blocks, rules.decode("e4m3", ours.scales) * level)),)
    quotient = magnitudes(blocks) / rules.ELEMENTS[case.elem].max
    found = [
        Known("a NaN gives c = 0, an infinity 0 or 254", where=not_finite(blocks)),
        Known("log2 in f32, just above MAX * 2^k", where=beside_power(quotient, 64) & (case.wide == "f32")),
    ]
    if case.elem == "e2m1":
        found.append(Known("ties go towards zero, and +0 has code 8", where=zeros_or_ties(blocks, ours)))
    return found


def zeros_or_ties(blocks, ours):
    """Blocks with a zero, or with an element in the middle of two codes of which the even one is the larger."""
    multiples = np.abs(np.ldexp(floats(blocks), 127 - ours.scales.astype(int)[:, None]))
    return np.isin(multiples, [0, 0.75, 1.75, 3.5]).any(axis=1)
