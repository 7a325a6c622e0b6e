# SPDX-License-Identifier: MIT
"""The command ``python -m pto.verify``; see ``pto.checkpoint``."""

import sys

from pto.checkpoint._command import verify_main

if __name__ == "__main__":
    sys.exit(verify_main())
