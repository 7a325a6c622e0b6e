# SPDX-License-Identifier: MIT
"""The command ``python -m pto.dequantize``; see ``pto.checkpoint``.

The function ``pto.dequantize`` has the same name, so the module can be called like it, as ``pto.quantize`` can.
"""

from __future__ import annotations

import sys
import types

from pto._block import dequantize


class _Callable(types.ModuleType):
    __call__ = staticmethod(dequantize)


if __name__ == "__main__":
    from pto.checkpoint._command import dequantize_main

    sys.exit(dequantize_main())
elif __name__ in sys.modules:
    sys.modules[__name__].__class__ = _Callable
