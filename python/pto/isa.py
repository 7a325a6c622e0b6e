# SPDX-License-Identifier: MIT
"""The instruction sets that libpto has kernels for. All give the same bits.

>>> from pto import isa
>>> "scalar" in isa.available()
True
>>> isa.active() in isa.available()
True
"""

from __future__ import annotations

from . import _core


def available() -> list[str]:
    """Those of this build that this CPU can run."""
    return [name for i, name in enumerate(_core.isa_names()) if _core.isa_available(i)]


def active() -> str:
    """The one in use: the best, or what the environment variable PTO_ISA said when the library was first used."""
    return _core.isa_active()


def use(name: str) -> None:
    """Use this one from here on, in every thread. ValueError where it is not available."""
    if name not in available():
        raise ValueError(f"name: one of {', '.join(available())}, not {name!r}")
    _core.isa_use(_core.isa_names().index(name))


__all__ = ["active", "available", "use"]
