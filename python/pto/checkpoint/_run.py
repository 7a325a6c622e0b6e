# SPDX-License-Identifier: MIT
"""A whole checkpoint: the files of a share, in turn, on a pool or on Dask; then what stands beside them."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path

from ._codec import check_recipe, rule_of_recipe
from ._configs import hf_quant_config, quantization_config
from ._files import INDEX, bytes_of, whole, write_json
from ._manifest import Files, Row, begin, digest, finish, known_files
from ._need import CheckpointError, need
from ._plan import Job, Plan, make_plan, share
from ._recipes import RECIPES, Recipe
from ._work import do_job, end_with_parent, is_done

_NOT_COPIED = ("config.json", "hf_quant_config.json", INDEX)
_RETRIES = 3  # of a file whose Dask worker is lost
_PATIENCE = "20s"  # for a Dask scheduler to answer

Done = Callable[[str, int], None]
"""Told of each file that is done: its name, and the bytes of its source."""


@dataclass
class Options:
    """What was asked; of ``settings`` depends what is made, on the rest who makes it."""

    source: Path
    out: Path
    recipe: str
    rule: str | None = None
    eps: float | None = None
    include: list[str] = field(default_factory=list)
    exclude: list[str] = field(default_factory=list)
    input_amax: dict[str, float] = field(default_factory=dict)
    shard: tuple[int, int] = (0, 1)
    workers: int = 1
    dask: str | None = None

    def settings(self) -> Row:
        row: Row = {"recipe": self.recipe, "rule": self.rule, "eps": self.eps}
        row |= {"include": self.include, "exclude": self.exclude}
        return row | (
            {"input_amax": digest(json.dumps(self.input_amax, sort_keys=True).encode())} if self.input_amax else {}
        )


def recipe_of(settings: Row) -> Recipe:
    if settings["recipe"] not in RECIPES:
        raise CheckpointError(f"--recipe: one of {', '.join(RECIPES)}, not {settings['recipe']}")
    recipe = RECIPES[settings["recipe"]]
    if settings["rule"] is not None:
        recipe = replace(recipe, rule=rule_of_recipe(recipe, settings["rule"]))
    if settings["eps"] is not None:
        recipe = replace(recipe, eps=settings["eps"])
    check_recipe(recipe)
    return recipe


@dataclass(frozen=True)
class Outcome:
    made: int  # files made now
    kept: int  # files that were there and have their digests
    missing: int  # files that other shares still owe; with none the checkpoint is complete
    plan: Plan


def quantize_checkpoint(options: Options, started: Callable[[int], None], done: Done) -> Outcome:
    """Make the share of a checkpoint, and complete it if no other share is missing.

    started is told the bytes that the share reads, done of each file.
    """
    recipe = recipe_of(options.settings())
    _check_places(options)
    _source_config(options)
    plan = make_plan(options.source, options.out, recipe, options.include, options.exclude, options.input_amax)
    begin(options.out, options.settings())
    known = known_files(options.out)
    jobs = share(plan.jobs, *options.shard)
    started(sum(job.size for job in jobs))
    todo = []
    for job in jobs:
        if is_done(job, known.get(job.name)):
            done(job.name, job.size)
        else:
            todo.append(job)
    for job in _do_all(todo, options):
        done(job.name, job.size)
    known = known_files(options.out)
    missing = sum(job.name not in known or not (options.out / job.name).is_file() for job in plan.jobs)
    if missing == 0:
        _complete(options, recipe, plan, {job.name: known[job.name] for job in plan.jobs})
    return Outcome(len(todo), len(jobs) - len(todo), missing, plan)


def _check_places(options: Options) -> None:
    if not options.source.exists():
        raise CheckpointError(f"{options.source}: is not there")
    if options.out.exists() and not options.out.is_dir():
        raise CheckpointError(f"{options.out}: is not a folder")
    if options.out.resolve() == _folder(options.source).resolve():
        raise CheckpointError(f"{options.out}: the result must have a folder of its own")


def _do_all(jobs: list[Job], options: Options) -> Iterator[Job]:
    """Each job as it is done, by whoever is there for it."""
    if options.dask is not None:
        yield from _on_dask(jobs, options.dask)
    elif options.workers > 1 and len(jobs) > 1:
        yield from _on_pool(jobs, options.workers)
    else:
        for job in jobs:
            do_job(job)
            yield job


def _on_pool(jobs: list[Job], workers: int) -> Iterator[Job]:
    """Processes that are started anew: a fork would share what threads of libraries hold.

    They need a while to start, and this process works along from the other end; a small checkpoint may be done by then.
    """
    others = min(workers, len(jobs)) - 1
    context = multiprocessing.get_context("spawn")
    left, done = deque(jobs), deque[Job]()
    with ProcessPoolExecutor(others, context, end_with_parent) as pool, ThreadPoolExecutor(others) as threads:
        fed = [threads.submit(_feed, pool, left, done) for _ in range(others)]
        try:
            for own in _taken(left.pop):
                do_job(own)
                yield own
                yield from _taken(done.popleft)
            for future in as_completed(fed):
                future.result()
                yield from _taken(done.popleft)
        except BrokenProcessPool as error:
            raise CheckpointError("a worker was killed; what is done is kept, start again to go on") from error
        finally:
            left.clear()


def _feed(pool: ProcessPoolExecutor, left: deque[Job], done: deque[Job]) -> None:
    """Gives one process a job at a time; nobody takes another once one has failed.

    None waits inside the pool to be cancelled there: where a worker is killed, most Pythons stumble over such a future.
    """
    try:
        for job in _taken(left.popleft):
            pool.submit(do_job, job).result()
            done.append(job)
    finally:
        left.clear()


def _taken(end: Callable[[], Job]) -> Iterator[Job]:
    """What one end of a deque gives until it is empty, whoever else takes from it."""
    while True:
        try:
            job = end()
        except IndexError:
            return
        yield job


def _on_dask(jobs: list[Job], scheduler: str) -> Iterator[Job]:
    """A task a file. The workers must see the same folders under the same names."""
    distributed = need("distributed")
    try:
        client = distributed.Client(scheduler, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise CheckpointError(f"--dask {scheduler}: {error}") from error
    with client:
        futures = {client.submit(do_job, job, pure=False, retries=_RETRIES): job for job in jobs}
        try:
            for future in distributed.as_completed(list(futures)):
                future.result()
                yield futures[future]
        except distributed.KilledWorker as error:
            raise CheckpointError(f"--dask: workers are lost again and again: {error}") from error
        finally:
            client.cancel(list(futures))


def _complete(options: Options, recipe: Recipe, plan: Plan, files: Files) -> None:
    """What loaders read first comes last, and the manifest behind it all."""
    out = options.out
    if options.source.is_dir():
        _copy_others(options.source, out)
    if plan.has_index:
        weight_map = {row["name"]: name for name, rows in files.items() for row in rows[1:]}
        index = {"metadata": {"total_size": _total_size(files)}, "weight_map": dict(sorted(weight_map.items()))}
        write_json(out / INDEX, index)
    other = hf_quant_config(recipe, plan.ignored)
    if other is not None:
        write_json(out / "hf_quant_config.json", other)
    config = _source_config(options)
    write_json(out / "config.json", config | {"quantization_config": quantization_config(recipe, plan.ignored)})
    finish(out, options.settings(), files)


def _total_size(files: Files) -> int:
    return sum(bytes_of(row["dtype"], tuple(row["shape"])) for rows in files.values() for row in rows[1:])


def _folder(source: Path) -> Path:
    return source if source.is_dir() else source.parent


def _source_config(options: Options) -> Row:
    path = _folder(options.source) / "config.json"
    if not path.is_file():
        return {}
    try:
        config = json.loads(path.read_bytes())
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from error
    if not isinstance(config, dict):
        raise CheckpointError(f"{path}: not an object of JSON")
    if config.get("quantization_config") is not None:
        raise CheckpointError(f"{path}: the checkpoint is quantised already")
    return config


def _copy_others(folder: Path, out: Path) -> None:
    """Tokenizers, licences and the like."""
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.suffix == ".safetensors" or path.name in _NOT_COPIED or path.name[0] == ".":
            continue
        if path.suffix in (".bin", ".pt", ".pth", ".gguf"):  # the same weights once more
            continue
        with open(path, "rb") as source, whole(out / path.name) as file:
            shutil.copyfileobj(source, file)
        with contextlib.suppress(OSError):
            shutil.copymode(path, out / path.name)
