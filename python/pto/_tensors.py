# SPDX-License-Identifier: MIT
"""Results as tensors of a torch that has no DLPack table of C functions (before 2.10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ._arrays import Array


def from_numpy(array: Array, dtype: str) -> Any:
    """A tensor of this dtype over the memory of an array; torch.from_numpy has no bfloat16 and no float8."""
    wanted = getattr(torch, dtype)
    if array.dtype == np.bool_:
        return torch.from_numpy(array)
    bits = {1: np.uint8, 2: np.int16, 4: np.int32, 8: np.int64}[array.dtype.itemsize]
    return torch.from_numpy(array.view(bits)).view(wanted)


__all__ = ["from_numpy"]
