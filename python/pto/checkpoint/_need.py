# SPDX-License-Identifier: MIT
"""What only checkpoints need, and how their mistakes are told."""

from __future__ import annotations

import importlib
from typing import Any

_EXTRAS = {"dask": "dask", "distributed": "dask", "matplotlib": "plot"}


class CheckpointError(Exception):
    """What is wrong with a checkpoint or with what was asked, in words for the user."""


def need(module: str) -> Any:
    """A package that libpto does not depend on, or a message that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.split(".")[0]
        extra = _EXTRAS.get(name, "checkpoints")
        raise CheckpointError(f"{name} is not installed: pip install 'libpto[{extra}]'") from error
