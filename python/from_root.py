# SPDX-License-Identifier: MIT
"""The build backend of the repository's root, for pip started in this folder."""

import os

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from scikit_build_core.build import *  # noqa: E402,F403 - the hooks of PEP 517 are all it has
