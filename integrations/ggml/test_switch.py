# SPDX-License-Identifier: MIT
"""libpto-ggml.so, loaded with LD_PRELOAD, replaces the functions of an unchanged ggml."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Quantizes and dequantizes by ggml's public functions. Prints the digests of the results, the file of the function in
# ggml's table of types, and the seconds of both.
RUN = """
import ctypes, hashlib, json, sys, time
import numpy as np

class Traits(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("elements", ctypes.c_int64), ("interleave", ctypes.c_int64),
                ("bytes", ctypes.c_size_t), ("is_quantized", ctypes.c_bool), ("to_float", ctypes.c_void_p),
                ("from_float_ref", ctypes.c_void_p)]

class Place(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("address", ctypes.c_void_p)]

ggml = ctypes.CDLL(sys.argv[1])
ggml.ggml_quantize_chunk.restype = ctypes.c_size_t
ggml.ggml_get_type_traits.restype = ctypes.POINTER(Traits)
rows, cols = 256, 4096
x = np.random.default_rng(1).standard_normal((rows, cols)).astype(np.float32)
result = {}
for code in (39, 40):
    traits = ggml.ggml_get_type_traits(code).contents
    y, z = np.zeros(rows * cols // traits.elements * traits.bytes, np.uint8), np.zeros_like(x)
    to_float = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(traits.to_float)
    start = time.perf_counter()
    size = ggml.ggml_quantize_chunk(code, ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(y.ctypes.data),
                                    ctypes.c_int64(0), ctypes.c_int64(rows), ctypes.c_int64(cols), None)
    middle = time.perf_counter()
    to_float(y.ctypes.data, z.ctypes.data, x.size)
    end = time.perf_counter()
    assert size == y.nbytes
    files = []
    for function in (traits.to_float, traits.from_float_ref):
        place = Place()
        ctypes.CDLL(None).dladdr(ctypes.c_void_p(function), ctypes.byref(place))
        files.append(place.file.decode())
    result[traits.name.decode()] = {"digests": [hashlib.sha256(a.tobytes()).hexdigest() for a in (y, z)],
                                    "files": files, "seconds": [middle - start, end - middle]}
print(json.dumps(result))
"""


def run(library: Path, preload: str) -> dict[str, dict[str, Any]]:
    environment = {**os.environ, "LD_PRELOAD": preload}
    done = subprocess.run(
        [sys.executable, "-c", RUN, library], check=True, capture_output=True, text=True, env=environment
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["mxfp4", "nvfp4"])
def test_preloaded(name: str, folder: Path) -> None:
    library, adapter = folder / "libggml-base.so", folder / "libpto-ggml.so"
    before, after = run(library, "")[name], run(library, str(adapter))[name]
    assert before["files"] == [str(library)] * 2
    assert after["files"] == [str(adapter)] * 2
    assert before["digests"] == after["digests"]
