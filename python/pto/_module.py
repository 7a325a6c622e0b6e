# SPDX-License-Identifier: MIT
"""Runs kernels of PTX files on arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import _core

Size = int | tuple[int, ...]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel.

    ``type`` is the declared type, ``bytes`` the size. ``pointer`` is true if the kernel uses the parameter as an
    address of global memory, and ``written`` if the kernel stores to that memory.
    """

    name: str
    type: str
    bytes: int
    pointer: bool
    written: bool


def _three(size: Size, name: str) -> tuple[int, int, int]:
    parts = (size,) if isinstance(size, int) else tuple(size)
    if not 1 <= len(parts) <= 3:
        raise ValueError(f"{name}: expected 1 to 3 numbers, not {len(parts)}")
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z


class Kernel:
    """A kernel of a module. Calling it launches it.

    Attributes
    ----------
    name : the name of the kernel
    parameters : a tuple of ``Parameter``
    block : the block size that a launch must have, as (x, y, z), or None if the kernel requires no size
    shared_bytes : the size of the shared memory that the kernel declares for each block
    problem : None, or the line and the reason why the kernel is not supported; calling it then raises ValueError
    """

    def __init__(self, module: object, number: int, entry: tuple[Any, ...]) -> None:
        self._module = module
        self._number = number
        self.name: str = entry[0]
        self.parameters = tuple(Parameter(*fields) for fields in entry[1])
        self.block: tuple[int, int, int] | None = entry[2] if entry[2][0] else None
        self.shared_bytes: int = entry[3]
        self.problem: str | None = entry[4]

    def __call__(self, grid: Size, block: Size, *arguments: Any, shared_bytes: int = 0) -> None:
        """Launch the kernel for ``grid`` blocks of ``block`` threads.

        An argument for a pointer is an array in CPU memory, of NumPy, torch or any framework with DLPack; the kernel
        reads and writes the memory of the array. Other arguments are numbers, or bytes for a struct. None, and
        arguments that are left out, are null pointers or 0. The blocks are divided among ``pto.num_threads()``
        threads. ``shared_bytes`` is the size of dynamic shared memory of each block.

        Raises TypeError if an argument does not fit its parameter, and ValueError if the launch is not possible or the
        kernel accesses memory outside its arrays. In the last case the message has the line, the thread, the array
        and the byte.
        """
        _core.module_launch(
            self._module, self._number, _three(grid, "grid"), _three(block, "block"), arguments, shared_bytes
        )

    def __repr__(self) -> str:
        parameters = ", ".join(f"{p.type} {'*' * p.pointer}{p.name}" for p in self.parameters)
        return f"<pto.Kernel {self.name}({parameters})>"


class Module(Mapping[str, Kernel]):
    """A PTX module from nvcc, clang or Triton: a mapping from the names of kernels to kernels.

    Kernels that are not supported are in it, too, with the reason in ``Kernel.problem``, if at least one is supported.

    Examples
    --------
    >>> import numpy as np, pto
    >>> module = pto.Module('''
    ... .version 8.0
    ... .target sm_90
    ... .address_size 64
    ... .visible .entry relu(.param .u64 x) {
    ...   .reg .b32 %r<2>; .reg .b64 %rd<4>; .reg .f32 %f<3>;
    ...   ld.param.u64 %rd1, [x];
    ...   mov.u32 %r1, %tid.x;
    ...   cvt.u64.u32 %rd2, %r1;
    ...   shl.b64 %rd2, %rd2, 2;
    ...   add.s64 %rd3, %rd1, %rd2;
    ...   ld.global.f32 %f1, [%rd3];
    ...   max.f32 %f2, %f1, 0f00000000;
    ...   st.global.f32 [%rd3], %f2;
    ...   ret;
    ... }''')
    >>> x = np.array([-1, 2, np.nan, -0.0], np.float32)
    >>> module["relu"](1, 4, x)
    >>> x
    array([0., 2., 0., 0.], dtype=float32)
    """

    def __init__(self, text: str) -> None:
        module = _core.module_new(text)
        self._kernels = {
            entry[0]: Kernel(module, number, entry) for number, entry in enumerate(_core.module_kernels(module))
        }

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        return f"<pto.Module {', '.join(self)}>"


__all__ = ["Kernel", "Module", "Parameter"]
