# SPDX-License-Identifier: MIT
"""Optional packages, and the error that the checkpoint tools report to the user."""

from __future__ import annotations

import importlib
from typing import Any

_EXTRAS = {"dask": "dask", "distributed": "dask", "matplotlib": "plot"}


class CheckpointError(Exception):
    """A checkpoint or an argument is invalid. The text is written for the user."""


def need(module: str) -> Any:
    """Imports a package that libpto does not depend on. If it is missing, the error names the pip command."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.split(".")[0]
        extra = _EXTRAS.get(name, "checkpoints")
        raise CheckpointError(f"{name} is not installed: pip install 'libpto[{extra}]'") from error


def printable(text: str) -> str:
    """The text with control characters escaped. Names in foreign files may hold terminal escapes."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
