# SPDX-License-Identifier: MIT
"""Compiles the library's kernels to LLVM IR and to objects, with the flags in CMake's compile_commands.json."""

import json
import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# The vectorizers and the unroller would change loops that the source has as loops of scalars, and make proofs slower.
# In position-independent code LLVM makes tables of differences of addresses.
OPTIMIZATION = ["-O2", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-pic"]
ARM = ("--target=aarch64-linux-gnu", "-isystem", "/usr/aarch64-linux-gnu/include")
CLANG, TO_IR, TO_OBJECT = "clang-19", ("-S", "-emit-llvm"), ("-c",)


def commands(build):
    """Returns the compiler's arguments for each file of the library, by its path in the repository."""
    found = {}
    for entry in json.loads(Path(build, "compile_commands.json").read_text()):
        source = os.path.relpath(entry["file"])
        words = shlex.split(entry["command"])
        words = words[: words.index("-o")]
        found[source] = [w for w in words if not w.startswith(("-W", "-O", "-ffile-prefix-map"))]
    return found


def for_arm(words):
    """Arguments for a file of src/neon, from those of the file of that name in src/generic."""
    kept = [w for w in words if not w.startswith(("-DPTO_BUILD_", "-fcf-protection"))]
    return [*kept, *ARM]


def is_newer(target, sources):
    """Returns whether a target is there and newer than all sources."""
    return target.exists() and all(target.stat().st_mtime > Path(s).stat().st_mtime for s in sources)


def dependencies(target):
    """Returns the files that the target was compiled from: the compiler lists them in TARGET.d."""
    listed = Path(f"{target}.d")
    return listed.read_text().replace("\\\n", " ").split()[1:] if listed.exists() else []


def compile_one(words, source, target, kind):
    """Compiles a file, unless the target is newer than what it was compiled from and the arguments are the same.
    kind: TO_IR or TO_OBJECT. TARGET.args has the arguments."""
    arguments = [*words, *OPTIMIZATION, "-MD", "-MF", f"{target}.d", *kind, "-o", str(target), str(source)]
    kept, text = Path(f"{target}.args"), "\n".join(arguments)
    is_same = kept.exists() and kept.read_text() == text
    if is_same and dependencies(target) and is_newer(target, dependencies(target)):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(arguments, check=True)
    kept.write_text(text)


def compile_all(jobs):
    """Compiles (words, source, target, kind) in parallel."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: compile_one(*job), jobs))
