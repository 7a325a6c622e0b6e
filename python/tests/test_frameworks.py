# SPDX-License-Identifier: MIT
"""Arrays of torch and jax, where they are installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pto

E4M3 = "cvt.rn.satfinite.e4m3x2.f32"


class OnlyDLPack:
    """An array of a framework that nobody knows; old ones give capsules without a version."""

    def __init__(self, x: Any, versioned: bool) -> None:
        self.x, self.versioned = x, versioned

    def __dlpack__(self, **named: Any) -> Any:
        if not self.versioned and named:
            raise TypeError("unexpected keyword")
        return self.x.__dlpack__(**named)

    def __dlpack_device__(self) -> Any:
        return self.x.__dlpack_device__()


@pytest.mark.parametrize("versioned", [True, False])
def test_dlpack(versioned: bool) -> None:
    x = np.arange(24, dtype=np.float32).reshape(4, 6)[:, 1:5]
    want = pto.cvt(E4M3, x)
    np.testing.assert_array_equal(pto.cvt(E4M3, OnlyDLPack(x, versioned)), want)
    out = np.zeros((4, 4), np.uint16)
    target = OnlyDLPack(out, versioned)
    if versioned and np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # NumPy's own capsules have versions since
        assert pto.cvt("cvt.rn.bf16.f32", x, out=target) is target
        np.testing.assert_array_equal(out, pto.cvt("cvt.rn.bf16.f32", x).view(np.uint16))
    else:
        with pytest.raises(ValueError, match="read-only"):
            pto.cvt("cvt.rn.bf16.f32", x, out=target)


def test_tensors_of_torch_may_be_written_to() -> None:
    """Older ones give capsules without a version, which do not say so."""
    tensor = type("Tensor", (OnlyDLPack,), {"__module__": "torch"})
    out = np.zeros(4, np.float32)
    target = tensor(out, False)
    assert pto.vmax(np.arange(4, dtype=np.float32), 2, out=target) is target
    assert out.tolist() == [2, 2, 2, 3]


def test_dlpack_that_fails() -> None:
    class Broken:
        def __dlpack__(self, **named: Any) -> Any:
            raise BufferError("not today")

    class Nonsense:
        def __dlpack__(self, **named: Any) -> Any:
            return 7

    with pytest.raises(BufferError, match="x: not today"):
        pto.cvt(E4M3, Broken())
    with pytest.raises(TypeError, match="x: "):
        pto.cvt(E4M3, Nonsense())


def test_torch() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: its tensors are not tested")
    x = torch.randn(5, 8)
    want = pto.cvt(E4M3, x.numpy()).view(np.uint8)
    out = torch.empty(5, 8, dtype=torch.float8_e4m3fn)
    assert pto.cvt(E4M3, x, out=out) is out
    np.testing.assert_array_equal(out.view(torch.uint8).numpy(), want)
    np.testing.assert_array_equal(pto.cvt(E4M3, x.t()).view(np.uint8), want.T)
    half = x.to(torch.bfloat16)
    np.testing.assert_array_equal(
        pto.cvt(half, "e5m2", round="rn", satfinite=True).view(np.uint8),
        half.to(torch.float8_e5m2).view(torch.uint8).numpy(),
    )
    mask = torch.empty(5, 8, dtype=torch.bool)
    pto.vcmp(x, 0, "gt", out=mask)
    assert torch.equal(mask, x > 0)
    assert torch.equal(pto.vsel(x, -x, mask, out=torch.empty(5, 8)), x.abs())
    pto.vrelu(x, out=x)
    assert bool((x >= 0).all())
    with pytest.raises(BufferError):
        pto.cvt(E4M3, torch.ones(3, requires_grad=True))
    q = pto.quantize(half, "e4m3", "mx.floor", block=(1, 8))
    assert q.codes.shape == (5, 8)


def test_jax() -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed: its arrays are not tested")
    x = jax.numpy.linspace(-500, 500, 30, dtype=jax.numpy.float32).reshape(5, 6)
    want = pto.cvt(E4M3, np.asarray(x)).view(np.uint8)
    np.testing.assert_array_equal(pto.cvt(E4M3, x).view(np.uint8), want)
    half = x.astype(jax.numpy.bfloat16)
    np.testing.assert_array_equal(pto.cvt("cvt.f32.bf16", half), np.asarray(half).astype(np.float32))
    narrow = jax.numpy.asarray(want).view(jax.numpy.float8_e4m3fn)
    np.testing.assert_array_equal(pto.cvt("cvt.rn.f16x2.e4m3x2", narrow), np.asarray(narrow).astype(np.float16))
    with pytest.raises(ValueError, match="read-only"):
        pto.vrelu(x, out=x)
