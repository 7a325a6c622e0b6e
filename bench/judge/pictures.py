# SPDX-License-Identifier: MIT
"""Draws two pictures of a run: python3 pictures.py cells.json DIRECTORY.

Reads the JSON that pto_bench writes with --json, and draws SVG with matplotlib (Debian: python3-matplotlib). peers.svg
compares libpto with Highway and with the compiler's loop, roofline.svg with the speed of memory. Titles are computed
from the figures.
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "pto_bench"  # the same run gives the same file
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["font.size"] = 10
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Patch  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter  # noqa: E402

# The operations that are shown: one or two of each family, including slow ones.
OPERATIONS = {
    "vcmp.lt.u8": "compare u8 (vcmp)",
    "vcmp.lt.f16": "compare f16",
    "vcmp.lt.f32": "compare f32",
    "vcmps.lt.f32": "compare f32 with a scalar (vcmps)",
    "vsel.f32": "select f32 by bits (vsel)",
    "vcmpsel.lt.f32": "compare and select f32 (vcmpsel)",
    "vmax.f32": "maximum f32 (vmax)",
    "vclamp.f32": "clamp f32 (vclamp)",
    "cvt.f16.f32": "convert f32 to f16 (cvt)",
    "cvt.bf16.f32": "convert f32 to bf16",
    "cvt.s32.f32": "convert f32 to s32",
    "cvt.e4m3.f32": "convert f32 to e4m3",
    "cvt.f32.e4m3": "convert e4m3 to f32",
    "quantize.mx.rceil.e4m3.f32": "quantize f32 to MXFP8",
    "dequantize.mx.rceil.f32.e4m3": "dequantize MXFP8 to f32",
    "mask_copy.from3": "shift a mask's bits (mask_copy)",
}
NEAR = 0.9  # share of the roofline that counts as reaching it
# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE, ORANGE = "#0072B2", "#E69F00"


def cells(document):
    """Returns a dict from (operation, size) to the counters of plain cells on the best ISA, and that ISA's name."""
    found, isa = {}, None
    for row in document["benchmarks"]:
        parts = row["name"].split("/iterations:")[0].split("/")
        if len(parts) == 3 and "of_roofline" in row:
            isa = isa or parts[1]
            if parts[1] == isa:
                found[parts[0], parts[2]] = row
    return found, isa


def figure_of(names, title):
    """Makes a figure whose axes have a line for each name. Margins are in inches, so that no label is cut off."""
    width, height = 8.6, 2.05 + 0.36 * len(names)
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes((2.75 / width, 1 / height, (width - 3) / width, 1 - 2.05 / height))
    axes.set_yticks(range(len(names)), [OPERATIONS[name] for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", linewidth=0.4, color="#cccccc")
    axes.set_axisbelow(True)
    figure.suptitle(title, x=0.5, y=1 - 0.12 / height, fontsize=12, fontweight="bold", va="top")
    return figure, axes


def bar(axes, place, start, end, colour, text):
    """Draws a bar with its value at the end. A bar that is too short to be seen also gets a dot."""
    axes.barh(place, end - start, left=start, height=0.34, color=colour)
    if abs(end - start) < 0.05:
        axes.plot([end], [place], marker="o", markersize=4, color=colour, zorder=3)
    ahead = end >= start
    axes.annotate(
        text,
        (end, place),
        xytext=(5 if ahead else -5, 0),
        textcoords="offset points",
        va="center",
        ha="left" if ahead else "right",
        fontsize=8.5,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
    )


def save(figure, document, isa, path, words, notes):
    """Adds a legend, the title of the axis, and a footer with notes and the machine, and writes the file."""
    sides = [Patch(color=colour, label=word) for word, colour in zip(words[1:], (BLUE, ORANGE), strict=True)]
    height = figure.get_figheight()
    figure.legend(handles=sides, loc="upper center", bbox_to_anchor=(0.5, 1 - 0.5 / height), ncol=2, frameon=False)
    figure.text(0.5, 0.52 / height, words[0], ha="center")
    context = document["context"]
    about = f"{context.get('cpu', '')}, {isa}, one core; {context.get('compiler', '')}, "
    about += f"Highway {context.get('highway', '')}; {context['date'][:10]}"
    figure.text(0.012, 0.07 / height, f"{notes}\n{about}", fontsize=8, color="#444444", va="bottom", linespacing=1.4)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def ratio(value):
    return f"{value:.0f}" if value >= 9.95 else f"{value:.2g}" if value < 0.995 else f"{value:.1f}"


def peers(document, path, size="256KiB"):
    """Draws how many times as fast as each of the two peers libpto is."""
    found, isa = cells(document)
    sides = {"x_highway": "Google Highway", "x_loop": "the compiler's loop"}
    # A negative value means that the peer's bits differ. A missing one means that it lacks the operation.
    times = {name: {side: found.get((name, size), {}).get(side, 0) for side in sides} for name in OPERATIONS}
    names = [name for name, row in times.items() if max(row.values()) > 0]
    if not names:
        return
    highway = [times[name]["x_highway"] for name in names if times[name]["x_highway"] > 0]
    loop = [times[name]["x_loop"] for name in names if times[name]["x_loop"] > 0]
    parts = []
    for who, values in (("Highway", highway), ("the compiler's loop", loop)):
        if values:
            faster = sum(round(value, 2) >= 1 for value in values)
            part = f"{ratio(min(values))} to {ratio(max(values))} times the speed of {who}"
            parts.append(f"{part} (at least 1.0 in {faster} of {len(values)})")
    figure, axes = figure_of(names, "libpto has " + ",\nand ".join(parts))
    for i, name in enumerate(names):
        for side, colour, place in zip(sides, (BLUE, ORANGE), (i - 0.19, i + 0.19), strict=True):
            value = times[name][side]
            if value > 0:
                bar(axes, place, 1, value, colour, f"{ratio(value)}x")
    axes.set_xscale("log")
    every = [value for row in times.values() for value in row.values() if value > 0]
    axes.set_xlim(min(0.5, min(every) / 1.7), max(2, max(every) * 1.4))
    axes.axvline(1, color="black", linewidth=1)
    axes.xaxis.set_major_locator(FixedLocator([0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
    words = ["times as fast as the peer, logarithmic (right of the black line libpto is faster)"]
    words += [f"against {who}" for who in sides.values()]
    notes = f"{size[:-3]} KiB a stream. No bar: the peer lacks the operation or gives other bits."
    save(figure, document, isa, path, words, notes)


def roofline(document, path):
    """Draws the share of the memory speed that each operation reaches, in the core's caches and outside them."""
    found, isa = cells(document)
    sizes = {"256KiB": "256 KiB: in the core's caches", "64MiB": "64 MiB: beyond them"}
    names = [name for name in OPERATIONS if all((name, size) in found for size in sizes)]
    if not names:
        return
    parts = []
    for size in ("64MiB", "256KiB"):
        shares = [round(found[name, size]["of_roofline"], 2) for name in names]
        near = sum(share >= NEAR for share in shares)
        parts.append(f"{near} at {size[:-3]} {size[-3:]} (the slowest {min(shares):.0%})")
    title = f"Of {len(names)} operations these reach {NEAR:.0%} of the speed of a plain read or copy:\n"
    figure, axes = figure_of(names, title + ", ".join(parts))
    for i, name in enumerate(names):
        for size, colour, place in zip(sizes, (BLUE, ORANGE), (i - 0.19, i + 0.19), strict=True):
            value = 100 * found[name, size]["of_roofline"]
            bar(axes, place, 0, value, colour, f"{value:.0f}")
    axes.set_xlim(0, 1.08 * max(110, *(100 * found[name, size]["of_roofline"] for name in names for size in sizes)))
    axes.axvline(100, color="black", linewidth=1)
    axes.text(100, -0.62, "plain read or copy", ha="center", va="bottom", fontsize=8.5)
    words = ["% of the speed of reading or copying the same bytes and doing nothing else (longer is better)"]
    notes = "Sizes are of a stream. Beyond 100 %: stores past the caches, which the copy does not use."
    save(figure, document, isa, path, words + list(sizes.values()), notes)


def main():
    cells_path, directory = sys.argv[1:]
    document = json.loads(Path(cells_path).read_text(encoding="utf-8"))
    where = Path(directory)
    where.mkdir(parents=True, exist_ok=True)
    peers(document, where / "peers.svg")
    roofline(document, where / "roofline.svg")


if __name__ == "__main__":
    main()
