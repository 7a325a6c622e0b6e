# SPDX-License-Identifier: MIT
"""Draws how fast block scaling is on one core, in libpto and in the stacks of Python.

    python picture.py python.json python.svg

draws the picture of an earlier run. The SVG is written line by line, without a library, to keep the file small.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

FORMATS = ["MXFP8", "MXFP4", "NVFP4", "FP8 1x128"]
# The colours of Okabe and Ito, which colour-blind readers can distinguish.
WHO = {
    "libpto": ("libpto", "#0072B2"),
    "torchao": ("torchao", "#E69F00"),
    "compressed_tensors": ("compressed-tensors", "#CC79A7"),
    "numpy": ("NumPy with ml_dtypes", "#999999"),
}
Cells = dict[str, dict[str, float]]

# Pixels: of the picture, the bars' left and right ends, the first bar's top, a bar, and the gap between formats.
WIDTH, LEFT, RIGHT, TOP, BAR, GAP = 720, 90, 640, 84, 18, 12


def of_picture(row: dict[str, Any]) -> bool:
    return row["group"] == "blocks" and row["name"] in FORMATS


def speeds(rows: list[dict[str, Any]]) -> tuple[Cells, Cells, int]:
    """Returns Gelem/s of each stack on one thread, how many times as fast libpto is, and the number of elements.

    That number is the middle one of the sizes measured. Each stack is compared by its own rule, so libpto has a figure
    for each stack; the smallest of them is shown.
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


def title(times: Cells, rows: list[dict[str, Any]]) -> list[str]:
    parts = []
    for peer, (word, _) in WHO.items():
        ratios = [row[peer] for row in times.values() if peer in row]
        if ratios:
            parts.append(f"{word} {speed_ratio(min(ratios))} to {speed_ratio(max(ratios))}")
    same = all(row["differ"] == 0 for row in rows if of_picture(row))
    bytes_are = ", to the same bytes," if same else ""
    return [f"How many times as fast libpto quantizes{bytes_are} on one core:", ", ".join(parts)]


def text(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}"{style and " "}{style}>{escape(words)}</text>'


def draw(document: dict[str, Any], path: Path) -> None:
    cells, times, size = speeds(document["cells"])
    if not cells:
        return
    shown = [who for who in WHO if any(who in cell for cell in cells.values())]
    scale = (RIGHT - LEFT) / max(value for cell in cells.values() for value in cell.values())
    bottom = TOP + len(cells) * (BAR * len(shown) + GAP)
    size_of_picture = f'width="{WIDTH}" height="{bottom + 92}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size_of_picture} font-family="sans-serif">',
        "<style>text { font-size: 12px } .m { text-anchor: middle } .e { text-anchor: end }",
        ".t { font-size: 15px; font-weight: bold } .n { font-size: 10px; fill: #444 }</style>",
        f'<rect {size_of_picture} fill="white"/>',
    ]
    for i, line in enumerate(title(times, document["cells"])):
        lines.append(text(WIDTH / 2, 20 + 19 * i, line, 'class="m t"'))
    place = LEFT + 20
    for who in shown:
        lines.append(f'<rect x="{place}" y="52" width="18" height="11" fill="{WHO[who][1]}"/>')
        lines.append(text(place + 24, 62, WHO[who][0]))
        place += 60 + 7 * len(WHO[who][0])
    for tick in range(int((RIGHT - LEFT) / scale) + 1):
        x = LEFT + tick * scale
        lines.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="#ccc"/>')
        lines.append(text(x, bottom + 15, str(tick), 'class="m"'))
    for i, (name, cell) in enumerate(cells.items()):
        y = TOP + GAP / 2 + i * (BAR * len(shown) + GAP)
        lines.append(text(LEFT - 8, y + BAR * len(shown) / 2 + 4, name, 'class="e"'))
        for k, who in enumerate(shown):
            if who in cell:
                width, top = cell[who] * scale, y + BAR * k
                size_of_bar = f'width="{width:.1f}" height="{BAR - 2}"'
                lines.append(f'<rect x="{LEFT}" y="{top + 1:.0f}" {size_of_bar} fill="{WHO[who][1]}"/>')
                times_as_fast = f" (libpto: {speed_ratio(times[name][who])}x)" if who != "libpto" else ""
                lines.append(text(LEFT + width + 5, top + BAR - 5, f"{cell[who]:#.2g}{times_as_fast}"))
    context = document["context"]
    versions = ", ".join(f"{name} {version}" for name, version in context["versions"].items())
    words = f"1e9 elements a second, f32 to codes and scales, {size} at a time (longer is better)"
    lines.append(text(WIDTH / 2, bottom + 37, words, 'class="m"'))
    notes = [
        "Each stack in eager mode, and libpto by the rule of that stack. libpto's bar is the slowest of its figures.",
        f"{context['cpu']}, one core; {context['date']}",
        versions,
    ]
    for i, line in enumerate(notes):
        lines.append(text(8, bottom + 58 + 14 * i, line, 'class="n"'))
    path.write_text("\n".join([*lines, "</svg>"]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
