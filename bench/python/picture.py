# SPDX-License-Identifier: MIT
"""One picture of a run: who converts and quantises how much on one core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "pto_bench"  # the same run gives the same file
matplotlib.rcParams["svg.fonttype"] = "none"
import matplotlib.pyplot as plt  # noqa: E402

WANTED = [
    "f32->bf16",
    "f32->f16",
    "f32->e4m3",
    "f32->e5m2",
    "bf16->e4m3",
    "e4m3->f32",
    "MXFP8",
    "MXFP4",
    "NVFP4",
    "FP8 1x128",
]
# Okabe and Ito's colours, which the colour-blind tell apart, and a mark of its own for each.
WHO = {
    "libpto": ("libpto", "#0072B2", "o"),
    "torch": ("torch, torchao", "#E69F00", "s"),
    "torchao": ("torch, torchao", "#E69F00", "s"),
    "jax": ("jax", "#009E73", "^"),
    "compressed_tensors": ("compressed-tensors", "#CC79A7", "D"),
    "numpy": ("NumPy with ml_dtypes", "#999999", "v"),
    "numkong": ("NumKong, into an array that is there", "#000000", "x"),
}
GROUPS = ("casts", "casts to out", "blocks")


def speeds(rows: list[dict[str, Any]]) -> tuple[dict[str, dict[str, float]], int]:
    """Gelem/s of each on one thread, the better of both ways of a cast, at the middle one of the sizes."""
    rows = [r for r in rows if r["threads"] == 1 and r["group"] in GROUPS and r["peer"] in WHO]
    sizes = sorted({row["elements"] for row in rows})
    size = sizes[len(sizes) // 2] if sizes else 0
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        if row["elements"] == size and row["name"] in WANTED:
            cell = found.setdefault(row["name"], {})
            cell["libpto"] = max(cell.get("libpto", 0), size / row["ours_seconds"] * 1e-9)
            label = WHO[row["peer"]][0]
            cell[label] = max(cell.get(label, 0), size / row["theirs_seconds"] * 1e-9)
    return {name: found[name] for name in WANTED if name in found}, size


def draw(document: dict[str, Any], path: Path) -> None:
    cells, size = speeds(document["cells"])
    if not cells:
        return
    ratios = [cell["libpto"] / max(v for who, v in cell.items() if who != "libpto") for cell in cells.values()]
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.4 * len(cells)))
    for label, colour, mark in dict.fromkeys(WHO.values()):
        there = [(cell[label], i) for i, cell in enumerate(cells.values()) if label in cell]
        if there:
            axes.scatter(*zip(*there, strict=True), color=colour, marker=mark, s=45, label=label, zorder=2)
    axes.set_xscale("log")
    axes.set_yticks(range(len(cells)), list(cells))
    axes.set_ylim(len(cells) - 0.5, -0.5)
    axes.set_xlabel(f"Gelem/s of one core, arrays of {size} elements (further right is better)")
    axes.set_title(
        f"libpto is {min(ratios):.2g} to {max(ratios):.0f} times as fast as the fastest other here", fontsize=10
    )
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncol=3)
    axes.grid(linewidth=0.3)
    context = document["context"]
    versions = ", ".join(f"{name} {version}" for name, version in context["versions"].items())
    figure.text(0.01, 0.01, f"{context['cpu']}, {context['date']}; {versions}", fontsize=6)
    figure.tight_layout(rect=(0, 0.03, 1, 1))
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
