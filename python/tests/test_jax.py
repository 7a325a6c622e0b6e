# SPDX-License-Identifier: MIT
"""In programs of jax, ``pto.jax`` gives the same bits as ``pto``. Each check also finds a planted fault."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pto
from checks import floats

jax = pytest.importorskip("jax", reason="jax is not installed: pto.jax is not tested")
jnp = jax.numpy
pj = pytest.importorskip("pto.jax")

Check = Callable[[Any], None]
CHECKS: list[tuple[Check, str, Callable[..., Any]]] = []


class Faulty:
    """pto.jax with one of its functions replaced."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.function = name, function

    def __getattr__(self, name: str) -> Any:
        return self.function if name == self.name else getattr(pj, name)


def finds(name: str, fault: Callable[..., Any]) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        CHECKS.append((check, name, fault))
        return check

    return register


def instead(old: str, new: str) -> Callable[..., Any]:
    return lambda text, *args, **named: pj.cvt(text.replace(old, new), *args, **named)


def same_bits(got: Any, want: Any) -> None:
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    assert got.dtype == want.dtype or got.dtype == np.uint8
    np.testing.assert_array_equal(
        np.ascontiguousarray(got).reshape(-1).view(np.uint8), np.ascontiguousarray(want).reshape(-1).view(np.uint8)
    )


def inputs(text: str) -> Any:
    """Returns rows of elements of the source type."""
    source = text.split(".")[-1]
    x = floats(4092).reshape(12, 341)
    if source == "f32":
        return x
    return (
        pto.cvt(x, "f16", round="rn")
        if source == "f16"
        else np.random.default_rng(1).integers(-(1 << 31), 1 << 31, (12, 340), dtype=np.int32)
    )


@finds("cvt", instead(".rn", ".rz"))
def conversions(p: Any) -> None:
    for text in (
        "cvt.rn.satfinite.e4m3x2.f32",
        "cvt.rn.bf16.f32",
        "cvt.rz.tf32.f32",
        "cvt.rn.satfinite.e2m1x2.f32",  # rows have an odd number of elements, so half a byte is unused
        "cvt.rn.satfinite.e3m2x2.f32",
        "cvt.rzi.s32.f32",
        "cvt.rn.f16.s32",
        "cvt.f32.f16",
    ):
        x = inputs(text)
        same_bits(jax.jit(lambda x, text=text: p.cvt(text, x))(x), pto.cvt(text, x))


@finds("cvt", lambda x, to, **k: pj.cvt(x, to, **{**k, "relu": True}))
def conversions_by_parts(p: Any) -> None:
    x = floats()
    same_bits(
        jax.jit(lambda x: p.cvt(x, jnp.float8_e5m2, round="rn", satfinite=True))(x),
        pto.cvt(x, "e5m2", round="rn", satfinite=True),
    )
    for x in (np.float32(0.3), np.empty((3, 0), np.float32), np.array(1.5, np.float32)):
        x = np.asarray(x)
        same_bits(jax.jit(lambda x: p.cvt(x, "bf16", round="rn"))(x), pto.cvt(x, "bf16", round="rn"))


@finds("cvt", instead("e4m3", "e5m2"))
def narrow_sources(p: Any) -> None:
    codes = np.arange(256, dtype=np.uint8).reshape(4, 64)
    for text in ("cvt.rn.f16x2.e4m3x2", "cvt.rn.f16x2.e2m1x2"):
        same_bits(jax.jit(lambda x, text=text: p.cvt(text, x))(codes), pto.cvt(text, codes))
    e4m3 = jnp.asarray(codes).view(jnp.float8_e4m3fn)
    same_bits(p.cvt("cvt.rn.f16x2.e4m3x2", e4m3), pto.cvt("cvt.rn.f16x2.e4m3x2", codes))


@finds("cvt", lambda text, x, rbits: pj.cvt(text, x, rbits + np.uint32(0x10101)))
def random_bits(p: Any) -> None:
    x = floats(4096).reshape(2, 16, 128)
    words = np.random.default_rng(3).integers(0, 1 << 32, (2, 16, 64), dtype=np.uint32)
    for text, n in (("cvt.rs.bf16x2.f32", 64), ("cvt.rs.satfinite.e4m3x4.f32", 32)):
        bits = np.ascontiguousarray(words[..., :n])
        want = pto.cvt(text, x, bits)
        same_bits(jax.jit(lambda x, r, text=text: p.cvt(text, x, r))(x, bits), want)
        same_bits(jax.vmap(lambda x, r, text=text: p.cvt(text, x, r))(x, bits), want)
        one = jax.jit(jax.vmap(lambda x, r, text=text: p.cvt(text, x, r), in_axes=(0, None)))(x, bits[0])
        same_bits(one, pto.cvt(text, x, np.broadcast_to(bits[0], bits.shape).copy()))


@finds("cvt", lambda text, x: jnp.roll(pj.cvt(text, x), 1, axis=0))
def mapped(p: Any) -> None:
    x = floats(5 * 3 * 7).reshape(5, 3, 7)
    text = "cvt.rn.satfinite.e2m1x2.f32"
    f = jax.jit(jax.vmap(jax.vmap(lambda row: p.cvt(text, row))))
    same_bits(f(x), pto.cvt(text, x))
    across = jax.vmap(lambda row: p.cvt("cvt.rn.bf16.f32", row), in_axes=1, out_axes=1)
    same_bits(across(x), pto.cvt("cvt.rn.bf16.f32", x))
    same_bits(jax.vmap(lambda e: p.cvt("cvt.rn.bf16.f32", e))(x[0, 0]), pto.cvt("cvt.rn.bf16.f32", x[0, 0]))


SHAPES = (
    ((6, 40), (6, 40)),
    ((6, 40), (40,)),
    ((6, 40), (6, 1)),
    ((6, 1), (1, 40)),
    ((6, 40), ()),
    ((), ()),
    ((3, 1, 8), (1, 5, 8)),
    ((3, 5, 1), (5, 8)),
    ((4, 1), (4, 1)),
    ((0, 3), (1, 3)),
)


@finds("vcmpsel", lambda x, y, cmp, u, v: pj.vcmpsel(x, y, {"lt": "ltu"}.get(cmp, cmp), u, v))
def compare_and_select(p: Any) -> None:
    for a, b in SHAPES:
        x, y = floats()[: np.prod(a, dtype=int)].reshape(a), floats()[5:][: np.prod(b, dtype=int)].reshape(b)
        for cmp in ("lt", "geu"):
            f = jax.jit(lambda x, y, cmp=cmp: p.vcmpsel(x, y, cmp, 1, y))
            same_bits(f(x, y), np.broadcast_to(pto.vcmpsel(x, y, cmp, 1, y), np.broadcast_shapes(a, b)))


@finds("vmax", lambda a, b, **k: pj.vmax(a, b))
@finds("vmin", lambda a, b, **k: pj.vmax(a, b, **k))
def larger_and_smaller(p: Any) -> None:
    for a, b in SHAPES:
        x, y = floats()[: np.prod(a, dtype=int)].reshape(a), floats()[5:][: np.prod(b, dtype=int)].reshape(b)
        for flags in ({"propagate_nan": True}, {"ftz": True}):
            same_bits(jax.jit(lambda x, y, f=flags: p.vmax(x, y, **f))(x, y), pto.vmax(x, y, **flags))
            same_bits(p.vmin(x, y, **flags), pto.vmin(x, y, **flags))
    i = np.arange(-50, 50, dtype=np.int8)
    same_bits(p.vmax(i, 7), pto.vmax(i, 7))
    half = floats()[:64].view(np.uint16)
    same_bits(p.vmax(half, 1, type="bf16"), pto.vmax(half, 1, type="bf16"))


@finds("vmax", lambda a, b: pj.vmax(a, -b))
def mapped_selection(p: Any) -> None:
    x, y = floats()[:240].reshape(6, 40), floats()[7:13]
    same_bits(jax.vmap(lambda x, y: p.vmax(x, y))(x, y), pto.vmax(x, y[:, None]))  # a number for each row
    f = jax.vmap(jax.vmap(lambda x, y: p.vmax(x, y), in_axes=(0, None)), in_axes=(None, 0))
    same_bits(f(x[0], y), pto.vmax(x[0][None], y[:, None]))
    same_bits(jax.vmap(lambda x: p.vmin(x, 0))(x), pto.vmin(x, 0))


def tensors() -> Any:
    return np.random.default_rng(4).standard_normal((3, 40, 96)).astype(np.float32) * 50


@finds("quantize", lambda x, e, r, **k: pj.quantize(x, e, r, **{**k, "block": (1, 48)}))
@finds("dequantize", lambda c, s, e, r, **k: pj.dequantize(c, s, e, r, **{**k, "to": "f16"}))
def blocks(p: Any) -> None:
    for rule in pto.rules():
        elem = pto.quantize(tensors()[0, 0], rule=rule).elem
        fp8 = (16, 32) if rule in ("fp8.div", "fp8.rcp") else (1, 32)
        block = fp8 if rule.startswith("fp8") else None
        for x in (tensors(), tensors()[0], tensors()[0, 0]):
            if x.ndim == 1 and block == (16, 32):
                continue
            want = pto.quantize(x, elem, rule, block=block)
            got = jax.jit(lambda x, r=rule, e=elem, b=block: p.quantize(x, e, r, block=b))(x)
            same_bits(got.codes, want.codes)
            same_bits(got.scales, want.scales)
            assert (got.tensor is None) == (want.tensor is None)
            assert got.tensor is None or float(got.tensor) == np.float32(want.tensor)
            named = {} if want.tensor is None else {"tensor": got.tensor}
            back = jax.jit(lambda c, s, k, r=rule, e=elem, b=block: p.dequantize(c, s, e, r, block=b, **k))
            same_bits(
                back(got.codes, got.scales, named),
                pto.dequantize(want.codes, want.scales, elem, rule, block=block, tensor=want.tensor),
            )


@finds("quantize", lambda x, e, r, **k: pj.quantize(x, e, r, **{**k, "tensor": 1.0}))
def blocks_mapped(p: Any) -> None:
    """Under vmap each tensor has its own second-level value; a batch without vmap has one."""
    x = tensors() * np.array([1, 3, 9], np.float32)[:, None, None]
    got = jax.jit(jax.vmap(lambda x: p.quantize(x, "e2m1", "nv.te")))(x)
    back = jax.vmap(lambda q: pj.dequantize(q.codes, q.scales, "e2m1", "nv.te", tensor=q.tensor))(got)
    for i in range(3):
        want = pto.quantize(x[i], "e2m1", "nv.te")
        same_bits(got.codes[i], want.codes)
        same_bits(got.scales[i], want.scales)
        assert float(got.tensor[i]) == np.float32(want.tensor)
        same_bits(back[i], pto.dequantize(*want[:2], "e2m1", "nv.te", tensor=want.tensor))


@finds("quantize", lambda x, e, r, rbits=None, **k: pj.quantize(x, e, r, **k))
def blocks_given(p: Any) -> None:
    x = tensors()
    words = np.random.default_rng(5).integers(0, 1 << 32, (3, 40, 24), dtype=np.uint32)
    named: dict[str, Any]
    for rule, elem, named in (
        ("mx.floor", "e4m3", {"rbits": words}),
        ("nv.te", "e2m1", {"tensor": 7.5, "rbits": words}),
        ("fp8.div", "e5m2", {"eps": 1e-3, "block": (8, 32), "pow2": True}),
    ):
        want = pto.quantize(x, elem, rule, **named)
        got = p.quantize(x, elem, rule, **named)
        same_bits(got.codes, want.codes)
        same_bits(got.scales, want.scales)
        if "tensor" in named:
            f = jax.jit(lambda t, e=elem, r=rule: p.quantize(x, e, r, tensor=t, rbits=words))
            traced = f(jnp.float32(7.5))
            same_bits(traced.codes, want.codes)
            assert float(traced.tensor) == 7.5


NAMES = [f"{check.__name__}-{name}" for check, name, _ in CHECKS]


@pytest.mark.parametrize("check", dict.fromkeys(check for check, _, _ in CHECKS), ids=lambda c: c.__name__)
def test_holds(check: Check, isa: str) -> None:
    check(pj)


@pytest.mark.parametrize(("check", "name", "fault"), CHECKS, ids=NAMES)
def test_finds_its_fault(check: Check, name: str, fault: Callable[..., Any]) -> None:
    with pytest.raises((AssertionError, ValueError, TypeError)):
        check(Faulty(name, fault))


def test_threads(threads: int) -> None:
    x = np.resize(floats(), (1 << 18) + 77)
    same_bits(jax.jit(lambda x: pj.cvt("cvt.rn.bf16.f32", x))(x), pto.cvt("cvt.rn.bf16.f32", x))
    rows = np.resize(floats(), (999, 341))
    text = "cvt.rn.satfinite.e2m1x2.f32"
    same_bits(pj.cvt(text, rows), pto.cvt(text, rows))
    big = np.resize(tensors(), (7, 130, 96))
    want = pto.quantize(big, "e4m3", "fp8.div", block=(16, 32))
    got = pj.quantize(big, "e4m3", "fp8.div", block=(16, 32))
    same_bits(got.codes, want.codes)
    same_bits(got.scales, want.scales)


def test_nothing_is_copied() -> None:
    x, y = np.ones((64, 128), np.float32), np.ones((128,), np.float32)
    for f in (
        lambda x, y: pj.vcmpsel(x, y, "lt", x, 0),
        lambda x, y: pj.cvt("cvt.rn.satfinite.e4m3x2.f32", x),
        lambda x, y: pj.quantize(x, "e4m3", "mx.floor"),
        jax.vmap(lambda x, y: pj.vmax(x, y), in_axes=(0, None)),
    ):
        text = jax.jit(f).lower(x, y).compile().as_text()
        assert "custom-call" in text
        assert " copy(" not in text
        assert " broadcast(" not in text


def test_what_is_wrong_is_told_while_tracing() -> None:
    x = jnp.ones((4, 32))
    for kind, match, f in (
        (ValueError, "needs .satfinite", lambda x: pj.cvt(x, "e4m3", round="rn")),
        (ValueError, "cvt.rx", lambda x: pj.cvt("cvt.rx.f16.f32", x)),
        (TypeError, "x: ", lambda x: pj.cvt("cvt.rn.f16.f64", x)),
        (TypeError, "beside", lambda x: pj.cvt("cvt.rn.f16.f32", x, ftz=True)),
        (ValueError, "rbits", lambda x: pj.cvt("cvt.rs.bf16x2.f32", x)),
        (ValueError, r"rbits: .*\(\.\.\., 3\)", lambda x: pj.cvt("cvt.rs.bf16x2.f32", x, jnp.ones((4, 3), jnp.uint32))),
        (ValueError, "rbits", lambda x: pj.cvt("cvt.rs.bf16x2.f32", x, jnp.ones((3, 16), jnp.uint32))),
        (TypeError, "jax_enable_x64", lambda x: pj.cvt("cvt.f64.f32", x)),
        (TypeError, "jax_enable_x64", lambda x: pj.vmax(np.ones(3), 0)),
        (TypeError, "two in a byte", lambda x: pj.cvt("cvt.rn.f16x2.e2m1x2", x.astype(jnp.float4_e2m1fn))),
        (TypeError, "b: ", lambda x: pj.vmax(x, x.astype(jnp.int32))),
        (ValueError, r"b: its shape is \(3,\), and not ", lambda x: pj.vmax(x, jnp.ones(3))),
        (ValueError, "rule: one of", lambda x: pj.quantize(x, "e4m3", 3)),  # type: ignore[arg-type]
        (ValueError, "rule: one of", lambda x: pj.quantize(x, "e2m1", 3, tensor=1.0)),  # type: ignore[arg-type]
        (ValueError, "cmp", lambda x: pj.vcmpsel(x, x, "than", x, x)),
        (TypeError, "float|integer|number", lambda x: pj.vmax(x.astype(jnp.int32), 1.5)),
        (ValueError, "rule", lambda x: pj.quantize(x, "e4m3", "mx.best")),
        (TypeError, "mx.floor", lambda x: pj.quantize(x.astype(jnp.int32), "e4m3", "mx.floor")),
        (ValueError, "scales", lambda x: pj.dequantize(x.astype(jnp.uint8), jnp.ones((4, 2), jnp.uint8), "e4m3")),
        (TypeError, "scales", lambda x: pj.dequantize(x.astype(jnp.uint8), jnp.ones((4, 1)), "e4m3")),
        (TypeError, "tensor", lambda x: pj.quantize(x, "e2m1", "nv.te", tensor=jnp.ones(3))),
    ):
        with pytest.raises(kind, match=match):
            jax.jit(f)(x)


def test_calls_of_others_are_refused() -> None:
    """Handlers check their operands: a wrong call raises jax's error with libpto's message, and does not crash."""
    x = jnp.ones((4, 32))
    op = np.frombuffer(pto._core.parse_cvt("cvt.rn.bf16.f32"), np.uint8)
    bad = np.frombuffer(pto._core.xla_select_op("hif8", "lt", 0), np.uint8)

    def call(name: str, shape: Any, dtype: Any, *operands: Any, **named: Any) -> None:
        jax.ffi.ffi_call(name, jax.ShapeDtypeStruct(shape, dtype))(*operands, **named).block_until_ready()

    for match, run in (
        ("shapes", lambda: call("pto.cvt", (4, 31), jnp.bfloat16, x, op=op)),
        ("shapes", lambda: call("pto.cvt", (4, 1, 32), jnp.bfloat16, x, op=op)),
        ("types", lambda: call("pto.cvt", (4, 32), jnp.complex64, x, op=op)),
        ("no such op", lambda: call("pto.cvt", (4, 32), jnp.bfloat16, x, op=op[1:].copy())),
        ("no such op", lambda: call("pto.cvt", (4, 32), jnp.bfloat16, x)),
        ("operands", lambda: call("pto.cvt", (4, 32), jnp.bfloat16, op=op)),
        ("type", lambda: call("pto.vmax", (4,), jnp.uint8, *[jnp.ones(4, jnp.uint8)] * 2, op=bad)),
    ):
        with pytest.raises(jax.errors.JaxRuntimeError, match=match):
            run()


def test_types_of_64_bits() -> None:
    enable = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64
    with enable(True):
        x = np.linspace(-3, 3, 50)
        same_bits(jax.jit(lambda x: pj.cvt("cvt.rn.f32.f64", x))(x), pto.cvt("cvt.rn.f32.f64", x))
        same_bits(jax.jit(lambda x: pj.vmin(x, 0))(x), pto.vmin(x, 0))


LAYOUT = """
#include <stddef.h>
#include "xla.h"
#include "xla/ffi/api/c_api.h"
#define SAME(ours, a, theirs, b)                                                                     \\
    _Static_assert(offsetof(ours, a) == offsetof(theirs, b), #ours "." #a);                          \\
    _Static_assert(sizeof ((ours *)0)->a == sizeof ((theirs *)0)->b, "size of " #ours "." #a)
%s
"""

MEMBERS = {
    "xla_extension XLA_FFI_Extension_Base": "size struct_size, type type, next next",
    "xla_version XLA_FFI_Api_Version": "size struct_size, major major_version, minor minor_version",
    "xla_error_args XLA_FFI_Error_Create_Args": "size struct_size, message message, code errc",
    "xla_api XLA_FFI_Api": "size struct_size, version api_version, make_error XLA_FFI_Error_Create",
    "xla_metadata XLA_FFI_Metadata": "size struct_size, version api_version, traits traits",
    "xla_metadata_extension XLA_FFI_Metadata_Extension": "base extension_base, metadata metadata",
    "xla_buffer XLA_FFI_Buffer": "size struct_size, type dtype, data data, rank rank, dims dims",
    "xla_buffers XLA_FFI_Args": "size struct_size, count size, kinds types, at args",
    "xla_buffers XLA_FFI_Rets": "size struct_size, count size, kinds types, at rets",
    "xla_span XLA_FFI_ByteSpan": "text ptr, length len",
    "xla_array XLA_FFI_Array": "type dtype, count size, data data",
    "xla_attributes XLA_FFI_Attrs": "size struct_size, count size, kinds types, names names, at attrs",
    "xla_frame XLA_FFI_CallFrame": "size struct_size, extension extension_start, api api, context ctx, stage stage,"
    " arguments args, results rets, attributes attrs",
}
VALUES = {
    "XLA_INVALID_ARGUMENT": "XLA_FFI_Error_Code_INVALID_ARGUMENT",
    "XLA_INTERNAL": "XLA_FFI_Error_Code_INTERNAL",
    "XLA_METADATA": "XLA_FFI_Extension_Metadata",
    "XLA_EXECUTE": "XLA_FFI_ExecutionStage_EXECUTE",
    "XLA_ARRAY": "XLA_FFI_AttrType_ARRAY",
    "XLA_U8": "XLA_FFI_DataType_U8",
    "0": "XLA_FFI_API_MAJOR",
}


def test_the_interface_is_declared_as_jaxlib_has_it(tmp_path: Any) -> None:
    """The declarations of XLA's structs in xla.h match the header of this jaxlib."""
    core = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "core")
    cc = shutil.which(os.environ.get("CC", "cc"))
    if cc is None or not os.path.exists(os.path.join(core, "xla.h")):
        pytest.skip("no C compiler, or not the sources: the declarations of XLA's interface are not compared")
    lines = []
    for structs, members in MEMBERS.items():
        ours, theirs = structs.split()
        lines += [f"SAME({ours}, {m.split()[0]}, {theirs}, {m.split()[1]});" for m in members.split(",")]
    lines += [f'_Static_assert((int){a} == (int){b}, "{a}");' for a, b in VALUES.items()]
    include = [core, os.path.join(core, "..", "..", "include"), jax.ffi.include_dir()]

    def compiles(text: str) -> bool:
        path = tmp_path / "layout.c"
        path.write_text(LAYOUT % text)
        command = [cc, "-std=c11", "-fsyntax-only", *(f"-I{d}" for d in include), str(path)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    assert compiles("\n".join(lines))
    assert not compiles("SAME(xla_frame, stage, XLA_FFI_CallFrame, args);")


@pytest.mark.parametrize("number", [1e39, 1e-50, 10**400, -1e39])
def test_a_second_level_value_that_f32_does_not_have(number: float) -> None:
    with pytest.raises(ValueError, match="tensor"):
        pj.quantize(tensors()[0], "e2m1", "nv.te", tensor=number)
