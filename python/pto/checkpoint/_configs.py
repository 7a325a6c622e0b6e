# SPDX-License-Identifier: MIT
"""Makes the ``quantization_config`` that each loader reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._recipes import Recipe

Config = dict[str, Any]
_E4M3 = "torch.float8_e4m3fn"


def quantization_config(recipe: Recipe, ignored: list[str]) -> Config:
    """Returns the quantization_config for config.json. ``ignored``: the modules whose weights are not quantized."""
    return _MAKERS[recipe.config](recipe, ignored)


def hf_quant_config(recipe: Recipe, ignored: list[str]) -> Config | None:
    """Returns the content of hf_quant_config.json, which ModelOpt's loaders read, or None for other loaders."""
    if recipe.config != "modelopt":
        return None
    quantization: Config = {"quant_algo": recipe.detail, "kv_cache_quant_algo": None, "exclude_modules": ignored}
    if recipe.block[0] == 1 and recipe.block[1]:
        quantization["group_size"] = recipe.block[1]
    return {"producer": {"name": "libpto"}, "quantization": quantization}


def _fp8(recipe: Recipe, ignored: list[str]) -> Config:
    config: Config = {
        "quant_method": recipe.detail,
        "fmt": "e4m3",
        "activation_scheme": "dynamic",
        "weight_block_size": list(recipe.block),
        "modules_to_not_convert": ignored,
    }
    if recipe.pow2 or recipe.rule.startswith("mx"):
        config["scale_fmt"] = "ue8m0"
    return config


def _gpt_oss(recipe: Recipe, ignored: list[str]) -> Config:
    return {"quant_method": "mxfp4", "modules_to_not_convert": ignored}


def _modelopt(recipe: Recipe, ignored: list[str]) -> Config:
    config: Config = {"quant_method": "modelopt", "quant_algo": recipe.detail, "ignore": ignored}
    if recipe.block[0] == 1 and recipe.block[1]:
        config["group_size"] = recipe.block[1]
    return config


def _compressed_tensors(recipe: Recipe, ignored: list[str]) -> Config:
    weights = _ct_args(recipe)
    group = {
        "targets": ["Linear"],
        "weights": weights,
        "input_activations": _ct_activations(recipe),
        "output_activations": None,
        "format": recipe.detail,
    }
    return {
        "quant_method": "compressed-tensors",
        "quantization_status": "compressed",
        "format": recipe.detail,
        "config_groups": {"group_0": group},
        "ignore": ignored,
        "kv_cache_scheme": None,
    }


def _ct_args(recipe: Recipe) -> Config:
    bits = {"e4m3": 8, "e2m3": 6, "e2m1": 4}[recipe.elem]
    args: Config = {"num_bits": bits, "type": "float", "symmetric": True, "dynamic": False, "strategy": "group"}
    if recipe.rule.startswith("mx"):
        args |= {"group_size": recipe.block[1], "scale_dtype": "torch.uint8", "zp_dtype": "torch.uint8"}
    elif recipe.two_level:
        args |= {"strategy": "tensor_group", "group_size": recipe.block[1], "scale_dtype": _E4M3, "zp_dtype": _E4M3}
    else:
        args |= {"strategy": {(0, 0): "tensor", (1, 0): "channel"}.get(recipe.block, "block")}
        if args["strategy"] == "block":
            args["block_structure"] = list(recipe.block)
    return args


def _ct_activations(recipe: Recipe) -> Config | None:
    """Returns the settings for activations, or None if they are not quantized.

    For FP8 and MXFP8 the loader quantizes them dynamically. Other formats would need calibrated scales, or loaders have
    no kernel for them.
    """
    if recipe.elem != "e4m3":
        return None
    args: Config = {"num_bits": 8, "type": "float", "symmetric": True, "dynamic": True}
    if recipe.rule.startswith("mx"):
        return args | {"strategy": "group", "group_size": 32, "scale_dtype": "torch.uint8", "zp_dtype": "torch.uint8"}
    if recipe.block == (128, 128):
        return args | {"strategy": "group", "group_size": 128}
    return args | {"strategy": "token" if recipe.block == (1, 0) else "tensor"}


_MAKERS: dict[str, Callable[[Recipe, list[str]], Config]] = {
    "compressed_tensors": _compressed_tensors,
    "modelopt": _modelopt,
    "fp8": _fp8,
    "gpt_oss": _gpt_oss,
}
