# SPDX-License-Identifier: MIT
"""Checks a checkpoint against its manifest, and compares its weights with those of the source."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ._codec import coded_by, count_nonfinite, decode
from ._files import INDEX, Tensor, as_numbers, checkpoint_files, read_bytes, read_header, read_index, read_object
from ._gguf import SUFFIX
from ._manifest import Files, Row, digest_in_file, faults
from ._need import CheckpointError, need
from ._others import other_faults
from ._recipes import Recipe

# The lowest signal-to-noise ratios, in decibels, of a correct weight, with a margin. Rounding to e2m1 results in 12 or
# more, even if a block has only one large element. The types with three mantissa bits result in 25 or more.
MIN_SNR = {"e4m3": 20.0, "e2m3": 20.0, "e2m1": 8.0}
_LEAST_NORMAL = 2.0**-126  # smaller errors come from flushed subnormals


@dataclass(frozen=True)
class Error:
    """The errors of a weight: the largest, the root mean square, and the signal-to-noise ratio in decibels."""

    name: str
    max: float
    rms: float
    snr: float
    nonfinite: int = 0  # elements of the source that are NaN or infinite

    def fault(self, bound: float, allow_nonfinite: bool) -> str:
        """Returns why the weight fails, or an empty string."""
        if self.nonfinite and allow_nonfinite:
            return ""
        if math.isnan(self.max) or math.isnan(self.snr) or math.isinf(self.max):
            elements = f"; its source has {self.nonfinite} elements that are NaN or infinite" if self.nonfinite else ""
            return f"{self.name}: the error is not finite{elements}"
        if self.snr < bound and self.max > _LEAST_NORMAL:
            return f"{self.name}: the signal-to-noise ratio is {self.snr:.2f} dB, less than {bound:g}"
        return ""


def check_files(out: Path, files: Files, others: list[Row], quantized: bool) -> Iterator[tuple[str, list[str]]]:
    """Yields the name of each file of tensors with a list of its faults, and last "" with the faults of other files.

    A quantized checkpoint must have a config.json, unless it consists of GGUF files.
    """
    for name, rows in files.items():
        yield name, faults(out, rows)
    there = sorted([*out.glob("*.safetensors"), *out.glob(f"*{SUFFIX}")])
    found = [f"{path}: is not in the manifest" for path in there if path.name not in files]
    if not files:
        found.append(f"{out}: the manifest lists no file of tensors")
    found += other_faults(out, others)
    if len(files) == 1 and (out / INDEX).exists() and not any(row["other"] == INDEX for row in others):
        found.append(f"{out / INDEX}: is not in the manifest, but loaders read it first")
    indexed = len(files) > 1 and not any(name.endswith(SUFFIX) for name in files)
    for name in [*(["config.json"] if quantized else []), *([INDEX] if indexed else [])]:
        if not any(row["other"] == name for row in others):
            found += _unlisted(out, name, files)
    yield "", found


def _unlisted(out: Path, name: str, files: Files) -> list[str]:
    """Returns the faults of a file that loaders need and for which the manifest has no digest."""
    if not (out / name).is_file():
        return [f"{out / name}: is not there"]
    try:
        if name != INDEX:
            given = read_object(out / name).get("quantization_config")
            return [] if isinstance(given, dict) else [f"{out / name}: has no quantization_config"]
        wanted = {row["name"]: file for file, rows in files.items() for row in rows[1:]}
        return [] if read_index(out) == wanted else [f"{out / name}: does not list the tensors of the files"]
    except CheckpointError as error:
        return [str(error)]


def compare(out: Path, source: Path, recipe: Recipe, rows: list[Row]) -> Iterator[Error]:
    """Yields the errors of each weight of a file."""
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
        try:
            yield _error(recipe, path, wide[name], data)
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"{path}: {name}, {wide[name].dtype} {list(wide[name].shape)}, is not what {out} was made from: {error}"
            ) from error


def source_faults(source: Path, files: Files) -> list[str]:
    """Returns a message for each tensor that only the source or only the result has, and for each copy that differs."""
    rows = [row for _, *tensors in files.values() for row in tensors]
    copies = {row["name"]: row for row in rows if "of" not in row}
    quantized = {row["of"] for row in rows if "of" in row}
    found = []
    for path in checkpoint_files(source):
        for name, tensor in read_header(path).items():
            row = copies.pop(name, None)
            if row is None:
                found += [] if name in quantized else [f"{path}: {name} is not in the result"]
            elif [tensor.dtype, list(tensor.shape)] != [row["dtype"], row["shape"]]:
                found.append(f"{path}: {name} is {tensor.dtype} {list(tensor.shape)}, not as in the result")
            elif digest_in_file(path, tensor) != row["xxh3"]:
                found.append(f"{path}: {name} is not quantized, but has other bytes than in the result")
    return found + [f"{source}: {name} is not there" for name in copies]


def _error(recipe: Recipe, path: Path, weight: Tensor, parts: dict[str, np.ndarray]) -> Error:
    x = as_numbers(read_bytes(path, weight), weight)
    nonfinite = count_nonfinite(x)
    worst, noise, signal = 0.0, 0.0, 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        for row, y in decode(coded_by(recipe, weight), parts):
            want = _rows(recipe, x, row, len(y)).astype(np.float32)
            difference = y.astype(np.float64) - want
            worst = float(np.maximum(worst, np.abs(difference).max(initial=0.0)))  # keeps a NaN
            noise += float(np.square(difference).sum())
            signal += float(np.square(want, dtype=np.float64).sum())
    if noise == 0:
        return Error(weight.name, worst, 0.0, math.inf, nonfinite)
    if not (math.isfinite(noise) and math.isfinite(signal)):
        return Error(weight.name, worst, math.nan, math.nan, nonfinite)
    snr = 10 * math.log10(signal / noise) if signal else -math.inf
    return Error(weight.name, worst, math.sqrt(noise / x.size), snr, nonfinite)


def _rows(recipe: Recipe, x: np.ndarray, row: int, count: int) -> np.ndarray:
    """Returns rows of a weight. Stacks of experts count as [out, in] matrices, one after the other."""
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
    """Draws the signal-to-noise ratios of the weights, in the order of the table."""
    matplotlib = need("matplotlib")
    matplotlib.use("Agg")
    pyplot = need("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(7, 1.5 + 0.22 * len(errors)) if len(errors) < 60 else (7, 7))
    axes.plot([error.snr for error in errors], range(len(errors)), "o", color="#1f6f8b")
    if len(errors) < 60:
        axes.set_yticks(range(len(errors)), [error.name for error in errors], fontsize=7)
    else:
        axes.set_ylabel("weight, by its line in the table")
    axes.invert_yaxis()
    axes.set_xlabel("signal-to-noise ratio, dB")
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.4)
    figure.tight_layout()
    try:
        figure.savefig(path)
    except ValueError as error:
        raise CheckpointError(f"--picture: {error}") from error
    finally:
        pyplot.close(figure)
