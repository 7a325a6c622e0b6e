# SPDX-License-Identifier: MIT
"""The commands ``pto.quantize``, ``pto.dequantize`` and ``pto.verify``: arguments, progress and messages."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ._dequantize import TYPES, DequantizeOptions
from ._files import read_object
from ._job import Plan, Task
from ._manifest import Files, is_dequantized, read_manifest
from ._need import CheckpointError, need, printable
from ._plan import Options, recipe_of
from ._recipes import RECIPES, Recipe
from ._run import convert_checkpoint
from ._verify import MIN_SNR, Error, check_files, compare, picture, source_faults, table
from ._work import source_differences


def quantize_main(arguments: Sequence[str] | None = None) -> int:
    return _reported("pto.quantize", lambda: _quantize(_quantize_parser().parse_args(arguments)))


def dequantize_main(arguments: Sequence[str] | None = None) -> int:
    return _reported("pto.dequantize", lambda: _dequantize(_dequantize_parser().parse_args(arguments)))


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
    parser.add_argument("--recipe", required=True, choices=RECIPES, metavar="RECIPE", help=", ".join(RECIPES))
    parser.add_argument("--rule", help="a rule of block scaling in place of the recipe's, of the same family")
    parser.add_argument("--eps", type=float, help="for FP8 recipes: the lower bound of a block's largest magnitude")
    parser.add_argument("--include", action="append", default=[], metavar="PATTERN",
                        help="quantise only these tensors, instead of all known linear layers. Embeddings, heads, "
                        "routers and norms are taken only if the pattern names them. May be given again")  # fmt: skip
    parser.add_argument("--conv1d", action="store_true",
                        help="quantise weights that are stored as [in, out], as in GPT-2, as they are")  # fmt: skip
    parser.add_argument("--input-amax", type=Path, metavar="FILE",
                        help="a JSON of layers and the largest magnitudes of their inputs, for recipes that store "
                        "input_scale")  # fmt: skip
    _add_common(parser, "leave these tensors as they are; may be given again")
    return parser


def _dequantize_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pto.dequantize",
        description="Dequantize a checkpoint of safetensors to bf16, f16 or f32: FP8 of DeepSeek and others, MXFP4 of "
        "gpt-oss, mxfp4 and nvfp4 of GGUF files, and checkpoints of compressed-tensors, llm-compressor, ModelOpt and "
        "pto.quantize. Started again, it goes on where it stopped: files are kept if their source and their own data "
        "still have their digests.",
    )
    parser.add_argument("--dtype", choices=TYPES,
                        help="the type of all float tensors of the result. Default: dequantized tensors get the type "
                        "in config.json, or bf16, and the others stay as they are")  # fmt: skip
    parser.add_argument("--unscaled", action="append", default=[], metavar="PATTERN",
                        help="these FP8 tensors have no scale, and the codes are the values; may be given "
                        "again")  # fmt: skip
    _add_common(parser, "with --dtype: unquantized tensors that keep their type; may be given again")
    return parser


def _add_common(parser: argparse.ArgumentParser, exclude: str) -> None:
    """Adds the arguments that quantizing and dequantizing have in common. ``exclude`` is the help of --exclude."""
    parser.add_argument(
        "source",
        metavar="IN",
        type=Path,
        help="a file of safetensors or GGUF, or a folder with model.safetensors.index.json",
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="a folder for the result")
    parser.add_argument("--exclude", action="append", default=[], metavar="PATTERN", help=exclude)
    parser.add_argument("--allow-nonfinite", action="store_true",
                        help="complete a checkpoint that has NaN or infinity")  # fmt: skip
    parser.add_argument("--shard", type=_shard, default=(0, 1), metavar="I/N",
                        help="do part I of N, counted from 0; the last one completes the checkpoint")  # fmt: skip
    parser.add_argument("--workers", type=_positive, default=1, metavar="K", help="processes on this machine")
    parser.add_argument("--dask", metavar="SCHEDULER", help="a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


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
    _need_packages()
    amaxes = _amaxes(asked.input_amax) if RECIPES[asked.recipe].input_scale else {}
    task = Options(
        asked.source,
        asked.out,
        recipe=asked.recipe,
        rule=asked.rule,
        eps=asked.eps,
        include=asked.include,
        input_amax=amaxes,
        conv1d=asked.conv1d,
        **_common(asked),
    )
    return _convert("pto.quantize", task, asked.quiet)


def _dequantize(asked: argparse.Namespace) -> int:
    _need_packages()
    task = DequantizeOptions(asked.source, asked.out, dtype=asked.dtype, unscaled=asked.unscaled, **_common(asked))
    return _convert("pto.dequantize", task, asked.quiet)


def _need_packages() -> None:
    for package in ("safetensors", "xxhash", "ml_dtypes"):
        need(package)


def _common(asked: argparse.Namespace) -> dict[str, Any]:
    """Returns the arguments that quantizing and dequantizing have in common."""
    return {key: getattr(asked, key) for key in ("exclude", "shard", "workers", "dask", "allow_nonfinite")}


def _convert(command: str, task: Task, quiet: bool) -> int:
    """Makes a checkpoint with a progress bar, and prints the plan and the messages."""
    with need("tqdm").tqdm(unit="B", unit_scale=True, disable=True if quiet else None) as bar:

        def planned(plan: Plan) -> None:
            with bar.external_write_mode(file=sys.stdout):
                print(printable(plan.listing()), flush=True)
            for warning in plan.warnings():
                print(printable(f"{command}: {warning}"), file=sys.stderr)

        def started(size: int) -> None:
            bar.total = size
            bar.refresh()

        def done(name: str, size: int) -> None:
            bar.set_description(name, refresh=False)
            bar.update(size)

        outcome = convert_checkpoint(task, started, done, planned)
    for note in outcome.notes:
        print(printable(f"{command}: {note}"), file=sys.stderr)
    counts = f"{outcome.made} files made, {outcome.kept} were there"
    print(counts + (f"; {outcome.missing} are other parts'" if outcome.missing else f"; {task.out} is complete"))
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
        description="Check a checkpoint that pto.quantize or pto.dequantize made against its manifest, and against its "
        "source.",
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder")
    parser.add_argument("--source", type=Path, metavar="IN",
                        help="what it was made from. A quantized result is dequantized and compared, and other tensors "
                        "must be equal. A dequantized result is made again and compared")  # fmt: skip
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
    recipe = None if is_dequantized(settings) else recipe_of(settings)
    if recipe is not None and recipe.config == "gguf":
        recipe = None  # readers of GGUF have one way to quantize: the tensors are made again and compared
    if recipe is None and (asked.picture or asked.min_snr is not None):
        raise CheckpointError(
            "--picture and --min-snr are for safetensors of pto.quantize; others are compared exactly"
        )
    if asked.picture and not asked.source:
        raise CheckpointError("--picture: needs --source, the comparison that it shows")
    if asked.min_snr is not None and not math.isfinite(asked.min_snr):
        raise CheckpointError(f"--min-snr: a finite number, not {asked.min_snr}")
    found: list[str] = []
    for _, wrong in need("tqdm").tqdm(
        check_files(asked.out, files, others, recipe is not None),
        total=len(files) + 1,
        disable=True if asked.quiet else None,
    ):
        found += wrong
    for line in found:
        print(printable(f"pto.verify: {line}"), file=sys.stderr)
    if found:
        return 1
    print(f"{sum(len(rows) - 1 for rows in files.values())} tensors in {len(files)} files have their digests")
    if not asked.source:
        return 0
    if recipe is None:
        options = DequantizeOptions if is_dequantized(settings) else Options
        return _compare_again(options.of(settings, asked.source, asked.out), files)
    return _compare(asked, settings["recipe"], recipe, files)


def _compare_again(task: Task, files: Files) -> int:
    """Makes all tensors from the source again, and compares them with the manifest."""
    task.check()
    jobs = {job.name: job for job in task.plan().jobs}
    bad = [f"{name}: is not made from this source" for name in sorted(files.keys() - jobs.keys())]
    for name, job in jobs.items():
        bad += source_differences(job, files[name]) if name in files else [f"{name}: is not in the result"]
    for line in bad:
        print(printable(f"pto.verify: {line}"), file=sys.stderr)
    if not bad:
        print("the source gives the same tensors")
    return 1 if bad else 0


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
