# SPDX-License-Identifier: MIT
"""libpto against NumPy in one process: python3 numpy_peer.py build/release/libpto.so

Against ml_dtypes (block scaling, numpy_block.py) and NumKong, too, if they are there.

Every cell is verified first, and then raced: all take turns over the same buffers, the best round counts for each.
8 KiB streams are left out: at that size both sides measure the call from Python and little else.
"""

import argparse
import ctypes
import sys
import timeit
from functools import partial

import numpy as np

import numpy_maxmin
from numpy_streams import BOOL, BYTE, PACKED, TYPES, CvtOp, Mask, at, filled, parsed, stream

try:
    import numpy_block
except ImportError:  # for want of ml_dtypes
    numpy_block = None
try:
    import numkong
except ImportError:
    numkong = None

COMPARES = ["u8", "s16", "u32", "s64", "f16", "f32", "f64"]
SELECTS = [f"{name}.{data}" for name in ("u8", "u16", "f32", "f64") for data in ("random", "runs")]
CONVERSIONS = ["rn.f16.f32", "f32.f16", "f64.f32", "rn.f32.f64", "rn.f32.s32", "rzi.s32.f32"]  # as PTX has them
NUMKONG = {  # forms of PTX, and the formats as NumKong has them
    "rn.satfinite.e4m3x2.f32": ("e4m3", "float32"),
    "rn.satfinite.e5m2x2.f32": ("e5m2", "float32"),
    "rn.satfinite.e2m3x2.f32": ("e2m3", "float32"),
    "rn.satfinite.e3m2x2.f32": ("e3m2", "float32"),
    "rn.f16x2.e4m3x2": ("float16", "e4m3"),
    "rn.f16x2.e5m2x2": ("float16", "e5m2"),
    "rn.f16x2.e2m3x2": ("float16", "e2m3"),
    "rn.f16x2.e3m2x2": ("float16", "e3m2"),
    "rn.f16.f32": ("float16", "float32"),
    "f32.f16": ("float32", "float16"),
    "rn.bf16.f32": ("bfloat16", "float32"),
    "f32.bf16": ("float32", "bfloat16"),
}
SIZES = {"256KiB": 1 << 18, "4MiB": 1 << 22, "64MiB": 1 << 26}  # of the widest stream
SECONDS, TURN = 0.5, 2e-4  # of a race, and of a turn in it


# A cell: all its streams, dst the first; libpto's call; and NumPy's calls, by a letter where there are several ways.
def compare_cell(library, name, size):
    kind = np.dtype(TYPES[name])
    lanes = size // kind.itemsize
    dst, a, b = stream(BOOL, lanes, 0), filled(kind, lanes, 1), filled(kind, lanes, 2)
    b[::7] = a[::7]  # equal lanes too
    dtype, less = parsed(library, "dtype", name, ctypes.c_int()), parsed(library, "cmp", "lt", ctypes.c_int())
    masks = Mask(None, PACKED), Mask(dst.ctypes.data, BYTE)  # PTO_NO_MASK, and the result
    ours = partial(library.pto_vcmp, dtype, less, 0, at(a), at(b), *masks, ctypes.c_size_t(lanes))
    return [dst, a, b], ours, {"": partial(np.less, a, b, out=dst)}


def select_cell(library, name, size):
    """NumPy branches on the mask, so it has a random one and one of long runs."""
    name, data = name.split(".")
    kind = np.dtype(TYPES[name])
    lanes = size // kind.itemsize
    dst, a, b = stream(kind, lanes, 0), filled(kind, lanes, 1), filled(kind, lanes, 2)
    mask = filled(BOOL, lanes, 3)
    if data == "runs":
        mask[:] = np.arange(lanes) // 1000 % 2

    def over_b(put):
        np.copyto(dst, b)
        put()

    copyto, putmask = partial(np.copyto, dst, a, where=mask), partial(np.putmask, dst, mask, a)
    theirs = {"w": partial(np.where, mask, a, b), "c": partial(over_b, copyto), "p": partial(over_b, putmask)}
    dtype, given = parsed(library, "dtype", name, ctypes.c_int()), Mask(mask.ctypes.data, BYTE)
    ours = partial(library.pto_vsel, dtype, at(a), at(b), given, at(dst), ctypes.c_size_t(lanes))
    return [dst, a, b, mask], ours, theirs


def convert_cell(library, name, size):
    to, of = (np.dtype(TYPES[word]) for word in name.split(".")[-2:])
    lanes = size // max(to.itemsize, of.itemsize)
    dst, src = stream(to, lanes, 0), filled(of, lanes, 1)
    op = parsed(library, "cvt", f"cvt.{name}", CvtOp())
    ours = partial(library.pto_cvt, op, at(src), at(dst), None, ctypes.c_size_t(lanes))
    return [dst, src], ours, {"": partial(np.copyto, dst, src, casting="unsafe")}


def numkong_cell(library, name, size):
    """In NumKong's own tensors. The data are small enough for every format: beyond, saturation may differ."""
    to, of = NUMKONG[name]
    lanes = size // max(numkong.zeros((1,), dtype=word).itemsize for word in (to, of))
    source = numkong.astype(np.random.default_rng(1).standard_normal(lanes).astype(np.float32), of)
    target = numkong.zeros((lanes,), dtype=to)
    dst, src = (np.frombuffer(memoryview(tensor).cast("B"), np.uint8) for tensor in (target, source))
    op = parsed(library, "cvt", f"cvt.{name}", CvtOp())
    ours = partial(library.pto_cvt, op, at(src), at(dst), None, ctypes.c_size_t(lanes))
    return [dst, src], ours, {"": partial(numkong.astype, source, to, out=target)}


def result_of(call, dst, stale):
    """What a call gives, over other stale bytes than the call before it had: what is not written is not equal."""
    dst.view(np.uint8).fill(stale)
    result = call()
    return (result if isinstance(result, np.ndarray) else dst).view(np.uint8).copy()


def race(calls):
    """Seconds of each call: in every round each has its turn."""
    timers = [timeit.Timer(call) for call in calls]
    turns = [max(1, round(TURN / timer.timeit(1))) for timer in timers]
    best, rounds, start = [float("inf")] * len(calls), 0, timeit.default_timer()
    while rounds < 5 or timeit.default_timer() - start < SECONDS:
        best = [min(b, timer.timeit(k) / k) for b, timer, k in zip(best, timers, turns)]
        rounds += 1
    return best


def figures(streams, ours, theirs):
    """The columns of one size; None if the results differ."""
    expected = result_of(ours, streams[0], 0xA5)
    if not all(np.array_equal(expected, result_of(call, streams[0], 0x5A)) for call in theirs.values()):
        return None
    first, *others = race([ours, *theirs.values()])
    other, way = min(zip(others, theirs))
    gigabytes = sum(array.nbytes for array in streams) * 1e-9
    return f"{gigabytes / first:8.1f} {gigabytes / other:7.1f}{way:1} {other / first:6.2f}"


def table(library, peer, cells, sizes=SIZES):
    """A line for each (word, make, name) in cells, a column for each size; the number of results that differ."""
    print((" " * 28 + "".join(f"{size:^28}" for size in sizes)).rstrip())
    print(f"{'cell':28}" + "   ".join([f"{'libpto':>8} {peer:>7}  {'x':>6}"] * len(sizes)))
    differ = 0
    for word, make, name in cells:
        texts = [figures(*make(library, name, size)) for size in sizes.values()]
        differ += texts.count(None)
        print(f"{word + '.' + name:28}" + "   ".join(f"{text or 'differs':>25}" for text in texts), flush=True)
    return differ


def main():
    parser = argparse.ArgumentParser(description="Race libpto against NumPy and NumKong.")
    parser.add_argument("library", help="libpto.so")
    library = ctypes.CDLL(parser.parse_args().library)
    library.pto_isa_name.restype = ctypes.c_char_p
    isa = library.pto_isa_name(library.pto_isa_active()).decode()
    _, ours, theirs = compare_cell(library, "f32", 0)
    nothing = [1e9 * seconds for seconds in race([ours, theirs[""]])]
    print(f"""libpto ({isa}) and NumPy {np.__version__}, one thread; GB/s of all bytes in and out, masks too
x: how often faster than NumPy; w, c, p: NumPy's fastest way there: where(mask, a, b), which makes a new array;
   copyto(dst, b), for fill dst.fill(b), and then copyto(dst, a, where=mask) or putmask(dst, mask, a)
A call with nothing to do, part of every figure: libpto by ctypes {nothing[0]:.0f} ns, np.less {nothing[1]:.0f} ns\n""")
    cells = [("less", compare_cell, name) for name in COMPARES] + [("where", select_cell, name) for name in SELECTS]
    cells += [("cvt", convert_cell, name) for name in CONVERSIONS]
    differ = table(library, "NumPy", cells + numpy_maxmin.cells())
    if numpy_block is None:
        print("\nml_dtypes is not here: no block scaling")
    else:
        formats = numpy_block.ml_dtypes.__version__
        print(f"\nlibpto ({isa}) and NumPy with ml_dtypes {formats}; GB/s of all bytes in and out, scales too\n")
        differ += table(library, "NumPy", numpy_block.cells())
        if references := numpy_block.gfloat_cells():
            print()
            differ += table(library, "gfloat", references, {"256KiB": SIZES["256KiB"]})
    if numkong is None:
        print("\nNumKong is not here: skipped")
    else:
        print(f"\nlibpto ({isa}) and NumKong {numkong.__version__}, astype(source, format, out=target); GB/s too\n")
        differ += table(library, "NumKong", [("cvt", numkong_cell, name) for name in NUMKONG])
    return 1 if differ else 0


sys.exit(main())
