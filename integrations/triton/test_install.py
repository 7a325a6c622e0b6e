# SPDX-License-Identifier: MIT
"""Switching pto.triton on and off."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("triton", reason="Triton is not installed: pto.triton is not tested")

import triton
from triton.runtime import interpreter

import pto.triton


def functions() -> dict[str, Any]:
    builder, reduce = vars(interpreter.InterpreterBuilder), vars(interpreter.ReduceOps)
    return {**builder, "min_max": reduce["min_max"], "_convert_float": interpreter._convert_float}


def test_uninstall_restores_the_functions() -> None:
    before = functions()
    pto.triton.install()
    pto.triton.install()
    replaced = {name for name, function in functions().items() if function is not before[name]}
    extremes = {"create_minimumf", "create_minnumf", "create_maximumf", "create_maxnumf", "create_clampf", "min_max"}
    casts = {"_convert_float", "cast_impl", "create_fp_to_fp"}
    assert replaced == casts | extremes | set(pto.triton._COMPARISONS)
    pto.triton.uninstall()
    assert functions() == before
    pto.triton.uninstall()
    assert functions() == before


def test_exact_restores_the_state() -> None:
    before = functions()
    with pto.triton.exact():
        with pto.triton.exact():
            assert functions() != before
        assert functions() != before
    assert functions() == before
    with pytest.raises(KeyError), pto.triton.exact():
        raise KeyError
    assert functions() == before
    pto.triton.install()
    installed = functions()
    with pto.triton.exact():
        assert functions() == installed
    assert functions() == installed
    pto.triton.uninstall()


@pytest.mark.parametrize("version", ["3.8.0", "3.10.0", "4.0.0", "3.90.1", "unknown"])
def test_other_versions_are_refused(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    before = functions()
    monkeypatch.setattr(triton, "__version__", version)
    with pytest.raises(RuntimeError, match=f"Triton {version} is not supported; supported versions: 3.9"):
        pto.triton.install()
    assert functions() == before


@pytest.mark.parametrize("version", ["3.9.1", "3.9.0+git1234"])
def test_patch_versions_are_accepted(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(triton, "__version__", version)
    with pto.triton.exact():
        assert interpreter._convert_float is pto.triton._convert_float


def test_the_import_does_not_import_triton() -> None:
    text = "import sys, pto.triton; sys.exit('triton' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0
