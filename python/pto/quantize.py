# SPDX-License-Identifier: MIT
"""The command ``python -m pto.quantize``; see ``pto.checkpoint``.

``pto.quantize`` is a function, and the command has to be found under the same name. Who imports this gets the function.
"""

import sys

if __name__ == "__main__":
    from pto.checkpoint._command import quantize_main

    sys.exit(quantize_main())
elif __name__ == "pto.quantize":
    from pto._block import quantize

    sys.modules[__name__] = quantize  # type: ignore[assignment]
