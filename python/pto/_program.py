# SPDX-License-Identifier: MIT
"""Runs programs of PTX and PTO that are given as text."""

from __future__ import annotations

from collections.abc import Mapping

from . import _core
from ._arrays import Array, ArrayLike

_LANGUAGES = ("any", "ptx", "pto")  # in the order of pto_program_language
_PROFILES = ("ptx", "a5")  # in the order of pto_program_profile


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
    """Run a program of PTX, or of PTO's vector micro-instructions, on arrays. Each lane is a thread.

    Parameters
    ----------
    text : the program; ``pto/program.h`` lists the supported instructions
    inputs, registers : arrays or numbers for the registers that are read before they are written. ``x=...`` sets the
        register ``x``, or PTO's ``%x`` if there is no ``x``. An array has one element for each lane, or several
        narrower ones that together have the register's width. A number is the same in every lane. A predicate is an
        array of bool.
    lanes : the number of lanes. The default is that of the largest input.
    language : ``"ptx"`` or ``"pto"``; ``"any"`` detects it from the text
    profile : the result of PTO's ``ne`` of floats if an operand is a NaN: false with ``"ptx"``, true with ``"a5"``

    Returns
    -------
    A dict from the names of the registers that the program writes to their values, which are arrays. A value has the
    shape of the first input that has one element for each lane, if that has as many elements; otherwise it has one
    dimension.

    Raises
    ------
    ValueError : the text is invalid (the message has line, column and what was expected), or a register is read that
        has no value
    TypeError : the dtype of an array does not fit the register, there is no such register, or it is given twice

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
    for name in inputs or {}:
        if name in registers:
            raise TypeError(f"{name}: it is given twice")
    given = {**(inputs or {}), **registers}
    return _core.run(text, _LANGUAGES.index(language), _PROFILES.index(profile), lanes, given)


__all__ = ["run"]
