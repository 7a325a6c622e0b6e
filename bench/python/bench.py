# SPDX-License-Identifier: MIT
"""Measures libpto's package against other Python packages: python bench.py DIRECTORY.

Each peer runs in a process of its own, one at a time, and each cell is verified before its race. The tables go to
stdout, all figures to DIRECTORY/python.json, and a picture to DIRECTORY/python.svg.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import picture
import tables
from peer import PEERS, SIZES

HERE = Path(__file__).parent
THREADED = {"torch", "jax", "torchao", "compressed_tensors"}  # peers that can use a second thread


def ask(peer: str, threads: int, seconds: float, sizes: list[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Runs a peer and returns its versions and rows. They are empty if it is not installed, which stderr reports."""
    command = [sys.executable, "-B", str(HERE / "peer.py"), peer, f"--threads={threads}", f"--seconds={seconds}"]
    print(f"{peer}, {threads}", file=sys.stderr, flush=True)
    done = subprocess.run([*command, "--sizes", *sizes], stdout=subprocess.PIPE, text=True)
    if done.returncode == 3:
        return {}, []
    if done.returncode != 0:
        sys.exit(f"bench: {peer} ended with {done.returncode}")
    about, *rows = map(json.loads, done.stdout.splitlines())
    return about, rows


def cpu() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").is_file() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def main() -> int:
    parser = argparse.ArgumentParser(description="Race libpto's Python package against its peers.")
    parser.add_argument("out", type=Path, metavar="DIRECTORY")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS))
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES), help="elements")
    parser.add_argument("--seconds", type=float, default=0.2, help="of each race")
    parser.add_argument("--mib", type=int, default=256, help="the checkpoint for the command; 0 for none")
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2], help="of the command")
    parser.add_argument("--quick", action="store_true", help="one thread, 64 Ki elements, short races, no checkpoint")
    asked = parser.parse_args()
    if asked.quick:
        asked.threads, asked.sizes, asked.seconds, asked.mib = [1], ["64Ki"], 0.05, 0
    cpus = len(os.sched_getaffinity(0))
    context: dict[str, Any] = {"cpu": cpu(), "cpus": cpus, "date": date.today().isoformat(), "versions": {}}
    rows: list[dict[str, Any]] = []
    for threads in asked.threads:
        if threads > cpus:
            print(f"bench: {threads} threads: skipped: there are {cpus} CPUs", file=sys.stderr)
            continue
        for peer in asked.peers if threads == 1 else sorted(THREADED.intersection(asked.peers)):
            # libpto uses a second thread only at the larger sizes.
            about, found = ask(peer, threads, asked.seconds, asked.sizes if threads == 1 else asked.sizes[-2:])
            rows += found
            context["versions"] |= about.get("versions", {})
            context["isa"] = about.get("isa") or context.get("isa")
    commands: list[dict[str, Any]] = []
    if asked.mib:
        import command

        commands = command.rows(asked.out / "checkpoint", asked.mib, asked.workers)
    report(asked.out, context, rows, commands)
    return 0


def report(out: Path, context: dict[str, Any], rows: list[dict[str, Any]], commands: list[dict[str, Any]]) -> None:
    versions = ", ".join(f"{name} {version}" for name, version in context["versions"].items())
    print(f"libpto ({context.get('isa')}) on {context['cpu']}, {context['date']}; {versions}")
    print("x: how many times as fast libpto is; a share after it: the result's bytes that differ")
    for text in (tables.tables(rows), tables.threads(rows), tables.command(commands)):
        if text:
            print(text)
    out.mkdir(parents=True, exist_ok=True)
    document = {"context": context, "cells": rows, "command": commands}
    (out / "python.json").write_text(json.dumps(document, indent=1) + "\n")
    picture.draw(document, out / "python.svg")


if __name__ == "__main__":
    sys.exit(main())
