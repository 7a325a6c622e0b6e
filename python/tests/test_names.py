# SPDX-License-Identifier: MIT
"""docs/names.md: every type of pto.cast has a row, and names exist in the packages that are installed."""

import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pto

PAGE = Path(__file__).parents[2] / "docs" / "names.md"


def rows() -> list[list[list[str]]]:
    """Returns for each row of the table of formats, and each of its cells, the names in the cell."""
    table = PAGE.read_text(encoding="utf-8").partition("## Formats")[2].partition("## Roundings")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    return [[re.findall("`([^`]+)`", cell) for cell in line.strip("|").split("|")] for line in lines]


def names(column: int) -> list[str]:
    return [name for row in rows() for name in row[column]]


def missing(owner: Any, column: int) -> list[str]:
    return [name for name in names(column) if not hasattr(owner, name)]


def test_every_type_has_a_row() -> None:
    listed = names(0)
    assert len(listed) == len(set(listed))
    others = re.compile(r"b[0-9]+|bfp[0-9]|.*x[24]")  # no type of pto.cast()
    assert set(listed) == {name for name in pto.dtypes() if not others.fullmatch(name)}


def test_numpy_names() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    assert [name for name in missing(ml_dtypes, 1) if not hasattr(np, name)] == []


@pytest.mark.parametrize(
    ("module", "owner", "column"),
    [
        ("jax.numpy", "", 1),
        ("torch", "", 2),
        ("onnx", "TensorProto", 3),
        ("triton.language", "", 7),
    ],
)
def test_names_of_packages(module: str, owner: str, column: int) -> None:
    pytest.importorskip(module)
    where = importlib.import_module(module)
    assert missing(getattr(where, owner) if owner else where, column) == []
