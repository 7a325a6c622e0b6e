# SPDX-License-Identifier: MIT
"""gguf, the Python package of llama.cpp, which has MXFP4 only."""

import numpy as np
from gguf import GGMLQuantizationType, quants

from stacks import ggml_layout

PACKAGES = ("gguf",)
RULES = ("mx.gguf",)


def covers(case, blocks):
    return case.block[0] == 1


def answer(case, blocks, ours):
    with np.errstate(all="ignore"):
        units = quants.quantize(blocks.astype(np.float32), GGMLQuantizationType.MXFP4)
    return ggml_layout.unpacked(units)


def known(case, blocks, ours):
    return ggml_layout.known(case, blocks)
