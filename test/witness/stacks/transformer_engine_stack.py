# SPDX-License-Identifier: MIT
"""Transformer Engine: its reference in Python for NVFP4 and for FP8 with current scaling.

Its other modules need CUDA. So the reference is loaded alone, with stand-ins for the modules that it imports.
"""

import importlib.util
import sys
from importlib import metadata
from types import ModuleType
from unittest.mock import MagicMock

import block_rules as rules
import numpy as np
import torch

from stacks import Known, not_finite, quotient_is_zero, tensors, with_nan, zeros_lose_sign

PACKAGES = ("transformer-engine", "torch")
CHOICES = tuple(rule for rule in rules.CHOICES if ".te." in rule or ".fast." in rule)
RULES = ("nv.te", *CHOICES, "fp8.te")
FOLDER = "transformer_engine/pytorch/custom_recipes"


def load(name):
    """Loads a module of the folder of references from its file."""
    full = f"transformer_engine.pytorch.custom_recipes.{name}"
    file = next((f for f in metadata.files(PACKAGES[0]) or () if str(f) == f"{FOLDER}/{name}.py"), None)
    if file is None:
        raise ImportError(f"no {name}.py")
    spec = importlib.util.spec_from_file_location(full, file.locate())
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def references():
    """The two references. The modules that stand in for others are removed afterwards."""
    path = "transformer_engine.pytorch"
    names = ("transformer_engine", path, f"{path}.quantized_tensor", f"{path}.custom_recipes")
    stand_ins = {name: ModuleType(name) for name in names}
    for name in ("Quantizer", "QuantizedTensorStorage"):
        setattr(stand_ins[f"{path}.quantized_tensor"], name, type(name, (), {}))
    sys.modules.update(stand_ins)
    try:
        folder = stand_ins[f"{path}.custom_recipes"]
        folder.gemm, folder.reference_utils = MagicMock(), load("reference_utils")
        return load("reference_nvfp4"), load("reference_current_scaling")
    finally:
        for name in stand_ins:
            del sys.modules[name]


try:
    NVFP4, CURRENT = references()
except metadata.PackageNotFoundError as missing:
    raise ImportError(str(missing)) from missing


def covers(case, blocks):
    if case.rule == "fp8.te":
        return case.block[0] == 1
    return True


def answer(case, blocks, ours):
    source = tensors.tensor(case, blocks)
    if case.rule == "fp8.te":
        return current_scaling(case, source)
    rows, cols = case.block
    packed, scales = NVFP4.NVFP4QuantizerRef._quantize_blockwise_reference(
        source.reshape(-1, cols),
        tensors.scalar(6 * 448 if case.tensor is None else case.tensor),
        cols,
        rows,
        pow_2_scales=False,
        eps=0.0,
        **choice(case.rule),
    )
    codes = tensors.nibbles(packed.numpy()).reshape(len(blocks), -1)
    return rules.Answer(codes, tensors.as_scales(scales).reshape(len(blocks), rows)[:, 0], None)


def choice(rule):
    """The arguments that select four over six."""
    if rule not in CHOICES:
        return {}
    last = rule.split(".")[-1]  # such as mae256
    return {
        "nvfp4_use_4over6": True,
        "nvfp4_e4m3_max": int(last[3:]),
        "nvfp4_4over6_err_mode": last[:3].upper(),
        "nvfp4_4over6_err_use_fast_math": ".fast." in rule,
    }


def current_scaling(case, source):
    kind = torch.float8_e4m3fn if case.elem == "e4m3" else torch.float8_e5m2
    largest = source.to(torch.float32).abs().amax(dim=1)
    factor, scales, _ = CURRENT._scale_from_amax_tensor(
        source.dtype, largest, kind, eps=float(case.eps), pow_2_scales=case.pow2
    )
    limit = torch.finfo(kind).max
    codes = (source.to(torch.float32) * factor[:, None]).clamp(-limit, limit).to(kind)
    return rules.Answer(tensors.as_bytes(codes, source), tensors.as_floats(scales), None)


def known(case, blocks, ours):
    if case.rule == "fp8.te":
        return (Known("keeps NaNs, and an infinity gives the factor 0", where=not_finite(blocks)),)
    found = [
        zeros_lose_sign(case, quotient_is_zero(case, blocks, divisors(case, ours))),
        Known("keeps NaNs", where=with_nan(blocks)),
    ]
    if case.tensor == 0:
        found.append(Known("A = 0 gives e = FLT_MAX", where=np.full(len(blocks), True)))
    return found


def divisors(case, ours):
    """Nearly what elements are divided by: the reference multiplies by its reciprocal, which is finite."""
    levels = rules.te_levels(case.tensor) if case.rule == "nv.te" else rules.levels(case)
    return np.maximum(rules.decode("e4m3", ours.scales) * levels[1], np.float32(2.0**-128))
