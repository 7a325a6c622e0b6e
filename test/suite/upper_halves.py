# SPDX-License-Identifier: MIT
"""
Checks in the disassembly, by following all jumps, that every exit of the x86 kernels clears the upper halves of the
vector registers (vzeroupper). Without that, the caller's SSE instructions become hundreds of cycles slower. The exit
status is 0 if all exits clear them.

upper_halves.py OBJDUMP FOLDER: checks all objects in the folders avx2 and avx512 below FOLDER. With --plant, the first
vzeroupper of each object is ignored, and the exit status is 0 if a fault is found in every object.

A function is entered with clear upper halves. An exit is a return, a jump to another function, or a call. Inner
functions are local and not referenced by data, so tables and other files cannot reach them. They may return with
vectors in registers and be called with some; their callers are checked as if these functions were inlined. The same
holds for SLEEF's functions, which take vectors.
"""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

LONG = re.compile(r"%[yz]mm")
SLEEF = "Sleef_"


@dataclass
class Instruction:
    at: int
    name: str
    text: str
    target: str = ""  # another function, from the relocation


@dataclass
class Function:
    name: str
    code: list[Instruction] = field(default_factory=list)


def run(*words: str) -> list[str]:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()


def functions(objdump: str, path: Path) -> dict[str, Function]:
    found: dict[str, Function] = {}
    function = Function("")
    for line in run(objdump, "-d", "-r", "-w", "--no-show-raw-insn", str(path)):
        if head := re.match(r"[0-9a-f]+ <(.+)>:$", line):
            function = found[head[1]] = Function(head[1])
        elif row := re.match(r"\s*([0-9a-f]+):\s+(\S.*)$", line):
            text, _, linked = row[2].partition("\t")
            words = [word for word in text.split() if word not in ("notrack", "bnd", "rep", "repz")]
            function.code.append(Instruction(int(row[1], 16), words[0], text, symbol(linked)))
    return found


def symbol(linked: str) -> str:
    """Returns the symbol of a relocation, without the prefix of a section that contains only one function."""
    entry = re.search(r"R_X86_64_(?:PC32|PLT32)\s+(?:\.text\.(?:unlikely\.)?)?([^\s+-]+)", linked)
    return entry[1] if entry else ""


def reachable(objdump: str, path: Path) -> tuple[set[str], dict[str, list[int]]]:
    """Returns the functions that other files or tables can reach, and for functions with a switch its targets."""
    names: set[str] = set()
    for line in run(objdump, "-t", str(path)):
        if (row := re.match(r"\S+ (.).{5}F \S+\s+\S+(?:\s+\.hidden)?\s+(\S+)$", line)) and row[1] != "l":
            names.add(row[2])
    section = ""
    starts: dict[str, set[int]] = {}  # for each data section, the offsets that code refers to: starts of tables
    entries: list[tuple[str, int, str, int]] = []  # entries of jump tables: section, place, function, addend
    for line in run(objdump, "-r", "-w", str(path)):
        if head := re.match(r"RELOCATION RECORDS FOR \[(.*)\]:", line):
            section = head[1]
        elif row := re.match(r"([0-9a-f]+) (\S+)\s+(\S+?)([-+]0x[0-9a-f]+)?$", line):
            place, kind, symbol, addend = int(row[1], 16), row[2], row[3], int(row[4] or "0", 16)
            function = re.sub(r"^\.text\.(unlikely\.)?", "", symbol)
            if section.startswith(".text") and kind == "R_X86_64_PC32" and symbol.startswith(".rodata"):
                starts.setdefault(symbol, set()).add(addend + 4)
            elif section.startswith((".data", ".rodata")) and symbol.startswith(".text"):
                if kind == "R_X86_64_64":
                    names.add(function)
                else:
                    entries.append((section, place, function, addend))
    switches: dict[str, list[int]] = {}
    for section, place, function, addend in entries:
        # An entry is the distance of its target from the table's start.
        start = max(at for at in starts[section] if at <= place)
        switches.setdefault(function, []).append(addend - (place - start))
    return names, switches


class Object:
    def __init__(self, objdump: str, path: Path) -> None:
        self.functions = functions(objdump, path)
        self.entries, self.switches = reachable(objdump, path)
        self.returns_long: set[str] = set()
        self.entered_long: set[str] = set()

    def is_inner(self, name: str) -> bool:
        return name in self.functions and name not in self.entries

    def faults(self) -> list[str]:
        """Repeats the check until no further functions are found that return with vectors or are called with some."""
        while True:
            known = len(self.returns_long) + len(self.entered_long)
            found = [fault for function in self.functions.values() for fault in self.faults_of(function)]
            if known == len(self.returns_long) + len(self.entered_long):
                return found

    def faults_of(self, function: Function) -> list[str]:
        place = {instruction.at: k for k, instruction in enumerate(function.code)}
        state: dict[int, bool] = {}
        found = set()
        pending = [(0, function.name in self.entered_long)]
        while pending:
            k, long = pending.pop()
            if k >= len(function.code) or state.get(k) in (True, long):
                continue
            state[k] = long
            instruction = function.code[k]
            if instruction.name == "vzeroupper":
                long = False
            elif LONG.search(instruction.text):
                long = True
            jump = re.search(r"\b([0-9a-f]+) <", instruction.text)
            inside = jump and not instruction.target and place.get(int(jump[1], 16))
            switches = instruction.name == "jmp" and "*" in instruction.text and function.name in self.switches
            ends = instruction.name.startswith(("ret", "jmp", "ud2"))
            if instruction.name.startswith("j") and inside is not None and jump and not instruction.target:
                pending.append((inside, long))
            elif switches:
                pending += [(place[target], long) for target in self.switches[function.name]]
            elif instruction.name.startswith(("j", "call")) and self.leaves(instruction, long):
                found.add(f"{function.name}: {instruction.text.strip()} {instruction.target}")
            elif instruction.name.startswith("j") and instruction.target in self.returns_long:
                # A tail call: the function returns with vectors if the other one does.
                if self.is_inner(function.name):
                    self.returns_long.add(function.name)
                else:
                    found.add(f"{function.name}: {instruction.text.strip()} {instruction.target}")
            elif instruction.name.startswith(("ret", "jmp")) and long:
                if self.is_inner(function.name):
                    self.returns_long.add(function.name)
                else:
                    found.add(f"{function.name}: {instruction.name}")
            if instruction.name.startswith("call") and (
                instruction.target in self.returns_long or instruction.target.startswith(SLEEF)
            ):
                long = True
            if not ends:
                pending.append((k + 1, long))
        return sorted(found)

    def leaves(self, instruction: Instruction, long: bool) -> bool:
        """Whether the function that is called or jumped to gets vectors in registers that it does not expect."""
        if not long or instruction.target.startswith(SLEEF):
            return False
        if self.is_inner(instruction.target):
            self.entered_long.add(instruction.target)
            return False
        return True


def main() -> int:
    objdump, folder, plant = sys.argv[1], Path(sys.argv[2]), "--plant" in sys.argv
    paths = sorted(path for isa in ("avx2", "avx512") for path in folder.rglob(f"{isa}/*.o"))
    long = clears = noticed = 0
    wrong = []
    for path in paths:
        seen = Object(objdump, path)
        if plant:
            code = [one for function in seen.functions.values() for one in function.code]
            for one in code:
                if one.name == "vzeroupper":
                    one.name = "nop"
        faults = seen.faults()
        noticed += len(faults) != 0
        wrong += [f"{path.parent.name}/{path.name}: {fault}" for fault in faults]
        for function in seen.functions.values():
            long += any(LONG.search(instruction.text) for instruction in function.code)
            clears += sum(instruction.name == "vzeroupper" for instruction in function.code)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(paths)} objects, {long} functions with vectors of 32 bytes and more, cleared in {clears} places")
    return 0 if long > 0 and noticed == (len(paths) if plant else 0) else 1


if __name__ == "__main__":
    sys.exit(main())
