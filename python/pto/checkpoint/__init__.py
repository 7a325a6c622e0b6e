# SPDX-License-Identifier: MIT
"""Quantizes and verifies checkpoints of safetensors, for ``python -m pto.quantize`` and ``python -m pto.verify``."""

from __future__ import annotations

from ._need import CheckpointError
from ._recipes import RECIPES, Recipe
from ._run import Options, Outcome, quantize_checkpoint

__all__ = ["RECIPES", "CheckpointError", "Options", "Outcome", "Recipe", "quantize_checkpoint"]
