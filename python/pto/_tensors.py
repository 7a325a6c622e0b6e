# SPDX-License-Identifier: MIT
"""Makes torch tensors of results, for torch before 2.10, which has no DLPack table of C functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ._arrays import Array


def from_numpy(array: Array, dtype: str) -> Any:
    """Returns a tensor of this dtype over the memory of an array. torch.from_numpy lacks bfloat16 and float8."""
    wanted = getattr(torch, dtype)
    if array.dtype == np.bool_:
        return torch.from_numpy(array)
    bits = {1: np.uint8, 2: np.int16, 4: np.int32, 8: np.int64}[array.dtype.itemsize]
    return torch.from_numpy(array.view(bits)).view(wanted)


__all__ = ["from_numpy"]
