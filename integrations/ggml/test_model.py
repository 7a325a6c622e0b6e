# SPDX-License-Identifier: MIT
"""llama.cpp, in the package xllamacpp, loads and runs models that ``python -m pto.quantize`` has quantized."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from conftest import TOKENS, TYPES, write_model

# A model is run in a process of its own, because a server ends only with its process.
RUN = """
import json, sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel, params.n_gpu_layers, params.verbosity, params.warmup = 256, 1, 0, 0, False
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
for prompt in json.loads(sys.argv[2]):
    request = {"prompt": prompt, "n_predict": 1, "temperature": 0, "n_probs": int(sys.argv[3])}
    answer = server.handle_completions(request)
    print("ANSWER", json.dumps(answer if isinstance(answer, dict) else json.loads(answer)))
"""
PROMPTS = ["A", "LIBPTO", "#$%&", "Z9Z9Z9"]


def log_probabilities(path: Path) -> np.ndarray:
    """Returns the logarithms of the probabilities of all tokens after each prompt."""
    run = subprocess.run(
        [sys.executable, "-c", RUN, str(path), json.dumps(PROMPTS), str(len(TOKENS))], capture_output=True, text=True
    )
    answers = [line.removeprefix("ANSWER ") for line in run.stdout.splitlines() if line.startswith("ANSWER ")]
    assert len(answers) == len(PROMPTS), run.stderr
    result = np.full((len(PROMPTS), len(TOKENS)), np.nan)
    for row, answer in enumerate(answers):
        first: dict[str, Any] = json.loads(answer)["choices"][0]["logprobs"]["content"][0]
        for token in first["top_logprobs"]:
            result[row, token["id"]] = token["logprob"]
    assert not np.isnan(result).any()
    return result


@pytest.mark.parametrize("recipe", TYPES)
def test_llama_cpp_runs_the_model(recipe: str, model: Path, quantized: Callable[[str], Path], tmp_path: Path) -> None:
    """The quantized model computes nearly what a model of f32 computes with the dequantized weights.

    The results are not equal, because llama.cpp quantizes the activations to 8 bits for these types.
    """
    path = quantized(recipe)
    values = {t.name: gguf.quants.dequantize(t.data, t.tensor_type) for t in gguf.GGUFReader(path).tensors}
    write_model(tmp_path / "dequantized.gguf", values)
    got, want, original = (log_probabilities(p) for p in (path, tmp_path / "dequantized.gguf", model))
    error, effect = np.abs(got - want).max(), np.abs(original - want).max()
    print(
        f"integrations: ggml: {recipe} in llama.cpp: log probabilities within {error:.3f} of f32 with the same weights"
    )
    assert error < 0.1 * effect
