# SPDX-License-Identifier: MIT
"""Settings for all tests of this folder."""

import pathlib
import sys
from collections.abc import Iterator

import numpy as np
import pytest

sys.path.append(str(pathlib.Path(__file__).parent.parent / "onnxruntime"))  # models.py, oracle.py, replace_casts.py


@pytest.fixture(autouse=True)
def _signaling_nans() -> Iterator[None]:
    """NumPy warns of signaling NaNs and of overflow when it computes the expected results."""
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        yield
