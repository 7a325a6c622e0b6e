# SPDX-License-Identifier: MIT
"""torchao: MX in four modes, NVFP4, and Float8."""

import block_rules as rules
import numpy as np
import torch
from torchao.prototype.mx_formats import config, constants, mx_tensor, nvfp4_tensor
from torchao.quantization import quant_primitives

from stacks import Known, beside_power, floats, magnitudes, tensors, with_nan

PACKAGES = ("torchao", "torch")
MODES = {"mx.floor": "FLOOR", "mx.ceil": "CEIL", "mx.even": "EVEN", "mx.rceil": "RCEIL"}
RULES = (*MODES, "nv.ao", "fp8.ao")
ELEMENTS = {
    "e4m3": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
    "e2m3": constants.DTYPE_FP6_E2M3,
    "e3m2": constants.DTYPE_FP6_E3M2,
    "e2m1": torch.float4_e2m1fn_x2,
}


def covers(case, blocks):
    return case.block[0] == 1 and (case.rule == "fp8.ao" or case.wide != "f16")


def answer(case, blocks, ours):
    source = tensors.tensor(case, blocks)
    if case.rule == "fp8.ao":
        return float8(case, source, blocks)
    if case.rule == "nv.ao":
        level = None if case.tensor is None else tensors.scalar(case.tensor)
        scales, codes = nvfp4_tensor.nvfp4_quantize(source, 16, level)
    else:
        mode = config.ScaleCalculationMode[MODES[case.rule]]
        scales, codes = mx_tensor.to_mx(source, ELEMENTS[case.elem], blocks.shape[1], mode)
    codes = tensors.as_bytes(codes, blocks)
    if case.elem == "e2m1":
        codes = tensors.nibbles(codes)
    return rules.Answer(codes, tensors.as_scales(scales), None)


def float8(case, source, blocks):
    shape = (1, source.shape[1])
    least = float(case.eps) if case.eps else None
    scales = quant_primitives._choose_scale_float8(source, shape, ELEMENTS[case.elem], hp_value_lb=least)
    codes = quant_primitives._quantize_affine_float8(source, scales, ELEMENTS[case.elem])
    return rules.Answer(tensors.as_bytes(codes, blocks), tensors.as_floats(scales), None)


def known(case, blocks, ours):
    if case.rule == "fp8.ao":
        return ()
    if case.rule == "nv.ao":
        return (Known("the codes of NaNs", where=nan_products(case, blocks, ours)),)
    found = [
        Known(
            "an infinity, or EVEN's infinite b, gives a finite scale", where=(ours.scales == 255) & ~with_nan(blocks)
        ),
        Known("a NaN does not become the code of every element", where=with_nan(blocks)),
        Known("c = 0 multiplies by 2^126 or 1", where=ours.scales == 0),
    ]
    if case.rule == "mx.rceil" and case.wide == "f32":
        quotient = magnitudes(blocks) / rules.ELEMENTS[case.elem].max
        found.append(Known("log2 in f32, just above MAX * 2^k", where=beside_power(quotient, 64)))
    return found


def nan_products(case, blocks, ours):
    level = np.float32(1) if case.tensor is None else case.tensor
    with np.errstate(all="ignore"):
        factor = (np.float32(1) / level) / rules.decode("e4m3", ours.scales)
        return np.isnan(floats(blocks) * factor[:, None]).any(axis=1)
