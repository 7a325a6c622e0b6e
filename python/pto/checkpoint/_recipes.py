# SPDX-License-Identifier: MIT
"""The recipes: the rule by which weights are quantized, and the names and types of the tensors that a loader expects.

The rules and names are those of docs/block-scaling.md, section 1. If a format has several loaders, the suffix of the
recipe's name is the loader. A name without suffix means compressed-tensors or, for fp8-block, DeepSeek-V3's format.
"""

from __future__ import annotations

from dataclasses import dataclass

from ._gguf import QUANTS


@dataclass(frozen=True)
class Recipe:
    """Describes how a weight is stored. ``config`` is a key of ``_configs._MAKERS``."""

    name: str
    config: str
    elem: str
    rule: str
    block: tuple[int, int]
    codes: str = "weight"  # replaces "weight" at the end of the tensor's name
    scales: str = "weight_scale"
    scale_as: str = "U8"  # the scales' dtype in the file, or "wide" for the weight's own
    scale_shape: str = "matrix"  # or "scalar"; "vector": one for each row; "spread": [., 1, ., 1]
    tensor: str = ""  # the name of the tensor with the second-level value; empty if there is none
    tensor_shape: tuple[int, ...] = ()
    packing: str = ""  # "fp6": four codes in three bytes
    experts: bool = False  # weights are stacks of transposed matrices, as in gpt-oss
    eps: float = 0.0
    pow2: bool = False
    input_scale: str = ""  # the name of the scale of activations, for which --input-amax is needed
    detail: str = ""  # the format's or algorithm's name in the configuration

    @property
    def two_level(self) -> bool:
        return bool(self.tensor)

    @property
    def loads_bf16(self) -> bool:
        """Whether the loader dequantizes to bf16 regardless of the model's type, as compressed-tensors does."""
        return self.config == "compressed_tensors" and not self.rule.startswith("fp8")

    @property
    def even(self) -> int:
        """The number of columns of a weight must be a multiple of this.

        FP8 recipes take any number of columns, except fp8-block-ct, because compressed-tensors quantizes activations in
        groups of 128.
        """
        if self.config == "gguf":
            return QUANTS[self.detail].elements
        if self.rule.startswith("fp8"):
            return self.block[1] if self.config == "compressed_tensors" and self.block[1] else 1
        return self.block[1]


_ALL = (0, 0)
_ROW = (1, 0)
_TILE = (128, 128)
_MX = (1, 32)
_NV = (1, 16)

_ROWS = [
    Recipe("mxfp8", "compressed_tensors", "e4m3", "mx.even1", _MX, detail="mxfp8-quantized"),
    Recipe("mxfp8-modelopt", "modelopt", "e4m3", "mx.rceil", _MX, detail="MXFP8"),
    Recipe("mxfp8-sglang", "fp8", "e4m3", "mx.rceil.sat", _MX, scales="weight_scale_inv", detail="mxfp8"),
    Recipe("mxfp6", "compressed_tensors", "e2m3", "mx.even", _MX, "weight_packed", packing="fp6",
           detail="mxfp6-pack-quantized"),
    Recipe("mxfp4", "compressed_tensors", "e2m1", "mx.even", _MX, "weight_packed", detail="mxfp4-pack-quantized"),
    Recipe("mxfp4-gpt-oss", "gpt_oss", "e2m1", "mx.rceil", _MX, "_blocks", "_scales", experts=True),
    Recipe("nvfp4", "compressed_tensors", "e2m1", "nv.ct", _NV, "weight_packed", scale_as="F8_E4M3",
           tensor="weight_global_scale", tensor_shape=(1,), detail="nvfp4-pack-quantized"),
    Recipe("nvfp4-modelopt", "modelopt", "e2m1", "nv.modelopt", _NV, scale_as="F8_E4M3", tensor="weight_scale_2",
           input_scale="input_scale", detail="NVFP4"),
    Recipe("fp8-tensor", "compressed_tensors", "e4m3", "fp8.ct", _ALL, scale_as="wide", scale_shape="vector",
           detail="float-quantized"),
    Recipe("fp8-tensor-modelopt", "modelopt", "e4m3", "fp8.div", _ALL, scale_as="F32", scale_shape="scalar",
           eps=1e-12, input_scale="input_scale", detail="FP8"),
    Recipe("fp8-channel", "compressed_tensors", "e4m3", "fp8.ct", _ROW, scale_as="wide", detail="float-quantized"),
    Recipe("fp8-channel-modelopt", "modelopt", "e4m3", "fp8.div", _ROW, scale_as="F32", scale_shape="vector",
           eps=1e-12, detail="FP8_PER_CHANNEL_PER_TOKEN"),
    Recipe("fp8-block", "fp8", "e4m3", "fp8.rcp", _TILE, scales="weight_scale_inv", scale_as="F32", eps=1e-4,
           detail="fp8"),
    Recipe("fp8-block-pow2", "fp8", "e4m3", "fp8.rcp", _TILE, scales="weight_scale_inv", scale_as="F32", eps=1e-4,
           pow2=True, detail="fp8"),
    Recipe("fp8-block-ct", "compressed_tensors", "e4m3", "fp8.ct", _TILE, scale_as="wide", detail="float-quantized"),
    Recipe("fp8-block-modelopt", "modelopt", "e4m3", "fp8.div", _TILE, scale_as="F32", scale_shape="spread", eps=1e-4,
           detail="FP8_PB_WO"),
    Recipe("fp8-block-deepseek-v4", "fp8", "e4m3", "fp8.rcp", _TILE, scales="scale", scale_as="F8_E8M0", eps=1e-4,
           pow2=True, detail="fp8"),
    Recipe("gguf-mxfp4", "gguf", "e2m1", "mx.gguf", _MX, detail="MXFP4"),
    Recipe("gguf-nvfp4", "gguf", "e2m1", "nv.gguf", _NV, detail="NVFP4"),
]  # fmt: skip

RECIPES = {recipe.name: recipe for recipe in _ROWS}
