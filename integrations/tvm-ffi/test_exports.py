# SPDX-License-Identifier: MIT
"""Every public call on arrays is exported, with its parameters in the order of C, and tested."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import test_calls

INCLUDE = Path(__file__).parents[2] / "include" / "pto"
# Exports that are no calls on arrays: they compute what block scaling needs, the sizes of its results and the
# second-level value.
OTHERS = {"block_sizes", "block_tensor"}


def array_calls() -> dict[str, list[str]]:
    """Returns the calls of the headers that take a count of elements and an array or a mask, and their parameters."""
    calls = {}
    for header in sorted(INCLUDE.glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for name, declared in re.findall(r"PTO_CALL pto_status pto_(\w+)\(([^)]*)\);", text):
            parameters = [" ".join(p.split()) for p in declared.split(",")]
            names = [re.sub(r"\[\d*\]$", "", p).split(" ")[-1].lstrip("*") for p in parameters]
            arrays = any(re.match(r"(const )?(void|u?int\w+_t) \*|pto_(mask|in) ", p) for p in parameters)
            objects = any(re.match(r"(const )?pto_(plan|program|module) \*", p) for p in parameters)
            if arrays and not objects and {"n", "words", "rows"} & set(names):
                calls[name] = names
    return calls


def exports() -> set[str]:
    """Returns the names of the functions of TVM FFI in the module."""
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", os.environ["PTO_TVM_FFI"]], capture_output=True, text=True, check=True
    ).stdout
    return set(re.findall(r" T __tvm_ffi_(\w+)$", symbols, re.M))


def missing(exported: set[str]) -> set[str]:
    return set(array_calls()) - exported


def test_every_array_call_is_exported() -> None:
    assert len(array_calls()) > 50
    assert missing(exports()) == set()
    assert exports() - set(array_calls()) == OTHERS


@pytest.mark.parametrize("name", array_calls())
def test_a_missing_export_is_found(name: str) -> None:
    assert missing(exports() - {name}) == {name}


def test_every_export_is_tested() -> None:
    assert set(test_calls.CHECKS) == exports()


def test_the_parameters_are_those_of_c(module: Any) -> None:
    """The names of the arguments in messages are those of the headers, without counts, strides and results."""
    source = (Path(__file__).parent / "pto_tvm_ffi.cpp").read_text().replace('"\n    "', "")
    signatures = dict(re.findall(r'"(\w+)\(([^"]*)\)"\)', source))
    assert set(signatures) == exports()
    structs = {"op": {"setp", "set", "cvt", "cast", "vcvt", "vcvt_part"}}
    for name, parameters in array_calls().items():
        ours = signatures[name].split(", ")
        left_out = {"n", "rows", "cols", "stride", "codes_stride", "scales_stride", "words", "count", "index", "amax"}
        if name.startswith("mask_"):
            left_out = {"out"}
        if name == "vpermute":
            left_out -= {"index"}
        theirs = [p for p in parameters if p not in left_out]
        if name in structs["op"] or "wide" in ours:
            start = {"op"} | ({"wide", "elem", "rule", "round", "pow2", "two_level", "tensor", "block_rows"})
            start |= {"block_cols", "text", "not_c", "dst_type", "src_type", "round", "overflow", "rnd", "sat"}
            theirs, ours = ([p for p in ps if p not in start] for ps in (theirs, ours))
        assert ours == theirs, name
