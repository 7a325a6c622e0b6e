# SPDX-License-Identifier: MIT
"""libpto: compare, select, convert and block scaling of arrays on CPUs, with exactly the bits of GPUs and NPUs.

Calls take arrays of NumPy and ml_dtypes, and arrays in CPU memory that have ``__dlpack__``, such as those of torch and
jax. Arrays may have any shape. An array is copied only if the elements of its rows are not contiguous. Results are
NumPy arrays, or torch tensors if an operand is one, or they are written to ``out``. Calls on 4 KiB or more release the
GIL.
"""

from __future__ import annotations

from . import _core, isa
from ._arrays import Image
from ._block import (
    Quantized,
    block_pack,
    block_unpack,
    dequantize,
    quantize,
    requantize,
    rules,
    scales_swizzle,
    scales_unswizzle,
)
from ._compare import set, setp, testp, vcmp, vcmps
from ._convert import cast, cvt, vcvt, vexp, vtrc
from ._flags import cmp_setcc, flags_cmp, flags_test, flags_ucomi, setcc
from ._lanes import vargmax, vargmin, vcompress, vexpand
from ._masks import mask_and, mask_count, mask_mov, mask_not, mask_or, mask_sel, mask_xor
from ._module import Kernel, Module, Parameter
from ._program import run
from ._select import (
    selp,
    slct,
    vclamp,
    vcmpsel,
    vmax,
    vmin,
    vpermute,
    vrelu,
    vsel,
    vselr,
    vselrv2,
    vsels,
)
from ._system import num_threads, random_bits, set_num_threads
from ._text import dtypes, explain, forms, since

__version__ = _core.version()

__all__ = [
    "Image",
    "Kernel",
    "Module",
    "Parameter",
    "Quantized",
    "block_pack",
    "block_unpack",
    "cast",
    "cmp_setcc",
    "cvt",
    "dequantize",
    "dtypes",
    "explain",
    "flags_cmp",
    "flags_test",
    "flags_ucomi",
    "forms",
    "isa",
    "mask_and",
    "mask_count",
    "mask_mov",
    "mask_not",
    "mask_or",
    "mask_sel",
    "mask_xor",
    "num_threads",
    "quantize",
    "random_bits",
    "requantize",
    "rules",
    "run",
    "scales_swizzle",
    "scales_unswizzle",
    "selp",
    "set",
    "set_num_threads",
    "setcc",
    "setp",
    "since",
    "slct",
    "testp",
    "vargmax",
    "vargmin",
    "vclamp",
    "vcmp",
    "vcmps",
    "vcmpsel",
    "vcompress",
    "vcvt",
    "vexp",
    "vexpand",
    "vmax",
    "vmin",
    "vpermute",
    "vrelu",
    "vsel",
    "vselr",
    "vselrv2",
    "vsels",
    "vtrc",
]
