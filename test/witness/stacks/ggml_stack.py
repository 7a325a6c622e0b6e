# SPDX-License-Identifier: MIT
"""ggml, the library of llama.cpp: its C functions, from the shared library of the package libggml-python."""

import ctypes
from pathlib import Path

import libggml
import numpy as np

from stacks import ggml_layout

PACKAGES = ("libggml-python",)
RULES = ("mx.gguf", "nv.gguf")
FUNCTIONS = {"mx.gguf": "quantize_row_mxfp4_ref", "nv.gguf": "quantize_row_nvfp4_ref"}
LIBRARY = ctypes.CDLL(next(Path(libggml.__path__[0]).glob("lib*/libggml-base.so")))


def covers(case, blocks):
    return case.block[0] == 1


def answer(case, blocks, ours):
    source = np.ascontiguousarray(blocks.astype(np.float32))
    unit = 17 if case.rule == "mx.gguf" else 36  # bytes of 32 elements, or of 64
    units = np.zeros((source.size // (32 if case.rule == "mx.gguf" else 64), unit), np.uint8)
    LIBRARY[FUNCTIONS[case.rule]](
        ctypes.c_void_p(source.ctypes.data), ctypes.c_void_p(units.ctypes.data), ctypes.c_int64(source.size)
    )
    return ggml_layout.unpacked(units)


def known(case, blocks, ours):
    return ggml_layout.known(case, blocks)
