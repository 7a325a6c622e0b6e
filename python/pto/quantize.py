# SPDX-License-Identifier: MIT
"""The command ``python -m pto.quantize``; see ``pto.checkpoint``.

``pto.quantize`` is a function, and the command has to be found under the same name. An import of the command puts it in
the function's place, so it can be called as that.
"""

from __future__ import annotations

import sys
import types

from pto._block import quantize


class _Callable(types.ModuleType):
    __call__ = staticmethod(quantize)


if __name__ == "__main__":
    from pto.checkpoint._command import quantize_main

    sys.exit(quantize_main())
elif __name__ in sys.modules:
    sys.modules[__name__].__class__ = _Callable
