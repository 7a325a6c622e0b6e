# SPDX-License-Identifier: MIT
"""The output of the tutorial is that of tutorial.txt. It is the same on every machine."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
SCRIPT = pathlib.Path("python", "examples", "tutorial.py")
SAID = (HERE / "tutorial.txt").read_text(encoding="utf-8")

pytestmark = pytest.mark.skipif(not (ROOT / "examples" / "data").exists(), reason="these sources are without examples")


def said(root: pathlib.Path, *options: str) -> str:
    command = [sys.executable, "-B", str(root / SCRIPT), *options]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout


def test_it_says_the_same() -> None:
    assert said(ROOT) == SAID


def test_another_rule_is_found(tmp_path: pathlib.Path) -> None:
    script = tmp_path / SCRIPT
    script.parent.mkdir(parents=True)
    script.write_text((ROOT / SCRIPT).read_text(encoding="utf-8").replace('"nv.te"', '"nv.rcp"'), encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert said(tmp_path) != SAID


def test_its_picture(tmp_path: pathlib.Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("matplotlib is not here")
    said(ROOT, "--picture", str(tmp_path / "picture.png"))
    assert (tmp_path / "picture.png").stat().st_size > 10000
