# SPDX-License-Identifier: MIT
"""The module as users have it: the examples of the README, threads, global functions, tensors of TVM FFI and jax."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi

import pto

README = (Path(__file__).parent / "README.md").read_text()


def example(language: str) -> str:
    (text,) = re.findall(rf"```{language}\n(.*?)```", README, re.S)
    return str(text)


def test_python_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(os.environ["PTO_TVM_FFI"]).parent)
    text = example("python")
    assert len(text.splitlines()) <= 12
    exec(text, {})


def test_cpp_example(tmp_path: Path) -> None:
    text = example("cpp")
    (tmp_path / "example.cpp").write_text(text)
    flags = subprocess.run(
        ["tvm-ffi-config", "--cxxflags", "--ldflags", "--libs"], capture_output=True, text=True, check=True
    ).stdout.split()
    libraries = next(flag for flag in flags if flag.startswith("-L"))[2:]
    command = ["g++", "example.cpp", "-o", "example", *flags, f"-Wl,-rpath,{libraries}"]
    subprocess.run(command, cwd=tmp_path, check=True)
    folder = Path(os.environ["PTO_TVM_FFI"]).parent
    output = subprocess.run([tmp_path / "example"], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert output == "56 254 127 42\n"


def test_threads(module: Any) -> None:
    """Threads that use one module have their own results and their own errors, and do not wait for each other."""
    assert module.cvt.release_gil
    wrong: list[Any] = []

    def work(seed: int) -> None:
        x = np.random.default_rng(seed).standard_normal(1 << 14).astype(np.float32)
        want, y = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x).view(np.uint8), np.zeros(len(x), np.uint8)
        for i in range(100):
            y[:] = 0
            module.cvt("cvt.rn.satfinite.e4m3x2.f32", x, y, None)
            if not np.array_equal(y, want):
                wrong.append((seed, i))
            try:
                module.cvt("cvt.rn.satfinite.e4m3x2.f32", x, y[:seed], None)
            except ValueError as error:
                if f"({seed},)" not in str(error):
                    wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_global_functions(module: Any) -> None:
    """Compiled kernels call global functions by name."""
    tvm_ffi.register_global_func("pto.mask_count", module.mask_count)
    assert tvm_ffi.get_global_func("pto.mask_count")(np.array([True, False, True]), 3) == 2


def test_tensors_of_tvm_ffi(module: Any) -> None:
    x, y = (tvm_ffi.from_dlpack(np.array(a, np.float32)) for a in ([-1, 2], [0, 0]))
    module.vrelu(None, "", x, y)
    assert np.from_dlpack(y).tolist() == [0, 2]


@pytest.mark.filterwarnings("ignore")
def test_sources_of_jax(module: Any) -> None:
    """Arrays of jax are sources, also with dtypes that NumPy lacks. They are immutable, so they are no destinations."""
    jnp = pytest.importorskip("jax.numpy")
    for name in ("float32", "bfloat16", "float8_e4m3fn", "float8_e5m2"):
        x, y = jnp.array([1.5, -2, 0.25], getattr(jnp, name)), np.zeros(3)
        module.cast(None, None, "rn", "ieee", x, y, None)
        assert y.tolist() == [1.5, -2, 0.25], name
