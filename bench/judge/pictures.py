# SPDX-License-Identifier: MIT
"""Pictures of a run: python3 pictures.py cells.json extras.json DIRECTORY.

Reads what pto_bench wrote with --json and --extras and draws SVG with matplotlib (Debian: python3-matplotlib).
"""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "pto_bench"  # the same run gives the same file
matplotlib.rcParams["svg.fonttype"] = "none"
import matplotlib.pyplot as plt  # noqa: E402

SIZES = ["8KiB", "256KiB", "4MiB", "64MiB"]
COLOURS = ["#1b6ca8", "#3aa17e", "#e0a030", "#b5443c", "#7a5ba8"]


def cells(document):
    """(operation, isa, size) -> counters, of the plain aligned cells."""
    found = {}
    for row in document["benchmarks"]:
        parts = row["name"].split("/iterations:")[0].split("/")
        if len(parts) == 3 and not row.get("error_occurred"):
            found[tuple(parts)] = row
    return found


def caption(figure, document, words=""):
    """A line at the foot; layouts leave it a strip of its own."""
    context = document["context"]
    peers = ", ".join(context.get(key, "") for key in ("cpu", "compiler"))
    line = f"{words}{peers}, Highway {context.get('highway', '')}, {context['date'][:10]}"
    figure.text(0.01, 6 / 72 / figure.get_figheight(), line, fontsize=7)


def layout(figure, foot=1 / 6):
    """Everything above the foot of so many inches, where the caption is."""
    figure.tight_layout(rect=(0, foot / figure.get_figheight(), 1, 1))


def operations(found, isa, counter):
    names = {name for (name, where, _), row in found.items() if where == isa and counter in row}
    # Of the comparisons one operator, of all that a whole run measures: a picture of them all would be a wall.
    names = {name for name in names if name[0] == "c" or name.startswith(("vsel", "vmax", "vclamp")) or ".lt." in name}
    return sorted(names, key=lambda name: (name.split(".")[0], name))


def bars(document, found, isa, counter, title, path):
    """One group for each operation, one bar for each size."""
    names = operations(found, isa, counter)
    if not names:
        return
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.26 * len(names)))
    for k, size in enumerate(SIZES):
        values = [max(found.get((name, isa, size), {}).get(counter, 0), 0) for name in names]
        places = [i + 0.2 * k - 0.3 for i in range(len(names))]
        axes.barh(places, values, height=0.2, color=COLOURS[k], label=size)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0, 1.3 if counter == "of_roofline" else 4)
    axes.set_title(title, fontsize=10)
    axes.legend(loc="lower right", fontsize=7, title="per stream")
    axes.grid(axis="x", linewidth=0.3)
    caption(figure, document)
    layout(figure)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def overview(document, found, path):
    """A few operations that stand for all: libpto's share of the roofline, and its peers'."""
    wanted = ["vcmp.lt.f32", "vcmp.lt.u8", "vcmp.lt.f16", "vsel.f32", "vcmpsel.lt.f32", "cvt.f16.f32", "cvt.f32.e4m3"]
    isa = next(iter(found))[1]
    sides = [("libpto", None, COLOURS[0]), ("Highway", "x_highway", COLOURS[1]), ("C loop, -O3", "x_loop", COLOURS[2])]
    figure, panels = plt.subplots(1, 4, figsize=(10, 4.6), sharey=True, sharex=True)
    for panel, size in zip(panels, SIZES):
        names = [name for name in wanted if (name, isa, size) in found]
        for k, (label, counter, colour) in enumerate(sides):
            values = []
            for name in names:
                row = found[(name, isa, size)]
                times = row.get(counter, 0) if counter else 1
                values.append(row["of_roofline"] / times if times > 0 else 0)
            places = [i + 0.27 * k - 0.27 for i in range(len(names))]
            panel.barh(places, values, height=0.26, color=colour, label=label)
        panel.axvline(1, color="black", linewidth=0.8)
        panel.set_yticks(range(len(names)), names, fontsize=9)
        panel.set_ylim(len(names) - 0.5, -0.5)
        panel.set_title(f"{size} a stream", fontsize=9)
        panel.tick_params(axis="x", labelsize=8)
        panel.grid(axis="x", linewidth=0.3)
    panels[0].legend(fontsize=8, loc="lower right")
    title = f"How much of the speed of memory each operation reaches, {isa}, one core (longer is better)"
    figure.suptitle(title, fontsize=10)
    words = "share of the roofline: 1 is reading or copying the same bytes and doing nothing else"
    figure.text(0.5, 0.25 / figure.get_figheight(), words, fontsize=9, ha="center")
    beyond = "Beyond 1: stores past the caches, which the copy does not use."
    caption(figure, document, f"{beyond} No bar: the peer lacks it. ")
    layout(figure, 0.4)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def short_calls(document, extras, path):
    calls = extras["short_calls"]
    if not calls:
        return
    isa = calls[0]["isa"]
    names = list(dict.fromkeys(row["call"] for row in calls))
    across = min(6, len(names))
    down = -(-len(names) // across)
    figure, panels = plt.subplots(down, across, figsize=(3.6 * across, 3.6 * down), squeeze=False)
    for panel in panels.flat[len(names) :]:
        panel.set_visible(False)
    for panel, name in zip(panels.flat, names):
        rows = [row for row in calls if row["call"] == name and row["isa"] == isa]
        for k, side in enumerate(("checked", "plan", "highway", "loop", "two_calls")):
            points = [(row["lanes"], row[side]) for row in rows if side in row]
            if points:
                panel.plot(*zip(*points), marker="o", markersize=3, color=COLOURS[k], label=side)
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.set_title(name, fontsize=9)
        panel.set_xlabel("lanes", fontsize=8)
        panel.grid(linewidth=0.3)
    panels[0][0].set_ylabel("ns a call", fontsize=8)
    panels[0][0].legend(fontsize=7)
    caption(figure, document)
    layout(figure)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main():
    cells_path, extras_path, directory = sys.argv[1:]
    document = json.loads(Path(cells_path).read_text(encoding="utf-8"))
    extras = json.loads(Path(extras_path).read_text(encoding="utf-8"))
    where = Path(directory)
    where.mkdir(parents=True, exist_ok=True)
    found = cells(document)
    overview(document, found, where / "overview.svg")
    for isa in dict.fromkeys(isa for _, isa, _ in found):
        bars(document, found, isa, "of_roofline", f"Share of the roofline, {isa}", where / f"roofline-{isa}.svg")
        bars(document, found, isa, "x_highway", f"Speed against Highway, {isa} (1: the same; cut off at 4)",
             where / f"highway-{isa}.svg")
        bars(document, found, isa, "x_loop", f"Speed against the compiler's loop, {isa} (1: the same; cut off at 4)",
             where / f"loop-{isa}.svg")
    short_calls(document, extras, where / "short-calls.svg")


if __name__ == "__main__":
    main()
