# SPDX-License-Identifier: MIT
"""The instruction sets for which libpto has kernels. Results are bit-identical on all of them.

>>> from pto import isa
>>> "scalar" in isa.available()
True
>>> isa.active() in isa.available()
True
"""

from __future__ import annotations

from . import _core


def available() -> list[str]:
    """Return the names of the instruction sets that this build has and this CPU can run."""
    return [name for i, name in enumerate(_core.isa_names()) if _core.isa_available(i)]


def active() -> str:
    """Return the instruction set in use: that of PTO_ISA in the environment at the first call, or else the best."""
    return _core.isa_active()


def use(name: str) -> None:
    """Use this instruction set from now on, in every thread. Raises ValueError if it is not available."""
    if name not in available():
        raise ValueError(f"name: one of {', '.join(available())}, not {name!r}")
    _core.isa_use(_core.isa_names().index(name))


__all__ = ["active", "available", "use"]
