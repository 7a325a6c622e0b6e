# SPDX-License-Identifier: MIT
"""oneDNN: the result of a matrix multiplication by 1 x 1, quantized with dynamic scales.

The package has no Python functions, so this calls the C library. It runs on Intel's OpenCL device for CPUs, which the
packages that it needs contain.
"""

import ctypes
import os
import sys
from importlib import metadata
from pathlib import Path

import block_rules as rules
import numpy as np

from stacks import Known, floats, magnitudes, not_finite, zeros_lose_sign

PACKAGES = ("onednn",)
RULES = ("mx.onednn", "nv.onednn")
TYPES = {"f32": 3, "e5m2": 9, "e4m3": 10, "e8m0": 13, "e2m1": 14}  # dnnl_data_type_t
SOURCE, WEIGHTS, DESTINATION, SCALES = 1, 33, 17, 4096  # names of arguments
CPU = 1  # dnnl_engine_kind_t
MODES = {"mx.onednn": 2, "nv.onednn": 3}  # dnnl_quantization_mode_t: dynamic_mx, dynamic_fp
NEEDED = ("intlc.so.5", "imf.so", "svml.so", "irng.so", "tbb.so.12", "umf.so.1", "ur_loader.so.0", "sycl.so.9")


class Argument(ctypes.Structure):
    _fields_ = (("name", ctypes.c_int), ("memory", ctypes.c_void_p))


def library():
    """Loads oneDNN. Its dependencies are loaded first, because the dynamic linker does not search their folder."""
    try:
        metadata.version(PACKAGES[0])
    except metadata.PackageNotFoundError as missing:
        raise ImportError(str(missing)) from missing
    folder = Path(sys.prefix) / "lib"
    os.environ.setdefault("OCL_ICD_FILENAMES", str(folder / "libintelocl.so"))
    for name in NEEDED:
        ctypes.CDLL(str(folder / f"lib{name}"), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(folder / "libdnnl.so.3"))


def call(name, *operands):
    if status := LIBRARY[f"dnnl_{name}"](*operands):
        raise RuntimeError(f"dnnl_{name}: status {status}")


def made(name, *operands):
    """The object that a function creates."""
    made_object = ctypes.c_void_p()
    call(name, ctypes.byref(made_object), *operands)
    return made_object


LIBRARY = library()
ENGINE = made("engine_create", CPU, ctypes.c_size_t(0))
STREAM = made("stream_create", ENGINE, 1)


def sizes(*numbers):
    return (ctypes.c_int64 * len(numbers))(*numbers)


def row(kind, count):
    return made("memory_desc_create_with_strides", 2, sizes(1, count), TYPES[kind], sizes(count, 1))


def covers(case, blocks):
    return case.block[0] == 1


def answer(case, blocks, ours):
    source = np.ascontiguousarray(floats(blocks)).reshape(-1)
    length, scale_kind = blocks.shape[1], "e8m0" if case.rule == "mx.onednn" else "e4m3"
    attributes = made("primitive_attr_create")
    group = 2, sizes(1, length), TYPES[scale_kind], 0
    call("primitive_attr_set_scales_v3", attributes, DESTINATION, 3, *group, MODES[case.rule])
    codes = np.zeros(source.size // (2 if case.elem == "e2m1" else 1), np.uint8)
    scales, one = np.zeros(len(blocks), np.uint8), np.ones(1, np.float32)
    operands = (
        (SOURCE, row("f32", 1), one),
        (WEIGHTS, row("f32", source.size), source),
        (DESTINATION, row(case.elem, source.size), codes),
        (SCALES | DESTINATION, row(scale_kind, len(blocks)), scales),
    )
    shapes = [operands[0][1], operands[1][1], None, operands[2][1]]
    description = made("matmul_primitive_desc_create", ENGINE, *shapes, attributes)
    memories = [
        Argument(name, made("memory_create", shape, ENGINE, ctypes.c_void_p(array.ctypes.data)))
        for name, shape, array in operands
    ]
    call("primitive_execute", made("primitive_create", description), STREAM, 4, (Argument * 4)(*memories))
    call("stream_wait", STREAM)
    codes = codes.reshape(len(blocks), -1)
    if case.elem == "e2m1":
        codes = np.stack([codes & 15, codes >> 4], axis=-1).reshape(len(blocks), -1)
    return rules.Answer(codes, scales, None)


def known(case, blocks, ours):
    a = magnitudes(blocks)
    found = [Known("up to 3.13.2: a NaN stays a NaN", where=not_finite(blocks))]
    if case.rule == "mx.onednn":  # the multiplication's sum begins with +0
        found.append(zeros_lose_sign(case, floats(blocks) == 0))
    if case.rule == "nv.onednn":
        outside = (a < 6 * 0.125) | (a > 6 * 448)
        found.append(Known("up to 3.13.2: no limits of the scale", where=outside))
    elif case.elem != "e2m1":
        above = np.ldexp(a, 127 - ours.scales.astype(int)) > rules.ELEMENTS[case.elem].max
        found.append(Known("up to 3.13.2: values above MAX do not saturate", where=above))
    return found
