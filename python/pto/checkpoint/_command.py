# SPDX-License-Identifier: MIT
"""The commands ``pto.quantize`` and ``pto.verify``: arguments, progress and messages."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ._files import read_object
from ._manifest import Files, read_manifest
from ._need import CheckpointError, need, printable
from ._plan import Plan, listing
from ._recipes import RECIPES, Recipe
from ._run import Options, quantize_checkpoint, recipe_of
from ._verify import MIN_SNR, Error, check_files, compare, picture, source_faults, table


def quantize_main(arguments: Sequence[str] | None = None) -> int:
    return _reported("pto.quantize", lambda: _quantize(_quantize_parser().parse_args(arguments)))


def verify_main(arguments: Sequence[str] | None = None) -> int:
    return _reported("pto.verify", lambda: _verify(_verify_parser().parse_args(arguments)))


def _reported(name: str, work: Callable[[], int]) -> int:
    """Runs a command and returns its exit status. Errors are printed without a traceback."""
    try:
        return work()
    except (CheckpointError, OSError) as error:
        print(printable(f"{name}: {error}"), file=sys.stderr)
        return 1
    except MemoryError:
        print(f"{name}: out of memory", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{name}: interrupted; finished files are kept", file=sys.stderr)
        return 130


def _quantize_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pto.quantize",
        description="Quantise the linear layers of a checkpoint of safetensors. Which tensors are taken follows from "
        "config.json and the tensors' names and shapes, and is printed. Started again, it goes on where it stopped: "
        "files are kept if their source and their own data still have their digests.",
    )
    parser.add_argument("source", metavar="IN", type=Path, help="a file, or a folder with model.safetensors.index.json")
    parser.add_argument("out", metavar="OUT", type=Path, help="a folder for the result")
    parser.add_argument("--recipe", required=True, choices=RECIPES, metavar="RECIPE", help=", ".join(RECIPES))
    parser.add_argument("--rule", help="a rule of block scaling in place of the recipe's, of the same family")
    parser.add_argument("--eps", type=float, help="for FP8 recipes: the lower bound of a block's largest magnitude")
    parser.add_argument("--include", action="append", default=[], metavar="PATTERN",
                        help="quantise only these tensors, instead of all known linear layers. Embeddings, heads, "
                        "routers and norms are taken only if the pattern names them. May be given again")  # fmt: skip
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN",
                        help="leave these tensors as they are; may be given again")  # fmt: skip
    parser.add_argument("--conv1d", action="store_true",
                        help="quantise weights that are stored as [in, out], as in GPT-2, as they are")  # fmt: skip
    parser.add_argument("--allow-nonfinite", action="store_true",
                        help="complete a checkpoint that has NaN or infinity")  # fmt: skip
    parser.add_argument("--input-amax", type=Path, metavar="FILE",
                        help="a JSON of layers and the largest magnitudes of their inputs, for recipes that store "
                        "input_scale")  # fmt: skip
    parser.add_argument("--shard", type=_shard, default=(0, 1), metavar="I/N",
                        help="do part I of N, counted from 0; the last one completes the checkpoint")  # fmt: skip
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
    if not (text.isascii() and text.isdigit()) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive integer, not {text!r}")
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
        asked.conv1d,
        asked.allow_nonfinite,
    )
    with need("tqdm").tqdm(unit="B", unit_scale=True, disable=True if asked.quiet else None) as bar:

        def planned(plan: Plan) -> None:
            with bar.external_write_mode(file=sys.stdout):
                print(printable(listing(plan.choice, recipe_of(options.settings()))), flush=True)
            for name in plan.odd:
                print(
                    printable(f"pto.quantize: {name} is left as it is: its columns are no whole blocks"),
                    file=sys.stderr,
                )

        def started(size: int) -> None:
            bar.total = size
            bar.refresh()

        def done(name: str, size: int) -> None:
            bar.set_description(name, refresh=False)
            bar.update(size)

        outcome = quantize_checkpoint(options, started, done, planned)
    for note in outcome.notes:
        print(printable(f"pto.quantize: {note}"), file=sys.stderr)
    counts = f"{outcome.made} files made, {outcome.kept} were there"
    print(counts + (f"; {outcome.missing} are other parts'" if outcome.missing else f"; {asked.out} is complete"))
    return 0


def _amaxes(path: Path | None) -> dict[str, float]:
    if path is None:
        return {}
    numbers = {}
    for name, amax in read_object(path).items():
        if isinstance(amax, bool) or not isinstance(amax, (int, float)):
            raise CheckpointError(f"{path}: {name}: a number, not {amax!r:.60}")
        try:
            numbers[name] = float(amax)
        except OverflowError:
            numbers[name] = math.inf
        if not 0 <= numbers[name] < math.inf:
            raise CheckpointError(f"{path}: {name}: {amax!s:.60} is no largest magnitude")
    return numbers


def _verify_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pto.verify",
        description="Check a checkpoint that pto.quantize made against its manifest, and against its source.",
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder")
    parser.add_argument("--source", type=Path, metavar="IN",
                        help="what it was made from: dequantise and compare; other tensors must be equal")  # fmt: skip
    parser.add_argument("--min-snr", type=float, metavar="DB",
                        help="with --source: the least signal-to-noise ratio of a weight, in decibels. Default: "
                        + ", ".join(f"{bound} for {elem}" for elem, bound in MIN_SNR.items()))  # fmt: skip
    parser.add_argument("--allow-nonfinite", action="store_true",
                        help="with --source: weights whose source has NaN or infinity are no failures")  # fmt: skip
    parser.add_argument("--picture", type=Path, metavar="FILE", help="with --source: the table as an SVG, PNG or PDF")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def _verify(asked: argparse.Namespace) -> int:
    settings, files, others = read_manifest(asked.out)
    recipe = recipe_of(settings)
    if asked.picture and not asked.source:
        raise CheckpointError("--picture: needs --source, the comparison that it shows")
    if asked.min_snr is not None and not math.isfinite(asked.min_snr):
        raise CheckpointError(f"--min-snr: a finite number, not {asked.min_snr}")
    found: list[str] = []
    for _, wrong in need("tqdm").tqdm(
        check_files(asked.out, files, others), total=len(files) + 1, disable=True if asked.quiet else None
    ):
        found += wrong
    for line in found:
        print(printable(f"pto.verify: {line}"), file=sys.stderr)
    if found:
        return 1
    print(f"{sum(len(rows) - 1 for rows in files.values())} tensors in {len(files)} files have their digests")
    return _compare(asked, settings["recipe"], recipe, files) if asked.source else 0


def _compare(asked: argparse.Namespace, name: str, recipe: Recipe, files: Files) -> int:
    errors: list[Error] = []
    for rows in files.values():
        errors += compare(asked.out, asked.source, recipe, rows)
    errors.sort(key=lambda error: error.name)
    print(printable(table(errors)))
    if asked.picture:
        picture(errors, asked.picture, f"{name}, {recipe.rule}")
    bound = MIN_SNR[recipe.elem] if asked.min_snr is None else asked.min_snr
    bad = [line for error in errors if (line := error.fault(bound, asked.allow_nonfinite))]
    bad += source_faults(asked.source, files)
    for line in bad:
        print(printable(f"pto.verify: {line}"), file=sys.stderr)
    return 1 if bad else 0
