# SPDX-License-Identifier: MIT
"""transformers: the fine-grained FP8 quantizer of weights."""

from types import SimpleNamespace

import block_rules as rules
from transformers.integrations.finegrained_fp8 import Fp8Quantize

from stacks import tensors

PACKAGES = ("transformers", "torch")
RULES = ("fp8.hf",)


def covers(case, blocks):
    return True


def answer(case, blocks, ours):
    settings = SimpleNamespace(weight_block_size=(1, blocks.shape[1]), scale_fmt="float")
    operation = Fp8Quantize(SimpleNamespace(quantization_config=settings))
    found = operation.convert({"a.weight": tensors.tensor(case, blocks)})
    scales = tensors.as_floats(found["a.weight_scale_inv"])
    return rules.Answer(tensors.as_bytes(found["a.weight"], blocks), scales, None)


def known(case, blocks, ours):
    return ()
