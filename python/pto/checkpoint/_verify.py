# SPDX-License-Identifier: MIT
"""Does a checkpoint hold what its manifest says, and how far is it from what it was made of?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ._codec import decode
from ._files import INDEX, Tensor, as_numbers, read_bytes, read_header
from ._manifest import Files, Row, faults
from ._need import CheckpointError, need
from ._recipes import Recipe


@dataclass(frozen=True)
class Error:
    """Of a weight: the largest error, its root mean square, and the signal over the noise in decibels."""

    name: str
    max: float
    rms: float
    snr: float


def check_files(out: Path, files: Files) -> Iterator[tuple[str, list[str]]]:
    """What is wrong with each file, and at last with the folder."""
    for name, rows in files.items():
        yield name, faults(out, rows)
    named = {*files}
    found = [f"{path}: is not in the manifest" for path in sorted(out.glob("*.safetensors")) if path.name not in named]
    for name in ["config.json", *([INDEX] if len(files) > 1 else [])]:
        if not (out / name).is_file():
            found.append(f"{out / name}: is not there")
    yield "", found


def compare(out: Path, source: Path, recipe: Recipe, rows: list[Row]) -> Iterator[Error]:
    """Each weight of a file beside the numbers that it was made from."""
    path = source if source.is_file() else source / rows[0]["source"]
    narrow, wide = read_header(out / rows[0]["file"]), read_header(path)
    weights: dict[str, dict[str, str]] = {}
    for row in rows[1:]:
        if "of" in row:
            weights.setdefault(row["of"], {})[row["role"]] = row["name"]
    for name, parts in sorted(weights.items()):
        if name not in wide:
            raise CheckpointError(f"{path}: {name} is not there")
        data = {role: read_bytes(out / rows[0]["file"], narrow[part]) for role, part in parts.items()}
        yield _error(recipe, path, wide[name], data)


def _error(recipe: Recipe, path: Path, weight: Tensor, parts: dict[str, np.ndarray]) -> Error:
    x = as_numbers(read_bytes(path, weight), weight)
    worst, noise, signal = 0.0, 0.0, 0.0
    for row, y in decode(recipe, weight, parts):
        want = _rows(recipe, x, row, len(y)).astype(np.float32)
        difference = y.astype(np.float64) - want
        worst = float(np.fmax(worst, np.abs(difference).max(initial=0.0)))
        worst = math.nan if np.isnan(difference).any() else worst
        noise += float(np.square(difference).sum())
        signal += float(np.square(want, dtype=np.float64).sum())
    if noise == 0:
        return Error(weight.name, worst, 0.0, math.inf)
    snr = 10 * math.log10(signal / noise) if signal else -math.inf
    return Error(weight.name, worst, math.sqrt(noise / x.size), snr)


def _rows(recipe: Recipe, x: np.ndarray, row: int, count: int) -> np.ndarray:
    """Rows of a weight, of experts as matrices of [out, in] behind one another."""
    if not recipe.experts:
        return x[row : row + count]
    out = x.shape[2]
    return np.concatenate([x[r // out, :, r % out][None] for r in range(row, row + count)])


def table(errors: list[Error]) -> str:
    width = max(len("weight"), *(len(error.name) for error in errors))
    lines = [f"{'weight':<{width}}  {'max error':>10}  {'RMS':>10}  {'SNR dB':>7}"]
    for error in errors:
        lines.append(f"{error.name:<{width}}  {error.max:>10.3e}  {error.rms:>10.3e}  {error.snr:>7.2f}")
    return "\n".join(lines)


def picture(errors: list[Error], path: Path, title: str) -> None:
    """SNR of the weights, in the order of the table; which weights are bad is seen at once."""
    matplotlib = need("matplotlib")
    matplotlib.use("Agg")
    pyplot = need("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(7, 1.5 + 0.22 * len(errors)) if len(errors) < 60 else (7, 7))
    axes.plot([error.snr for error in errors], range(len(errors)), "o", color="#1f6f8b")
    if len(errors) < 60:
        axes.set_yticks(range(len(errors)), [error.name for error in errors], fontsize=7)
    else:
        axes.set_ylabel("weight, by the line of the table")
    axes.invert_yaxis()
    axes.set_xlabel("signal over noise, dB")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.4)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
