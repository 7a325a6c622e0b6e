# SPDX-License-Identifier: MIT
"""Settings for all tests of this folder."""

from collections.abc import Iterator

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pto.torch.exact is not tested")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """NumPy warns of NaNs and overflow when it computes the expected results."""
    with np.errstate(all="ignore"):
        yield
