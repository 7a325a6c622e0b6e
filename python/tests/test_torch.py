# SPDX-License-Identifier: MIT
"""``pto.torch`` has the bits of ``pto``, in eager and compiled programs and on fake tensors. Each check has a fault."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pto
from checks import floats

torch = pytest.importorskip("torch", reason="torch is not installed: pto.torch is not tested")
pt = pytest.importorskip("pto.torch")

Check = Callable[[Any], None]
CHECKS: list[tuple[Check, str, Callable[..., Any]]] = []

# Warnings of torch and its compiler are not errors.
pytestmark = pytest.mark.filterwarnings("default")


class Faulty:
    """pto.torch with one of its functions replaced."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.function = name, function

    def __getattr__(self, name: str) -> Any:
        return self.function if name == self.name else getattr(pt, name)


def finds(name: str, fault: Callable[..., Any]) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        CHECKS.append((check, name, fault))
        return check

    return register


def instead(old: str, new: str) -> Callable[..., Any]:
    return lambda text, *args, **named: pt.cvt(text.replace(old, new), *args, **named)


def same_bits(got: Any, want: Any) -> None:
    assert tuple(got.shape) == want.shape
    data = got.contiguous().reshape(-1).view(torch.uint8).numpy()
    np.testing.assert_array_equal(data, np.ascontiguousarray(want).reshape(-1).view(np.uint8))


def tensor(x: Any) -> Any:
    return torch.from_numpy(np.ascontiguousarray(x))


@finds("cvt", instead(".rn", ".rz"))
def conversions(p: Any) -> None:
    x = floats(4092).reshape(12, 341)
    for text, dtype in (
        ("cvt.rn.satfinite.e4m3x2.f32", torch.float8_e4m3fn),
        ("cvt.rn.satfinite.e5m2x2.f32", torch.float8_e5m2),
        ("cvt.rn.bf16.f32", torch.bfloat16),
        ("cvt.rz.tf32.f32", torch.float32),
        ("cvt.rn.satfinite.e2m1x2.f32", torch.uint8),
        ("cvt.rn.satfinite.e3m2x2.f32", torch.uint8),
        ("cvt.rzi.s32.f32", torch.int32),
        ("cvt.f64.f32", torch.float64),
    ):
        got = p.cvt(text, tensor(x))
        assert got.dtype == dtype
        same_bits(got, pto.cvt(text, x))
    same_bits(p.cvt("cvt.rn.bf16.f32", tensor(x).t()), pto.cvt("cvt.rn.bf16.f32", x.T))
    for y in (np.array(1.5, np.float32), np.empty((3, 0), np.float32)):
        same_bits(p.cvt(torch.tensor(y), "bf16", round="rn"), pto.cvt(y, "bf16", round="rn"))


@finds("cvt", lambda x, to, **k: pt.cvt(x, to, **{**k, "relu": True}))
def conversions_by_parts(p: Any) -> None:
    x = floats()
    for to in ("e5m2", torch.float8_e5m2):
        same_bits(p.cvt(tensor(x), to, round="rn", satfinite=True), pto.cvt(x, "e5m2", round="rn", satfinite=True))


@finds("cvt", instead("e4m3", "e5m2"))
def narrow_sources(p: Any) -> None:
    codes = np.arange(256, dtype=np.uint8).reshape(4, 64)
    for text in ("cvt.rn.f16x2.e4m3x2", "cvt.rn.f16x2.e2m1x2"):
        same_bits(p.cvt(text, tensor(codes)), pto.cvt(text, codes))
    typed = tensor(codes).view(torch.float8_e4m3fn)
    same_bits(p.cvt("cvt.rn.f16x2.e4m3x2", typed), pto.cvt("cvt.rn.f16x2.e4m3x2", codes))
    same_bits(
        pt.cvt(typed, torch.bfloat16, round="rn"), pto.cvt(codes, "bf16", src="e4m3", round="rn")
    )  # dtypes on both sides


@finds("cvt", lambda text, x, rbits: pt.cvt(text, x, rbits ^ 0x10101))
def random_bits(p: Any) -> None:
    x = floats(4096).reshape(32, 128)
    words = np.random.default_rng(3).integers(0, 1 << 32, (32, 64), dtype=np.uint32)
    want = pto.cvt("cvt.rs.bf16x2.f32", x, words)
    same_bits(p.cvt("cvt.rs.bf16x2.f32", tensor(x), tensor(words.view(np.int32))), want)
    same_bits(pt.cvt("cvt.rs.bf16x2.f32", tensor(x), tensor(words)), want)


@finds("vcmpsel", lambda x, y, cmp, u, v: pt.vcmpsel(x, y, "ltu", u, v))
@finds("vmax", lambda a, b, **k: pt.vmax(a, b))
@finds("vmin", lambda a, b, **k: pt.vmax(a, b, **k))
def selection(p: Any) -> None:
    for a, b in (((6, 40), (6, 40)), ((6, 40), (40,)), ((6, 1), (1, 40)), ((6, 40), ()), ((), ()), ((0, 3), (1, 3))):
        x, y = floats()[: np.prod(a, dtype=int)].reshape(a), floats()[5:][: np.prod(b, dtype=int)].reshape(b)
        s, t = torch.tensor(x), torch.tensor(y)
        want = np.broadcast_to(pto.vcmpsel(x, y, "lt", 1, y), np.broadcast_shapes(a, b))
        same_bits(p.vcmpsel(s, t, "lt", 1, t), want)
        for flags in ({"propagate_nan": True}, {"ftz": True}):
            same_bits(p.vmax(s, t, **flags), pto.vmax(x, y, **flags))
            same_bits(p.vmin(s, t, **flags), pto.vmin(x, y, **flags))
    i = np.arange(-50, 50, dtype=np.int8)
    same_bits(p.vmin(tensor(i), 7), pto.vmin(i, 7))
    half = floats()[:64].view(np.uint16)
    same_bits(p.vmin(tensor(half), 1, type="bf16"), pto.vmin(half, 1, type="bf16"))
    same_bits(p.vmin(tensor(half), 1, type=torch.bfloat16), pto.vmin(half, 1, type="bf16"))


def cube() -> Any:
    return np.random.default_rng(4).standard_normal((3, 40, 96)).astype(np.float32) * 50


@finds("quantize", lambda x, e, r, **k: pt.quantize(x, e, r, **{**k, "block": (1, 48)}))
@finds("dequantize", lambda c, s, e, r, **k: pt.dequantize(c, s, e, r, **{**k, "to": torch.float16}))
def blocks(p: Any) -> None:
    for rule in pto.rules():
        elem = pto.quantize(cube()[0, 0], rule=rule).elem
        fp8 = (16, 32) if rule in ("fp8.div", "fp8.rcp") else (1, 32)
        block = fp8 if rule.startswith("fp8") else None
        for x in (cube(), cube()[0].T.copy(), cube()[0, 0]):
            if x.ndim == 1 and block == (16, 32):
                continue
            want = pto.quantize(x, elem, rule, block=block)
            got = p.quantize(tensor(x), elem, rule, block=block)
            same_bits(got.codes, want.codes)
            same_bits(got.scales, want.scales)
            assert (got.tensor is None) == (want.tensor is None)
            assert got.tensor is None or float(got.tensor) == np.float32(want.tensor)
            back = p.dequantize(got.codes, got.scales, elem, rule, block=block, tensor=got.tensor)
            same_bits(back, pto.dequantize(want))
            same_bits(got.dequantize(), pto.dequantize(want))
            same_bits(p.dequantize(*got), pto.dequantize(want))


@finds("quantize", lambda x, e, r, rbits=None, **k: pt.quantize(x, e, r, **k))
def blocks_given(p: Any) -> None:
    x = cube()
    words = np.random.default_rng(5).integers(0, 1 << 32, (3, 40, 24), dtype=np.uint32)
    for rule, elem, named in (("mx.floor", "e4m3", {}), ("nv.te", "e2m1", {"tensor": 7.5})):
        want = pto.quantize(x, elem, rule, rbits=words, **named)
        got = p.quantize(tensor(x), elem, rule, rbits=tensor(words.view(np.int32)), **named)
        same_bits(got.codes, want.codes)
        same_bits(got.scales, want.scales)


NAMES = [f"{check.__name__}-{name}" for check, name, _ in CHECKS]


@pytest.mark.parametrize("check", dict.fromkeys(check for check, _, _ in CHECKS), ids=lambda c: c.__name__)
def test_holds(check: Check, isa: str) -> None:
    check(pt)


@pytest.mark.parametrize(("check", "name", "fault"), CHECKS, ids=NAMES)
def test_finds_its_fault(check: Check, name: str, fault: Callable[..., Any]) -> None:
    with pytest.raises((AssertionError, ValueError, TypeError)):
        check(Faulty(name, fault))


def programs() -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Returns programs and their arguments."""
    x = tensor(floats(2048).reshape(16, 128))
    words = torch.arange(16 * 32, dtype=torch.int32).reshape(16, 32)
    finite = torch.randn(16, 128)
    return [
        (lambda x: pt.cvt("cvt.rn.satfinite.e4m3x2.f32", x + 0).view(torch.uint8) + 1, (x,)),
        (lambda x: pt.cvt(x * 2, torch.float8_e5m2, round="rn", satfinite=True), (x,)),
        (lambda x: pt.cvt(pt.cvt(x, "e2m1", round="rn", satfinite=True), "f16", src="e2m1", round="rn"), (finite,)),
        (lambda x, r: pt.cvt("cvt.rs.satfinite.e4m3x4.f32", x, r), (x, words)),
        (lambda x: pt.vcmpsel(x, 0, "lt", x[:1] * 2, x.t().contiguous().t()), (finite,)),
        (lambda x: pt.vmax(x, x[:, :1], propagate_nan=True) + pt.vmin(x, 1.5), (finite,)),
        (lambda x: pt.quantize(x, "e4m3", "mx.floor"), (finite,)),
        (lambda x: pt.quantize(x, "e2m1", "nv.te", tensor=x.abs().max()), (finite,)),
        (lambda x: _there_and_back(x), (finite,)),
        (lambda x: pt.quantize(x, "nvfp4").dequantize(to="bf16"), (finite,)),
        (lambda x: pt.vmax(x, 1.00390625001), (finite.bfloat16(),)),  # becomes 1 if it is rounded twice
    ]


def _there_and_back(x: Any) -> Any:
    q = pt.quantize(x, "e2m1", "nv.te")
    return pt.dequantize(q.codes, q.scales, "e2m1", "nv.te", tensor=q.tensor, to=torch.bfloat16)


def leaves(value: Any) -> list[Any]:
    return [t for t in (value if isinstance(value, tuple) else (value,)) if isinstance(t, torch.Tensor)]


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("i", range(len(programs())))
def test_compiled(i: int, backend: str) -> None:
    program, inputs = programs()[i]
    want = leaves(program(*inputs))
    torch._dynamo.reset()
    got = leaves(torch.compile(program, fullgraph=True, backend=backend)(*inputs))
    assert len(got) == len(want)
    for g, w in zip(got, want, strict=True):
        assert g.dtype == w.dtype
        assert g.shape == w.shape
        assert torch.equal(g.contiguous().reshape(-1).view(torch.uint8), w.contiguous().reshape(-1).view(torch.uint8))


@pytest.mark.skipif("PTO_TEST_QUICK" in os.environ, reason="PTO_TEST_QUICK: inductor compiles for a minute")
def test_inductor() -> None:
    program, inputs = programs()[5]
    torch._dynamo.reset()
    try:
        got = torch.compile(program, fullgraph=True)(*inputs)
    except Exception as error:
        if type(error).__name__ not in ("InvalidCxxCompiler", "BackendCompilerFailed", "InductorError"):
            raise
        pytest.skip(f"inductor has no compiler here: {error}"[:120])
    assert torch.equal(got, program(*inputs))


def test_operators_are_as_torch_wants_them() -> None:
    x = torch.randn(16, 128)
    parts = (None, None, False, False, False, False, False, None)
    check = torch.library.opcheck
    check(torch.ops.pto.cvt.default, (x, "cvt.rn.satfinite.e2m1x2.f32", True, None, None, *parts))
    words = torch.zeros(16, 64, dtype=torch.int32).view(torch.uint32)
    check(torch.ops.pto.cvt.default, (x, "cvt.rs.bf16x2.f32", True, words, None, *parts))
    check(torch.ops.pto.vcmpsel.default, (x, x[:1], "lt", x, x[:, :1], False, None))
    check(torch.ops.pto.vmax.default, (x, x[0], True, False, False, None))
    check(torch.ops.pto.vmin.default, (x, x[0], False, True, False, None))
    # opcheck's other tests compare values, which torch cannot do for its 8-bit float types.
    some = ("test_autograd_registration", "test_faketensor")
    plans = (
        ("e4m3", "mx.floor", [1, 32], False, 0.0, False),
        ("e2m1", "nv.te", [1, 16], True, 0.0, False),
        ("e4m3", "fp8.div", [1, 128], False, 1e-10, False),
    )
    for plan in plans:
        check(torch.ops.pto.quantize.default, (x, None, None, *plan), test_utils=some)
    check(torch.ops.pto.cvt.default, (x, "cvt.rn.satfinite.e4m3x2.f32", True, None, None, *parts), test_utils=some)
    q = pt.quantize(x, "e2m1", "nv.te")
    scales = q.scales.view(torch.uint8)
    check(torch.ops.pto.dequantize.default, (q.codes, scales, q.tensor, "f32", None, *plans[1]))


def test_fake_tensors() -> None:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        x = torch.empty(1 << 20, 1 << 16)  # larger than memory
        assert pt.cvt("cvt.rn.satfinite.e2m1x2.f32", x).shape == (1 << 20, 1 << 15)
        q = pt.quantize(x, "e4m3", "mx.floor")
        assert q.scales.shape == (1 << 20, 1 << 11)
        assert pt.vmax(x, 0).dtype == torch.float32


def test_rows_may_vary() -> None:
    """One compiled program serves any number of rows."""
    compiled = 0

    def count(graph: Any, inputs: Any) -> Any:
        nonlocal compiled
        compiled += 1
        return graph.forward

    torch._dynamo.reset()
    f = torch.compile(lambda x: pt.cvt("cvt.rn.bf16.f32", x), fullgraph=True, backend=count, dynamic=True)
    for rows in (3, 5, 9):
        x = torch.randn(rows, 8)
        same_bits(f(x).view(torch.uint16), pto.cvt("cvt.rn.bf16.f32", x.numpy()))
    assert compiled == 1


def test_what_is_wrong_is_told() -> None:
    x = torch.ones(4, 32)
    for kind, match, f in (
        (ValueError, "needs .satfinite", lambda x: pt.cvt(x, "e4m3", round="rn")),
        (TypeError, "x: ", lambda x: pt.cvt("cvt.rn.f16.f64", x)),
        (TypeError, "x: ", lambda x: pt.cvt("cvt.rn.f16.f64", x.to(torch.complex64))),
        (TypeError, "beside", lambda x: pt.cvt("cvt.rn.f16.f32", x, ftz=True)),
        (ValueError, "rbits", lambda x: pt.cvt("cvt.rs.bf16x2.f32", x)),
        (ValueError, "rbits", lambda x: pt.cvt("cvt.rs.bf16x2.f32", x, torch.ones(3, 16, dtype=torch.int32))),
        (TypeError, "f32", lambda x: pt.vmax(x, x.int())),
        (ValueError, r"b: its shape is \(3,\), and not \(4, 32\)", lambda x: pt.vmax(x, torch.ones(3))),
        (TypeError, "float", lambda x: pt.vmax(x.int(), 1.5)),
        (TypeError, "tensor", lambda x: pt.vmax(1, 1.5)),
        (ValueError, "cmp", lambda x: pt.vcmpsel(x, x, "than", x, x)),
        (ValueError, "rule", lambda x: pt.quantize(x, "e4m3", "mx.best")),
        (TypeError, "mx.floor", lambda x: pt.quantize(x.int(), "e4m3", "mx.floor")),
        (TypeError, "tensor", lambda x: pt.quantize(x, "e2m1", "nv.te", tensor=x)),
        (ValueError, "tensor: nv.te has two levels", lambda x: pt.dequantize(x.byte(), x, "e2m1", "nv.te")),
        (ValueError, "tensor: 1e-50 is 0 in f32", lambda x: pt.quantize(x, "nvfp4", tensor=1e-50)),
        (ValueError, "tensor: it is too large", lambda x: pt.quantize(x, "nvfp4", tensor=10**400)),
        (ValueError, "tensor: it is too large", lambda x: pt.dequantize(x.byte(), x, "nvfp4", tensor=1e39)),
        (ValueError, "eps: 1e-50 is 0 in f32", lambda x: pt.quantize(x, "e4m3", "fp8.div", eps=1e-50)),
        (TypeError, "codes: a tensor is wanted, not ndarray", lambda x: pt.dequantize(pto.quantize(x.numpy()))),
        (TypeError, "codes: a tensor is wanted, not ndarray", lambda x: pt.dequantize(x.numpy(), x.numpy(), "mxfp8")),
        (TypeError, "x: a tensor is wanted, not ndarray", lambda x: pt.quantize(x.numpy())),
        (TypeError, "x: a tensor is wanted, not ndarray", lambda x: pt.cvt(x.numpy(), "bf16", round="rn")),
        (TypeError, "recipe", lambda x: pt.quantize(x, "mxfp7")),
        (ValueError, "scales", lambda x: pt.dequantize(x.byte(), torch.ones(4, 2, dtype=torch.uint8), "e4m3")),
    ):
        with pytest.raises(kind, match=match):
            f(x)
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: pt.cvt(x, "e4m3", round="rn"), fullgraph=True, backend="eager")
    with pytest.raises(Exception, match="needs .satfinite"):
        compiled(x)
    compiled = torch.compile(lambda x: pt.quantize(x, "nvfp4", tensor=1e39), fullgraph=True, backend="eager")
    with pytest.raises(Exception, match="tensor: it is too large"):
        compiled(x)
    compiled = torch.compile(lambda x: pt.quantize(x, "nvfp4", tensor=2.0).scales, fullgraph=True, backend="eager")
    assert (compiled(x).view(torch.uint8) == pt.quantize(x, "nvfp4", tensor=2.0).scales.view(torch.uint8)).all()


def test_dispatcher_and_direct_calls_agree() -> None:
    """A dispatch mode sees the operators of pto. Without a mode they bypass the dispatcher, with the same bits."""
    from torch.utils._python_dispatch import TorchDispatchMode

    seen: list[str] = []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            seen.append(str(function))
            return function(*args, **(kwargs or {}))

    x = torch.randn(4, 128)
    q = pt.quantize(x, "nvfp4")
    calls = (
        lambda: pt.cvt("cvt.rn.satfinite.e2m1x2.f32", x),
        lambda: pt.cvt(x, torch.float8_e5m2, round="rn", satfinite=True),
        lambda: pt.vmax(x, 0.5, propagate_nan=True),
        lambda: pt.vmin(x, x[:1]),
        lambda: pt.vcmpsel(x, 0, "lt", x[:, :1], 1),
        lambda: pt.quantize(x, "mxfp8"),
        lambda: pt.quantize(x, "nvfp4"),
        lambda: pt.dequantize(q, to=torch.bfloat16),
    )
    for call in calls:
        seen.clear()
        want = leaves(call())
        assert seen == []
        with Watch():
            got = leaves(call())
        assert any(name.startswith("pto.") for name in seen)
        for g, w in zip(got, want, strict=True):
            assert g.dtype == w.dtype
            assert torch.equal(g.reshape(-1).view(torch.uint8), w.reshape(-1).view(torch.uint8))


def test_the_profiler_sees_operators() -> None:
    with torch.profiler.profile() as profile:
        pt.cvt("cvt.rn.bf16.f32", torch.ones(4))
    assert any(event.name == "pto::cvt" for event in profile.events())


def test_numbers_are_rounded_once() -> None:
    x = torch.zeros(1, dtype=torch.bfloat16)
    assert pt.vmax(x, 1.003906251).item() == 1.0078125
    assert pt.vcmpsel(x, x, "eq", 1.003906251, 0).item() == 1.0078125
    with torch.profiler.profile():  # through the dispatcher
        assert pt.vmax(x, 1.003906251).item() == 1.0078125


def test_gradients_are_refused() -> None:
    x = torch.ones(4, requires_grad=True)
    y = pt.vmax(x, 0)
    with pytest.raises(RuntimeError, match="autograd|grad"):
        y.sum().backward()
