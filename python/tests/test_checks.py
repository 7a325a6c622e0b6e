# SPDX-License-Identifier: MIT
"""Runs the checks of ``checks.py``: each passes on every backend, and each finds the fault planted for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pto
from checks import CHECKS, Check, Faulty

NAMES = [check.__name__ for check, _, _ in CHECKS]


@pytest.mark.parametrize("check", [check for check, _, _ in CHECKS], ids=NAMES)
def test_holds(check: Check, isa: str) -> None:
    check(pto)


@pytest.mark.parametrize(("check", "name", "fault"), CHECKS, ids=NAMES)
def test_finds_its_fault(check: Check, name: str, fault: Callable[..., Any]) -> None:
    with pytest.raises(AssertionError):
        check(Faulty(name, fault))


def test_every_call_has_a_check() -> None:
    """Every call has a check, except those listed here: second names of other calls, calls without computation, and
    kernels, which test_kernels.py tests."""
    others = {"vcmps", "vsels", "vselr", "vselrv2"}
    others |= {"Image", "Quantized", "dtypes", "explain", "forms", "isa", "rules", "since"}
    others |= {"num_threads", "set_num_threads", "scales_unswizzle", "block_unpack"}
    others |= {"Kernel", "Module", "Parameter"}
    assert {name for _, name, _ in CHECKS} | others == {*pto.__all__}
