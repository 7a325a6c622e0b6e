# SPDX-License-Identifier: MIT
"""Compares pto_cast() with ml_dtypes and NumPy: python3 cast_witness.py build/release/libpto.so

Every code of each small format is converted to f32, and every f16 and bf16 and random f32 to each small format. NumPy's
own types are converted among each other. docs/semantics.md lists the cases in which ml_dtypes differs, which are left
out here. Exits with 1 if anything else differs, and 77 if NumPy or ml_dtypes is missing. --plant alters one result,
which must be found. --all converts all 2^32 f32.
"""

import argparse
import ctypes
import sys

try:
    import ml_dtypes
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SMALL = {
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "e4m3fnuz": "float8_e4m3fnuz",
    "e5m2fnuz": "float8_e5m2fnuz",
    "e4m3b11fnuz": "float8_e4m3b11fnuz",
    "e4m3ieee": "float8_e4m3",
    "e3m4": "float8_e3m4",
    "ue8m0": "float8_e8m0fnu",
    "e2m3": "float6_e2m3fn",
    "e3m2": "float6_e3m2fn",
    "e2m1": "float4_e2m1fn",
}
WITHOUT_NAN = {"e2m3", "e3m2", "e2m1"}
INTEGERS = {"u4": "uint4", "s4": "int4", "u2": "uint2", "s2": "int2"}
NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
NUMPY |= {f"{sign}{bits}": f"{word}{bits}" for sign, word in (("u", "uint"), ("s", "int")) for bits in (8, 16, 32, 64)}
RN, RNA, RZ = 1, 2, 3


class Op(ctypes.Structure):
    """The C struct pto_cast_op."""

    _fields_ = [(name, ctypes.c_int) for name in ("dst", "src", "round", "overflow")]


class Library:
    """libpto. The numbers of types come from their names."""

    def __init__(self, path):
        self.calls = ctypes.CDLL(path)
        self.calls.pto_dtype_name.restype = ctypes.c_char_p
        self.calls.pto_dtype_bits.restype = ctypes.c_size_t
        names = [self.calls.pto_dtype_name(number).decode() for number in range(256)]
        self.types = {name: number for number, name in enumerate(names) if name != "?"}

    def bits(self, name):
        return self.calls.pto_dtype_bits(self.types[name])

    def cast(self, array, src, dst, rounding):
        """Returns the elements as unsigned integers, one for each element."""
        bits, n = self.bits(dst), len(array) * max(8 // self.bits(src), 1)
        result = np.zeros((n * max(bits, 8) + 7) // 8, np.uint8)
        op = Op(self.types[dst], self.types[src], rounding, 0)
        operands = (ctypes.c_void_p(array.ctypes.data), ctypes.c_void_p(result.ctypes.data))
        status = self.calls.pto_cast(op, *operands, None, ctypes.c_size_t(n))
        if status != 0:
            sys.exit(f"cast_witness: {dst} <- {src}: status {status}")
        return unpacked(result, bits, n) if bits < 8 else result.view(f"u{bits // 8}")[:n]


def unpacked(packed, bits, n):
    """Returns elements of less than 8 bits as bytes. The first one is in the lowest bits."""
    at = np.arange(n) * bits
    return packed[at // 8] >> (at % 8).astype(np.uint8) & np.uint8(2**bits - 1)


def packed(codes, bits):
    if bits >= 8:
        return codes
    per = 8 // bits
    groups = np.resize(codes, -(-len(codes) // per) * per).reshape(-1, per).astype(np.uint8)
    return np.bitwise_or.reduce(groups << (np.arange(per) * bits).astype(np.uint8), axis=1).astype(np.uint8)


def quiet(array, dtype):
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def all_sources(random, everything):
    """Yields the name and the values of each wide source."""
    codes = np.arange(65536, dtype=np.uint16)
    yield "f16", codes.view(np.float16)
    yield "bf16", codes.view(ml_dtypes.bfloat16)
    if not everything:
        ties = np.arange(-1000, 1000, dtype=np.float32) / 16
        any_bits = random.integers(0, 2**32, 2**20, np.uint32).view(np.float32)
        in_range = np.ldexp(random.random(2**19) * 4 - 2, random.integers(-30, 20, 2**19)).astype(np.float32)
        yield "f32", np.concatenate([ties, any_bits, in_range])
        return
    for top in range(0, 2**32, 2**24):
        yield "f32", np.arange(top, top + 2**24, dtype=np.uint32).view(np.float32)


class Comparison:
    """Counts results and differences, by conversion."""

    def __init__(self, planted):
        self.planted, self.count, self.wrong = planted, 0, 0

    def add(self, what, ours, theirs, kept=None):
        """Compares elements as unsigned integers. Only those with `kept` count."""
        if self.planted:
            ours, self.planted = ours ^ (np.arange(len(ours)) == 3), False
        differs = ours != theirs
        if kept is not None:
            differs &= kept
        self.count += len(ours)
        self.wrong += int(differs.sum())
        for i in np.flatnonzero(differs)[:3]:
            print(f"{what}: element {i}: {int(ours[i]):x}, not {int(theirs[i]):x}")


def to_small(library, c, name, values, src):
    """Converts to a small format. NaNs may differ in sign and payload, and ml_dtypes makes -0 of them without NaN."""
    dtype = getattr(ml_dtypes, SMALL[name])
    rounding = RNA if name == "ue8m0" else RN  # ml_dtypes rounds ties of ue8m0 up
    ours = library.cast(values, src, name, rounding)
    theirs = quiet(values, dtype)
    codes, kept = theirs.view(np.uint8), np.ones(len(values), bool)
    wide = quiet(values, np.float32)
    if name == "ue8m0":
        # ml_dtypes makes NaNs of 0 and of negative numbers, and 2^-126 of all between 2^-127 and 2^-126.
        kept = ~(wide <= 0) & ~((wide > 2.0**-127) & (wide < 1.5 * 2.0**-127))
    if name in WITHOUT_NAN:
        kept = ~np.isnan(wide)
    else:
        nan = np.isnan(quiet(theirs, np.float32))
        ours_nan = np.isnan(quiet(ours.astype(np.uint8).view(dtype), np.float32))
        c.add(f"NaNs of {name} <- {src}", ours_nan.astype(np.uint8), nan.astype(np.uint8), kept)
        kept = kept & ~nan
    c.add(f"{name} <- {src}", ours, codes, kept)


def from_small(library, c, name):
    codes = np.arange(2 ** {"e2m3": 6, "e3m2": 6, "e2m1": 4}.get(name, 8), dtype=np.uint8)
    theirs = quiet(codes.view(getattr(ml_dtypes, SMALL[name])), np.float32)
    ours = library.cast(packed(codes, library.bits(name)), name, "f32", RN)
    c.add(f"f32 <- {name}", ours, theirs.view(np.uint32), ~np.isnan(theirs))
    c.add(f"NaNs of f32 <- {name}", np.isnan(ours.view(np.float32)).astype(np.uint8), np.isnan(theirs).astype(np.uint8))


def with_p3109(library, c, precision):
    """An extended format of P3109, which ml_dtypes lacks: the values of its codes, and every f16 to nearest even."""
    name, fraction = f"binary8p{precision}se", 2 ** (precision - 1)
    codes = np.arange(256)
    exponent, rest = codes % 128 // fraction, codes % fraction
    values = np.ldexp(rest + fraction * (exponent > 0), np.maximum(exponent, 1) - 2 ** (7 - precision) - precision + 1)
    table = np.append(values[:128], np.inf)  # entry 127 is the value after the largest, which becomes an infinity
    values[127], values[128] = np.inf, np.nan
    values[129:] = -values[1:128]
    ours = library.cast(codes.astype(np.uint8), name, "f64", RN).view(np.float64)
    c.add(f"f64 <- {name}", ours.view(np.uint64), values.view(np.uint64), codes != 0x80)
    c.add(f"NaN of f64 <- {name}", np.isnan(ours).astype(np.uint8), (codes == 0x80).astype(np.uint8))
    x = np.arange(65536, dtype=np.uint16).view(np.float16)
    size = np.abs(x.astype(np.float64))
    low = np.minimum(np.searchsorted(table, np.nan_to_num(size, nan=0.0), "right") - 1, 127)
    middle = (table[low] + table[low + 1]) / 2
    code = np.minimum(low + ((size > middle) | ((size == middle) & (low % 2 == 1))), 127)
    code = np.where(np.isnan(x), 0x80, code + 0x80 * (np.signbit(x) & (code != 0)))
    c.add(f"{name} <- f16", library.cast(x, "f16", name, RN), code.astype(np.uint8))


def with_integers(library, c, random):
    """Small integers, in range: ml_dtypes wraps others, and pto_cast() clamps them."""
    for name, word in INTEGERS.items():
        bits, dtype = library.bits(name), getattr(ml_dtypes, word)
        low, high = (0, 2**bits - 1) if name[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        whole = random.integers(low, high + 1, 4096).astype(np.float32)
        ours = library.cast(whole, "f32", name, RZ)
        c.add(f"{name} <- f32", ours, quiet(whole, dtype).view(np.uint8) & np.uint8(2**bits - 1))
        back = library.cast(packed(ours, bits), name, "f32", RN)
        c.add(f"f32 <- {name}", back, whole.view(np.uint32))


def numpy_sources(random, dtype):
    """Random codes of a type. Half of the floats are replaced by numbers of up to 2^20."""
    if np.dtype(dtype).kind in "iu":
        return random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, 65536, dtype, endpoint=True)
    bits = np.dtype(dtype).itemsize
    values = random.integers(0, 2 ** (8 * bits) - 1, 2**17, f"u{bits}").view(dtype)
    values[::2] = quiet(np.ldexp(random.random(2**16) * 4 - 2, random.integers(-3, 20, 2**16)), dtype)
    return values


def among_numpy(library, c, random):
    for src, source in NUMPY.items():
        values = numpy_sources(random, source)
        for dst, dtype in NUMPY.items():
            kept = np.ones(len(values), bool)
            floats = np.dtype(source).kind == "f"
            if np.dtype(dtype).kind in "iu":
                info = np.iinfo(dtype)
                wide = quiet(values, np.float64) if floats else values.astype(object)
                kept = ((wide >= info.min) & (wide <= info.max)).astype(bool)  # NumPy wraps others
                if floats:
                    kept &= np.abs(wide) < 2.0**62
            elif floats:
                kept = ~np.isnan(values)
            ours = library.cast(values, src, dst, RZ if np.dtype(dtype).kind in "iu" else RN)
            theirs = quiet(values, dtype)
            c.add(f"{dst} <- {src}", ours, theirs.view(f"u{theirs.itemsize}"), kept)


def main():
    parser = argparse.ArgumentParser(description="Compare pto_cast() with ml_dtypes and NumPy.")
    parser.add_argument("library", help="libpto.so")
    parser.add_argument("--plant", action="store_true", help="alter one result: fails if it is found")
    parser.add_argument("--all", action="store_true", help="convert all f32")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    library, random = Library(options.library), np.random.default_rng(options.seed)
    c = Comparison(options.plant)
    for name in SMALL:
        from_small(library, c, name)
    for src, values in all_sources(random, options.all):
        for name in SMALL:
            to_small(library, c, name, values, src)
    for precision in (3, 4):
        with_p3109(library, c, precision)
    with_integers(library, c, random)
    among_numpy(library, c, random)
    print(f"NumPy {np.__version__}, ml_dtypes {ml_dtypes.__version__}: {c.count} results, {c.wrong} differ")
    return 0 if c.wrong == 0 else 1


sys.exit(main())
