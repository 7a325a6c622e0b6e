# SPDX-License-Identifier: MIT
"""Threads, memory, processes and interpreters."""

from __future__ import annotations

import gc
import os
import pathlib
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import pto

E4M3 = "cvt.rn.satfinite.e4m3x2.f32"


def large() -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.random.default_rng(0).standard_normal(300_001).astype(np.float32)


def results(x: Any) -> list[bytes]:
    """Returns results of calls on all kinds of operands: masks, 4-bit elements, random bits, rows, blocks."""
    m = x[:300_000].reshape(-1, 400)
    even = x[:300_000]
    q = pto.quantize(m[:, :384], "e2m1", "nv.te")
    words = pto.random_bits(7, even.size // 4)
    return [
        r.tobytes()
        for r in (
            pto.cvt(E4M3, x),
            pto.cvt("cvt.rn.satfinite.e2m1x2.f32", x[:-1]),
            pto.cvt("cvt.rs.satfinite.e4m3x4.f32", even, words),
            pto.vcmp(x, 0, "lt", mask="packed"),
            pto.vcmp(x, 0, "lt", mask="image").data,
            pto.vcmp(m[:, 3:30], 0, "lt", mask="packed"),
            pto.vcmpsel(m[::2, 1:], 0, "lt", 0, m[::2, 1:]),
            pto.vmax(m[:3, ::-1], 0),
            q.codes,
            q.scales,
            pto.dequantize(q.codes, q.scales, "e2m1", "nv.te", tensor=q.tensor),
        )
    ]


def test_threads_change_no_bit() -> None:
    want = results(large())
    try:
        for threads in (2, 3, 8, 1):
            pto.set_num_threads(threads)
            assert pto.num_threads() == threads
            assert results(large()) == want
    finally:
        pto.set_num_threads(1)


@pytest.mark.parametrize("threads", [1, 3])
def test_eight_callers_at_once(threads: int) -> None:
    want = results(large())
    pto.set_num_threads(threads)
    try:
        with ThreadPoolExecutor(8) as callers:
            for got in callers.map(results, [large() for _ in range(16)]):
                assert got == want
    finally:
        pto.set_num_threads(1)


def test_the_lock_is_let_go_of() -> None:
    """While one thread converts, this thread continues: it must make progress before the other is done."""
    x = np.ones(60_000_000, np.float32)
    out = np.empty(x.size, np.uint8)
    pto.cvt(E4M3, x, out=out)
    before = sys.getswitchinterval()
    sys.setswitchinterval(100)  # the interpreter does not force a thread to release the GIL
    try:
        begun, done = threading.Event(), []

        def work() -> None:
            begun.set()
            pto.cvt(E4M3, x, out=out)
            done.append(True)

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        steps = 0
        while not done and steps < 100:
            steps += 1
        thread.join()
    finally:
        sys.setswitchinterval(before)
    assert steps == 100


def test_threads_of_the_pool_do_not_survive_a_fork() -> None:
    code = """
import os, warnings
import numpy as np, pto
warnings.simplefilter("ignore")
pto.set_num_threads(3)
x = np.ones(1 << 20, np.float32)
want = bytes(pto.cvt("cvt.rn.f16.f32", x))
child = os.fork()
if child == 0:
    os._exit(0 if bytes(pto.cvt("cvt.rn.f16.f32", x)) == want else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def calls() -> list[Callable[[], object]]:
    x = np.linspace(-3, 3, 1000, dtype=np.float32)
    m = x > 0
    loose = x.reshape(10, 100)[:, ::2]

    def fails() -> None:
        for bad in (lambda: pto.cvt(E4M3, x.astype(int)), lambda: pto.cvt(x, "e4m3"), lambda: pto.vcmp(x, x, "?")):
            try:
                bad()
            except (TypeError, ValueError):
                continue
            raise AssertionError("no error")

    return [
        lambda: pto.cvt(E4M3, x),
        lambda: pto.cvt(E4M3, loose),
        lambda: pto.cvt(x, "e2m1", round="rn", satfinite=True),
        lambda: pto.cvt("cvt.rs.f16x2.f32", x, pto.random_bits(1, 500)),
        lambda: pto.vcmp(x, 0.5, "lt", m, mask="image"),
        lambda: pto.setp("setp.lt.and.f32", x, x, m),
        lambda: pto.set("set.lt.u32.f32", x, x),
        lambda: pto.vsel(x, 1, m),
        lambda: pto.vcmpsel(x, 0, "lt", 0, x),
        lambda: pto.vclamp(x, -1, 1),
        lambda: pto.vcvt(x, "s16", mask=m),
        lambda: pto.run("setp.ge.f32 q, x, 0f3F000000; selp.f32 y, x, x, q;", x=x),
        lambda: pto.quantize(loose, "e2m1", "nv.te", block=(1, 10)),
        lambda: pto.explain("cvt.rn.f16.f32"),
        lambda: pto.forms("cvt", "tf32"),
        fails,
    ]


CALLS, SLACK = 100, 2500  # detects a leak of 25 bytes a call, and tolerates growth of dicts and the like


@pytest.mark.parametrize("number", range(len(calls())))
def test_no_leak(number: int) -> None:
    call, rounds = calls()[number], []
    tracemalloc.start(1)
    try:
        for _ in range(3):
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(CALLS):
                call()
            gc.collect()
            rounds.append(tracemalloc.get_traced_memory()[0] - before)
    finally:
        tracemalloc.stop()
    grown = min(rounds)  # a leak grows in every round, a cache only once
    assert grown < SLACK, f"{grown} bytes"


def test_references_are_given_back() -> None:
    x, out = large()[:100], np.empty(100, np.float16)
    m = x > 0
    objects = (x, out, m, None, np.dtype(np.float16))
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(1000):
        pto.cvt("cvt.rn.f16.f32", x, out=out)
        pto.cvt("cvt.rn.f16.f32", x)
        pto.vsel(x, x, m)
        with pytest.raises(TypeError):
            pto.cvt("cvt.rn.f16.f32", out)
    after = [sys.getrefcount(o) for o in objects]
    assert all(abs(b - a) < 100 for a, b in zip(before, after, strict=True)), (before, after)


def test_the_leak_test_finds_one(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bytes] = []
    monkeypatch.setattr(sys.modules[__name__], "calls", lambda: [lambda: kept.append(bytes(1000))])
    with pytest.raises(AssertionError, match="bytes"):
        test_no_leak(0)


def test_another_interpreter() -> None:
    """NumPy supports one interpreter of a process, and so does pto. It raises an error and does not crash."""
    code = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import pto
one = interpreters.create()
interpreters.run_string(one, '''
try:
    import pto
except ImportError as error:
    print("refused:", error)
else:
    import numpy
    print("taken:", pto.cvt("cvt.rn.f16.f32", numpy.ones(1, numpy.float32)))
''')
interpreters.destroy(one)
import numpy
assert pto.cvt("cvt.rn.f16.f32", numpy.ones(1, numpy.float32)) == 1
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60)
    if "No module named" in done.stderr:
        pytest.skip("this Python has no interpreters module")
    assert done.returncode == 0, done.stderr
    assert "refused:" in done.stdout or "taken: [1.]" in done.stdout


def test_without_ml_dtypes() -> None:
    """Only NumPy is needed. Without ml_dtypes, codes are unsigned integers."""
    code = """
import sys
sys.modules["ml_dtypes"] = None
import numpy as np, pto
x = np.array([1, 2], np.float32)
y = pto.cvt("cvt.rn.bf16.f32", x)
assert y.dtype == np.uint16 and y.tolist() == [0x3F80, 0x4000], y
assert pto.cvt("cvt.f32.bf16", y).tolist() == [1, 2]
assert pto.cvt(y, "f32", src="bf16").tolist() == [1, 2]
q = pto.quantize(x.repeat(32), "e4m3")
assert q.codes.dtype == np.uint8 and q.scales.dtype == np.uint8
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_environment_chooses_the_backend() -> None:
    code = "import pto; print(pto.isa.active())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PTO_ISA": "scalar"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "scalar\n"
    with pytest.raises(ValueError, match="name: one of scalar"):
        pto.isa.use("mmx")


def test_free_threaded() -> None:
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        pytest.skip("this Python has its global lock")
    assert not sys._is_gil_enabled()


def test_an_old_pip_is_told_what_to_do(tmp_path: pathlib.Path) -> None:
    """An old pip builds from a copy of the folder python, which lacks the library; the error says what to do."""
    hook = pathlib.Path(__file__).parents[1] / "from_root.py"
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / hook.name).write_text(hook.read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "python" / hook.name], capture_output=True, text=True)
    assert done.returncode != 0
    assert "RuntimeError: this folder is built with the repository around it: `pip install .` there" in done.stderr
