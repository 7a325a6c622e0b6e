# SPDX-License-Identifier: MIT
"""Formats the results as tables."""

from __future__ import annotations

from itertools import groupby
from typing import Any

Row = dict[str, Any]

TITLES = {
    "calls": "a call, us",
    "calls in jit": "a call of pto.jax in jit, us",
    "casts": "casts to a new array, Gelem/s",
    "casts to out": "casts into an array that is there, Gelem/s",
    "casts in jit": "casts by pto.jax in jit, Gelem/s",
    "blocks": "block scaling to new arrays, Gelem/s",
    "lanes": "compare, select, maxima, Gelem/s",
}
SIZES = {1: "1", 64: "64", 1 << 16: "64 Ki", 1 << 20: "1 Mi", 1 << 24: "16 Mi"}


def figure(row: Row) -> str:
    """Formats both figures, how many times as fast libpto is, and the share of bytes that differ, if any."""
    seconds, n = (row["ours_seconds"], row["theirs_seconds"]), row["elements"]
    values = [1e6 * s if row["group"].startswith("calls") else n / s * 1e-9 for s in seconds]
    text = "".join(f"{value:9.3g}" if value < 1000 else f"{value:9.0f}" for value in values)
    share = f" {100 * row['differ']:.1g}%" if row["differ"] else ""
    return text + f"{seconds[1] / seconds[0]:8.2f}{share:8}"


def table(rows: list[Row], peer: str, threads: int, group: str) -> str:
    cells = {(row["name"], row["elements"]): row for row in rows}
    names, sizes = list(dict.fromkeys(name for name, _ in cells)), sorted({size for _, size in cells})
    lines = [f"\n{peer}, {threads} thread{'s' * (threads > 1)}: {TITLES[group]}"]
    lines.append(f"{'elements':20}" + "".join(f"{SIZES.get(size, size):>20}{'':14}" for size in sizes).rstrip())
    lines.append(f"{'':20}" + "".join(f"{'libpto':>9}{'peer':>9}{'x':>8}{'':8}" for _ in sizes).rstrip())
    for name in names:
        found = (cells.get((name, size)) for size in sizes)
        lines.append((f"{name:20}" + "".join(figure(row) if row else f"{'-':>26}{'':8}" for row in found)).rstrip())
    return "\n".join(lines)


def tables(rows: list[Row]) -> str:
    def key(row: Row) -> tuple[str, int, str]:
        return row["peer"], row["threads"], row["group"]

    order = list(dict.fromkeys(map(key, rows)))
    found = sorted(rows, key=lambda row: order.index(key(row)))
    return "\n".join(table(list(some), *which) for which, some in groupby(found, key))


def threads(rows: list[Row]) -> str:
    """Formats libpto's speedup by threads, from the best time of each cell over all peers."""
    best: dict[tuple[str, int, int], float] = {}
    for row in rows:
        if row["group"] in ("casts", "blocks"):
            cell = row["ours"], row["elements"], row["threads"]
            best[cell] = min(row["ours_seconds"], best.get(cell, row["ours_seconds"]))
    more = max((k for _, _, k in best), default=1)
    lines = [f"\nlibpto, {more} threads over one: x"]
    for call in dict.fromkeys(call for call, _, _ in best):
        both = [n for c, n, k in best if c == call and k == more > 1 and (c, n, 1) in best]
        pairs = [(n, best[call, n, 1] / best[call, n, more]) for n in both]
        if pairs:
            lines.append(f"{call:48}" + "".join(f"{SIZES.get(n, n):>8}{x:6.2f}" for n, x in pairs))
    return "\n".join(lines) if len(lines) > 1 else ""


def command(rows: list[Row]) -> str:
    if not rows:
        return ""
    workers = sorted({row["workers"] for row in rows})
    size = rows[0]["bytes"]
    lines = [f"\npython -m pto.quantize, {size / 2**20:.0f} MiB of bf16 in the system's cache; GB/s of what is read"]
    lines.append(f"{'recipe':20}" + "".join(f"{f'{k} worker' + 's' * (k > 1):>12}" for k in workers))
    for recipe in dict.fromkeys(row["recipe"] for row in rows):
        seconds = {row["workers"]: row["seconds"] for row in rows if row["recipe"] == recipe}
        lines.append(f"{recipe:20}" + "".join(f"{size * 1e-9 / seconds[k]:12.2f}" for k in workers))
    return "\n".join(lines)
