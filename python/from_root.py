# SPDX-License-Identifier: MIT
"""The build backend for pip started in this folder. It builds from the repository's root."""

import os

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if not os.path.isfile("include/pto/version.h"):  # pip before 21.3 copies only the folder that it is given
    raise RuntimeError(
        "this folder is built with the repository around it: `pip install .` there, or `pip install -U pip`"
    )

from scikit_build_core.build import *  # noqa: E402,F403 - the hooks of PEP 517 are all it has
