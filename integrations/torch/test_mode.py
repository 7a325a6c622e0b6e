# SPDX-License-Identifier: MIT
"""``pto.torch.exact`` as a mode: where it holds, gradients, other operators, ``torch.compile`` and a model."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
import torch
from torch._dynamo.utils import counters

import gpu
import pto.torch
import samples

MINUS_ZERO = torch.tensor([-0.0])


def is_on() -> bool:
    return not torch.signbit(MINUS_ZERO.clamp(min=0.0)).item()


def test_where_it_holds() -> None:
    assert not is_on()
    with pto.torch.exact():
        assert is_on()
        with pto.torch.exact(saturate=True):
            assert is_on()
        assert is_on()
        seen: list[bool] = []
        thread = threading.Thread(target=lambda: seen.append(is_on()))
        thread.start()
        thread.join()
        assert seen == [False]
    assert not is_on()
    with pytest.raises(KeyError), pto.torch.exact():
        raise KeyError
    assert not is_on()


class Nested(torch.autograd.Function):
    """Its backward pass runs a backward pass, ``depth`` times. Deep ones are run by another thread of autograd."""

    @staticmethod
    def forward(context: Any, x: Any, depth: int, seen: list[bool]) -> Any:
        context.depth, context.seen = depth, seen
        return x.clone()

    @staticmethod
    def backward(context: Any, gradient: Any) -> Any:
        context.seen.append(is_on())
        if context.depth > 0:
            with torch.enable_grad():
                x = torch.ones(1, requires_grad=True)
                Nested.apply(x, context.depth - 1, context.seen).sum().backward()
        return gradient * 2, None, None


def test_threads_of_autograd() -> None:
    seen: list[bool] = []
    x = torch.ones(1, requires_grad=True)
    with pto.torch.exact():
        Nested.apply(x, 70, seen).sum().backward()
    assert seen == [True] * 71
    assert not is_on()


def test_decorator() -> None:
    @pto.torch.exact()
    def decorated(depth: int) -> bool:
        return is_on() if depth == 0 else decorated(depth - 1)

    assert decorated(2)
    assert decorated(0)
    assert not is_on()


def test_other_versions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "__version__", "2.14.1+cpu")
    with pytest.raises(RuntimeError, match=r"torch 2\.14\.1\+cpu is not supported; supported: 2\.15"):
        pto.torch.exact()


def test_other_operators_and_tensors() -> None:
    """Other operators, integers, complex numbers, fake tensors and subclasses are torch's."""
    x = torch.randn(16, 16)
    with pto.torch.exact():
        assert torch.equal(x @ x, torch.mm(x, x))
        assert torch.tensor([3, 1]).maximum(torch.tensor([2, 2])).tolist() == [3, 2]
        assert torch.tensor([1 + 2j]).to(torch.complex128).tolist() == [1 + 2j]
        assert x.to(torch.bool).all()
        assert x.to("meta").half().device.type == "meta"
        from torch._subclasses.fake_tensor import FakeTensorMode

        with FakeTensorMode() as fake:
            assert fake.from_tensor(x).to(torch.float8_e4m3fn).dtype == torch.float8_e4m3fn
        with torch.autocast("cpu", torch.bfloat16):
            assert torch.nn.functional.linear(x, x).dtype == torch.bfloat16
        view = x.t()
        assert view.to(torch.float32) is view


def test_gradients() -> None:
    """Gradients of casts, clamps and maxima are those without the mode."""

    def loss(x: Any, y: Any) -> Any:
        narrow = x.to(torch.bfloat16).float() + x.to(torch.float8_e5m2).float()
        return (narrow.clamp(-1, 1) * torch.maximum(x, y)).relu().sum()

    x = torch.randn(64, requires_grad=True)
    y = torch.randn(64, requires_grad=True)
    expected = torch.autograd.grad(loss(x, y), (x, y))
    with pto.torch.exact():
        got = torch.autograd.grad(loss(x, y), (x, y))
    assert all(torch.equal(a, b) for a, b in zip(got, expected, strict=True))


class Quantized(torch.nn.Module):
    """A linear layer whose weights and inputs are rounded to FP8, with gradients as if they were not."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(inputs, outputs)

    @staticmethod
    def rounded(x: Any) -> Any:
        scale = 448 / x.detach().abs().max().clamp(min=1e-12)
        narrow = (x.detach() * scale).clamp(-448, 448).to(torch.float8_e4m3fn)
        return x + (narrow.to(torch.float32) / scale - x.detach())

    def forward(self, x: Any) -> Any:
        return torch.nn.functional.linear(self.rounded(x), self.rounded(self.linear.weight), self.linear.bias)


def perceptron() -> Any:
    torch.manual_seed(5)
    return torch.nn.Sequential(Quantized(16, 32), torch.nn.ReLU(), Quantized(32, 4))


def test_model_trains() -> None:
    """A perceptron with FP8 rounding learns under the mode, also with bf16 autocast."""
    model = perceptron()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    x = torch.randn(256, 16)
    target = torch.tanh(x[:, :4] - x[:, 4:8])
    losses = []
    with pto.torch.exact():
        for step in range(60):
            with torch.autocast("cpu", torch.bfloat16, enabled=step % 2 == 0):
                loss = torch.nn.functional.mse_loss(model(x).float(), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0] / 4


def selections(x: Any) -> tuple[Any, ...]:
    return (
        x.to(torch.bfloat16).to(torch.float32),
        x.to(torch.float16).relu().to(torch.float64),
        x.to(torch.float8_e4m3fn).to(torch.float32),
        x.to(torch.float8_e5m2).view(torch.uint8),
        x.to(torch.int8),
        x.t().clamp(0, 6),
        torch.maximum(x, x.half()),
        torch.where(x > 0, x.half(), x),
        torch.nn.functional.relu6(x),
    )


def wrong(got: tuple[Any, ...], expected: tuple[Any, ...]) -> list[int]:
    return [int((gpu.codes_of(a) != gpu.codes_of(b)).sum()) for a, b in zip(got, expected, strict=True)]


def through_bf16(x: Any) -> Any:
    return x.to(torch.bfloat16).to(torch.float32)


def test_compiled() -> None:
    """Compiled functions have the bits of eager ones inside the mode, without breaks of the graph."""
    torch._dynamo.reset()
    codes = samples.codes("float32")[::101][:16384]
    x = gpu.tensor(codes, "float32").reshape(128, 128).clone()
    x[0, :4] = torch.tensor([-0.0, 0.0, torch.nan, -torch.inf])
    with pto.torch.exact():
        expected, got = selections(x), torch.compile(selections, fullgraph=True)(x)
    assert wrong(got, expected) == [0] * len(expected)
    assert [y.stride() for y in got] == [y.stride() for y in expected]
    assert min(wrong(selections(x), expected)[4:6]) > 0


def assigned(x: Any, y: Any) -> tuple[Any, ...]:
    narrow = torch.zeros(x.shape, dtype=torch.int8)
    narrow[1:] = x[1:]
    y.copy_(x)
    return narrow, y, torch.where(x > 0, x.half().view(torch.int16).view(torch.float16), x), x.clamp(max=x.shape[0])


def test_compiled_assignments() -> None:
    """Assignments with a cast, where with two types, and clamps to symbolic sizes have the bits of eager ones."""
    torch._dynamo.reset()
    x = torch.tensor([3e9, -5, torch.nan, 300, 1e20, -0.0])
    with pto.torch.exact():
        expected = assigned(x, torch.zeros(6, dtype=torch.uint8))
        got = torch.compile(assigned, fullgraph=True, dynamic=True)(x, torch.zeros(6, dtype=torch.uint8))
    assert wrong(got, expected) == [0] * len(expected)


def test_compiled_where() -> None:
    """The values of where are cast as in eager programs, also NaNs."""
    torch._dynamo.reset()
    x = torch.arange(0, 1 << 16, 7).to(torch.uint16).view(torch.float16)
    y = torch.zeros(x.shape)
    with pto.torch.exact():
        expected = torch.where(y == 0, x, y)
        got = torch.compile(lambda a, b: torch.where(b == 0, a, b), fullgraph=True)(x, y)
    assert wrong((got,), (expected,)) == [0]


def test_compiled_code_is_not_shared() -> None:
    """Code that was compiled outside of the mode is not used inside, and the other way round."""
    torch._dynamo.reset()
    counters.clear()
    x = torch.linspace(1, 2, 1000)
    compiled = torch.compile(through_bf16, fullgraph=True)
    outside = compiled(x)
    assert (outside != through_bf16(x)).sum() > 900  # Inductor removes the rounding
    with pto.torch.exact():
        assert torch.equal(compiled(x), through_bf16(x))
    assert torch.equal(compiled(x), outside)
    assert counters["stats"]["unique_graphs"] == 2
    overflow = torch.tensor([1e9])
    narrow = torch.compile(lambda y: y.to(torch.float8_e5m2), fullgraph=True)
    for saturate, value in ((False, torch.inf), (True, 57344.0), (False, torch.inf)):
        with pto.torch.exact(saturate=saturate):
            assert narrow(overflow).float().item() == value


def test_compiled_model() -> None:
    """The forward and backward graphs of the perceptron have the results of eager execution."""
    model = perceptron()
    x = torch.randn(32, 16)
    with pto.torch.exact():
        results = []
        for run in (model, torch.compile(model, fullgraph=True)):
            model.zero_grad()
            loss = run(x).square().sum()
            loss.backward()
            results.append([loss.detach(), *(parameter.grad.clone() for parameter in model.parameters())])
    for eager, compiled in zip(*results, strict=True):
        torch.testing.assert_close(compiled, eager, rtol=1e-5, atol=1e-6)  # sums are in another order


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the pass of Inductor, compiled casts differ from eager ones."""
    from pto import _torch_exact

    monkeypatch.setattr(_torch_exact, "_replace_nodes", lambda graph, saturate: None)
    torch._dynamo.reset()
    x = torch.from_numpy(np.array([np.nan, -1e10, 300, 1.0], np.float32))
    caches = (
        torch._inductor.config.patch(fx_graph_cache=False),
        torch._functorch.config.patch(enable_autograd_cache=False),
    )
    with pto.torch.exact(), caches[0], caches[1]:
        got = torch.compile(lambda y: y.to(torch.int8), fullgraph=True)(x)
        assert not torch.equal(got, x.to(torch.int8))
    torch._dynamo.reset()
