# SPDX-License-Identifier: MIT
"""AutoRound: MX and NVFP4. Its functions return dequantized values, from which the codes are computed here."""

import block_rules as rules
import numpy as np
import torch
from auto_round.data_type import mxfp, nvfp

from stacks import Known, beside_power, floats, magnitudes, tensors, with_nan, zeros_lose_sign

PACKAGES = ("auto-round", "torch")
RULES = ("mx.floor", "nv.rcp")
ELEMENTS = {"e4m3": "mx_fp8", "e5m2": "mx_fp8e5m2", "e2m3": "mx_fp6", "e3m2": "mx_fp6e3m2", "e2m1": "mx_fp4"}


def covers(case, blocks):
    return case.block[0] == 1


def answer(case, blocks, ours):
    source = tensors.tensor(case, blocks)
    with np.errstate(all="ignore"):
        return nvfp4(case, source) if case.rule == "nv.rcp" else mx(case, source)


def mx(case, source):
    values, exponents, _ = mxfp.quant_mx(source.to(torch.float32), group_size=32, data_type=ELEMENTS[case.elem])
    exponents = exponents.to(torch.float32).numpy().reshape(-1, 1)
    codes = rules.encode(case.elem, np.ldexp(values.numpy(), -exponents.astype(int)))
    return rules.Answer(codes, (exponents[:, 0] + 127).astype(np.uint8), None)


def nvfp4(case, source):
    level = tensors.scalar(1 if case.tensor is None else case.tensor)
    values, scales = nvfp.ref_nvfp4_quant(source.to(torch.float32), level)
    factor = nvfp.get_reciprocal(scales * nvfp.get_reciprocal(level))
    codes = rules.encode("e2m1", (values * factor).numpy())
    return rules.Answer(codes, tensors.as_scales(scales.to(torch.float8_e4m3fn)), None)


def products_are_zero(case, blocks, ours):
    """A mask of the elements whose product with the factor of the block is 0 in f32."""
    level = np.float32(1 if case.tensor is None else case.tensor)
    with np.errstate(all="ignore"):
        factors = 1 / (rules.decode("e4m3", ours.scales).astype(np.float32) * (1 / level))
        return floats(blocks) * factors[:, None] == 0


def known(case, blocks, ours):
    a, zeros = magnitudes(blocks), floats(blocks) == 0
    if case.rule == "nv.rcp":
        found = [
            zeros_lose_sign(case, zeros | (ours.scales == 0)[:, None] | products_are_zero(case, blocks, ours)),
            Known("keeps NaNs", where=with_nan(blocks)),
        ]
        if case.tensor is not None and np.isinf(case.tensor):
            found.append(Known("takes 0 for the reciprocal of an infinite g", where=np.full(len(blocks), True)))
        return found
    return (
        zeros_lose_sign(case, zeros),
        Known("a block of zeros has the scale 2^(1 - emax)", where=a == 0),
        Known("log2 in f32, just below 2^k", where=beside_power(a, -128) & (case.wide == "f32")),
        Known("a block that is not finite", where=~np.isfinite(a)),
    )
