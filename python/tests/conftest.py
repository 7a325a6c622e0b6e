# SPDX-License-Identifier: MIT
"""Fixtures and hooks that the tests share."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator

import hypothesis
import pytest

import pto

hypothesis.settings.register_profile("quick", max_examples=60, deadline=None)
hypothesis.settings.load_profile("quick")


@pytest.fixture(params=pto.isa.available())
def isa(request: pytest.FixtureRequest) -> Iterator[str]:
    """Runs a test on each backend of the build."""
    before = pto.isa.active()
    pto.isa.use(request.param)
    yield request.param
    pto.isa.use(before)


@pytest.fixture(params=[1, 3])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    pto.set_num_threads(request.param)
    yield request.param
    pto.set_num_threads(1)


TALLY: Counter[tuple[str, str]] = Counter()


@pytest.fixture
def tally() -> Callable[[str, int, int], None]:
    """Counts the forms or cases that were compared with an oracle, and their results. The summary prints the counts."""

    def count(oracle: str, cases: int, results: int) -> None:
        TALLY[oracle, "cases"] += cases
        TALLY[oracle, "results"] += results

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for oracle in sorted({oracle for oracle, _ in TALLY}):
        cases, results = TALLY[oracle, "cases"], TALLY[oracle, "results"]
        terminalreporter.write_line(f"{oracle}: {cases} cases, {results} results on each backend, as expected")


def pytest_report_header() -> str:
    return f"pto {pto.__version__} from {os.path.dirname(pto.__file__)}, backends {', '.join(pto.isa.available())}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Skips a test that needs SLEEF if the build lacks it."""
    try:
        return (yield)
    except NotImplementedError as error:
        pytest.skip(str(error))
