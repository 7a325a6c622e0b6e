# SPDX-License-Identifier: MIT
"""gfloat, a reference implementation that is not made for speed. It is measured only at the smallest size."""

from collections.abc import Iterator
from typing import Any

import gfloat
import numpy as np
from gfloat import formats

import pto
from race import Array, Cell

from .data import DTYPES, matrix, numbers


def cast(x: Array, info: gfloat.FormatInfo) -> Any:
    return gfloat.encode_ndarray(info, gfloat.round_ndarray(info, x.astype(np.float64), sat=True)).astype(np.uint8)


def mx_floor(x: Array, info: gfloat.FormatInfo) -> Any:
    rows = x.reshape(-1, 32).astype(np.float64)
    scales = np.array([gfloat.compute_scale_amax(info.emax, row) for row in rows])
    return cast(rows / scales[:, None], info), gfloat.encode_ndarray(formats.format_info_ocp_e8m0, scales).astype(
        np.uint8
    )


def cells(threads: int, sizes: list[int]) -> Iterator[Cell]:
    elements = min(sizes)
    kinds = {"e4m3": formats.format_info_ocp_e4m3, "e5m2": formats.format_info_ocp_e5m2}
    for kind, info in kinds.items():
        names = {"pto": pto, "x": numbers("f32", elements), "to": DTYPES[kind], "info": info, "cast": cast}
        ours = f"pto.cvt('cvt.rn.satfinite.{kind}x2.f32', x)"
        yield Cell("casts", f"f32->{kind}", elements, ours, "cast(x, info)", names)
    names = {"pto": pto, "x": matrix(elements), "info": kinds["e4m3"], "mx_floor": mx_floor}
    yield Cell("blocks", "MXFP8", elements, "pto.quantize(x, 'e4m3', 'mx.floor')", "mx_floor(x, info)", names)
