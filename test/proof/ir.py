# SPDX-License-Identifier: MIT
"""Reads LLVM IR as clang-19 writes it: functions, constants and global variables, each when it is first needed.

What this file does not know is refused: an instruction that it cannot read is an error where it is executed."""

import re
import struct
from dataclasses import dataclass, field
from pathlib import Path

from terms import Refused

# ---- types ----


@dataclass(frozen=True)
class Type:
    """kind: 'int', 'float', 'ptr', 'void', 'vector', 'array' or 'struct'. bits: of one element."""

    kind: str
    bits: int = 0
    count: int = 0
    elements: tuple = ()
    packed: bool = False

    @property
    def element(self):
        return self.elements[0]

    @property
    def is_vector(self):
        return self.kind == "vector"

    @property
    def lane(self):
        """The type of one lane."""
        return self.elements[0] if self.kind == "vector" else self

    def align(self):
        if self.kind in ("int", "float", "ptr"):
            return min(8, max(1, (self.bits + 7) // 8))
        if self.kind == "vector":
            return self.size()
        if self.kind == "array":
            return self.element.align()
        return 1 if self.packed else max([e.align() for e in self.elements], default=1)

    def size(self):
        """The distance of elements in an array, in bytes."""
        if self.kind in ("int", "float", "ptr"):
            return (self.bits + 7) // 8
        if self.kind == "vector":
            return (self.count * self.element.bits + 7) // 8
        if self.kind == "array":
            return self.count * self.element.size()
        return self.offset(len(self.elements))

    def offset(self, index):
        """The offset of element `index` in a struct; for the number of elements, the size."""
        at = 0
        for k, e in enumerate(self.elements[: index + 1]):
            if not self.packed:
                at += -at % e.align()
            if k == index:
                return at
            at += e.size()
        return at if self.packed else at + -at % self.align()


FLOATS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
POINTER, VOID = Type("ptr", 64), Type("void")


@dataclass(frozen=True)
class Global:
    """The address of a global variable or function, as a constant: the module, the name and an offset."""

    file: str
    name: str
    offset: int = 0


UNKNOWN = "poison or undef"

TOKEN = re.compile(
    r'[%@]"[^"]*"|[%@][-\w$.]+|#\d+|![-\w.]*|c"[^"]*"|-?\d+\.\d+e[-+]\d+|0x[HR]?[0-9A-F]+|-?\d+|[A-Za-z_][\w.]*'
    r"|\.\.\.|[<>{}\[\]()=,*:]"
)


class Reader:
    """Reads types, constants and operands from the tokens of a line."""

    def __init__(self, text, file):
        self.text, self.tokens, self.at, self.file = text, TOKEN.findall(text), 0, file

    def refuse(self):
        raise Refused(self.text.strip()[:160])

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def accept(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token):
        if not self.accept(token):
            self.refuse()

    def words(self, legal):
        """Takes words that are in a set."""
        found = []
        while self.peek() in legal:
            found.append(self.take())
        return found

    # ---- types ----

    def type(self):
        word = self.take()
        if word[:1] == "i" and word[1:].isdigit():
            return Type("int", int(word[1:]))
        if word in FLOATS:
            return Type("float", FLOATS[word])
        if word == "ptr":
            return POINTER
        if word == "void":
            return VOID
        if word[:1] == "%":
            return self.file.struct(word)
        if word == "<" and self.peek() == "{":
            return self.struct_type(self.take() == "{")
        if word == "{":
            return self.struct_type(False)
        if word in ("<", "["):
            count = int(self.take())
            self.expect("x")
            element = self.type()
            self.take()
            return Type("vector" if word == "<" else "array", element.bits, count, (element,))
        return self.refuse()

    def struct_type(self, packed):
        elements = []
        while not self.accept("}"):
            elements.append(self.type())
            self.accept(",")
        if packed:
            self.expect(">")
        return Type("struct", 0, 0, tuple(elements), packed)

    # ---- constants: an int (bits), a Global, UNKNOWN, or a list of these ----

    def constant(self, kind):
        word = self.take()
        if word in ("poison", "undef"):
            return filled(kind, UNKNOWN)
        if word in ("zeroinitializer", "null"):
            return filled(kind, 0)
        if word in ("true", "false"):
            return int(word == "true")
        if kind.kind == "int":
            return int(word) & (1 << kind.bits) - 1
        if kind.kind == "float":
            return float_bits(word, kind.bits, self)
        if word[:1] == "@":
            return Global(self.file.path, word[1:].strip('"'))
        if word == "getelementptr":
            return self.constant_address()
        if word == "splat":
            self.expect("(")
            value = self.constant(self.type())
            self.expect(")")
            return [value] * kind.count
        if word[:2] == 'c"':
            return string_bytes(word[2:-1])
        if word in ("<", "[", "{"):
            if word == "<":
                self.accept("{")
            values = []
            while self.peek() not in (">", "]", "}"):
                values.append(self.constant(self.type()))
                self.accept(",")
            if self.take() == "}" and word == "<":
                self.expect(">")
            return values
        return self.refuse()

    def constant_address(self):
        self.words(("inbounds", "nuw", "nusw"))
        if self.accept("inrange"):
            while self.take() != ")":
                pass
        self.expect("(")
        kind = self.type()
        self.expect(",")
        base = self.constant(self.type())
        offset, first = 0, True
        while self.accept(","):
            t = self.type()
            index = self.constant(t)
            index -= 1 << t.bits if index >> t.bits - 1 else 0
            if first:
                offset += index * kind.size()
            elif kind.kind == "struct":
                offset, kind = offset + kind.offset(index), kind.elements[index]
            else:
                offset, kind = offset + index * kind.element.size(), kind.element
            first = False
        self.expect(")")
        return Global(base.file, base.name, base.offset + offset)


def filled(kind, value):
    if kind.kind == "struct":
        return [filled(e, value) for e in kind.elements]
    if kind.kind in ("vector", "array"):
        return [filled(kind.element, value) for _ in range(kind.count)]
    return value


def float_bits(text, bits, reader):
    """Returns the bits of an IR constant: a decimal number for a double, or a hexadecimal number with a prefix."""
    if text.startswith(("0xH", "0xR")):
        return int(text[3:], 16)
    double = float(text) if not text.startswith("0x") else 0.0
    wide = int(text, 16) if text.startswith("0x") else struct.unpack("<Q", struct.pack("<d", double))[0]
    if bits == 64:
        return wide
    if bits == 32:
        if wide >> 52 & 0x7FF == 0x7FF:
            return (wide >> 63) << 31 | 0x7F800000 | (wide >> 29 & 0x7FFFFF)
        return struct.unpack("<I", struct.pack("<f", struct.unpack("<d", struct.pack("<Q", wide))[0]))[0]
    return reader.refuse()


def string_bytes(text):
    found = re.findall(r"\\([0-9A-F]{2})|(.)", text, re.S)
    return [int(code, 16) if code else ord(character) for code, character in found]


# ---- functions ----


@dataclass
class Instruction:
    """operands: numbers of values of the function. detail: what depends on the opcode."""

    opcode: str
    type: Type
    operands: list
    types: list
    text: str
    flags: frozenset = frozenset()
    detail: object = None
    number: int = 0  # the number of the value that the instruction defines
    align: int = 1  # of the address of an access


@dataclass
class Block:
    index: int
    phis: list = field(default_factory=list)
    instructions: list = field(default_factory=list)  # without phis; the last ends the block
    successors: list = field(default_factory=list)


@dataclass
class Function:
    """values: the type of each value. Arguments come first, then what instructions compute, then constants."""

    name: str
    file: str
    arguments: int
    blocks: list
    values: list
    constants: dict  # by number of the value


# Assembly without instructions that hides a value from the compiler: the result is the operand.
HIDDEN = re.compile(r'= (?:tail )?call [^@]* asm "", "=[vxr],0(?:,~\{\w+\})*"\(([^()]*)\).*')
FLAGS = ("nuw", "nsw", "exact", "disjoint", "nneg", "inbounds", "nusw", "samesign")
FAST_MATH = ("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast")
CASTS = ("zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "uitofp", "sitofp", "fptoui", "fptosi", "fpext",
         "fptrunc")  # fmt: skip
BINARY = ("add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "fadd",
          "fsub", "fmul", "fdiv")  # fmt: skip
ATTRIBUTES = {
    "noundef", "nonnull", "nocapture", "readonly", "readnone", "writeonly", "zeroext", "signext", "noalias", "immarg",
    "returned", "align", "dereferenceable", "range", "byval", "sret", "dead_on_unwind", "writable",
}  # fmt: skip


class FunctionReader:
    """Reads a function of a file."""

    def __init__(self, file, name, text):
        self.file, self.name = file, name
        lines = text.split("\n")
        header = Reader(lines[0], file)
        self.types, self.numbers, self.constants, self.blocks = [], {}, {}, {}
        while header.peek() != "@" + name:
            header.take()
        header.take()
        header.expect("(")
        while not header.accept(")"):
            kind = header.type()
            self.attributes(header)
            self.define(kind, header.take())
            header.accept(",")
        self.arguments = len(self.types)
        self.split(lines[1:])

    def define(self, kind, name):
        self.numbers[name] = len(self.types)
        self.types.append(kind)
        return len(self.types) - 1

    def split(self, lines):
        """Finds the blocks. A switch has several lines."""
        self.lines = [[]]
        self.blocks[f"%{self.arguments}"] = 0
        lines = iter(lines)
        for line in lines:
            if line.startswith("  "):
                if line.endswith("["):
                    while "]" not in line:
                        line += next(lines)
                self.lines[-1].append(line)
            elif line and line != "}":
                self.blocks["%" + line.split(":", 1)[0]] = len(self.lines)
                self.lines.append([])

    def read(self):
        # A value can be used before the line that defines it, in a phi, so all get their numbers and types first.
        readers = [[Reader(HIDDEN.sub(r"= freeze \1", line), self.file) for line in lines] for lines in self.lines]
        parsed = []
        for block in readers:
            for r in block:
                if len(r.tokens) > 1 and r.tokens[1] == "=":
                    self.define(None, r.tokens[0])
        for index, block in enumerate(readers):
            parsed.append(Block(index))
            for r in block:
                i = self.instruction(r, parsed[-1])
                (parsed[-1].phis if i.opcode == "phi" else parsed[-1].instructions).append(i)
        return Function(self.name, self.file.path, self.arguments, parsed, self.types, self.constants)

    def instruction(self, r, block):
        number = -1
        if len(r.tokens) > 1 and r.tokens[1] == "=":
            number, r.at = self.numbers[r.tokens[0]], 2
        opcode = r.take()
        i = Instruction(opcode, VOID, [], [], r.text)
        i.number = number
        try:
            self.body(r, i, block)
            self.end(r, i)
        except (Refused, KeyError, ValueError, IndexError):
            i.opcode, i.detail = "refused", opcode
            if opcode in ("br", "switch"):
                raise Refused(r.text) from None
        if number >= 0:
            self.types[number] = i.type
        return i

    def body(self, r, i, block):
        op = i.opcode
        if op in ("tail", "musttail", "notail", "call"):
            if op != "call":
                r.expect("call")
            i.opcode = "call"
            return self.call(r, i)
        if op in BINARY:
            i.flags = frozenset(r.words(FLAGS))
            i.type = r.type()
            self.operand(r, i, i.type)
            r.expect(",")
            return self.operand(r, i, i.type)
        if op in ("icmp", "fcmp"):
            i.flags = frozenset(r.words(("samesign",)))
            i.detail = r.take()
            self.operand(r, i)
            r.expect(",")
            self.operand(r, i, i.types[0])
            one = Type("int", 1)
            i.type = Type("vector", 1, i.types[0].count, (one,)) if i.types[0].is_vector else one
            return None
        if op in CASTS:
            i.flags = frozenset(r.words(FLAGS))
            self.operand(r, i)
            r.expect("to")
            i.type = r.type()
            return None
        return getattr(self, "read_" + op)(r, i, block) if hasattr(self, "read_" + op) else r.refuse()

    def end(self, r, i):
        """Reads what follows an instruction: metadata and alignment."""
        while r.at < len(r.tokens):
            if r.peek()[:1] == "#":
                r.take()
                continue
            r.expect(",")
            word = r.take()
            if word == "align":
                i.align = int(r.take())
            elif word == "!range" and i.opcode == "load":
                i.detail = self.file.range_of(r.take())
            elif word == "!noundef" or word in ("!tbaa", "!tbaa.struct", "!alias.scope", "!noalias", "!llvm.loop",
                                                "!prof", "!callees", "!nosanitize"):  # fmt: skip
                if word == "!noundef":
                    i.flags = i.flags | {"noundef"}
                r.take()
            else:
                r.refuse()

    def value(self, r, kind):
        """Returns the number of an operand."""
        token = r.peek()
        if token[:1] == "%":
            return self.numbers[r.take()]
        number = len(self.types)
        self.types.append(kind)
        self.constants[number] = r.constant(kind)
        return number

    def operand(self, r, i, kind=None):
        kind = kind or r.type()
        i.operands.append(self.value(r, kind))
        i.types.append(kind)

    def operands(self, r, i, count):
        for k in range(count):
            if k:
                r.expect(",")
            self.operand(r, i)

    def read_load(self, r, i, block):
        is_atomic = r.accept("atomic")
        i.type = r.type()
        r.expect(",")
        self.operands(r, i, 1)
        if is_atomic:
            r.expect("monotonic")

    def read_store(self, r, i, block):
        is_atomic = r.accept("atomic")
        self.operands(r, i, 2)
        if is_atomic:
            r.expect("monotonic")

    def read_select(self, r, i, block):
        self.operands(r, i, 3)
        i.type = i.types[1]

    def read_freeze(self, r, i, block):
        self.operands(r, i, 1)
        i.type = i.types[0]

    read_fneg = read_freeze

    def read_alloca(self, r, i, block):
        i.detail, i.type = r.type(), POINTER

    def read_getelementptr(self, r, i, block):
        i.flags = frozenset(r.words(FLAGS))
        i.detail = r.type()
        while r.accept(","):
            self.operand(r, i)
        i.type = POINTER
        if any(t.is_vector for t in i.types):
            r.refuse()

    def read_shufflevector(self, r, i, block):
        self.operands(r, i, 2)
        r.expect(",")
        mask = r.type()
        i.detail = r.constant(mask)
        i.type = Type("vector", i.types[0].bits, mask.count, i.types[0].elements)

    def read_insertelement(self, r, i, block):
        self.operands(r, i, 3)
        i.type = i.types[0]

    def read_extractelement(self, r, i, block):
        self.operands(r, i, 2)
        i.type = i.types[0].element

    def read_extractvalue(self, r, i, block):
        self.operands(r, i, 1)
        i.type, i.detail = i.types[0], []
        while r.peek() == "," and r.tokens[r.at + 1].isdigit():
            r.take()
            i.detail.append(int(r.take()))
            i.type = i.type.elements[i.detail[-1]] if i.type.kind == "struct" else i.type.element

    def read_insertvalue(self, r, i, block):
        self.operands(r, i, 2)
        i.type, i.detail = i.types[0], []
        while r.peek() == "," and r.tokens[r.at + 1].isdigit():
            r.take()
            i.detail.append(int(r.take()))

    def read_phi(self, r, i, block):
        i.type, i.detail = r.type(), []
        while r.accept("["):
            i.operands.append(self.value(r, i.type))
            i.types.append(i.type)
            r.expect(",")
            i.detail.append(self.blocks[r.take()])
            r.expect("]")
            r.accept(",")

    def label(self, r, block):
        r.expect("label")
        block.successors.append(self.blocks[r.take()])

    def read_br(self, r, i, block):
        if r.peek() != "label":
            self.operand(r, i)
            r.expect(",")
            self.label(r, block)
            r.expect(",")
        self.label(r, block)

    def read_switch(self, r, i, block):
        """The first successor is the default; detail lists the values of the others."""
        self.operand(r, i)
        r.expect(",")
        self.label(r, block)
        r.expect("[")
        i.detail = []
        while not r.accept("]"):
            i.detail.append(r.constant(r.type()))
            r.expect(",")
            self.label(r, block)

    def read_ret(self, r, i, block):
        if not r.accept("void"):
            self.operand(r, i)

    def read_unreachable(self, r, i, block):
        pass

    def attributes(self, r):
        """Reads the attributes of a parameter or result. Returns whether noundef is among them, the range, and the
        alignment."""
        noundef, limits, align = False, None, 1
        while r.peek() in ATTRIBUTES:
            word = r.take()
            noundef = noundef or word == "noundef"
            if word == "range":
                r.expect("(")
                kind = r.type()
                low = r.constant(kind)
                r.expect(",")
                limits = low, r.constant(kind)
                r.expect(")")
            elif word == "align" and r.peek() != "(":
                align = int(r.take())
            elif r.accept("("):
                while r.take() != ")":
                    pass
        return noundef, limits, align

    def call(self, r, i):
        """The last operand is the callee. detail: the operands that must not be poison, and the range of the result.
        align: of each operand."""
        i.flags = frozenset(r.words((*FAST_MATH, "fastcc")))
        limits = self.attributes(r)[1]
        i.type = r.type()
        callee = self.value(r, POINTER)
        r.expect("(")
        defined, i.align = [], []
        while not r.accept(")"):
            if r.accept("metadata"):  # the name of a scope, in which addresses do not overlap
                r.take()
                continue
            kind = r.type()
            if kind.kind == "void" or r.peek()[:1] == "!":
                r.refuse()
            noundef, _, align = self.attributes(r)
            i.align.append(align)
            if noundef:
                defined.append(len(i.operands))
            self.operand(r, i, kind)
            r.accept(",")
        i.operands.append(callee)
        i.types.append(POINTER)
        i.detail = defined, limits


# ---- modules ----

FUNCTION = re.compile(r'^define [^@]*@("[^"]*"|[-\w$.]+)\(.*?^}$', re.M | re.S)
UNSTABLE = re.compile(r", !(?!range|noundef)[\w.]+ !\d+| #\d+|(?<=!noundef) !\d+")
RANGE = re.compile(r"(?<=!range )!\d+")
TYPES = re.compile(r"%[-\w$.]+")
NAMES = re.compile(r'@("[^"]*"|[-\w$.]+)')


class File:
    """A file of IR."""

    def __init__(self, path):
        self.path = str(path)
        text = Path(path).read_text()
        self.functions = {m[1].strip('"'): m for m in FUNCTION.finditer(text)}
        self.variables = dict(re.findall(r'^@"?([-\w$.]+)"? = (.*)$', text, re.M))
        self.struct_texts = dict(re.findall(r"^(%[-\w$.]+) = type (.*)$", text, re.M))
        self.ranges = dict(re.findall(r"^(!\d+) = !\{(i\d+ -?\d+, i\d+ -?\d+)\}$", text, re.M))
        self.structs = {}

    def struct(self, name):
        if name not in self.structs:
            if name not in self.struct_texts:
                raise Refused(f"the type {name}")
            self.structs[name] = Reader(self.struct_texts[name], self).type()
        return self.structs[name]

    def stable_text(self, text):
        """The text of a function or variable, with the structs and ranges that it names. Numbers of metadata and of
        attribute groups are left out, because they change when other code in the file does."""
        text = RANGE.sub(lambda m: self.ranges.get(m[0], m[0]), UNSTABLE.sub("", text))
        types, pending = {}, [text]
        while pending:
            names = TYPES.findall(pending.pop())
            found = {name: self.struct_texts[name] for name in names if name in self.struct_texts and name not in types}
            types.update(found)
            pending.extend(found.values())
        return "\n".join([text, *(f"{name} = {kind}" for name, kind in sorted(types.items()))])

    def range_of(self, metadata):
        if metadata not in self.ranges:
            raise Refused(f"the metadata {metadata}")
        r = Reader(self.ranges[metadata], self)
        low = r.constant(r.type())
        r.expect(",")
        return low, r.constant(r.type())


class Module:
    """Files that are linked: a name is looked up in its own file first, and then in the others."""

    def __init__(self, paths):
        self.files = {str(p): File(p) for p in paths}
        self.functions, self.variables = {}, {}
        self.exported = {}
        for f in self.files.values():
            for name, m in f.functions.items():
                if not re.match(r"define (internal|private) ", m[0]):
                    self.exported[name] = f
            for name, text in f.variables.items():
                if not re.search(r"\b(internal|private|external)\b", text.split("constant")[0]):
                    self.exported[name] = f

    def home(self, constant):
        """Returns the file that defines a Global, or None."""
        own = self.files[constant.file]
        if constant.name in own.functions:
            return own
        text = own.variables.get(constant.name)
        if text is not None and not re.search(r"\bexternal\b", text.split("constant")[0]):
            return own
        return self.exported.get(constant.name)

    def text(self, constant):
        """Returns the text of a function or variable."""
        home = self.home(constant)
        if home is None:
            return None
        m = home.functions.get(constant.name)
        return m[0] if m else home.variables[constant.name]

    def function(self, constant):
        home = self.home(constant)
        if home is None or constant.name not in home.functions:
            raise Refused(f"the function {constant.name}")
        key = home.path, constant.name
        if key not in self.functions:
            self.functions[key] = FunctionReader(home, constant.name, home.functions[constant.name][0]).read()
        return self.functions[key]

    def is_constant(self, name):
        """Returns whether a global variable never changes."""
        return re.match(r"(?:[\w_()]+ )*?(global|constant) ", self.home(name).variables[name.name])[1] == "constant"

    def variable(self, constant):
        """Returns the type and the initial value of a global variable."""
        home = self.home(constant)
        if home is None or constant.name not in home.variables:
            raise Refused(f"the variable {constant.name}")
        key = home.path, constant.name
        if key not in self.variables:
            m = re.match(r"(?:[\w_()]+ )*?(?:global|constant) (.*)", home.variables[constant.name])
            if not m:
                raise Refused(f"the variable {constant.name}")
            r = Reader(m[1], home)
            kind = r.type()
            self.variables[key] = kind, r.constant(kind)
        return self.variables[key]

    def global_named(self, name):
        """Returns the Global of an exported name."""
        if name not in self.exported:
            raise Refused(f"the name {name}")
        return Global(self.exported[name].path, name)

    def is_function(self, constant):
        home = self.home(constant)
        return home is not None and constant.name in home.functions

    def closure(self, constants):
        """Returns stable_text() of functions and variables, and of all that they refer to."""
        texts, pending = {}, list(constants)
        while pending:
            constant = pending.pop()
            home = self.home(constant)
            key = (home.path if home else "", constant.name)
            if home is None or key in texts:
                continue
            texts[key] = home.stable_text(self.text(constant))
            pending.extend(Global(home.path, name.strip('"')) for name in NAMES.findall(texts[key]))
        return sorted(text for _, text in texts.items())
