# SPDX-License-Identifier: MIT
"""Arrays of torch and jax, if these are installed."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import pto

E4M3 = "cvt.rn.satfinite.e4m3x2.f32"


class OnlyDLPack:
    """An array of an unknown framework, which returns versioned or unversioned capsules."""

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
    if versioned and np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # older NumPy makes no versioned capsules
        assert pto.cvt("cvt.rn.bf16.f32", x, out=target) is target
        np.testing.assert_array_equal(out, pto.cvt("cvt.rn.bf16.f32", x).view(np.uint16))
    else:
        with pytest.raises(ValueError, match="read-only"):
            pto.cvt("cvt.rn.bf16.f32", x, out=target)


def test_tensors_of_torch_may_be_written_to() -> None:
    """Older versions of torch return capsules without a version, and so without a flag that says this."""
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


class Fields(ctypes.Structure):
    """The fields of DLManagedTensor, which begins with a DLTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


class FromFields:
    """An array whose capsule has the given fields, valid or not."""

    def __init__(
        self,
        shape: list[int] | None,
        ndim: int | None = None,
        data: int | None = None,
        strides: list[int] | None = None,
    ) -> None:
        self.shape = (ctypes.c_int64 * len(shape or []))(*(shape or []))
        address = None if shape is None else ctypes.addressof(self.shape)
        self.strides = (ctypes.c_int64 * len(strides or []))(*(strides or []))
        steps = None if strides is None else ctypes.addressof(self.strides)
        self.fields = Fields(data, 1, 0, len(self.shape) if ndim is None else ndim, 0, 8, 1, address, steps)

    def __dlpack__(self, **named: Any) -> Any:
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.fields), b"dltensor", None)


def test_dlpack_without_memory() -> None:
    """A shape without data is an error, except an empty one."""
    memory = ctypes.create_string_buffer(b"\1\2\3", 3)
    at = ctypes.addressof(memory)
    assert pto.vmax(FromFields([3], data=at), 2).tolist() == [2, 2, 3]
    for shape in ([8], [10**9], [2, 3], []):
        with pytest.raises(ValueError, match="a: DLPack gives a shape but no memory"):
            pto.vmax(FromFields(shape), 0)
        with pytest.raises(ValueError, match="data: DLPack|a: DLPack"):
            pto.vsel(FromFields(shape), 0, True)
    with pytest.raises(ValueError, match="out: DLPack gives a shape but no memory"):
        pto.vmax(np.zeros(8, np.int8), 0, out=FromFields([8]))
    assert pto.vmax(FromFields([0]), 0).shape == (0,)
    assert pto.vmax(FromFields([3, 0]), 0).shape == (3, 0)
    with pytest.raises(ValueError, match="a: DLPack gives a dimension of -1"):
        pto.vmax(FromFields([2, -1], data=at), 0)
    with pytest.raises(ValueError, match="a: DLPack gives 2 dimensions without a shape"):
        pto.vmax(FromFields(None, ndim=2, data=at), 0)
    with pytest.raises(ValueError, match="a: DLPack gives -1 dimensions"):
        pto.vmax(FromFields([3], ndim=-1, data=at), 0)
    with pytest.raises(ValueError, match="a: "):
        pto.vmax(FromFields([1 << 40, 1 << 40], data=at), 0)


def test_dlpack_with_strides_beyond_memory() -> None:
    memory = (ctypes.c_int8 * 6)(*range(6))
    at = ctypes.addressof(memory)
    for stride in (1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63), 1 << 56, -(1 << 56)):
        for shape, strides in (([3], [stride]), ([2, 3], [stride, 1]), ([3, 2], [1, stride])):
            with pytest.raises(ValueError, match="a: DLPack gives strides that reach beyond memory"):
                pto.vmax(FromFields(shape, data=at, strides=strides), 0)
            with pytest.raises(ValueError, match="out: DLPack gives strides that reach beyond memory"):
                pto.vmax(np.zeros(shape, np.int8), 0, out=FromFields(shape, data=at, strides=strides))
        # The strides of an empty array, and of a dimension with one element, are arbitrary.
        assert pto.vmax(FromFields([1, 3], data=at, strides=[stride, 1]), 1).tolist() == [[1, 1, 2]]
        assert pto.vmax(FromFields([0, 3], data=at, strides=[stride, stride]), 0).shape == (0, 3)
    assert pto.vmax(FromFields([3], data=at + 5, strides=[-2]), 0).tolist() == [5, 3, 1]
    assert pto.vmax(FromFields([2, 3], data=at, strides=[3, 1]), 0).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert pto.vmax(FromFields([3], data=at, strides=[0]), 4).tolist() == [4, 4, 4]
    with pytest.raises(ValueError, match="a: DLPack gives strides that reach beyond memory"):
        pto.vmax(FromFields([1 << 40, 1 << 40], data=at), 0)


def torch_or_skip() -> Any:
    return pytest.importorskip("torch", reason="torch is not installed: its tensors are not tested")


def data(x: Any) -> Any:
    """Returns the bytes of a tensor."""
    torch = torch_or_skip()
    assert isinstance(x, torch.Tensor)
    return x.contiguous().reshape(-1).view(torch.uint8).numpy()


def test_torch() -> None:
    torch = torch_or_skip()
    x = torch.randn(5, 8)
    want = pto.cvt(E4M3, x.numpy()).view(np.uint8)
    out = torch.empty(5, 8, dtype=torch.float8_e4m3fn)
    assert pto.cvt(E4M3, x, out=out) is out
    np.testing.assert_array_equal(out.view(torch.uint8).numpy(), want)
    np.testing.assert_array_equal(pto.cvt(E4M3, x.t()).view(torch.uint8).numpy(), want.T)
    half = x.to(torch.bfloat16)
    assert torch.equal(
        pto.cvt(half, "e5m2", round="rn", satfinite=True).view(torch.uint8),
        half.to(torch.float8_e5m2).view(torch.uint8),
    )
    mask = torch.empty(5, 8, dtype=torch.bool)
    pto.vcmp(x, 0, "gt", out=mask)
    assert torch.equal(mask, x > 0)
    assert torch.equal(pto.vsel(x, -x, mask, out=torch.empty(5, 8)), x.abs())
    pto.vrelu(x, out=x)
    assert bool((x >= 0).all())
    q = pto.quantize(half, "e4m3", "mx.floor", block=(1, 8))
    assert q.codes.shape == (5, 8)


@pytest.mark.filterwarnings("ignore:The PyTorch API of MaskedTensors")
def test_tensors_that_memory_does_not_describe() -> None:
    torch = torch_or_skip()
    for x in (torch.ones(3, requires_grad=True), torch.nn.Parameter(torch.ones(3))):
        with pytest.raises(BufferError, match="x: .*detach"):
            pto.cvt(E4M3, x)
        with pytest.raises(BufferError, match="a: .*detach"):
            pto.vmax(x, 0, out=torch.ones(3))
        with pytest.raises(BufferError, match="out: .*detach"):
            pto.vmax(torch.ones(3), 0, out=x)
    negated = torch.tensor([1 + 2j, 3 - 4j]).conj().imag
    assert negated.is_neg()
    with pytest.raises(BufferError, match="a: .*resolve_neg"):
        pto.vmax(negated, 0)
    assert pto.vmax(negated.resolve_neg(), -9).tolist() == [-2, 4]
    sparse = torch.ones(3).to_sparse()
    for x in (sparse, torch.nn.Parameter(sparse, requires_grad=False), torch.empty(3, device="meta")):
        with pytest.raises(BufferError, match="^a: .+$"):
            pto.vmax(x, 0)
        with pytest.raises(BufferError, match="^x: .+$"):
            pto.quantize(x)
        with pytest.raises(BufferError, match="^x: .+$"):
            pto.run("add.f32 y, x, x;", x=x)
        with pytest.raises(BufferError, match="^out: .+$"):
            pto.vmax(torch.ones(3), 0, out=x)
    with pytest.raises(TypeError, match="a: .*masked"):
        pto.vmax(torch.masked.masked_tensor(torch.ones(3), torch.tensor([True, False, True])), 0)


def test_tensors_of_a_torch_without_the_table_of_functions() -> None:
    """With such a torch, results are made tensors by Python code."""
    torch = torch_or_skip()
    from pto._tensors import from_numpy

    for name in ("bfloat16", "float8_e4m3fn", "float32", "int64", "uint32", "bool"):
        for shape in ((2, 3), (), (0, 3)):
            dtype = getattr(torch, name)
            array = np.ones(shape, bool if name == "bool" else f"u{dtype.itemsize}")
            got = from_numpy(array, name)
            assert got.dtype == dtype
            assert tuple(got.shape) == shape
            assert got.data_ptr() == array.ctypes.data or array.size == 0


def test_parameters_without_a_gradient() -> None:
    """Parameters are read through __dlpack__, like other subclasses."""
    torch = torch_or_skip()
    x = torch.nn.Parameter(torch.tensor([1.5, -2]), requires_grad=False)
    got = pto.vmax(x, 0)
    assert isinstance(got, torch.Tensor)
    assert got.tolist() == [1.5, 0]


def test_tensors_give_tensors() -> None:
    """Every call has the same bits for tensors as for arrays."""
    torch = torch_or_skip()
    x, y = torch.randn(4, 64), torch.randn(4, 64)
    m, i = x > y, torch.arange(64, dtype=torch.int32)
    for to, dtype in (
        ("bf16", torch.bfloat16),
        (torch.float16, torch.float16),
        ("e4m3", torch.float8_e4m3fn),
        (torch.float8_e5m2, torch.float8_e5m2),
        ("e2m1", torch.uint8),
        ("e3m2", torch.uint8),
    ):
        narrow = pto.cvt(x, to, round="rn", satfinite=to not in ("bf16", torch.float16))
        assert narrow.dtype == dtype
        want = pto.cvt(x.numpy(), to, round="rn", satfinite=to not in ("bf16", torch.float16))
        np.testing.assert_array_equal(data(narrow), want.reshape(-1).view(np.uint8))
    calls = {
        torch.float32: (
            lambda x, y, m, i: pto.vsel(x, 0, m),
            lambda x, y, m, i: pto.vsel(0, x, m),
            lambda x, y, m, i: pto.vselr(x, y, pto.mask_mov(m, mask="packed")),
            lambda x, y, m, i: pto.selp(x, y, m),
            lambda x, y, m, i: pto.slct(x, y, i),
            lambda x, y, m, i: pto.vmax(x, y),
            lambda x, y, m, i: pto.vmin(1, x),
            lambda x, y, m, i: pto.vclamp(x, -1, y),
            lambda x, y, m, i: pto.vrelu(x),
            lambda x, y, m, i: pto.vcmpsel(x, 0, "lt", y, x),
            lambda x, y, m, i: pto.vtrc(x),
            lambda x, y, m, i: pto.vcvt(i, torch.float32, mask=m),
            lambda x, y, m, i: pto.vexp(x),
            lambda x, y, m, i: pto.set("set.lt.f32.f32", x, y),
            lambda x, y, m, i: pto.run("mul.f32 z, x, y;", x=x, y=2)["z"],
            lambda x, y, m, i: pto.dequantize(pto.quantize(x, "mxfp4")),
            lambda x, y, m, i: pto.quantize(x, rule="fp8.div").scales,
        ),
        torch.bool: (
            lambda x, y, m, i: pto.vcmp(x, y, "lt"),
            lambda x, y, m, i: pto.vcmps(x, 0, "lt"),
            lambda x, y, m, i: pto.setp("setp.lt.f32", x, y)[1],
            lambda x, y, m, i: pto.mask_not(m),
            lambda x, y, m, i: pto.vsel(m, False, pto.mask_not(m)),
            lambda x, y, m, i: pto.run("setp.lt.f32 p, x, y;", x=x, y=y)["p"],
            lambda x, y, m, i: pto.setcc("setb", pto.flags_cmp(i, 3)),
            lambda x, y, m, i: pto.cmp_setcc("setl", i, 3),
        ),
        torch.uint8: (
            lambda x, y, m, i: pto.vcmp(x, y, "lt", mask="packed"),
            lambda x, y, m, i: pto.vcmp(x, y, "lt", mask="image").data,
            lambda x, y, m, i: pto.mask_and(m, pto.vcmp(x, y, "lt", mask="image"), mask="packed"),
            lambda x, y, m, i: pto.quantize(x, "nvfp4").codes,
            lambda x, y, m, i: pto.scales_swizzle(pto.vsel(m, m, m), "128x4"),
        ),
        torch.uint32: (
            lambda x, y, m, i: pto.flags_cmp(i, 3),
            lambda x, y, m, i: pto.set("set.lt.u32.f32", x, y),
        ),
        torch.float8_e8m0fnu: (lambda x, y, m, i: pto.quantize(x, "mxfp8").scales,),
        torch.float8_e4m3fn: (
            lambda x, y, m, i: pto.quantize(x, "mxfp8").codes,
            lambda x, y, m, i: pto.quantize(x, "nvfp4").scales,
            lambda x, y, m, i: pto.requantize(x, pto.quantize(x).scales),
        ),
    }
    arrays = [t.numpy() for t in (x, y, m, i)]
    for dtype, some in calls.items():
        for call in some:
            try:
                got = call(x, y, m, i)
            except NotImplementedError:  # the build lacks SLEEF
                continue
            assert got.dtype == dtype
            want = call(*arrays)
            assert tuple(got.shape) == want.shape
            np.testing.assert_array_equal(data(got), np.ascontiguousarray(want).reshape(-1).view(np.uint8))
            assert got.clone().shape == got.shape  # torch can use it
    b = x.to(torch.bfloat16)
    assert torch.equal(pto.vsel(b, -b, m), torch.where(m, b, -b))
    some = pto.vcompress(b, m)
    assert torch.equal(some, b[m])
    assert torch.equal(pto.vexpand(some, m, torch.zeros_like(b)), torch.where(m, b, torch.zeros_like(b)))
    assert pto.vargmax(b, m, propagate_nan=True) == pto.vargmax(x.to(torch.bfloat16).float(), m, propagate_nan=True)
    with pytest.raises(BufferError, match="^x: it requires a gradient"):
        pto.vcompress(x.clone().requires_grad_(), m)
    fnuz = pto.cast(torch.tensor([1.0, -0.0, 300.0]), torch.float8_e4m3fnuz, overflow="saturate")
    assert fnuz.dtype == torch.float8_e4m3fnuz
    assert fnuz.float().tolist() == [1.0, 0.0, 240.0]
    assert pto.cast(pto.vmax(fnuz, fnuz), "e5m2fnuz").dtype == torch.float8_e5m2fnuz
    fours = torch.arange(8, dtype=torch.uint8).view(torch.float4_e2m1fn_x2)
    assert pto.vsel(fours, fours, torch.ones(8, dtype=torch.bool)).dtype == torch.float4_e2m1fn_x2
    assert torch.equal(
        pto.cvt(fours, "f16", round="rn"), pto.cvt(fours.view(torch.uint8), "f16", src="e2m1", round="rn")
    )
    assert pto.vmax(torch.tensor(1.5), 2).shape == ()
    assert pto.vmax(torch.empty(0, 3), 2).shape == (0, 3)
    assert isinstance(pto.vsel(x.numpy(), 0, m), torch.Tensor)
    result = pto.vmax(x, y)
    del x, y, m
    result += 1  # the result has memory of its own


def test_tensors_are_read_through_the_table_of_c_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through __dlpack__, a call on a small tensor would take several times as long."""
    torch = torch_or_skip()
    if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        pytest.skip("this torch has no table of C functions")
    x, out = torch.ones(16), torch.empty(16)

    def refuse(*args: object, **named: object) -> None:
        raise AssertionError("__dlpack__ was called")

    monkeypatch.setattr(torch.Tensor, "__dlpack__", refuse)
    pto.vmax(x, 0)
    pto.vmax(x, x, out=out)
    pto.cvt("cvt.rn.bf16.f32", x)


def test_dtypes_of_torch_are_types() -> None:
    torch = torch_or_skip()
    x = np.array([1, 2.5], np.float32)
    assert pto.cvt(x, torch.float16, round="rn").dtype == np.float16
    assert pto.vcvt(x, torch.int16).dtype == np.int16
    assert pto.quantize(x, torch.float8_e5m2).elem == "e5m2"
    assert pto.dequantize(pto.quantize(x), to=torch.float16).dtype == np.float16
    assert pto.vmax(np.array([0x3F80], np.uint16), 0, type=torch.bfloat16)[0] == 1
    for dtype in (torch.complex64, torch.qint8):
        with pytest.raises(TypeError, match=f"to: .*{dtype}"):
            pto.cvt(x, dtype, round="rn")


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
