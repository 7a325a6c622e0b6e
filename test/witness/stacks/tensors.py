# SPDX-License-Identifier: MIT
"""Conversions between NumPy's arrays of blocks and torch's tensors."""

import numpy as np
import torch

KINDS = {"f32": ("i4", torch.float32), "bf16": ("i2", torch.bfloat16), "f16": ("i2", torch.float16)}


def tensor(case, blocks):
    """A tensor of the case's type in which each row is a block."""
    bits, kind = KINDS[case.wide]
    return torch.from_numpy(np.ascontiguousarray(blocks).view(bits)).view(kind).clone()


def scalar(value):
    return torch.tensor(float(value), dtype=torch.float32)


def as_bytes(tensor_of_bytes, blocks):
    """The bytes of a tensor, in one row for each block."""
    return tensor_of_bytes.contiguous().view(torch.uint8).numpy().reshape(len(blocks), -1)


def as_scales(scales):
    """One byte for each block."""
    return scales.contiguous().view(torch.uint8).numpy().reshape(-1)


def as_floats(scales):
    return scales.to(torch.float32).numpy().reshape(-1)


def nibbles(packed):
    """One code in each byte; the low nibble comes first."""
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(len(packed), -1)
