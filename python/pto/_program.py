# SPDX-License-Identifier: MIT
"""Programs in text."""

from __future__ import annotations

from collections.abc import Mapping

from . import _core
from ._arrays import Array, ArrayLike

_LANGUAGES = ("any", "ptx", "pto")  # pto_program_language
_PROFILES = ("ptx", "a5")  # pto_program_profile


def run(
    text: str,
    inputs: Mapping[str, ArrayLike] | None = None,
    /,
    *,
    lanes: int | None = None,
    language: str = "any",
    profile: str = "ptx",
    **registers: ArrayLike,
) -> dict[str, Array]:
    """Run lines of PTX, or of PTO's vector micro-instructions, over arrays; each lane is a thread.

    Parameters
    ----------
    text : the program; see ``pto/program.h`` for what is taken
    inputs, registers : arrays or numbers for the registers that are read before they are written. ``x=...`` is for
        ``x``, or else for PTO's ``%x``. An array has an element a lane, or several that are as wide; a number is the
        same in every lane. A predicate is of bool.
    lanes : how many; as many as the largest input has, if it is not said
    language : ``"ptx"``, ``"pto"``, or what the text looks like
    profile : what PTO's ``ne`` of floats is where an operand is a NaN: false, ``"ptx"``, or true, ``"a5"``

    Returns
    -------
    The registers that the program writes, by name: arrays of the first input's shape, where that has as many elements.

    Raises
    ------
    ValueError : the text is wrong, with line, column and what was expected; a register is read that has no value
    TypeError : an array's dtype is not the register's; there is no such register

    Examples
    --------
    >>> import numpy as np, pto
    >>> pto.run("setp.lt.s32 p, i, n; @p add.s32 j, j, 1;", i=np.arange(4, dtype=np.int32), n=2,
    ...         j=np.full(4, 10, np.int32))["j"]
    array([11, 11, 10, 10], dtype=int32)
    """
    if language not in _LANGUAGES:
        raise ValueError(f"language: one of {', '.join(_LANGUAGES)}, not {language!r}")
    if profile not in _PROFILES:
        raise ValueError(f"profile: one of {', '.join(_PROFILES)}, not {profile!r}")
    given = {**(inputs or {}), **registers}
    return _core.run(text, _LANGUAGES.index(language), _PROFILES.index(profile), lanes, given)


__all__ = ["run"]
