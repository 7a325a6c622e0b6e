# SPDX-License-Identifier: MIT
"""Descriptions of instructions, and lists of the legal ones."""

from __future__ import annotations

from collections.abc import Callable

from . import _core

_EXPLAIN: dict[str, tuple[Callable[[str], bytes], Callable[[bytes], str]]] = {
    "cvt": (_core.parse_cvt, _core.explain_cvt),
    "setp": (_core.parse_setp, _core.explain_setp),
    "set": (_core.parse_set, _core.explain_set),
}


def explain(text: str) -> str:
    """Describe what a PTX instruction does. For an invalid one, show the invalid place and what is legal.

    ``text`` begins with ``cvt``, ``setp`` or ``set``; otherwise a ValueError is raised. An invalid modifier or type
    does not raise an error here.

    >>> import pto
    >>> print(pto.explain("cvt.rn.e4m3x2.f32"))
    cvt.rn.e4m3x2.f32
           ^
    e4m3x2 <- f32 needs .satfinite; legal: .rn[.relu].satfinite[.pzo][.scaled::n1::ue8m0]
    """
    if not isinstance(text, str):
        raise TypeError(f"text: a text is wanted, not {text!r}")
    name = text.split(".")[0]
    if name not in _EXPLAIN:
        raise ValueError(f"text: an instruction {', '.join(_EXPLAIN)} is wanted, not {text!r}")
    parse, words = _EXPLAIN[name]
    try:
        return words(parse(text))
    except (TypeError, ValueError) as error:
        return str(error)


def forms(instruction: str = "cvt", to: str | None = None, src: str | None = None) -> list[str]:
    """List every text that ``cvt``, ``setp`` or ``set`` takes. Each form is listed once, in its shortest spelling.

    ``to`` and ``src``, only for ``cvt``, are PTX's names of types; only conversions to or from these types are listed.

    >>> import pto
    >>> pto.forms("cvt", "u8", "s8")
    ['cvt.u8.s8', 'cvt.sat.u8.s8']
    """
    if instruction == "cvt":
        for argument, name in (("to", to), ("src", src)):
            if name is not None and name not in _core.dtype_names():
                raise ValueError(f"{argument}: one of {', '.join(_core.dtype_names())}, not {name!r}")
        return [
            text
            for text, op, _, _ in _core.cvt_forms()
            if text is not None
            and all(w in (None, f) for w, f in zip((to, src), _core.cvt_fields(op)[:2], strict=True))
        ]
    if instruction not in ("setp", "set"):
        raise ValueError(f"instruction: cvt, setp or set, not {instruction!r}")
    if to is not None or src is not None:
        raise ValueError("to, src: they are for cvt alone")
    return _core.setp_forms() if instruction == "setp" else _core.set_forms()


def since(text: str) -> tuple[int, str]:
    """Return the PTX ISA version that introduced a conversion (78 means 7.8), and the first target that supports it.

    >>> import pto
    >>> pto.since("cvt.rn.satfinite.e4m3x2.f32")
    (78, 'sm_89')
    """
    return _core.cvt_since(_core.parse_cvt(text))


def dtypes() -> list[str]:
    """Return the names of libpto's types.

    >>> import pto
    >>> "bf16" in pto.dtypes()
    True
    """
    return _core.dtype_names()


__all__ = ["dtypes", "explain", "forms", "since"]
