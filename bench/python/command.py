# SPDX-License-Identifier: MIT
"""Measures the command `python -m pto.quantize` on a checkpoint of random weights, with one worker and with more."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

RECIPES = ["mxfp8", "nvfp4", "fp8-block"]
FILES = 4
WEIGHT = (4096, 4096)  # 32 MiB of bf16, a usual projection
ROUNDS = 3


def make_checkpoint(folder: Path, mebibytes: int) -> int:
    """Writes a checkpoint of several files with an index, and returns its size in bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    random, bf16 = np.random.default_rng(1), np.dtype(ml_dtypes.bfloat16)
    weights = max(1, mebibytes // FILES * 2**20 // (2 * WEIGHT[0] * WEIGHT[1]))
    weight_map: dict[str, str] = {}
    size = 0
    for k in range(FILES):
        name = f"model-{k + 1:05}-of-{FILES:05}.safetensors"
        rows = [f"model.layers.{k * weights + i}.self_attn.o_proj.weight" for i in range(weights)]
        tensors = {row: (random.standard_normal(WEIGHT, np.float32) * 0.02).astype(bf16) for row in rows}
        save_file(tensors, folder / name, {"format": "pt"})
        weight_map |= dict.fromkeys(rows, name)
        size += (folder / name).stat().st_size
    index = {"metadata": {"total_size": size}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "config.json").write_text(json.dumps({"architectures": ["None"], "torch_dtype": "bfloat16"}))
    return size


def seconds_of(source: Path, out: Path, recipe: str, workers: int) -> float:
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "pto.quantize", str(source), str(out), "--recipe", recipe]
    start = time.perf_counter()
    subprocess.run([*command, f"--workers={workers}", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def rows(folder: Path, mebibytes: int, workers: list[int]) -> list[dict[str, Any]]:
    """Measures all recipes in turn and returns the best times of ROUNDS rounds. A first run fills the file cache."""
    source, out = folder / "source", folder / "out"
    size = make_checkpoint(source, mebibytes)
    seconds_of(source, out, RECIPES[0], 1)
    best: dict[tuple[str, int], float] = {}
    for _ in range(ROUNDS):
        for recipe in RECIPES:
            for k in workers:
                seconds = seconds_of(source, out, recipe, k)
                best[recipe, k] = min(seconds, best.get((recipe, k), seconds))
    shutil.rmtree(folder)
    return [
        {"group": "command", "recipe": recipe, "workers": k, "bytes": size, "seconds": seconds}
        for (recipe, k), seconds in best.items()
    ]
