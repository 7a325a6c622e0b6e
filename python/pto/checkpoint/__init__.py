# SPDX-License-Identifier: MIT
"""Checkpoints of safetensors: ``python -m pto.quantize`` and ``python -m pto.verify`` are made of this."""

from __future__ import annotations

from ._need import CheckpointError
from ._recipes import RECIPES, Recipe
from ._run import Options, Outcome, quantize_checkpoint

__all__ = ["RECIPES", "CheckpointError", "Options", "Outcome", "Recipe", "quantize_checkpoint"]
