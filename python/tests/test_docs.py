# SPDX-License-Identifier: MIT
"""Runs the examples of docs/python.md: each section is a doctest."""

from __future__ import annotations

import doctest
import importlib.util
import pathlib
import re

import numpy as np
import pytest

import pto

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sections(text: str) -> dict[str, str]:
    """Returns the examples under each heading. Other lines are blank, so that line numbers are those of the page."""
    found: dict[str, list[str]] = {}
    heading, inside = "", False
    for at, line in enumerate(text.splitlines()):
        if line.startswith("#") and not inside:
            heading = line.strip("# ")
        if line.startswith("```"):
            inside = line == "```python"
        elif inside:
            found.setdefault(heading, [])
            found[heading] += [""] * (at - len(found[heading]))
            found[heading].append(line)
    return {heading: "\n".join(lines) + "\n" for heading, lines in found.items()}


def failures(name: str, examples: str, report: list[str]) -> int:
    test = doctest.DocTestParser().get_doctest(examples, {"np": np, "pto": pto}, name, str(PAGE), 0)
    assert test.examples
    return doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append).failed


SECTIONS = sections(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}


@pytest.mark.parametrize("name", SECTIONS)
def test_section(name: str) -> None:
    for module in re.findall(r"^>>> import (jax|torch)\b", SECTIONS[name], re.M):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not here")
    report: list[str] = []
    assert failures(name, SECTIONS[name], report) == 0, "".join(report)


def test_there_are_sections() -> None:
    if not PAGE.exists():
        pytest.skip("these sources are without docs")
    assert len(SECTIONS) > 8


def test_a_wrong_page_is_found() -> None:
    page = "# Wrong\n\nText.\n\n```python\n>>> pto.vmax(np.arange(2), 1).tolist()\n[1, 2]\n```\n"
    report: list[str] = []
    assert failures("Wrong", sections(page)["Wrong"], report) == 1
    assert "line 6" in "".join(report)
