# SPDX-License-Identifier: MIT
"""Optional packages, and the error that the checkpoint tools report to the user."""

from __future__ import annotations

import importlib
from typing import Any

_EXTRAS = {"dask": "dask", "distributed": "dask", "matplotlib": "plot", "gguf": "gguf"}


class CheckpointError(Exception):
    """Raised if a checkpoint or an argument is invalid. The message is shown to the user."""


def need(module: str) -> Any:
    """Imports and returns an optional module. If it is missing, the error names the extra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.split(".")[0]
        extra = _EXTRAS.get(name, "checkpoints")
        raise CheckpointError(f"{name} is not installed; the extra '{extra}' of the package has it") from error


def printable(text: str) -> str:
    """Returns the text with control characters escaped. Names in untrusted files may contain terminal escapes."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
