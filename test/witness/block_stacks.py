# SPDX-License-Identifier: MIT
"""Reference implementations of block scaling: block_rules.py, and the modules of the folder stacks."""

from importlib import import_module, metadata
from typing import NamedTuple

import block_rules as rules
import numpy as np

STACKS = ("gfloat", "torchao", "compressed_tensors", "modelopt", "quark", "auto_round", "transformers")
STACKS += ("transformer_engine", "ggml", "gguf", "onednn", "onnx")

# Stacks that cannot be compared here, and why. docs/block-scaling.md says how their rules are known.
ABSENT = {
    "fouroversix": "pip builds it with nvcc",
    "FlashInfer": "its package lacks the reference of its tests",
    "ModelOpt, four over six": "its fake quantizer is a GPU kernel",
    "microxcaling": "not on PyPI",
    "ttnn": "no wheel for every Python",
    "CANN": "its golden model is no package",
    "DeepGEMM, vLLM, SGLang": "need a GPU",
}


class Opinion(NamedTuple):
    """The results of a witness for the blocks of a mask, and its documented differences."""

    witness: str
    theirs: rules.Answer
    kept: np.ndarray
    known: tuple = ()


HERE, MISSING = {}, {}  # the modules of stacks that can be imported, and the reasons why others cannot, by name


def load(names):
    for name in names:
        try:
            HERE[name] = import_module(f"stacks.{name}_stack")
        except (ImportError, OSError, RuntimeError) as error:
            MISSING[name] = str(error).splitlines()[0]


def versions():
    """A line with the versions of the packages that were used, and a line for each stack that was skipped."""
    packages = {"numpy", "ml_dtypes"}.union(*(stack.PACKAGES for stack in HERE.values()))
    words = [f"{package} {metadata.version(package)}" for package in sorted(packages)]
    lines = ["witnesses: " + "; ".join(words)]
    return "\n".join(lines + [f"{name}: skipped: {reason}" for name, reason in (MISSING | ABSENT).items()])


def opinions(case, blocks, ours):
    """Yields an Opinion for each reference that takes the case."""
    yield Opinion("numpy", rules.answer(case, blocks), np.full(len(blocks), True))
    for name, stack in HERE.items():
        if case.rule not in stack.RULES:
            continue
        kept = np.full(len(blocks), True) & stack.covers(case, blocks)
        if kept.any():
            part = rules.Answer(*(None if field is None else field[kept] for field in ours))
            theirs = stack.answer(case, blocks[kept], part)
            yield Opinion(name, theirs, kept, tuple(stack.known(case, blocks[kept], part)))
