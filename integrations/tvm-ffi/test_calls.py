# SPDX-License-Identifier: MIT
"""Every export gives the bits of the package pto, for all its types.

Operands are arrays of NumPy, and tensors of DLPack and torch.

A check calls one export by ``run(name, arguments)`` and compares with the package. Operands are codes: unsigned
integers, which ``run.to`` makes tensors of a type over the same memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from tensors import DLPACK, Way, codes, in_dlpack, in_numpy, width, words

import pto

N = 131
SMALL_FLOATS = ["e4m3", "e5m2", "e2m3", "e3m2", "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz", "e4m3ieee", "e3m4"]
SMALL_FLOATS += ["binary8p3se", "binary8p4se"]
FLOATS = ["f16", "bf16", "f32", "f64", *SMALL_FLOATS]
UNSIGNED = ["u8", "u16", "u32", "u64"]
SIGNED = ["s8", "s16", "s32", "s64"]
INTEGERS = UNSIGNED + SIGNED
BITS = ["b8", "b16", "b32", "b64"]
LANES = BITS + INTEGERS + FLOATS
PTX_SELECTED = [f"{c}{w}" for c in "bus" for w in (16, 32, 64)] + ["f32", "f64"]
CASTS = [t for t in pto.dtypes() if t not in BITS and "x" not in t[1:] and t not in ("bfp8", "bfp4", "u2", "s2")]
EQUALITY, ORDER = ["eq", "ne"], ["lt", "le", "gt", "ge"]
UNORDERED = ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]
FLAGS = ["", "ftz", "propagate_nan", "xorsign_abs", "ftz.propagate_nan.xorsign_abs"]


class Run:
    """Calls an export with the tensors of one kind."""

    def __init__(self, module: Any, way: Way) -> None:
        self.module, self.to = module, way

    def __call__(self, name: str, *arguments: Any) -> Any:
        return self.module[name](*arguments)

    def codes(self, name: str, n: int = N, seed: int = 0) -> tuple[Any, Any]:
        """Returns random codes and the tensor of them."""
        x = codes(name, n, seed)
        return x, self.to(x, name)

    def result(self, name: str, n: int = N) -> tuple[Any, Any]:
        """Returns memory for n elements, which is not zero, and the tensor of it."""
        x = codes(name, n, 99)
        return x, self.to(x, name)

    def bools(self, n: int = N, seed: int = 0) -> tuple[Any, Any]:
        x = codes("u8", n, seed) & np.uint8(1)
        return x, self.to(x, "bool")


CHECKS: dict[str, Callable[[Run], None]] = {}


def check(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Registers a check of these exports. If there are several, the check takes the name."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        for name in names:
            CHECKS[name] = function if len(names) == 1 else lambda run, name=name: function(run, name)
        return function

    return register


def equal(got: Any, want: Any, *about: Any) -> None:
    """Asserts that two arrays have the same bytes."""
    if got.tobytes() != np.ascontiguousarray(want).tobytes():
        raise AssertionError(f"{about}: {got} instead of {want}")


def typed(x: Any, name: str) -> Any:
    """Returns codes as the package takes them: with NumPy's dtype for the type if there is one."""
    return in_numpy(x, name)


def operators(name: str) -> list[str]:
    if name in BITS:
        return EQUALITY
    if name in UNSIGNED:
        return EQUALITY + ORDER + ["lo", "ls", "hi", "hs"]
    return EQUALITY + ORDER + ([] if name in SIGNED else UNORDERED)


def some(x: Any, seed: int = 7) -> Any:
    """Returns another array whose elements are partly those of x."""
    y = np.roll(x, 1)
    y[::3] = x[::3]
    return y


MASKS = ["bool", "u8", "image"]


def new_mask(run: Run, kind: str, bits: int, n: int = N) -> tuple[Any, Any]:
    """Returns an array with a mask in which every lane is set, and the tensor that refers to the array."""
    if kind == "bool":
        m = np.ones(n, np.uint8)
        return m, run.to(m, "bool")
    dtype = words(f"u{bits}" if kind == "image" else "u8")
    m = np.full(-(-n // 8), np.iinfo(dtype).max, dtype)
    return m, run.to(m, f"u{m.itemsize * 8}")


def bools(m: Any, kind: str, n: int = N) -> Any:
    """Returns the lanes of a mask."""
    if kind == "bool":
        return m.view(np.bool_)
    return np.unpackbits(m.view(np.uint8), bitorder="little")[:: m.itemsize][:n].astype(np.bool_)


@check("vcmp", "vcmps")
def compares(run: Run, name: str) -> None:
    for t in LANES:
        x, tx = run.codes(t)
        y = some(x)[: N if name == "vcmp" else 1].copy()
        seed, tseed = run.bools()
        for op, kind in zip(operators(t), itertools.cycle(MASKS)):
            m, tm = new_mask(run, kind, width(t))
            run(name, t, op, "", tx, run.to(y, t), None, tm)
            want = pto.vcmp(typed(x, t), typed(y, t) if len(y) > 1 else np.broadcast_to(typed(y, t), N), op, type=t)
            equal(bools(m, kind), want, name, t, op)
            m, tm = new_mask(run, kind, width(t))
            run(name, t, op, "merge" if t not in ("f16", "f32") else "ftz.merge", tx, run.to(y, t), tseed, tm)
            ftz = t in ("f16", "f32")
            want = pto.vcmp(typed(x, t), np.broadcast_to(typed(y, t), N), op, seed.view(np.bool_), type=t, ftz=ftz)
            equal(bools(m, kind), want | (seed == 0), name, t, op, "merge")


@check("testp")
def tests(run: Run) -> None:
    for t in ["f16", "bf16", "f32", "f64", "tf32", *SMALL_FLOATS[:9], "ue5m3", "ue8m0"]:
        x, tx = run.codes(t)
        seed, tseed = run.bools()
        for test in ("finite", "infinite", "number", "notanumber", "normal", "subnormal", "zero", "negative"):
            m, tm = new_mask(run, "u8", width(t))
            run("testp", t, test, "", tx, tseed, tm)
            equal(bools(m, "u8"), pto.testp(typed(x, t), test, seed.view(np.bool_), type=t), t, test)


def types_of(text: str, *, scalar: bool = False) -> list[str]:
    """Returns the types of an instruction in the order of its text, with ``scalar`` without x2 and x4."""
    names = [w for w in text.split(".") if w.removesuffix("x2").removesuffix("x4") in pto.dtypes()]
    return [w.removesuffix("x2").removesuffix("x4") if scalar else w for w in names]


@check("setp")
def setps(run: Run) -> None:
    for text in pto.forms("setp"):
        (t,) = types_of(text)
        (a, ta), (b, tb), (c, tc) = run.codes(t), run.codes(t, seed=1), run.bools()
        boolop = any(f".{word}." in text for word in ("and", "or", "xor"))
        masks = [new_mask(run, kind, width(t)) for kind in ("bool", "u8")]
        run("setp", text, boolop, ta, tb, tc if boolop else None, masks[0][1], masks[1][1])
        given = {"c": c.view(np.bool_), "not_c": True} if boolop else {}
        p, q = pto.setp(text, typed(a, t), typed(b, t), **given)
        equal(bools(masks[0][0], "bool"), p, text)
        equal(bools(masks[1][0], "u8"), q, text)
        p2, tp2 = new_mask(run, "bool", 8)
        run("setp", text, False, ta, tb, tc if boolop else None, tp2, None)
        p, _ = pto.setp(text, typed(a, t), typed(b, t), **({"c": c.view(np.bool_)} if boolop else {}))
        equal(p2, p.view(np.uint8), text)


@check("set")
def sets(run: Run) -> None:
    for text in pto.forms("set"):
        d, t = (types_of(text) * 2)[:2]
        (a, ta), (b, tb), (c, tc), (y, ty) = run.codes(t), run.codes(t, seed=1), run.bools(), run.result(d)
        boolop = any(f".{word}." in text for word in ("and", "or", "xor"))
        run("set", text, False, ta, tb, tc if boolop else None, ty)
        want = pto.set(text, typed(a, t), typed(b, t), **({"c": c.view(np.bool_)} if boolop else {}))
        equal(y, want, text)


@check("vsel", "vselr", "vselrv2", "selp")
def selects(run: Run, name: str) -> None:
    for t, kind in zip(PTX_SELECTED if name == "selp" else LANES, itertools.cycle(MASKS)):
        (a, ta), (b, tb), (y, ty) = run.codes(t), run.codes(t, seed=1), run.result(t)
        m, tm = new_mask(run, kind, width(t))
        m[::2] = 0
        run(name, t, ta, tb, tm, ty)
        equal(y, getattr(pto, name)(a, b, bools(m, kind)), name, t)


@check("vsels")
def selects_scalars(run: Run) -> None:
    for t in LANES:
        (a, ta), (s, ts), (m, tm), (y, ty) = run.codes(t), run.codes(t, 1, 1), run.bools(), run.result(t)
        run("vsels", t, ta, ts, tm, ty)
        equal(y, pto.vsel(a, np.broadcast_to(s, N), m.view(np.bool_)), t)
        run("vsels", t, 1, ta, tm, ty)
        number = np.array([1], np.float64 if t in FLOATS else typed(a, t).dtype)
        one = pto.cast(number, t) if t in FLOATS else number
        equal(y, np.where(m == 1, one.view(words(t)), a), t, "number")


@check("vbr")
def fills(run: Run) -> None:
    for t in LANES:
        (s, ts), (y, ty) = run.codes(t, 1), run.result(t)
        run("vbr", t, ts, ty)
        equal(y, np.full(N, s), t)


@check("vpermute")
def permutes(run: Run) -> None:
    for t, lanes in itertools.product(LANES, (1, 3, 4, 132)):
        u = f"u{width(t)}"
        (x, tx), (index, tindex), (y, ty) = run.codes(t, 132), run.codes(u, 132, 1), run.result(t, 132)
        run("vpermute", t, lanes, tx, tindex, ty)
        equal(y, pto.vpermute(x, index, lanes), t, lanes)


@check("slct")
def selects_by_sign(run: Run) -> None:
    for t, (c, ftz) in itertools.product(PTX_SELECTED, (("s32", False), ("f32", False), ("f32", True))):
        (a, ta), (b, tb), (x, tx), (y, ty) = run.codes(t), run.codes(t, seed=1), run.codes(c, seed=2), run.result(t)
        run("slct", t, c, ftz, ta, tb, tx, ty)
        equal(y, pto.slct(typed(a, t), typed(b, t), typed(x, c), ftz=ftz, type=t), t, c)


@check("vcmpsel")
def compares_and_selects(run: Run) -> None:
    for t in LANES:
        (x, tx), (u, tu), (y, ty) = run.codes(t), run.codes(t, seed=1), run.result(t)
        other = some(x)
        for op in operators(t):
            run("vcmpsel", t, op, "", tx, run.to(other, t), tu, tx, ty)
            equal(y, pto.vcmpsel(typed(x, t), typed(other, t), op, typed(u, t), typed(x, t), type=t), t, op)
            run("vcmpsel", t, op, "", tx, run.to(other[:1].copy(), t), run.to(u[:1].copy(), t), tx, ty)
            first = [np.broadcast_to(typed(array[:1], t), N) for array in (other, u)]
            want = pto.vcmpsel(typed(x, t), first[0], op, first[1], typed(x, t), type=t)
            equal(y, want, t, op, "scalars")


def legal(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Returns the result, or None if the package refuses the arguments."""
    try:
        return function(*arguments, **named)
    except (TypeError, ValueError):
        return None


def named(flags: str) -> dict[str, bool]:
    return {flag: True for flag in flags.split(".") if flag}


@check("vmax", "vmin")
def extremes(run: Run, name: str) -> None:
    for t, flags in itertools.product(INTEGERS + FLOATS, FLAGS):
        (a, ta), (b, tb), (y, ty) = run.codes(t), run.codes(t, seed=1), run.result(t)
        want = legal(getattr(pto, name), typed(a, t), typed(b, t), type=t, **named(flags))
        if want is None:
            refuses(run, name, t, flags, ta, tb, ty)
            continue
        run(name, t, flags, ta, tb, ty)
        equal(y, want, name, t, flags)
        run(name, t, flags, ta, run.to(b[:1].copy(), t), ty)
        b = np.broadcast_to(b[:1], N)
        equal(y, getattr(pto, name)(typed(a, t), typed(b, t), type=t, **named(flags)), name, t, flags, "scalar")


@check("vclamp", "vrelu")
def limits(run: Run, name: str) -> None:
    for t, flags in itertools.product(INTEGERS + FLOATS, FLAGS):
        (x, tx), (lo, tlo), (hi, thi), (y, ty) = run.codes(t), run.codes(t, seed=1), run.codes(t, seed=2), run.result(t)
        bounds, tensors = ([typed(lo, t), typed(hi, t)], [tlo, thi]) if name == "vclamp" else ([], [])
        want = legal(getattr(pto, name), typed(x, t), *bounds, type=t, **named(flags))
        if want is None:
            refuses(run, name, t, flags, tx, *tensors, ty)
            continue
        run(name, t, flags, tx, *tensors, ty)
        equal(y, want, name, t, flags)


def refuses(run: Run, name: str, *arguments: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="PTO_ERR"):
        run(name, *arguments)


COMPOSED = [
    *(f"cvt.{m}f32.{t}" for t in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1") for m in ("", "ftz.", "sat.")),
    *(f"cvt.{m}bf16.{t}" for t in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1") for m in ("rz.", "rm.", "rp.")),
    *(f"cvt.rs.{m}satfinite.{t}.bf16" for t in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1") for m in ("", "relu.")),
    *(f"cvt.{m}f32.ue8m0" for m in ("", "rn.", "rz.", "rm.", "rp.", "rn.ftz.")),
]
MODIFIERS = ("ftz", "sat", "satfinite", "relu", "pzo")


@check("cvt")
def converts(run: Run) -> None:
    for text in [*pto.forms("cvt"), *COMPOSED]:
        d, t = types_of(text, scalar=True)
        n = 132 if ".rs." in text or t == "e2m1" else N  # the package takes whole bytes
        (x, tx), (y, ty) = run.codes(t, n), run.result(d, n)
        extra = textra = None
        if ".rs." in text:
            extra, textra = run.codes("u32", n // (2 if d in ("f16", "bf16") else 4), 1)
        if "scaled" in text:
            extra, textra = run.codes("ue8m0", n if "::n2::" in text else -(-n // 2), 1)
        run("cvt", text, tx, ty, textra)
        named = {} if extra is None else {"scales" if "scaled" in text else "rbits": extra}
        if text in COMPOSED:
            parts = text.split(".")
            rounds = [p for p in parts if p in ("rn", "rz", "rm", "rp", "rs")]
            named |= {m: True for m in MODIFIERS if m in parts}
            want = pto.cvt(typed(x, t), d, src=t, round=rounds[0] if rounds else None, **named)
        else:
            want = pto.cvt(text, typed(x, t), *([extra] if ".rs." in text else []), **({} if ".rs." in text else named))
        equal(y, want, text)


@check("cast")
def casts(run: Run) -> None:
    rounds, overflows = ["rn", "rna", "rz", "rm", "rp", "rs", "ro"], ["ieee", "saturate", "saturate_finite"]
    cases = [(d, t, rounds[i % 7], overflows[i % 3]) for i, (d, t) in enumerate(itertools.product(CASTS, CASTS))]
    cases += [(d, "f32", r, o) for d in ("e4m3", "f16", "s8", "e2m1") for r in rounds for o in overflows]
    for d, t, rounding, overflow in cases:
        n = 132
        (x, tx), (y, ty), (extra, textra) = run.codes(t, n), run.result(d, n), run.codes("u32", n, 1)
        random = rounding == "rs"
        run("cast", d, t, rounding, overflow, tx, ty, textra if random else None)
        src, dst = (name.replace("u4", "uint4").replace("s4", "int4") for name in (t, d))
        want = pto.cast(typed(x, t), dst, rounding, overflow, src=src, rbits=extra if random else None)
        equal(y, want, d, t, rounding, overflow)
    two_bits(run)


def two_bits(run: Run) -> None:
    """The package has no arrays of u2 and s2."""
    x, tx = run.codes("u2", 132)
    y, ty = run.result("u8", 132)
    run("cast", "u8", "u2", "rn", "ieee", tx, ty, None)
    equal(y, np.unpackbits(x, bitorder="little").reshape(-1, 2) @ np.array([1, 2], np.uint8), "u2")
    back, tback = run.result("s2", 132)
    run("cast", "s2", "s8", "rn", "ieee", run.to(y - np.uint8(2), "s8"), tback, None)
    values = (y - np.uint8(2)) & np.uint8(3)
    equal(back, values[::4] | values[1::4] << 2 | values[2::4] << 4 | values[3::4] << 6, "s2")


def legal_vcvt(t: str, d: str) -> Iterator[tuple[str, bool]]:
    x = typed(codes(t, 8), t)
    for rnd, sat in itertools.product("RAFCZO", (False, True)):
        if legal(pto.vcvt, x, d, rnd, sat, src=t) is not None:
            yield rnd, sat


PTO_TYPES = ["f32", "f16", "bf16", "e4m3", "e5m2", "hif8", "e2m1", "e1m2", *INTEGERS]


@check("vcvt")
def converts_by_pto(run: Run) -> None:
    count = 0
    for t, d in itertools.product(PTO_TYPES, PTO_TYPES):
        for rnd, sat in legal_vcvt(t, d):
            (x, tx), (m, tm), (y, ty) = run.codes(t), run.bools(), run.result(d)
            if "e2m1" in (t, d) or "e1m2" in (t, d):
                m, tm = run.bools(132)
                (x, tx), (y, ty) = run.codes(t, 132), run.result(d, 132)
            run("vcvt", d, t, rnd, sat, tx, tm, ty)
            equal(y, pto.vcvt(typed(x, t), d, rnd, sat, src=t, mask=m.view(np.bool_)), t, d, rnd, sat)
            count += 1
    assert count > 200


@check("vcvt_part")
def converts_parts(run: Run) -> None:
    for t, d, rnd in (("f32", "s16", "A"), ("f16", "u8", "Z"), ("s16", "f32", "R"), ("u8", "u32", "R")):
        k = max(width(t), width(d)) // min(width(t), width(d))
        narrow = width(d) < width(t)
        for p, part in enumerate(("EVEN", "ODD") if k == 2 else ("P0", "P1", "P2", "P3")):
            n, m_n = (N, N) if narrow else (k * N, k * N)
            (x, tx), (m, tm), (y, ty) = run.codes(t, n), run.bools(m_n), run.result(d, k * N if narrow else N)
            run("vcvt_part", d, t, rnd, False, part, tx, tm, ty)
            if narrow:
                want = np.zeros_like(y)
                want[p::k] = pto.vcvt(typed(x, t), d, rnd, src=t, mask=m.view(np.bool_)).view(y.dtype)
            else:
                lanes = m.view(np.bool_)[p::k].copy()
                want = pto.vcvt(typed(x[p::k].copy(), t), d, rnd, src=t, mask=lanes)
            equal(y, want, t, d, part)
    (x, tx), (y, ty) = run.codes("bf16", 130), run.result("e2m1", 4 * 130)
    run("vcvt_part", "e2m1", "bf16", "R", False, "P2", tx, None, ty)
    want = np.zeros_like(y)
    want[2::4] = pto.vcvt(x, "e2m1", "R", src="bf16")
    equal(y, want, "e2m1")


@check("vtrc")
def truncates(run: Run) -> None:
    for t, rnd in itertools.product(("f16", "bf16", "f32"), "RAFCZ"):
        (x, tx), (m, tm), (y, ty) = run.codes(t), run.bools(), run.result(t)
        run("vtrc", t, rnd, tx, tm, ty)
        equal(y, pto.vtrc(floats(x, t), rnd, mask=m.view(np.bool_)), t, rnd)


def floats(x: Any, t: str) -> Any:
    """Returns codes with the dtype of the type, for calls of the package that take no type."""
    import ml_dtypes

    return x.view({"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}[t])


@check("vexp")
def exponentials(run: Run) -> None:
    for t in ("f16", "bf16", "f32", "f64"):
        (x, tx), (m, tm), (y, ty) = run.codes(t), run.bools(), run.result(t)
        run("vexp", t, tx, tm, ty)
        equal(y, pto.vexp(floats(x, t), mask=m.view(np.bool_)), t)


@check("vcompress", "vexpand")
def compresses(run: Run, name: str) -> None:
    for t, kind in zip(LANES, itertools.cycle(MASKS)):
        (x, tx), (y, ty) = run.codes(t), run.result(t)
        m, tm = new_mask(run, kind, width(t))
        m[::2] = 0
        on = bools(m, kind)
        want, count = y.copy(), int(on.sum())
        few = x[:count].copy() if name == "vexpand" else y[:count].copy()
        if name == "vcompress":
            assert run(name, t, tx, tm, ty) == run(name, t, tx, tm, run.to(few, t)) == count
            want[:count] = pto.vcompress(x, on)
            equal(few, want[:count], t)
        else:
            assert run(name, t, run.to(few, t), tm, ty) == count
            pto.vexpand(few, on, want)
        equal(y, want, name, t)


@check("vargmax", "vargmin")
def indices(run: Run, name: str) -> None:
    for t, flags in itertools.product(INTEGERS + FLOATS, ("", "propagate_nan", "ftz")):
        (x, tx), (m, tm) = run.codes(t), run.bools()
        call, given = getattr(pto, name), {"type": t, **named(flags)}
        want = legal(call, typed(x, t), m.view(np.bool_), **given)
        if want is None:
            refuses(run, name, t, flags, tx, tm)
            continue
        assert run(name, t, flags, tx, tm) == want
        assert run(name, t, flags, tx, None) == call(typed(x, t), **given)
        off = np.zeros(N, np.uint8)
        assert run(name, t, flags, tx, run.to(off, "bool")) == -1


CONDITIONS = [
    f"set{c}" for c in ("o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g", "c")
]
CONDITIONS += ["SETNBE"]


@check("setcc")
def conditions(run: Run) -> None:
    (x, tx), (y, ty) = run.codes("u32"), run.bools()
    for text in CONDITIONS:
        run("setcc", text, tx, ty)
        equal(y, pto.setcc(text, x), text)


@check("flags_cmp", "flags_test", "flags_ucomi")
def eflags(run: Run, name: str) -> None:
    for t in ["f16", "bf16", "f32", "f64"] if name == "flags_ucomi" else BITS + INTEGERS:
        (x, tx), (y, ty) = run.codes(t), run.result("u32")
        other = some(x)
        run(name, t, tx, run.to(other, t), ty)
        equal(y, getattr(pto, name)(typed(x, t), typed(other, t), type=t), name, t)


@check("cmp_setcc")
def compares_by_conditions(run: Run) -> None:
    for t, text in itertools.product(LANES[:16], CONDITIONS):
        (x, tx), (y, ty) = run.codes(t), run.result("u8")
        other = some(x)
        run("cmp_setcc", text, t, tx, run.to(other, t), ty)
        equal(y, pto.cmp_setcc(text, typed(x, t), typed(other, t), type=t), t, text)


@check("mask_and", "mask_or", "mask_xor", "mask_not", "mask_mov", "mask_sel")
def logic(run: Run, name: str) -> None:
    count = {"mask_not": 1, "mask_mov": 1, "mask_sel": 3}.get(name, 2)
    for kind, result, bits in itertools.product(MASKS, MASKS, (8, 16, 32, 64)):
        sources = [new_mask(run, kind, bits) for _ in range(count)]
        for i, (m, _) in enumerate(sources):
            m &= codes(f"u{8 * m.itemsize}", len(m), i) | (m.dtype.type(0) if kind != "bool" else m)
            m[:: i + 2] = 0
        y, ty = new_mask(run, result, bits)
        run(name, *(tm for _, tm in sources), ty, N)
        lanes = [bools(m, kind) for m, _ in sources]
        want = ~lanes[0] if name == "mask_not" else getattr(pto, name)(*lanes)
        equal(bools(y, result), want, name, kind, result, bits)


@check("mask_count", "mask_any", "mask_all", "mask_none", "mask_first")
def reductions(run: Run, name: str) -> None:
    for kind, n, lanes in itertools.product(MASKS, (0, 1, 8, N), ("none", "all", "some")):
        m, tm = new_mask(run, kind, 32, n)
        if lanes != "all":
            m[:] = 0
        if lanes == "some" and n:
            m[-1] = 1
        on = bools(m, kind, n)
        want = {"mask_count": on.sum(), "mask_any": on.any(), "mask_all": on.all(), "mask_none": not on.any()}
        want["mask_first"] = np.argmax(on) if on.any() else n
        assert run(name, tm, n) == want[name]
    m, tm = new_mask(run, "bool", 8)
    assert run("mask_count", tm, N) == pto.mask_count(m.view(np.bool_)) == N


@check("mask_copy")
def copies_masks(run: Run) -> None:
    for kind, result in itertools.product(MASKS, MASKS):
        (x, tx), (y, ty) = new_mask(run, kind, 32), new_mask(run, result, 32)
        x[::2] = 0
        want = bools(y, result).copy()
        want[13:113] = bools(x, kind)[3:103]
        run("mask_copy", tx, 3, ty, 13, 100)
        equal(bools(y, result), want, kind, result)


@check("mask_range")
def ranges(run: Run) -> None:
    for kind in MASKS:
        y, ty = new_mask(run, kind, 32)
        run("mask_range", ty, 5, 77, N)
        equal(bools(y, kind), (np.arange(N) >= 5) & (np.arange(N) < 77), kind)


WIDES = ["f32", "f16", "bf16"]
ELEMENTS = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "s2f6", "bfp8", "bfp4"]
ROWS, COLS = 32, 96


def matrix(wide: str) -> Any:
    """Returns the codes of normally distributed values with a block of zeros."""
    x = np.random.default_rng(1).standard_normal((ROWS, COLS)).astype(np.float32)
    x[0] = 0
    return pto.cast(x, wide).view(words(wide))


def block_cases() -> Iterator[tuple[str, str, str, float, Any, Any]]:
    """Yields the legal combinations of types and rules, with eps, a tensor, and what the package makes of it."""
    for wide, rule, elem in itertools.product(WIDES, pto.rules(), ELEMENTS):
        x = matrix(wide)
        eps = 1e-4 if rule in ("fp8.div", "fp8.rcp", "fp8.mul", "fp8.te", "fp8.ao") else 0.0
        given = {"eps": eps} if eps else {}
        q = legal(pto.quantize, floats(x, wide), elem, rule, **given)
        if q is not None:
            yield wide, elem, rule, eps, x, q


def block_arguments(wide: str, elem: str, rule: str, eps: float, q: Any, rounding: str = "rn") -> list[Any]:
    tensor = float(q.tensor) if q.two_level else float(np.float32(eps))
    return [wide, elem, rule, rounding, False, q.two_level, tensor, *q.block]


def memory(run: Run, want: Any, name: str) -> tuple[Any, Any]:
    """Returns memory of the shape of an array, and the tensor of it."""
    y = np.full(want.shape, 0xA5, words(name))
    return y, run.to(y, name)


def scale_type(rule: str) -> str:
    families = {"mx": "ue8m0", "nv": "e4m3", "fp8": "f32", "bfp": "u8"}
    return "ue5m3" if rule == "nv.quark" else families[rule.split(".")[0]]


@check("block_quantize", "block_requantize", "block_dequantize", "block_sizes")
def blocks(run: Run, name: str) -> None:
    count = 0
    for wide, elem, rule, eps, x, q in block_cases():
        op = block_arguments(wide, elem, rule, eps, q)
        tx, scales = run.to(x, wide), scale_type(rule)
        (codes, tcodes), (s, ts) = memory(run, q.codes, elem), memory(run, q.scales, scales)
        if name == "block_sizes":
            sizes = run(name, *op, ROWS, COLS)
            assert list(sizes) == [q.codes.nbytes // ROWS, *q.scales.shape, q.scales.itemsize]
        elif name == "block_quantize":
            run(name, *op, tx, tcodes, ts, None)
            equal(codes, q.codes, rule, elem, wide)
            equal(s, q.scales, rule, elem, wide)
        elif name == "block_requantize" and rule != "bfp.tt":
            op[6] = op[6] if q.two_level else 0.0
            s[:] = q.scales.view(s.dtype)
            run(name, *op, tx, tcodes, ts, None)
            level = {"two_level": q.two_level} if rule.startswith("nv.") else {}
            given = {"tensor": q.tensor} if q.two_level else {}
            equal(codes, pto.requantize(floats(x, wide), q.scales, elem, rule, **level, **given), rule, elem, wide)
        elif name == "block_dequantize":
            y, ty = memory(run, x, wide)
            codes[:], s[:] = q.codes.view(codes.dtype), q.scales.view(s.dtype)
            run(name, *op, tcodes, ts, ty)
            equal(y, pto.dequantize(q, to=wide), rule, elem, wide)
        count += 1
    assert count > 150
    if name == "block_quantize":
        stochastic(run)


def stochastic(run: Run) -> None:
    x = matrix("f32")
    words, twords = run.codes("u32", ROWS * COLS // 4)
    q = pto.quantize(x.view(np.float32), "e4m3", "mx.rceil", rbits=words.reshape(ROWS, -1))
    (codes, tcodes), (_, ts) = memory(run, q.codes, "e4m3"), memory(run, q.scales, "ue8m0")
    op = block_arguments("f32", "e4m3", "mx.rceil", 0, q, "rs")
    run("block_quantize", *op, run.to(x, "f32"), tcodes, ts, twords)
    equal(codes, q.codes)


@check("block_amax", "block_tensor")
def levels(run: Run, name: str) -> None:
    for wide, rule in itertools.product(WIDES, pto.rules()):
        x = matrix(wide)
        amax = run("block_amax", wide, run.to(x, wide), False)
        assert amax == np.abs(floats(x, wide).astype(np.float32)).max()
        q = legal(pto.quantize, floats(x, wide), None, rule)
        if q is not None and q.two_level and wide == "f32":
            assert run("block_tensor", rule, amax) == q.tensor


@check("scales_swizzle", "scales_unswizzle")
def layouts(run: Run, name: str) -> None:
    rows = codes("u8", 200 * 7).reshape(200, 7)
    for layout in ("rows", "128x4", "8x4", "mn_x4", "32x8"):
        tiled = pto.scales_swizzle(rows, layout)
        if name == "scales_swizzle":
            y, ty = memory(run, tiled, "u8")
            run(name, layout, run.to(rows, "ue8m0"), ty)
            equal(y, tiled, layout)
        else:
            y, ty = memory(run, rows, "ue8m0")
            run(name, layout, run.to(tiled, "u8"), ty)
            equal(y, rows, layout)


@check("block_pack", "block_unpack")
def packs(run: Run, name: str) -> None:
    for layout, elem, rule, block in (
        ("gguf_mxfp4", "e2m1", "mx.gguf", 32),
        ("gguf_nvfp4", "e2m1", "nv.gguf", 16),
        ("tt_tile", "bfp8", "bfp.tt", 16),
        ("tt_tile4", "bfp4", "bfp.tt", 16),
    ):
        x = codes("f32", 64 * 128).view(np.float32).reshape(64, 128)
        q = pto.quantize(np.nan_to_num(x), elem, rule, block=(1, block))
        c, s = (np.ascontiguousarray(a).view(np.uint8) for a in (q.codes, q.scales))
        packed = pto.block_pack(c, s, layout)
        if name == "block_pack":
            y, ty = memory(run, packed, "u8")
            run(name, layout, run.to(c, elem), run.to(s, scale_type(rule)), ty)
            equal(y, packed, layout)
        else:
            (yc, tyc), (ys, tys) = memory(run, c, "u8"), memory(run, s, "u8")
            run(name, layout, run.to(packed, "u8"), tyc, tys)
            equal(yc, c, layout)
            equal(ys, s, layout)


@check("random_bits")
def random_words(run: Run) -> None:
    key, counter = 0x123456789ABCDEF0, (7 << 64) + 5
    halves = np.array([key & 0xFFFFFFFF, key >> 32], np.uint32)
    parts = np.array([counter >> shift & 0xFFFFFFFF for shift in (0, 32, 64, 96)], np.uint32)
    y, ty = run.result("u32", 103)
    run("random_bits", run.to(halves, "u32"), run.to(parts, "u32"), ty)
    equal(y, pto.random_bits(key, 103, counter))


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("name", CHECKS)
def test_results(module: Any, way: Way, name: str) -> None:
    CHECKS[name](Run(module, way))


def test_types_follow_from_dtypes(module: Any) -> None:
    """Without a type, that of the tensor's dtype is used."""
    run = Run(module, lambda x, name: x)
    for t in CASTS:
        if t not in DLPACK or t == "tf32":
            continue
        x = codes(t, 132)
        y = np.zeros(132, np.float64)
        run("cast", None, None, "rn", "ieee", in_dlpack(x, t), y, None)
        named = t.replace("u4", "uint4").replace("s4", "int4")
        equal(y, pto.cast(typed(x, t), "f64", src=named), t)


@pytest.mark.parametrize("name", CHECKS)
def test_wrong_results_are_found(module: Any, name: str) -> None:
    """Each check fails if the export writes one wrong byte, or returns a wrong number."""

    class Faulty(Run):
        def __call__(self, called: str, *arguments: Any) -> Any:
            result = super().__call__(called, *arguments)
            if called != name:
                return result
            if result is not None:
                return [0, 0, 0, 0] if name == "block_sizes" else not result if isinstance(result, bool) else result + 1
            arrays = [a for a in arguments if isinstance(a, np.ndarray)]
            written = arrays[-2] if name == "block_quantize" else arrays[-1]
            if name in ("cvt", "cast", "block_requantize"):
                written = arrays[1]
            written.view(np.uint8).reshape(-1)[1] ^= 1
            return result

    with pytest.raises(AssertionError):
        CHECKS[name](Faulty(module, lambda x, t: x if t != "bool" else x.view(np.bool_)))
