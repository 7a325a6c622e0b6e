# SPDX-License-Identifier: MIT
"""Ctrl-C ends a long call: Python's signal handler runs during the call, and an exception of the handler ends it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pto

N = 1 << 26  # lanes: enough that each call lasts longer than the time until the signal
Call = Callable[[], Any]


class Stopped(Exception):
    pass


def is_stopped(call: Call) -> bool:
    try:
        call()
    except Stopped:
        return True
    return False


@pytest.fixture
def slow() -> Iterator[None]:
    before = pto.isa.active()
    pto.isa.use("scalar")
    yield
    pto.isa.use(before)


def narrow(n: int = N) -> Any:
    return np.zeros(n, np.uint8)


def wide(cols: int = N) -> Any:
    return np.full(N, 0.3, np.float32).reshape(-1, cols)


CONVERT = "cvt.rn.satfinite.e4m3x2.f32"

# Each function allocates the memory of a call and returns the call.
CALLS: dict[str, Callable[[], Call]] = {
    "cvt": lambda: called(pto.cvt, CONVERT, wide(), out=narrow().reshape(1, -1)),
    "cvt of many rows": lambda: called(pto.cvt, CONVERT, wide(8)[:, :7]),
    "vexp": lambda: called(pto.vexp, wide()),
    "vcmp": lambda: called(pto.vcmp, np.broadcast_to(wide(1 << 20), (4, 64, 1 << 20)), 0, "lt", mask="packed"),
    "quantize": lambda: called(pto.quantize, wide(1 << 10)),
    "quantize a row": lambda: called(pto.quantize, wide()),
    "quantize many matrices": lambda: called(pto.quantize, wide(32)[:, None]),
    "quantize columns": lambda: called(pto.quantize, wide(N // 128), rule="fp8.div", block=(128, 1)),
    "quantize as one block": lambda: called(pto.quantize, wide(1 << 10), "fp8-tensor"),
    "quantize a row as one block": lambda: called(pto.quantize, wide(), "fp8-tensor"),
    "dequantize": lambda: called(pto.dequantize, narrow(), narrow(N // 32)),
    "dequantize e2m1": lambda: called(pto.dequantize, narrow(N // 2), narrow(N // 32), "e2m1"),
    "amax": lambda: called(pto.quantize, wide(1 << 10), "nvfp4"),
    "run": lambda: called(pto.run, "mul.f32 y, x, x;\nsetp.lt.f32 p, y, 0f3F000000;\n" * 8, x=wide()),
    "random_bits": lambda: called(pto.random_bits, 1, 2 * N),
}


def called(function: Callable[..., Any], *args: Any, **named: Any) -> Call:
    return lambda: function(*args, **named)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_the_call(name: str, threads: int, slow: None) -> None:
    call = CALLS[name]()
    raised = 0.0

    def handler(*_: Any) -> None:
        nonlocal raised
        raised = time.thread_time()
        raise Stopped

    before = signal.signal(signal.SIGALRM, handler)
    pto.set_num_threads(threads)
    try:
        begun = time.thread_time()
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        if not is_stopped(call):
            pytest.skip("the call was over before the signal")
        assert raised - begun < 1  # the handler ran during the call, not after it
        assert time.thread_time() - raised < 0.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        pto.set_num_threads(1)
    y = np.arange(-4, 4, dtype=np.float32)
    np.testing.assert_array_equal(pto.vmax(y, 0), np.maximum(y, 0))  # later calls work


def test_a_handler_that_returns_does_not_end_the_call(slow: None) -> None:
    seen = 0

    def handler(*_: Any) -> None:
        nonlocal seen
        seen += 1
        assert pto.vmax(np.ones(1 << 16, np.float32), 2).min() == 2  # a call inside a call

    x = wide()
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.06)
        codes = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert (codes.view(np.uint8) == codes.view(np.uint8)[0]).all()
    assert seen > 0
