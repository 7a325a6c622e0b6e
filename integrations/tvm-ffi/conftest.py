# SPDX-License-Identifier: MIT
"""The module under test, and the kinds of tensors with which the tests call it."""

import importlib.util
import os
from typing import Any

import pytest
import tensors
import tvm_ffi


@pytest.fixture(scope="session")
def module() -> Any:
    return tvm_ffi.load_module(os.environ["PTO_TVM_FFI"])


@pytest.fixture(params=tensors.WAYS)
def way(request: pytest.FixtureRequest) -> tensors.Way:
    if request.param == "torch" and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not here")
    return tensors.WAYS[request.param]
