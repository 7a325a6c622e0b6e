# SPDX-License-Identifier: MIT
"""The two commands, and what they tell while they work."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ._manifest import read_manifest
from ._need import CheckpointError, need
from ._recipes import RECIPES
from ._run import Options, quantize_checkpoint, recipe_of
from ._verify import Error, check_files, compare, picture, table


def quantize_main(arguments: Sequence[str] | None = None) -> int:
    return _told("pto.quantize", lambda: _quantize(_quantize_parser().parse_args(arguments)))


def verify_main(arguments: Sequence[str] | None = None) -> int:
    return _told("pto.verify", lambda: _verify(_verify_parser().parse_args(arguments)))


def _told(name: str, work: Callable[[], int]) -> int:
    try:
        return work()
    except (CheckpointError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{name}: interrupted; what is done is kept", file=sys.stderr)
        return 130


def _quantize_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pto.quantize",
        description="Quantise a checkpoint of safetensors. Started again, it goes on where it stopped.",
    )
    parser.add_argument("source", metavar="IN", type=Path, help="a file, or a folder with model.safetensors.index.json")
    parser.add_argument("out", metavar="OUT", type=Path, help="a folder for the result")
    parser.add_argument("--recipe", required=True, choices=RECIPES, metavar="RECIPE", help=", ".join(RECIPES))
    parser.add_argument("--rule", help="another rule of block scaling than the recipe's, of the same family")
    parser.add_argument("--eps", type=float, help="of FP8: the least magnitude that a block counts as having")
    parser.add_argument("--include", action="append", default=[], metavar="PATTERN",
                        help="quantise only these tensors, instead of all linear layers but heads, embeddings, norms "
                        "and routers; may be given again")  # fmt: skip
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN",
                        help="leave these tensors as they are; may be given again")  # fmt: skip
    parser.add_argument("--input-amax", type=Path, metavar="FILE",
                        help="a JSON of layers and the largest magnitudes of their inputs, for recipes that store "
                        "input_scale")  # fmt: skip
    parser.add_argument("--shard", type=_shard, default=(0, 1), metavar="I/N",
                        help="do part I of N, from 0 on; who is last completes the checkpoint")  # fmt: skip
    parser.add_argument("--workers", type=_positive, default=1, metavar="K", help="processes on this machine")
    parser.add_argument("--dask", metavar="SCHEDULER", help="a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def _shard(text: str) -> tuple[int, int]:
    try:
        i, n = map(int, text.split("/"))
    except ValueError:
        i, n = 0, 0
    if not 0 <= i < n:
        raise argparse.ArgumentTypeError(f"I/N with 0 <= I < N, not {text!r}")
    return i, n


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a number from 1 on, not {text!r}")
    return int(text)


def _quantize(asked: argparse.Namespace) -> int:
    need("safetensors")
    need("xxhash")
    need("ml_dtypes")
    options = Options(
        asked.source,
        asked.out,
        asked.recipe,
        asked.rule,
        asked.eps,
        asked.include,
        asked.exclude,
        _amaxes(asked.input_amax) if RECIPES[asked.recipe].input_scale else {},
        asked.shard,
        asked.workers,
        asked.dask,
    )
    with need("tqdm").tqdm(unit="B", unit_scale=True, disable=True if asked.quiet else None) as bar:

        def started(size: int) -> None:
            bar.total = size
            bar.refresh()

        def done(name: str, size: int) -> None:
            bar.set_description(name, refresh=False)
            bar.update(size)

        outcome = quantize_checkpoint(options, started, done)
    for name in outcome.plan.odd:
        print(f"pto.quantize: {name} is left as it is: its columns are no whole blocks", file=sys.stderr)
    told = f"{outcome.made} files made, {outcome.kept} were there"
    print(told + (f"; {outcome.missing} are other parts'" if outcome.missing else f"; {asked.out} is complete"))
    return 0


def _amaxes(path: Path | None) -> dict[str, float]:
    if path is None:
        return {}
    try:
        amaxes = json.loads(path.read_bytes())
        numbers = {str(name): float(amax) for name, amax in amaxes.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path}: not names and numbers: {error}") from error
    for name, amax in numbers.items():
        if not 0 <= amax < math.inf:
            raise CheckpointError(f"{path}: {name}: {amax} is no largest magnitude")
    return numbers


def _verify_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pto.verify",
        description="Check a checkpoint that pto.quantize made against its manifest, and against its source.",
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder")
    parser.add_argument("--source", type=Path, metavar="IN", help="what it was made from: dequantise and compare")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="with --source: the table as an SVG, PNG or PDF")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def _verify(asked: argparse.Namespace) -> int:
    settings, files = read_manifest(asked.out)
    if asked.picture and not asked.source:
        raise CheckpointError("--picture: is of the comparison with --source")
    found: list[str] = []
    for _, wrong in need("tqdm").tqdm(
        check_files(asked.out, files), total=len(files) + 1, disable=True if asked.quiet else None
    ):
        found += wrong
    for line in found:
        print(f"pto.verify: {line}", file=sys.stderr)
    if found:
        return 1
    print(f"{sum(len(rows) - 1 for rows in files.values())} tensors in {len(files)} files have their digests")
    if asked.source:
        recipe = recipe_of(settings)
        errors: list[Error] = []
        for rows in files.values():
            errors += compare(asked.out, asked.source, recipe, rows)
        errors.sort(key=lambda error: error.name)
        print(table(errors))
        if asked.picture:
            picture(errors, asked.picture, f"{settings['recipe']}, {recipe.rule}")
    return 0
