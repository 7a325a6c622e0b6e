# SPDX-License-Identifier: MIT
"""Makes a checkpoint: first the files of tensors, in this process, in several or on Dask, then the other files."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ._files import INDEX, bytes_of, write_json
from ._gguf import SUFFIX
from ._job import Job, Plan, Task, share
from ._manifest import (
    Files,
    Row,
    begin,
    digest_of_file,
    drop_manifest,
    exclusive,
    finish,
    known_files,
    known_others,
    manifest_state,
    remove_parts,
    write_part,
)
from ._need import CheckpointError, need
from ._others import check_names, copy_others, folder_of, other_files, remove_others, stray_tensors
from ._work import block_interrupts, do_job, end_with_parent, is_checked, is_current, is_done, stat_of

_RETRIES = 3  # how often a file is tried again after its Dask worker was lost
_PATIENCE = "20s"  # how long to wait for an answer of the Dask scheduler

T = TypeVar("T")
Done = Callable[[str, int], None]
"""Is called for each file that is done, with its name and the bytes of its source."""


@dataclass(frozen=True)
class Outcome:
    made: int  # files that this call made
    kept: int  # valid files from earlier calls
    missing: int  # files that other shards have to make; if 0, the checkpoint is complete
    plan: Plan
    notes: list[str] = field(default_factory=list)  # messages about other files and about loading


def convert_checkpoint(
    task: Task, started: Callable[[int], None], done: Done, planned: Callable[[Plan], None] = lambda plan: None
) -> Outcome:
    """Makes the files of one shard of a checkpoint, and completes the checkpoint if no other shard's file is missing.

    ``planned`` is called with the plan, ``started`` with the number of bytes to read, ``done`` after each file.
    """
    task.check()
    _check_places(task)
    plan = task.plan()
    check_names(task.source, [job.name for job in plan.jobs])
    names, notes = other_files(task.source, task.out, plan.sources | {job.name for job in plan.jobs})
    notes += stray_tensors(task.source, plan.sources)
    notes += plan.notes()
    planned(plan)
    before = manifest_state(task.out)
    message = begin(task.out, task.settings())
    notes += [message] if message else []
    _remove_stale(task, plan)
    jobs = share(plan.jobs, *task.shard)
    started(sum(job.size for job in jobs))
    kept, todo = _sorted_out(task, jobs, done)
    mine = dict(kept)
    for job, rows in _do_all(todo, task):
        mine[job.name] = rows
        done(job.name, job.size)
    with exclusive(task.out):
        if manifest_state(task.out) not in (None, before):
            # Another share has completed the checkpoint after this one had made its files.
            remove_parts(task.out)
            return Outcome(len(todo), len(kept), 0, plan, notes)
        known = _all_known(task, plan, mine)
        _check_finite(known, task)
        missing = len(plan.jobs) - len(known)
        if missing == 0:
            remove_others(task.out, _stale_others(task.out, plan, names))
            _complete(task, plan, known, copy_others(task.source, task.out, names))
    return Outcome(len(todo), len(kept), missing, plan, notes)


def _remove_stale(task: Task, plan: Plan) -> None:
    """Removes files of tensors that were made from an earlier source and are no longer in the plan."""
    names = {job.name for job in plan.jobs}
    with exclusive(task.out):
        listed = known_files(task.out)
        for path in sorted([*task.out.glob("*.safetensors"), *task.out.glob(f"*{SUFFIX}")]):
            if path.name not in names and path.name not in listed:
                raise CheckpointError(f"{path}: is neither in the plan nor in the manifest; remove it")
        for name in listed.keys() - names:
            (task.out / name).unlink(missing_ok=True)


def _stale_others(out: Path, plan: Plan, names: list[str]) -> set[str]:
    """Returns files other than tensors that were made from an earlier source. ``names`` are the files to copy.

    An index is stale if the plan has a single file, even if no manifest lists it.
    """
    wanted = {*names, *(job.name for job in plan.jobs), *plan.configs()}
    if plan.has_index:
        wanted.add(INDEX)
    return {name for name in (*known_others(out), INDEX) if name not in wanted and not name.startswith(".")}


def _sorted_out(task: Task, jobs: list[Job], done: Done) -> tuple[Files, list[Job]]:
    """Returns the rows of files that are valid, and the jobs for the others.

    A listed file that is not valid is removed, so that no process considers the checkpoint complete. If the source of
    one file has changed, the manifest is replaced by parts. They count after their shards have checked them.
    """
    with exclusive(task.out):
        known = known_files(task.out)
    kept: Files = {}
    todo = []
    for job in jobs:
        rows = known.get(job.name)
        stat = stat_of(job)
        if rows is not None and is_done(job, rows):
            kept[job.name] = [rows[0] | {"stat": stat}, *rows[1:]]
            done(job.name, job.size)
            continue
        todo.append(job)
        if rows is not None:
            (task.out / job.name).unlink(missing_ok=True)
            if not is_current(job, rows):
                with exclusive(task.out):
                    drop_manifest(task.out, task.settings())
    return kept, todo


def _all_known(task: Task, plan: Plan, mine: Files) -> Files:
    """Returns the rows of all files of the plan that count. The caller must hold the lock.

    A file counts if this shard or, according to its part, another one has checked it, and its source is still the same.
    ``mine`` has the files of this shard. If other files are missing, these get parts.
    """
    known = known_files(task.out)
    found: Files = {}
    changed = []
    for job in plan.jobs:
        listed = [rows for rows in (mine.get(job.name), known.get(job.name)) if rows is not None]
        checked = [rows for rows in listed if is_checked(job, rows)]
        if not checked and job.name in mine:
            changed.append(str(job.source))
        elif checked and (task.out / job.name).is_file():
            found[job.name] = checked[0]
    if len(found) < len(plan.jobs):
        for name in mine.keys() & found.keys():
            if known.get(name) != found[name]:
                write_part(task.out, found[name])
    if changed:
        raise CheckpointError(f"{', '.join(changed)}: the source changed while it was read; start the command again")
    return found


def _check_finite(files: Files, task: Task) -> None:
    """Raises CheckpointError if tensors have NaN or infinity, unless --allow-nonfinite is given.

    The files stay, so a second call with --allow-nonfinite only has to complete the checkpoint.
    """
    found = [
        f"{row.get('of', row['name'])}: {row['nonfinite']}"
        for _, rows in sorted(files.items())
        for row in rows[1:]
        if row.get("nonfinite")
    ]
    if found and not task.allow_nonfinite:
        raise CheckpointError(
            f"values that are NaN or infinite, in {task.searched}:\n  "
            + "\n  ".join(found)
            + f"\nThe checkpoint is not completed. --allow-nonfinite completes it, but {task.consequence}"
        )


def _check_places(task: Task) -> None:
    if not task.source.exists():
        raise CheckpointError(f"{task.source}: is not there")
    if task.out.exists() and not task.out.is_dir():
        raise CheckpointError(f"{task.out}: is not a folder")
    if task.out.resolve() == folder_of(task.source).resolve():
        raise CheckpointError(f"{task.out}: the result must have a folder of its own")


def _do_all(jobs: list[Job], task: Task) -> Iterator[tuple[Job, list[Row]]]:
    """Yields each job when it is done, with the rows of its file."""
    if task.dask is not None:
        yield from _on_dask(jobs, task.dask)
    elif task.workers > 1 and len(jobs) > 1:
        yield from _on_pool(jobs, task.workers)
    else:
        for job in jobs:
            yield job, do_job(job)


def _on_pool(jobs: list[Job], workers: int) -> Iterator[tuple[Job, list[Row]]]:
    """Runs jobs in worker processes, and in this process from the other end of the list.

    Workers are spawned, because a fork would copy locks that threads of libraries hold. They need some time to start;
    meanwhile this process may finish a small checkpoint.
    """
    others = min(workers, len(jobs)) - 1
    context = multiprocessing.get_context("spawn")
    left, done = deque(jobs), deque[tuple[Job, list[Row]]]()
    with (
        ProcessPoolExecutor(others, context, end_with_parent) as pool,
        ThreadPoolExecutor(others, initializer=block_interrupts) as threads,
    ):
        fed = [threads.submit(_feed, pool, left, done) for _ in range(others)]
        try:
            for own in _taken(left.pop):
                yield own, do_job(own)
                yield from _taken(done.popleft)
            for future in as_completed(fed):
                future.result()
                yield from _taken(done.popleft)
        except BrokenProcessPool as error:
            raise CheckpointError("a worker was killed; finished files are kept, start again to go on") from error
        finally:
            left.clear()


def _feed(pool: ProcessPoolExecutor, left: deque[Job], done: deque[tuple[Job, list[Row]]]) -> None:
    """Submits one job at a time to the pool and waits for it. After a failure no further job is started.

    Jobs are not queued inside the pool: most versions of Python fail to cancel a waiting future of a killed worker.
    """
    try:
        for job in _taken(left.popleft):
            done.append((job, pool.submit(do_job, job).result()))
    finally:
        left.clear()


def _taken(end: Callable[[], T]) -> Iterator[T]:
    """Yields items from one end of a deque until it is empty. Other threads may take items at the same time."""
    while True:
        try:
            item = end()
        except IndexError:
            return
        yield item


def _on_dask(jobs: list[Job], scheduler: str) -> Iterator[tuple[Job, list[Row]]]:
    """Runs jobs on Dask, one task for each file. The workers must have the same folders under the same names."""
    distributed = need("distributed")
    try:
        client = distributed.Client(scheduler, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        raise CheckpointError(f"--dask {scheduler}: {error}") from error
    with client:
        futures = {client.submit(do_job, job, pure=False, retries=_RETRIES): job for job in jobs}
        try:
            for future in distributed.as_completed(list(futures)):
                yield futures[future], future.result()
        except distributed.KilledWorker as error:
            raise CheckpointError(f"--dask: workers are lost again and again: {error}") from error
        finally:
            client.cancel(list(futures))


def _complete(task: Task, plan: Plan, files: Files, others: list[Row]) -> None:
    """Writes the configuration and the index, which loaders read first, and then the manifest."""
    out = task.out
    made: dict[str, Row] = plan.configs()
    if plan.has_index:
        weight_map = {row["name"]: name for name, rows in files.items() for row in rows[1:]}
        made[INDEX] = {"metadata": {"total_size": _total_size(files)}, "weight_map": dict(sorted(weight_map.items()))}
    for name, content in made.items():
        write_json(out / name, content)
        others.append({"other": name, "xxh3": digest_of_file(out / name)})
    files = {name: [{key: value for key, value in head.items() if key != "stat"}, *rest]
             for name, (head, *rest) in files.items()}  # fmt: skip
    finish(out, task.settings(), plan.removed(), files, sorted(others, key=lambda row: str(row["other"])))


def _total_size(files: Files) -> int:
    return sum(bytes_of(row["dtype"], tuple(row["shape"])) for rows in files.values() for row in rows[1:])
