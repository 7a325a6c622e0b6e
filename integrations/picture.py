# SPDX-License-Identifier: MIT
"""Draws the table "Before and after" of docs/integrations.md: wrong results, and how many times as fast libpto is.

    python integrations/picture.py docs/integrations.md docs/integrations.svg

The SVG is written line by line, without a library, to keep the file small.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

# The colours of Okabe and Ito, which colour-blind readers can distinguish.
BEFORE, AFTER = "#E69F00", "#0072B2"

# Pixels: of the picture, the two scales' left and right ends, the first bar's top, and a row.
WIDTH, WRONG, WRONG_END, SPEED, SPEED_END, TOP, ROW = 860, 270, 500, 560, 800, 84, 30


class Row(NamedTuple):
    project: str
    operation: str
    wrong_before: float  # shares of all results
    wrong_after: float
    times_as_fast: float | None


def share(words: str) -> float:
    """Returns the share of "3 of 12", and 0 for "0"."""
    count, _, total = words.replace(",", "").partition(" of ")
    return float(count) / float(total) if total else float(count)


def rows_of(page: str) -> list[Row]:
    """Returns the rows of the table below the heading "Before and after"."""
    lines = page.split("## Before and after", 1)[1].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| ---")) + 1
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        project, operation, before, after, times = [cell.strip() for cell in line.strip("|").split("|")]
        rows.append(Row(project, operation, share(before), share(after), None if times == "-" else float(times)))
    return rows


def text(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}"{style and " "}{style}>{escape(words)}</text>'


def bar(x: float, y: float, width: float, colour: str) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{max(width, 1.5):.1f}" height="10" fill="{colour}"/>'


def short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 or value == 0 else f"{value:.2g}"


def draw(rows: list[Row]) -> str:
    bottom = TOP + ROW * len(rows)
    largest = max(row.wrong_before for row in rows)
    speeds = [math.log10(row.times_as_fast) for row in rows if row.times_as_fast is not None]
    least, most = math.floor(min(*speeds, 0)), math.ceil(max(speeds))
    per_decade = (SPEED_END - SPEED) / (most - least)
    one = SPEED - least * per_decade  # as fast as before
    size = f'width="{WIDTH}" height="{bottom + 34}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">',
        "<style>text { font-size: 12px } .m { text-anchor: middle } .e { text-anchor: end }",
        ".t { font-size: 15px; font-weight: bold } .n { font-size: 10px; fill: #444 }</style>",
        f'<rect {size} fill="white"/>',
        text(WIDTH / 2, 22, "Other projects before and after libpto", 'class="m t"'),
        text(WRONG, 52, "wrong results"),
        text(SPEED, 52, "times as fast with libpto"),
        bar(WRONG, 62, 18, BEFORE),
        text(WRONG + 24, 71, "before"),
        bar(WRONG + 80, 62, 18, AFTER),
        text(WRONG + 104, 71, "with libpto"),
    ]
    for decade in range(least, most + 1):
        x = one + decade * per_decade
        lines.append(f'<path d="M{x:.0f} {TOP}V{bottom}" stroke="#ccc"/>')
        lines.append(text(x, bottom + 15, f"{10.0**decade:,.4g}", 'class="m n"'))
    for i, row in enumerate(rows):
        y = TOP + ROW * i
        lines.append(text(8, y + 13, row.project))
        lines.append(text(8, y + 25, row.operation, 'class="n"'))
        for share_of_all, colour, top in ((row.wrong_before, BEFORE, y + 4), (row.wrong_after, AFTER, y + 16)):
            width = share_of_all / largest * (WRONG_END - WRONG)
            lines.append(bar(WRONG, top, width, colour))
            lines.append(text(WRONG + width + 5, top + 9, short(100 * share_of_all) + " %", 'class="n"'))
        if row.times_as_fast is None:
            continue
        end = one + math.log10(row.times_as_fast) * per_decade
        lines.append(bar(min(one, end), y + 10, abs(end - one), AFTER))
        lines.append(text(max(one, end) + 5, y + 19, short(row.times_as_fast), 'class="n"'))
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(draw(rows_of(Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")
