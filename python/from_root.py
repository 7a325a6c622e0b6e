# SPDX-License-Identifier: MIT
"""The build backend of the repository's root, for pip started in this folder."""

import os

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if not os.path.isfile("include/pto/version.h"):  # pip before 21.3 copies the folder that it is given, and no other
    raise RuntimeError(
        "this folder is built with the repository around it: `pip install .` there, or `pip install -U pip`"
    )

from scikit_build_core.build import *  # noqa: E402,F403 - the hooks of PEP 517 are all it has
