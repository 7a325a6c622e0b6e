# SPDX-License-Identifier: MIT
"""Writes NAME.txt for each NAME.in of this folder: every package with its version and the hashes of its files.

uv resolves the packages. The files are the wheels for Linux on x86-64 and 64-bit Arm that a Python in PYTHONS can
install. The first line of NAME.in, the size of the download, becomes the first line of NAME.txt. A package of a file
that NAME.in gives as a constraint (-c) is not repeated: it is installed already.

    python lock.py [NAME...]
"""

import subprocess
import sys
from pathlib import Path

import tomllib
from packaging.markers import Marker
from packaging.tags import Tag
from packaging.utils import canonicalize_name, parse_wheel_filename

HERE = Path(__file__).resolve().parent
PYTHONS = range(11, 15)  # minor versions of Python 3
OLDEST = {"interpreters": 10}  # the oldest version for one list
ARCHITECTURES = ("x86_64", "aarch64")


def fits(tag: Tag, oldest: int) -> bool:
    """Returns whether a Python of PYTHONS on Linux can install a wheel with this tag."""
    if tag.platform != "any" and not (
        "linux" in tag.platform and "musl" not in tag.platform and tag.platform.endswith(ARCHITECTURES)
    ):
        return False
    if tag.interpreter.startswith("py"):
        return tag.interpreter.startswith("py3")
    minor = int(tag.interpreter[3:] or 0) if tag.interpreter.startswith("cp3") else 0
    if tag.abi == "abi3":
        return 0 < minor < PYTHONS.stop
    return oldest <= minor < PYTHONS.stop and tag.abi in (tag.interpreter, f"{tag.interpreter}t", "none")


def applicable(package: dict, oldest: int) -> list[bool]:
    """Returns for each of the Pythons and architectures whether the package is for it."""
    marker = Marker(package.get("marker", "python_version > '3'"))
    return [
        marker.evaluate(
            {
                "sys_platform": "linux",
                "platform_system": "Linux",
                "os_name": "posix",
                "platform_machine": machine,
                "python_version": f"3.{minor}",
                "python_full_version": f"3.{minor}.0",
                "implementation_name": "cpython",
                "platform_python_implementation": "CPython",
            }
        )
        for machine in ARCHITECTURES
        for minor in range(oldest, PYTHONS.stop)
    ]


def names(text: str) -> list[str]:
    """Returns the names of the packages of a requirements file, in its order."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return [canonicalize_name(line.split("=")[0].split("[")[0]) for line in lines if line and line[0] not in "-#"]


def direct_names(path: Path) -> list[str]:
    """Returns the names of the packages that path and the files it includes (-r) ask for."""
    text = path.read_text()
    included = [line.split()[1] for line in text.splitlines() if line.startswith("-r ")]
    return [name for other in included for name in direct_names(path.parent / other)] + names(text)


def lines_of(package: dict, oldest: int) -> list[str]:
    """Returns the lines of a requirements file for one package."""
    hashes = {
        wheel["hashes"]["sha256"]
        for wheel in package.get("wheels", [])
        if any(fits(tag, oldest) for tag in parse_wheel_filename(wheel["url"].rsplit("/", 1)[1])[3])
    }
    if not hashes:
        sys.exit(f"lock.py: {package['name']} {package['version']} has no wheel for Linux")
    marker = "" if all(applicable(package, oldest)) else f" ; {package['marker']}"
    rows = [f"{package['name']}=={package['version']}{marker}"] + [f"    --hash=sha256:{one}" for one in sorted(hashes)]
    return [row + " \\" for row in rows[:-1]] + rows[-1:]


def lock(path: Path) -> None:
    """Writes the requirements file of one list."""
    oldest = OLDEST.get(path.stem, PYTHONS.start)
    command = ["uv", "pip", "compile", "--quiet", "--universal", f"--python-version=3.{oldest}", "--format=pylock.toml"]
    result = subprocess.run([*command, path], stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"lock.py: uv cannot resolve {path.name}")
    text = path.read_text()
    constraints = [line.split()[1] for line in text.splitlines() if line.startswith("-c ")]
    there = {name for other in constraints for name in names((path.parent / other).read_text())}
    direct = direct_names(path)
    packages = [
        one
        for one in tomllib.loads(result.stdout)["packages"]
        if any(applicable(one, oldest)) and one["name"] not in there
    ]
    packages.sort(key=lambda one: (direct.index(one["name"]) if one["name"] in direct else len(direct), one["name"]))
    rows = [text.splitlines()[0]] + [row for package in packages for row in lines_of(package, oldest)]
    path.with_suffix(".txt").write_text("\n".join(rows) + "\n")
    print(f"{path.stem}: {len(packages)} packages")


def main() -> None:
    # A list comes after those that it takes as constraints.
    paths = sorted(HERE.glob("*.in"), key=lambda path: ("-c " in path.read_text(), path.name))
    for path in paths:
        if not sys.argv[1:] or path.stem in sys.argv[1:]:
            lock(path)


if __name__ == "__main__":
    main()
