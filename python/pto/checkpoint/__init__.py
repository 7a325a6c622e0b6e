# SPDX-License-Identifier: MIT
"""Quantizes, dequantizes and verifies checkpoints of safetensors.

The commands are ``python -m pto.quantize``, ``python -m pto.dequantize`` and ``python -m pto.verify``.
"""

from __future__ import annotations

from ._dequantize import DequantizeOptions
from ._need import CheckpointError
from ._plan import Options
from ._recipes import RECIPES, Recipe
from ._run import Outcome, convert_checkpoint

__all__ = ["RECIPES", "CheckpointError", "DequantizeOptions", "Options", "Outcome", "Recipe", "convert_checkpoint"]
