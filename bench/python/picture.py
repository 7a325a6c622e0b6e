# SPDX-License-Identifier: MIT
"""One picture of a run: how fast block scaling is on one core, here and in the stacks of Python."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "pto_bench"  # the same run gives the same file
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["font.size"] = 10
import matplotlib.pyplot as plt  # noqa: E402

FORMATS = ["MXFP8", "MXFP4", "NVFP4", "FP8 1x128"]
# Okabe and Ito's colours, which the colour-blind tell apart.
WHO = {
    "libpto": ("libpto", "#0072B2"),
    "torchao": ("torchao", "#E69F00"),
    "compressed_tensors": ("compressed-tensors", "#CC79A7"),
    "numpy": ("NumPy with ml_dtypes", "#999999"),
}
Cells = dict[str, dict[str, float]]


def of_picture(row: dict[str, Any]) -> bool:
    return row["group"] == "blocks" and row["name"] in FORMATS


def speeds(rows: list[dict[str, Any]]) -> tuple[Cells, Cells, int]:
    """Gelem/s of each on one thread at the middle one of the sizes, and how many times as fast libpto is as each.

    A pair is raced by the rule of that stack, so that libpto has a figure for each; the least of them is shown.
    """
    rows = [row for row in rows if row["threads"] == 1 and row["peer"] in WHO and of_picture(row)]
    sizes = sorted({row["elements"] for row in rows})
    size = sizes[len(sizes) // 2] if sizes else 0
    found: Cells = {name: {} for name in FORMATS}
    times: Cells = {name: {} for name in FORMATS}
    for row in rows:
        if row["elements"] == size:
            cell, ours = found[row["name"]], size / row["ours_seconds"] * 1e-9
            cell["libpto"] = min(cell.get("libpto", ours), ours)
            cell[row["peer"]] = size / row["theirs_seconds"] * 1e-9
            times[row["name"]][row["peer"]] = row["theirs_seconds"] / row["ours_seconds"]
    return {name: cell for name, cell in found.items() if cell}, times, size


def speed_ratio(times: float) -> str:
    return f"{times:.0f}" if times >= 10 else f"{times:.1f}"


def title(times: Cells, rows: list[dict[str, Any]]) -> str:
    parts = []
    for peer, (word, _) in WHO.items():
        ratios = [row[peer] for row in times.values() if peer in row]
        if ratios:
            parts.append(f"{word} {speed_ratio(min(ratios))} to {speed_ratio(max(ratios))}")
    same = all(row["differ"] == 0 for row in rows if of_picture(row))
    bytes_are = ", to the same bytes," if same else ""
    return f"How many times as fast libpto quantizes{bytes_are} on one core:\n" + ", ".join(parts)


def draw(document: dict[str, Any], path: Path) -> None:
    cells, times, size = speeds(document["cells"])
    if not cells:
        return
    shown = [who for who in WHO if any(who in cell for cell in cells.values())]
    # Margins are in inches, so that nothing is cut.
    width, height = 8.6, 2.05 + (0.22 * len(shown) + 0.12) * len(cells)
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes((1.1 / width, 1 / height, (width - 1.4) / width, 1 - 2.05 / height))
    step = 0.86 / len(shown)
    fastest = max(value for cell in cells.values() for value in cell.values())
    for i, (name, cell) in enumerate(cells.items()):
        for k, who in enumerate(shown):
            if who not in cell:
                continue
            place = i + step * (k - (len(shown) - 1) / 2)
            axes.barh(place, cell[who], height=0.92 * step, color=WHO[who][1])
            text = f"{cell[who]:#.2g}" + (f" (libpto: {speed_ratio(times[name][who])}x)" if who != "libpto" else "")
            axes.annotate(text, (cell[who], place), (4, 0), textcoords="offset points", va="center", fontsize=8.5)
    axes.set_yticks(range(len(cells)), list(cells), fontsize=11)
    axes.set_ylim(len(cells) - 0.5, -0.5)
    axes.set_xlim(0, 1.1 * fastest)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", linewidth=0.4, color="#cccccc")
    axes.set_axisbelow(True)
    figure.suptitle(title(times, document["cells"]), y=1 - 0.12 / height, fontsize=12, fontweight="bold", va="top")
    handles = [plt.Rectangle((0, 0), 1, 1, color=WHO[who][1], label=WHO[who][0]) for who in shown]
    anchor = (0.5, 1 - 0.55 / height)
    figure.legend(handles=handles, loc="upper center", bbox_to_anchor=anchor, ncol=len(shown), frameon=False)
    words = f"1e9 elements a second, f32 to codes and scales, {size} at a time (longer is better)"
    figure.text(0.5, 0.52 / height, words, ha="center")
    context = document["context"]
    versions = ", ".join(f"{name} {version}" for name, version in context["versions"].items())
    note = (
        "Each stack by its own rule, in eager mode, and libpto by the same; of libpto's figures the least has the bar."
    )
    about = f"{note}\n{context['cpu']}, one core; {versions}; {context['date']}"
    figure.text(0.012, 0.07 / height, about, fontsize=8, color="#444444", va="bottom", linespacing=1.4)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


if __name__ == "__main__":  # python picture.py python.json python.svg: again, from figures that were kept
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
