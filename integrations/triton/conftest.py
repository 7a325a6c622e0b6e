# SPDX-License-Identifier: MIT
"""Settings for all tests of this folder."""

import os
from collections.abc import Iterator

import numpy as np
import pytest

# Triton decides whether it interprets a kernel when the kernel is defined, and for its own kernels when it is imported.
os.environ["TRITON_INTERPRET"] = "1"
os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"  # the default, of which Triton warns


@pytest.fixture(autouse=True)
def _signaling_nans() -> Iterator[None]:
    """NumPy warns of signaling NaNs and of overflow when it computes the expected results."""
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        yield
