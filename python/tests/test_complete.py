# SPDX-License-Identifier: MIT
"""Each function of the C headers has a call in Python, or a row in docs/python.md that names the replacement."""

from __future__ import annotations

import fnmatch
import pathlib
import re

import pytest

import pto

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


def declared() -> set[str]:
    """Returns the functions that all C headers declare."""
    headers = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "include" / "pto").glob("*.h"))]
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join(headers), flags=re.DOTALL)
    return set(re.findall(r"\b(pto_[a-z0-9_]+)\s*\(", code))


def called() -> set[str]:
    """Returns the C functions that the package calls, and those whose name a call of the package has."""
    core = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "python" / "core").glob("*.c"))
    return set(re.findall(r"\b(pto_[a-z0-9_]+)\(", core)) | {f"pto_{name}" for name in pto.__all__}


def excused(page: str) -> list[str]:
    """Returns the names and patterns of names in the first column of the page's last table."""
    rows = page.partition("| in C |")[2].splitlines()
    return re.findall(r"`(pto_[a-z0-9_*]+)`", "\n".join(row.split(" | ")[0] for row in rows))


def missing(names: set[str], patterns: list[str]) -> set[str]:
    return {name for name in names - called() if not any(fnmatch.fnmatch(name, one) for one in patterns)}


def test_every_function_of_c() -> None:
    if not PAGE.exists():
        pytest.skip("these sources are without docs")
    patterns = excused(PAGE.read_text(encoding="utf-8"))
    assert len(declared()) > 100
    assert missing(declared(), patterns) == set()
    assert missing({"pto_new_call", "pto_mask_new"}, patterns) == {"pto_new_call", "pto_mask_new"}
    assert [one for one in patterns if not fnmatch.filter(declared(), one)] == []
