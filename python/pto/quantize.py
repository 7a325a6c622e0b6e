# SPDX-License-Identifier: MIT
"""The command ``python -m pto.quantize``; see ``pto.checkpoint``.

The function ``pto.quantize`` has the same name. Importing this module replaces the attribute ``pto.quantize`` by the
module, so the module can be called like the function.
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
