# SPDX-License-Identifier: MIT
"""Compiles programs with pto-isa's CPU simulator, without and with the overlay."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# What the CMakeLists.txt of pto-isa has for gcc 12, without warnings and hardening.
OPTIONS = ["-std=c++20", "-D__CPU_SIM", "-fstack-protector-strong", "-w"]
JOBS = 2


def run(command, **options):
    """Runs a command, and shows its output only if it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def parse_options(description):
    """Reads the options of the command, and empties the build folder."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawTextHelpFormatter)
    for name in ("pto-isa", "build", "include", "library"):
        parser.add_argument(f"--{name}", type=lambda path: pathlib.Path(path).resolve(), required=True)
    options = parser.parse_args()
    shutil.rmtree(options.build, ignore_errors=True)
    options.build.mkdir(parents=True)
    return options


class Variant:
    """Programs without or with the overlay."""

    def __init__(self, options, name):
        self.name = name
        self.folder = options.build / name
        self.checkout = options.pto_isa
        self.compiler = os.environ.get("CXX", "g++")
        self.include = [HERE / "gcc12"]
        self.libraries = ["-pthread", "-ldl"]
        if name == "with":
            self.include += [HERE / "overlay", options.include]
            self.libraries += [f"-L{options.library}", f"-Wl,-rpath,{options.library}", "-lpto"]
        self.include += [options.pto_isa / "include", options.pto_isa / "tests/common"]
        (self.folder / "bin").mkdir(parents=True)

    def compile(self, source, target, optimization="-O2", header=None):
        """Compiles a source, or a header to a precompiled one. `header` is included first."""
        first = ["-include", header] if header else ["-include", "stdint.h", "-include", "stddef.h"]
        kind = "c++-header" if target.suffix == ".gch" else "c++"
        folders = [f"-I{folder}" for folder in self.include]
        run([self.compiler, *OPTIONS, optimization, *folders, *first, "-x", kind, "-c", source, "-o", target])

    def header(self, *names, optimization="-O2"):
        """Makes the precompiled header of these names, and returns its path."""
        path = self.folder / f"all{len(names)}.hpp"
        path.write_text("".join(f"#include <{name}>\n" for name in names))
        self.compile(path, path.with_suffix(".hpp.gch"), optimization)
        return path

    def link(self, name, objects, libraries=()):
        """Links a program, and returns its path."""
        target = self.folder / "bin" / name
        run([self.compiler, *objects, *libraries, *self.libraries, "-o", target])
        return target

    def program(self, source, optimization):
        """Compiles and links a program of one source."""
        target = self.folder / f"{source.stem}.o"
        self.compile(source, target, optimization)
        return self.link(source.stem, [target])


def make_variants(options):
    """Returns the variants without and with the overlay."""
    return Variant(options, "without"), Variant(options, "with")
