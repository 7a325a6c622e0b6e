# SPDX-License-Identifier: MIT
"""A small model in GGUF files: of f32, and quantized by ``python -m pto.quantize``."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest

LAYERS, HEADS, WIDTH, INNER = 2, 4, 256, 512
TYPES = {"gguf-mxfp4": "MXFP4", "gguf-nvfp4": "NVFP4"}
# The tokens of llama.cpp's vocabulary "SPM": three control tokens, all bytes, and some characters.
TOKENS = [b"<unk>", b"<s>", b"</s>", *(b"<0x%02X>" % i for i in range(256)), *(bytes([c]) for c in range(33, 94))]


def shapes() -> dict[str, tuple[int, ...]]:
    """Returns the names and shapes of the tensors of a model of the architecture llama."""
    result: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (len(TOKENS), WIDTH),
        "output_norm.weight": (WIDTH,),
        "output.weight": (len(TOKENS), WIDTH),
    }
    for i in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            result[f"blk.{i}.{name}.weight"] = (WIDTH, WIDTH)
        result[f"blk.{i}.ffn_gate.weight"] = result[f"blk.{i}.ffn_up.weight"] = (INNER, WIDTH)
        result[f"blk.{i}.ffn_down.weight"] = (WIDTH, INNER)
        result[f"blk.{i}.attn_norm.weight"] = result[f"blk.{i}.ffn_norm.weight"] = (WIDTH,)
    return result


def write_model(path: Path, tensors: dict[str, np.ndarray]) -> None:
    """Writes a model with these tensors, which llama.cpp loads."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(128)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(TOKENS)
    writer.add_token_scores([0.0] * len(TOKENS))
    kinds = gguf.TokenType
    writer.add_token_types(
        [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL] + [kinds.BYTE] * 256 + [kinds.NORMAL] * (len(TOKENS) - 259)
    )
    for name, data in tensors.items():
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.fixture(scope="session")
def folder() -> Path:
    """The folder with the libraries and programs that ggml.sh builds."""
    return Path(os.environ["GGML_FOLDER"])


@pytest.fixture(scope="session")
def weights() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    result = {}
    for name, shape in shapes().items():
        x = rng.standard_normal(shape).astype(np.float32)
        result[name] = np.ones(shape, np.float32) if len(shape) == 1 else x / np.float32(np.sqrt(shape[-1]))
    return result


@pytest.fixture(scope="session")
def model(weights: dict[str, np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "model.gguf"
    write_model(path, weights)
    return path


@pytest.fixture(scope="session")
def quantized(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Quantizes the model by a recipe, once, and returns the file."""
    files: dict[str, Path] = {}

    def make(recipe: str) -> Path:
        if recipe not in files:
            out = tmp_path_factory.mktemp(recipe) / "out"
            subprocess.run(
                [sys.executable, "-m", "pto.quantize", "--recipe", recipe, "--quiet", str(model), str(out)], check=True
            )
            files[recipe] = out / "model.gguf"
        return files[recipe]

    return make
