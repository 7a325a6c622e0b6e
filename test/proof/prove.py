# SPDX-License-Identifier: MIT
"""prove.py [OPTION...] [BACKEND [PATTERN]]: proves what proved.txt does not have, and adds it.

PATTERN selects forms, such as 'cvt.rn.*', or a family, such as 'mask'. Fails if it selects nothing, or if an obligation
is refuted, or is neither proved nor listed in open.txt, or if a worker is killed. Run it in the repository's root.

--changed leaves out what was never proved. --open also tries what open.txt lists. --sample N also proves N obligations
of proved.txt again; the run then ignores z3's earlier answers. --seconds S ends the run after that time; obligations
that were not reached are counted, and are no failure."""

import argparse
import gc
import multiprocessing
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import claims
import compiler
import ir
import obligations
import solve
import z3
from terms import Refused

BUILD = Path("build/proof")
RECURSION = 20000  # expressions are deep
SECONDS = 90  # of CPU time for an obligation
AGAIN = 4  # times SECONDS for one proved before, perhaps on a faster CPU
BACKENDS = ("generic", "avx2", "avx512", *obligations.VARIANT_OF, "neon", obligations.THEORY)
DEFINITION = ("src/scalar/convert.c", "src/scalar/vcvt.c", "src/scalar/kernels.c", "src/scalar/maxmin.c",
              "src/scalar/scaling.c", "src/scalar/scaling_choice.c", "src/core/scaling.c", "src/core/types.c",
              "src/core/vcvt.c")  # fmt: skip
KERNELS = ("convert.c", "kernels.c", "maxmin.c", "scaling.c", "fp16.c", "vbmi.c")
# Programs that print forms, and what they are made of.
FORMS = {
    "forms": ("src/ptx/cvt_forms.c", "src/ptx/format.c", "src/ptx/words.c", "src/core/types.c", "src/core/vcvt.c"),
    "scalings": ("src/calls/block.c", "src/calls/block_prepare.c", "src/core/scaling.c", "src/core/types.c"),
}

module = None  # of a worker process


def ir_file(source):
    return BUILD / "ir" / (source.removeprefix("src/").replace("/", "_")[:-2] + ".ll")


def compile_ir(backends):
    """Compiles the definition and the kernels of backends. Returns the files of IR."""
    commands = compiler.commands(BUILD)
    folders = dict.fromkeys(b.partition("-")[0] for b in backends)
    if "neon" in folders:
        commands |= {f"src/neon/{f}": compiler.for_arm(commands[f"src/generic/{f}"]) for f in KERNELS[:4]}
    sources = [s for s in (*DEFINITION, *(f"src/{b}/{file}" for b in folders for file in KERNELS)) if s in commands]
    compiler.compile_all([(commands[s], s, ir_file(s), compiler.TO_IR) for s in sources])
    return [str(ir_file(s)) for s in sources]


def list_forms():
    """The lines of the programs forms.c and scalings.c, which read the library's own lists."""
    lines = []
    for name, files in FORMS.items():
        program, sources = BUILD / name, (f"test/proof/{name}.c", *files)
        if not compiler.is_newer(program, sources):
            flags = ["-Iinclude", "-Isrc", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
            subprocess.run([compiler.CLANG, *flags, "-o", str(program), *sources], check=True)
        lines += subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    return lines


class TooLong(Exception):
    """An obligation has used its time."""


def stop(signal_number, frame):
    raise TooLong


def start_worker(files, is_sample):
    global module
    signal.signal(signal.SIGPROF, stop)
    sys.setrecursionlimit(RECURSION)
    gc.disable()  # terms have no cycles, and a search for some takes a tenth of the time
    module = ir.Module(files)
    if not is_sample:
        translation = obligations.hash_of_code(("ieee", "solve", "terms", "values")).hex()[:8]
        solve.load_answers(BUILD / f"impossible-{z3.get_version_string()}-{translation}.txt")


def prove(obligation, seconds):
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        outcome = obligation.prove(module)
    except Refused as e:
        outcome = claims.Outcome("open", f"refused: {e}")
    except TooLong:
        outcome = claims.Outcome("open", f"not proved in {seconds} s")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return obligation, outcome, time.process_time() - start


class Summary:
    """Counts results, and prints those that need attention."""

    def __init__(self, total, reasons):
        self.total, self.reasons = total, reasons
        self.count, self.seconds, self.failures, self.start = {}, {}, 0, time.monotonic()

    def add(self, obligation, outcome, seconds):
        key = obligation.backend, obligation.family
        self.count.setdefault(key, {}).setdefault(outcome.verdict, 0)
        self.count[key][outcome.verdict] += 1
        self.seconds[key] = self.seconds.get(key, 0) + seconds
        if outcome.verdict == "proved":
            return
        reason = obligations.reason_if_open(obligation, self.reasons)
        if outcome.verdict == "refuted" or reason is None:
            self.failures += 1
            values = " ".join(f"{n}=0x{v:x}" for n, v in sorted((outcome.inputs or {}).items()))
            print(f"{obligation.name}: {outcome.verdict}: {outcome.detail} {values}", flush=True)

    def progress(self, done):
        print(f"[{done}/{self.total}] {time.monotonic() - self.start:.0f} s", file=sys.stderr, flush=True)

    def table(self):
        for (backend, family), count in sorted(self.count.items()):
            verdicts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(count.items()))
            print(f"{backend} {family}: {verdicts}; {self.seconds[backend, family]:.0f} s of CPU time")


def to_do(files, backends, pattern, sample, only_changed, also_open=False):
    """Returns the obligations to prove, with their hashes, and prints how many are proved already."""
    module = ir.Module(files)
    hasher, proved = obligations.Hasher(module), obligations.read_proved()
    left, known, skipped = [], [], 0
    reasons, names = obligations.read_open(), set(proved.values())
    for backend in backends:
        for o in obligations.listed(module, list_forms(), backend, pattern):
            try:
                key = hasher.of(o)
            except Refused as e:
                print(f"{o.name}: no hash: {e}")
                key = ""
            if key in proved:
                known.append((o, key))
            elif obligations.reason_if_open(o, reasons) and not also_open:
                skipped += 1
            elif o.name in names or not only_changed:
                left.append((o, key))
            else:
                skipped += 1
    if not known and not left and not skipped:
        sys.exit(f"./run proof: no form of {', '.join(backends)} matches '{pattern}'")
    print(
        f"{len(known)} obligations are proved already, {skipped} are open or new, {len(left)} are to be proved",
        flush=True,
    )
    return left + random.sample(known, min(sample, len(known)))


def prove_all(files, work, seconds, is_sample):
    """Proves in parallel, and adds what is proved to proved.txt. Returns the summary."""
    summary, found, keys = Summary(len(work), obligations.read_open()), {}, dict(work)
    names = set(obligations.read_proved().values())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(None, context, start_worker, (files, is_sample)) as pool:
        tasks = [pool.submit(prove, o, SECONDS * (AGAIN if o.name in names else 1)) for o in keys]
        try:
            for done, task in enumerate(as_completed(tasks), 1):
                o, outcome, took = task.result()
                summary.add(o, outcome, took)
                if outcome.verdict == "proved" and keys[o]:
                    found[keys[o]] = o.name
                if done % 20 == 0 or done == len(work):
                    summary.progress(done)
                    obligations.add_proved(found)
                if seconds and time.monotonic() - summary.start > seconds:
                    print(f"stopped after {seconds} s: {len(work) - done} obligations were not reached")
                    stop_workers(pool)
                    break
        except BrokenProcessPool:
            print("a worker was killed, perhaps because memory was used up")
            summary.failures += 1
    obligations.add_proved(found)
    return summary


def stop_workers(pool):
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.terminate()


def main():
    options = argparse.ArgumentParser(prog="./run proof", description=__doc__)
    options.add_argument("--changed", action="store_true")
    options.add_argument("--open", action="store_true")
    options.add_argument("--sample", type=int, default=0, metavar="N")
    options.add_argument("--seconds", type=int, default=0, metavar="S")
    options.add_argument("backend", nargs="?", choices=(*BACKENDS, "all"), default="all")
    options.add_argument("pattern", nargs="?", default="*")
    given = options.parse_args()
    backends = BACKENDS if given.backend == "all" else (given.backend,)
    files = compile_ir(backends)
    work = to_do(files, backends, given.pattern, given.sample, given.changed, given.open)
    summary = prove_all(files, work, given.seconds, given.sample > 0)
    summary.table()
    return 1 if summary.failures else 0


if __name__ == "__main__":
    sys.exit(main())
