# SPDX-License-Identifier: MIT
"""The rules of docs/block-scaling.md in NumPy. Each step is one operation on float32.

Conversions are those of ml_dtypes. Exponents come from frexp, not from the bits as in the library, so that the two
implementations share only the formulas of that page.
"""

from typing import NamedTuple

import ml_dtypes
import numpy as np

F = np.float32
ONE, LARGEST, INF, NAN = F(1), np.finfo(F).max, F(np.inf), F(np.nan)
LEVELS = F(2688)  # the largest e4m3 times the largest e2m1


class Element(NamedTuple):
    """An element type: its ml_dtypes type, largest value, exponent of that value, mantissa bits, and code of NaN."""

    kind: type
    max: float
    emax: int
    digits: int
    nan: int


ELEMENTS = {
    "e4m3": Element(ml_dtypes.float8_e4m3fn, F(448), 8, 3, 0x7F),
    "e5m2": Element(ml_dtypes.float8_e5m2, F(57344), 15, 2, 0x7F),
    "e2m3": Element(ml_dtypes.float6_e2m3fn, F(7.5), 2, 3, 0x1F),
    "e3m2": Element(ml_dtypes.float6_e3m2fn, F(28), 4, 2, 0x1F),
    "e2m1": Element(ml_dtypes.float4_e2m1fn, F(6), 2, 1, 0x07),
    "s2f6": Element(np.int8, F(127 / 64), 0, 6, 0x7F),
    "bfp8": Element(None, F(127), 0, 7, 0),
    "bfp4": Element(None, F(7), 0, 3, 0),
}
PACKED = ("e2m1", "bfp4")  # two codes in a byte
WIDES = {"f32": np.dtype(F), "bf16": np.dtype(ml_dtypes.bfloat16), "f16": np.dtype(np.float16)}
EPSILON = {"f32": F(2**-23), "bf16": F(2**-7), "f16": F(2**-10)}

MX = ("mx.floor", "mx.ceil", "mx.even", "mx.even1", "mx.rceil", "mx.rceil.sat")
MX += ("mx.gguf", "mx.onednn", "mx.cann", "mx.cann6", "mx.cann7", "mx.even.quark", "mx.int8")
NV = ("nv.te", "nv.rcp", "nv.ao", "nv.modelopt", "nv.ct", "nv.gguf", "nv.onednn", "nv.quark")
CHOICES = tuple(f"nv.46.{f}.{m}{t}" for f in ("te", "fi", "fast") for t in (256, 448) for m in ("mae", "mse"))
CHOICES += ("nv.46.modelopt",)
NV += CHOICES
FP8 = ("fp8.div", "fp8.rcp", "fp8.mul", "fp8.te", "fp8.ct", "fp8.ao", "fp8.hf")
BFP = ("bfp.tt",)
SKIPS_NAN = ("mx.rceil.sat", "nv.te", "nv.rcp", "fp8.div", "fp8.mul", "fp8.te")
SKIPS_NAN += ("mx.gguf", "nv.gguf", "mx.onednn", "nv.onednn")
FP8_OR_FP4 = ("e4m3", "e5m2", "e2m1")
FLOATS = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")
ELEMS = {"mx.even1": ["e4m3"], "fp8.ct": ["e4m3"], "fp8.hf": ["e4m3"], "mx.int8": ["s2f6"], "mx.gguf": ["e2m1"]}
ELEMS["bfp.tt"] = ["bfp8", "bfp4"]
ELEMS |= {"mx.onednn": FP8_OR_FP4, "mx.cann": FP8_OR_FP4, "mx.cann6": ["e2m1"], "mx.cann7": ["e2m1"]}
SECOND_LEVEL = {"nv.te": "A", "nv.rcp": "g", "nv.ao": "s2", "nv.modelopt": "s2", "nv.ct": "g"}
SECOND_LEVEL |= {rule: "g" if ".fi." in rule else "A" for rule in CHOICES}
SKIPS_NAN += CHOICES[:-1]
TAKES_POW2 = ("fp8.div", "fp8.rcp", "fp8.te")
TAKES_EPS = ("fp8.div", "fp8.rcp", "fp8.mul", "fp8.te", "fp8.ao")


class Case(NamedTuple):
    """A block scaling operation. tensor is the second-level value or None; eps belongs to the FP8 rules."""

    rule: str
    elem: str
    wide: str
    block: tuple
    pow2: bool = False
    tensor: F = None
    eps: F = F(0)


class Answer(NamedTuple):
    """Codes of the elements, stored scales, and the factors that dequantize the codes of each block."""

    codes: np.ndarray
    scales: np.ndarray
    back: np.ndarray


def encode(elem, x):
    """Converts f32 to codes as cvt.rn.satfinite does; to s2f6 without the code of -2."""
    e = ELEMENTS[elem]
    if elem == "s2f6":
        steps = np.clip(np.rint(x.astype(np.float64) * 64), -127, 127)
        return np.where(np.isnan(x), e.nan, steps).astype(np.int8).view(np.uint8)
    codes = np.clip(x, -e.max, e.max).astype(e.kind).view(np.uint8)
    return np.where(np.isnan(x), np.uint8(e.nan), codes)


def decode(elem, codes):
    """The value of each code, as f32; of a code with a shared exponent, its signed magnitude."""
    if elem in ("bfp8", "bfp4"):
        sign = 1 << ELEMENTS[elem].digits
        return np.where(codes & sign, -1, 1).astype(F) * (codes & (sign - 1)).astype(F)
    if elem == "s2f6":
        return codes.astype(np.uint8).view(np.int8).astype(F) * F(2**-6)
    return codes.astype(np.uint8).view(ELEMENTS[elem].kind).astype(F)


def rounded(wide, x):
    """Rounds x to the type of the tensor, and returns it as f32."""
    return x.astype(WIDES[wide]).astype(F)


def amax(rule, x):
    """The largest magnitude of each block. NaNs are ignored or returned, depending on the rule."""
    if rule in SKIPS_NAN:
        return np.fmax.reduce(np.abs(x), axis=-1, initial=F(0))
    return np.max(np.abs(x), axis=-1)


def tensor_number(rule, largest):
    """The second-level value of a tensor with this largest magnitude."""
    if ".fi." in rule:
        return targets(rule) / largest
    number = {"A": largest, "s2": largest / LEVELS, "g": LEVELS / largest}[SECOND_LEVEL[rule]]
    return ONE if rule == "nv.ct" and not np.isfinite(number) else number


# ---- MX ----


def floor_log2(a):
    """Returns floor(log2(a)), exactly for finite values except 0. Callers ignore the results of 0, Inf and NaN."""
    return np.frexp(a)[1] - 1


def ceil_log2(a):
    fraction, exponent = np.frexp(a)
    return exponent - (fraction == 0.5)


def even_log2(a, digits):
    """Rounds a to ``digits`` mantissa bits, with ties away from zero, and returns floor(log2) of the result."""
    fraction, exponent = np.frexp(a.astype(np.float64))
    return exponent - 1 + (np.floor(fraction * 2.0 ** (digits + 1) + 0.5) == 2.0 ** (digits + 1))


def mx_code(case, a):
    """The ue8m0 scale code of each block."""
    e = ELEMENTS[case.elem]
    if case.rule in ("mx.rceil", "mx.rceil.sat"):
        a = a * F(1.0 / float(e.max))
        power = ceil_log2(a)
    elif case.rule in ("mx.floor", "mx.onednn", "mx.cann", "mx.int8"):
        power = floor_log2(a) - e.emax
    elif case.rule == "mx.gguf":
        power = np.floor(np.log2(a.astype(np.float64)).astype(F)) - e.emax
    elif case.rule in ("mx.cann6", "mx.cann7"):
        power = cann_log2(case, a) - e.emax
    elif case.rule == "mx.ceil":
        power = ceil_log2(a) - e.emax
    else:
        digits = 1 if case.rule == "mx.even1" else e.digits
        above = even_log2(a, digits)
        a = np.where(above == 128, INF, a)
        power = above - e.emax
    code = np.clip(power + 127, 0, 254)
    code = np.where(a == 0, 0, code)
    code = np.where(np.isfinite(a), code, 255)
    infinite = {"mx.rceil.sat": 254, "mx.even.quark": 254, "mx.gguf": 253}.get(case.rule, 255)
    return np.where(np.isinf(a), infinite, code).astype(np.uint8)


def cann_log2(case, a):
    """floor(log2) of a in bf16, but one more if a is above 1.5 or 1.75 times that power of two."""
    border = 1.5 if case.rule == "mx.cann6" else 1.75
    if case.wide == "f16":
        a = a.astype(ml_dtypes.bfloat16)
    else:
        a = (a.view(np.uint32) & np.uint32(0xFFFF0000)).view(F)
    fraction, exponent = np.frexp(a.astype(np.float64))
    return np.where(a == 0, -127, exponent - 1 + (fraction * 2 > border))


def power_of_two(exponent, code):
    return np.where(code == 255, NAN, np.ldexp(ONE, exponent))


def mx(case, x, a):
    code = mx_code(case, a)
    wide_code = code.astype(int)
    inverse = power_of_two(127 - wide_code, code)
    back = power_of_two(wide_code - 127, code)
    if case.rule == "mx.gguf":
        return Answer(nearest(x, np.ldexp(ONE, wide_code - 128)), code, back)
    if case.rule.startswith("mx.cann"):
        inverse = np.where(code == 0, F(0), inverse)
    y = x * inverse[:, None]
    return Answer(encode(case.elem, clamped(case, y) if case.rule == "mx.onednn" else y), code, back)


def clamped(case, y):
    """The last step of oneDNN: a NaN becomes the least value, and one-byte elements are rounded to f16 first."""
    largest = ELEMENTS[case.elem].max
    y = np.where(np.isnan(y), -largest, np.clip(y, -largest, largest)).astype(F)
    return y if case.elem == "e2m1" else y.astype(np.float16).astype(F)


def nearest(x, half):
    """The codes of ggml: the first of 16 values times half the scale with the least distance."""
    doubles = np.array([0, 1, 2, 3, 4, 6, 8, 12, -0.0, -1, -2, -3, -4, -6, -8, -12], F)
    distances = np.abs(doubles[None, None, :] * half[:, None, None] - x[:, :, None])
    best, least = np.zeros(x.shape, np.uint8), distances[:, :, 0]
    for code in range(1, 16):
        less = distances[:, :, code] < least
        best[less] = code
        least = np.where(less, distances[:, :, code], least)
    return best


# ---- NVFP4 ----


def at_most(x, most):
    return np.where(x > most, most, x)


def te_levels(tensor):
    """The encode scale of Transformer Engine and its reciprocal."""
    enc = ONE
    if tensor is not None:
        enc = LEVELS / tensor
        enc = LARGEST if np.isnan(enc) or enc > LARGEST else enc
        enc = ONE if tensor == 0 or enc == 0 else enc
    return enc, ONE / enc


def nv_te(case, a):
    enc, dec = te_levels(case.tensor)
    k = enc * F(1 / 6)
    c = encode("e4m3", at_most(a * k, LARGEST))
    v = decode("e4m3", c)
    back = v if case.tensor is None else (v * case.tensor) * F(1 / 2688)
    return c, at_most(ONE / (v * dec), LARGEST), back


def nv_rcp(case, a):
    g = ONE if case.tensor is None else case.tensor
    c = encode("e4m3", g * (a * F(1 / 6)))
    v = decode("e4m3", c)
    return c, np.where(v == 0, F(0), ONE / (v * (ONE / g))), v / g


def nv_ao(case, a):
    b = a / F(6)
    b = b if case.tensor is None else b / case.tensor
    c = encode("e4m3", np.clip(b, F(2**-6), F(448)))
    v = decode("e4m3", c)
    if case.tensor is None:
        return c, ONE / v, v
    return c, (ONE / case.tensor) / v, case.tensor * v


def nv_modelopt(case, a):
    s2 = ONE if case.tensor is None else case.tensor
    b = a / (F(6) * s2)
    b = np.where(b == 0, ONE, b)
    c = encode("e4m3", np.clip(b, F(2**-9), F(448)))
    v = decode("e4m3", c)
    return c, v * s2, s2 * v


def nv_ct(case, a):
    g = ONE if case.tensor is None else case.tensor
    c = encode("e4m3", g * rounded(case.wide, a / F(6)))
    c = np.where(c & 0x7F, c, np.uint8(0x20))
    v = decode("e4m3", c)
    return c, v / g, v / g


def ue5m3(x):
    """Converts to ue5m3 by the e5m2 of a value with one more bit: codes are found by comparing with all middles."""
    codes = np.arange(255)
    values = np.where(codes < 8, codes * 2.0**-17, (8 + codes % 8) * 2.0 ** (np.maximum(codes // 8, 1) - 18))
    at = np.searchsorted(values, x.astype(np.float64))
    below, above = np.clip(at - 1, 0, 254), np.clip(at, 0, 254)
    low, high = x - values[below], values[above] - x
    up = (high < low) | ((high == low) & (above % 2 == 0))
    return np.where(np.isnan(x), 255, np.where(up, above, below)).astype(np.uint8)


def nv_quark(case, a):
    s = rounded(case.wide, a / F(6))
    c = ue5m3(np.where(s == 0, F(2**-23), s))
    wide_code = c.astype(int)
    v = np.where(c < 8, np.ldexp(F(1), -17) * c, np.ldexp((8 + wide_code % 8).astype(F), wide_code // 8 - 18))
    v = np.where(c == 255, NAN, v).astype(F)
    return c, np.where(v == 0, F(2**-23), v), v


def nv_onednn(case, a):
    c = encode("e4m3", np.clip(a / F(6), F(0.125), F(448)).astype(np.float16).astype(F))
    v = decode("e4m3", c)
    return c, ONE / v, v


def nv_gguf(case, a):
    """Rounds half up, and not to a scale between 240 and 448."""
    b = np.minimum(a / F(6), F(448))
    small = np.minimum((b * F(512) + F(0.5)).astype(int), 7)
    fraction, exponent = np.frexp(b)
    sixteenths = np.floor(fraction.astype(np.float64) * 32).astype(int)  # 16 to 31
    normal = (exponent + 6) * 8 + (sixteenths - 16 + 1) // 2
    c = np.where(b < F(2**-6), small, np.where(normal >= 120, 0x7E, normal)).astype(np.uint8)
    v = decode("e4m3", c)
    return c, v * F(0.5), v


# ---- four over six ----


def targets(rule):
    """6T."""
    return F(2688) if "448" in rule else F(1536)


def capped(x):
    """min(x, FLT_MAX), which is FLT_MAX for a NaN."""
    return np.fmin(x, LARGEST)


def levels(case):
    """e and d."""
    e = case.tensor
    if ".fi." not in case.rule:
        e = capped(targets(case.rule) / case.tensor)
        e = ONE if case.tensor == 0 or e == 0 else e
    return e, ONE / e


def row_sums(u, rule, shape):
    """The errors of blocks: each row from left to right, and then the rows in a tree. ``u`` has a block in each row."""
    terms = np.abs(u) if ".mae" in rule else u * u
    terms = terms.reshape(len(u), *shape)
    sums = np.zeros(terms.shape[:2], F)
    for k in range(shape[1]):
        sums = sums + terms[:, :, k]
    while sums.shape[1] > 1:
        half = sums.shape[1] // 2
        sums = sums[:, :half] + sums[:, half:]
    return sums[:, 0]


def choice(case, x, a):
    if case.rule == "nv.46.modelopt":
        return choice_of_modelopt(case, x, a)
    e, d = levels(case)
    found = {}
    for k, times in ((6, F(1)), (4, F(1.5))):
        b = (a / F(6)) * e
        c = encode("e4m3", b if k == 6 else b * times)
        v = decode("e4m3", c)
        r = capped(ONE / (v * d))
        codes = encode("e2m1", x * r[:, None])
        w = decode("e2m1", codes) * v[:, None]
        if ".te." in case.rule:
            u = (w * case.tensor) / targets(case.rule) - x
        else:
            u = w * d - x if ".fi." in case.rule else w - x * e
        found[k] = row_sums(u, case.rule, case.block), c, codes, v
    four = found[4][0] < found[6][0]
    c = np.where(four, found[4][1], found[6][1])
    codes = np.where(four[:, None], found[4][2], found[6][2])
    v = np.where(four, found[4][3], found[6][3])
    if ".fi." in case.rule:
        c, codes = np.where(a == 0, np.uint8(0), c), np.where((a == 0)[:, None], np.uint8(0), codes)
        v = np.where(a == 0, F(0), v)
        return Answer(codes, c, v / case.tensor)
    return Answer(codes, c, (v * case.tensor) * (ONE / targets(case.rule)))


def choice_of_modelopt(case, x, a):
    h = (case.tensor * F(1.75)) / F(6)
    k = F(448) if h <= F(2**-24) else F(448) / h
    errors, p = [], []
    for times in (F(1), F(1.5)):
        s = (a * times) / F(6)
        z = decode("e4m3", encode("e4m3", s * k)) * (ONE / k)
        used = np.where(np.isfinite(z), z, ONE)[:, None]
        y = decode("e2m1", encode("e2m1", np.abs(x) / used)) * used
        y = np.where((z == 0)[:, None], F(0), np.copysign(y, x))
        errors.append(row_sums(x - y, case.rule, case.block))
        p.append(s)
    second = (errors[1] < errors[0]) | (np.isnan(errors[1]) & ~np.isnan(errors[0]))
    b = np.where(second, p[1], p[0])
    b = np.clip((np.where(b == 0, ONE, b) * F(256)) / (case.tensor / F(6)), F(2**-9), F(448))
    c = encode("e4m3", b)
    s2 = case.tensor / F(1536)
    v = decode("e4m3", c)
    return Answer(encode("e2m1", x / (v * s2)[:, None]), c, s2 * v)


def nv(case, x, a):
    if case.rule in CHOICES:
        return choice(case, x, a)
    steps = {"nv.te": nv_te, "nv.rcp": nv_rcp, "nv.ao": nv_ao, "nv.modelopt": nv_modelopt, "nv.ct": nv_ct}
    steps |= {"nv.quark": nv_quark, "nv.onednn": nv_onednn, "nv.gguf": nv_gguf}
    c, factor, back = steps[case.rule](case, a)
    if case.rule == "nv.gguf":
        return Answer(nearest(x, factor), c, back)
    if case.rule == "nv.onednn":
        return Answer(encode(case.elem, clamped(case, x * factor[:, None])), c, back)
    divides = case.rule in ("nv.modelopt", "nv.ct", "nv.quark")
    y = x / factor[:, None] if divides else x * factor[:, None]
    return Answer(encode(case.elem, y), c, back)


# ---- FP8 ----


def up(s):
    """Rounds s up to a normal power of two. Larger values, and NaN, give the largest power."""
    power = np.clip(ceil_log2(s), -126, 127)
    power = np.where(s == 0, -126, power)
    return np.ldexp(ONE, np.where(np.isfinite(s), power, 127))


def te_factor(case, a):
    r = np.where((a == 0) | np.isinf(a), ONE, ELEMENTS[case.elem].max / a)
    r = np.where(np.isinf(r), F(ml_dtypes.finfo(WIDES[case.wide]).max), r)
    return np.ldexp(ONE, floor_log2(r)) if case.pow2 else r


def fp8(case, x, a):
    largest = ELEMENTS[case.elem].max
    floored = np.where(a < case.eps, case.eps, a)
    if case.rule == "fp8.ct":
        s = rounded(case.wide, a / largest)
        s = np.where(s == 0, EPSILON[case.wide], s)
        return Answer(encode(case.elem, rounded(case.wide, x / s[:, None])), s, s)
    if case.rule == "fp8.ao":
        s = rounded(case.wide, floored / largest)
        return Answer(encode(case.elem, x / s[:, None]), s, s)
    if case.rule == "fp8.hf":
        r = np.where(a > 0, (ONE / a) * largest, ONE)
        return Answer(encode(case.elem, x * r[:, None]), ONE / r, ONE / r)
    if case.rule == "fp8.te":
        r = te_factor(case, floored)
        return Answer(encode(case.elem, x * r[:, None]), ONE / r, ONE / r)
    if case.rule == "fp8.mul":
        s = floored * F(1.0 / float(largest))
        return Answer(encode(case.elem, x * (largest / floored)[:, None]), s, s)
    s = up(floored / largest) if case.pow2 else floored / largest
    y = x / s[:, None] if case.rule == "fp8.div" else x * (ONE / s)[:, None]
    return Answer(encode(case.elem, y), s, s)


# ---- block floating point ----


def bfp(case, x, _):
    """Magnitudes are rounded to the spacing of the largest one. What is below its 24 bits does not count."""
    width = ELEMENTS[case.elem].digits
    bits = x.view(np.uint32).astype(np.int64)
    field = bits >> 23 & 0xFF
    shared = field.max(axis=-1)
    kept = (0x800000 + (bits & 0x7FFFFF)) // 2 ** np.minimum(shared[:, None] - field, 40)
    kept = np.where(field == 0, 0, kept)
    steps = kept / 2.0 ** (24 - width)  # exact; rint rounds ties to even
    magnitude = np.minimum(np.rint(steps), 2**width - 1).astype(np.int64)
    codes = np.where((magnitude != 0) & (bits >> 31 != 0), magnitude + 2**width, magnitude)
    return Answer(codes.astype(np.uint8), shared.astype(np.uint8), np.ldexp(ONE, shared - 126 - width))


def answer(case, x):
    """The codes, scales and factors that a rule computes. Each row of x is a block."""
    x = x.astype(F)
    family = mx if case.rule in MX else nv if case.rule in NV else bfp if case.rule in BFP else fp8
    with np.errstate(all="ignore"):
        return family(case, x, amax(case.rule, x))


def restored(case, given):
    """The dequantized blocks."""
    with np.errstate(all="ignore"):
        return (decode(case.elem, given.codes) * given.back[:, None]).astype(WIDES[case.wide])
