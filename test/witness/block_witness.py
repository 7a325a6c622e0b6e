# SPDX-License-Identifier: MIT
"""Compares libpto's block scaling with other implementations: python3 block_witness.py build/release/libpto.so

The others are block_rules.py, which uses the conversions of ml_dtypes, and the stacks of the folder stacks that are
installed.
Exits with 1 if anything differs, and 77 if NumPy or ml_dtypes is missing. --plant alters one of libpto's codes, which
must be found.
"""

import argparse
import ctypes
import sys
from collections import Counter
from itertools import islice, product

try:
    import block_rules as rules
    import block_stacks as stacks
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

BLOCKS = {(128, 128): 16}  # blocks of a case, if it is not the usual number
USUAL_BLOCKS = 1024
ACROSS = 4  # blocks in a row of the tensor
PLACES = {"f32": (-149, 128), "bf16": (-133, 128), "f16": (-24, 16)}  # exponents: smallest, first too large
EPS = (0.0, 1e-10, 1e-4)
LARGEST_OF_TENSOR = (1.0, 3.7e4, 2.5e-9, 0.0, 3e38, 1e-40)


class Op(ctypes.Structure):
    """The C struct pto_block_op."""

    _fields_ = [(name, ctypes.c_int) for name in ("wide", "elem", "rule", "round")]
    _fields_ += [("pow2", ctypes.c_bool), ("two_level", ctypes.c_bool), ("tensor", ctypes.c_float)]
    _fields_ += [("block_rows", ctypes.c_size_t), ("block_cols", ctypes.c_size_t)]
    _fields_ += [("reserved", ctypes.c_uint32 * 6)]


class CvtOp(ctypes.Structure):
    """The C struct pto_cvt_op."""

    _fields_ = [(name, ctypes.c_int) for name in ("dst", "src", "round")]
    _fields_ += [(name, ctypes.c_bool) for name in ("ftz", "sat", "satfinite", "relu", "pzo")]
    _fields_ += [("reserved", ctypes.c_uint8 * 3), ("scale", ctypes.c_int)]


class Library:
    """libpto. The values of its enumerations come from its own parsers and names."""

    def __init__(self, path):
        self.calls = ctypes.CDLL(path)
        self.calls.pto_block_rule_name.restype = ctypes.c_char_p
        names = [self.calls.pto_block_rule_name(number).decode() for number in range(256)]
        self.rules = {name: number for number, name in enumerate(names) if name != "?"}
        if set(self.rules) != {*rules.MX, *rules.NV, *rules.FP8, *rules.BFP}:
            sys.exit(f"block_witness: libpto has the rules {[*self.rules]}, block_rules.py has others")
        cvt = CvtOp()
        self.parse("cvt", "cvt.rn.f16.f32", cvt)
        self.nearest = cvt.round

    def parse(self, word, text, result):
        if self.calls[f"pto_parse_{word}"](text.encode(), ctypes.byref(result), None) != 0:
            sys.exit(f"block_witness: libpto does not know {text}")
        return result

    def dtype(self, name):
        return self.parse("dtype", name, ctypes.c_int()).value

    def op(self, case):
        tensor = case.eps if case.tensor is None else case.tensor
        types = self.dtype(case.wide), self.dtype(case.elem), self.rules[case.rule], self.nearest
        return Op(*types, case.pow2, case.tensor is not None, tensor, *case.block)

    def tensor(self, rule, largest):
        """The result of pto_block_tensor()."""
        number = ctypes.c_float()
        self.call("pto_block_tensor", self.rules[rule], ctypes.c_float(largest), ctypes.byref(number))
        return np.float32(number.value)

    def call(self, name, *operands):
        if status := self.calls[name](*operands):
            sys.exit(f"block_witness: {name}: status {status}")

    def quantize(self, case, tensor):
        """Codes and scales in libpto's layout, and the dequantized tensor."""
        rows, cols = tensor.shape
        packed = case.elem in rules.PACKED
        codes = np.zeros((rows, cols // 2 if packed else cols), np.uint8)
        kind = np.float32 if case.rule in rules.FP8 else np.uint8
        scales = np.zeros((rows // case.block[0], cols // case.block[1]), kind)
        back, size = np.zeros_like(tensor), ctypes.c_size_t
        op, zero, shape = self.op(case), size(0), (size(rows), size(cols))
        ours, bytes_, numbers, y = (at(array) for array in (tensor, codes, scales, back))
        self.call("pto_block_quantize", op, ours, zero, *shape, bytes_, zero, numbers, zero, None)
        self.call("pto_block_dequantize", op, bytes_, zero, numbers, zero, *shape, y, zero)
        return unpacked(codes) if packed else codes, scales, back


def at(array):
    return ctypes.c_void_p(array.ctypes.data)


def unpacked(codes):
    """One code in each byte. The low nibble of a packed byte comes first."""
    return np.stack([codes & 15, codes >> 4], axis=-1).reshape(codes.shape[0], -1)


# ---- blocks, each a row of a matrix, and tensors ----


def tensor_of(blocks, block):
    rows, cols = block
    grid = blocks.reshape(-1, ACROSS, rows, cols).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(grid).reshape(-1, ACROSS * cols)


def blocks_of(tensor, block):
    rows, cols = block
    grid = tensor.reshape(-1, rows, ACROSS, cols).transpose(0, 2, 1, 3)
    return grid.reshape(-1, rows * cols)


def random_blocks(wide, count, length, random):
    """Normally distributed values, scaled to every order of magnitude of the type."""
    exponents = random.integers(*PLACES[wide], size=(count, 1))
    return np.ldexp(random.standard_normal((count, length)), exponents)


def largest_numbers(case):
    """Largest magnitudes near which scales change: MAX and 1 times powers of two, and the adjacent values."""
    wide = rules.WIDES[case.wide]
    powers = np.ldexp(1.0, np.arange(*PLACES[case.wide]))
    whole = np.concatenate([powers, powers * float(rules.ELEMENTS[case.elem].max), [rules.ml_dtypes.finfo(wide).max]])
    with np.errstate(over="ignore"):
        whole = whole.astype(wide)
        beside = [np.nextafter(whole, wide.type(to)) for to in (-np.inf, np.inf)]
    return np.concatenate([whole, *beside, np.array([0, -0.0, np.inf, np.nan], wide)])


def sample(case, random):
    """Blocks of a case: random ones, blocks with a special largest value, zeros, and blocks with a NaN or Inf."""
    wide, length = rules.WIDES[case.wide], case.block[0] * case.block[1]
    count = BLOCKS.get(case.block, USUAL_BLOCKS)
    special = largest_numbers(case)
    special = random.permutation(special)[: count // 2]
    with np.errstate(all="ignore"):
        some = random_blocks(case.wide, count - len(special), length, random).astype(wide)
        others = (random.uniform(-1, 1, (len(special), length)) * special.astype(np.float64)[:, None]).astype(wide)
    others[:, length // 3] = special
    some[0], some[1], some[2, ::2] = 0, -0.0, np.nan
    some[3], some[4, 5], some[5, 7] = np.nan, -np.inf, np.nan
    return np.concatenate([some, others])


# ---- cases ----


def family(names, elems, block, **more):
    for rule, elem, wide in product(names, elems, rules.WIDES):
        if elem in rules.ELEMS.get(rule, rules.FLOATS):
            yield rules.Case(rule, elem, wide, block, **more)


def two_level(library):
    """The NV rules with tensors of several magnitudes. Also checks the results of pto_block_tensor()."""
    for case, largest in product(family(rules.SECOND_LEVEL, ["e2m1"], (1, 16)), LARGEST_OF_TENSOR):
        with np.errstate(all="ignore"):
            number = rules.tensor_number(case.rule, np.float32(largest))
        if number.tobytes() != library.tensor(case.rule, largest).tobytes():
            sys.exit(f"block_witness: pto_block_tensor({case.rule}, {largest}) differs")
        yield case._replace(tensor=number)


def with_eps():
    for case, eps, pow2 in product(family(rules.FP8, ["e4m3", "e5m2"], (1, 128)), EPS, (False, True)):
        if case.rule in rules.TAKES_EPS or eps == 0:
            if not pow2 or case.rule in rules.TAKES_POW2:
                yield case._replace(eps=np.float32(eps), pow2=pow2)


def every_case(library):
    yield from family(rules.MX, rules.ELEMENTS, (1, 32))
    yield from family(rules.MX, ["e4m3", "e2m1"], (32, 1))
    without_choice = [rule for rule in rules.NV if rule not in rules.CHOICES]
    yield from family(without_choice, ["e2m1"], (1, 16))
    yield from family(without_choice, ["e2m1"], (16, 16))
    tall = [rule for rule in rules.CHOICES if ".te." in rule or ".fast." in rule]
    yield from (case._replace(tensor=np.float32(3.7)) for case in family(tall, ["e2m1"], (16, 16)))
    yield from family(rules.BFP, rules.ELEMENTS, (1, 16))
    yield from two_level(library)
    yield from with_eps()
    yield from family(rules.FP8, ["e4m3"], (128, 128))


# ---- comparing ----


def same(a, b):
    """Element-wise equality of the bits. All NaNs are equal."""
    nan = (a != a) & (b != b)
    bits = f"u{a.itemsize}"
    return nan | (a.view(bits) == b.view(bits))


def codes_differ(kind, ours, theirs):
    """Element-wise inequality of codes. All NaNs are equal."""
    if kind not in ("e4m3", "e5m2"):
        return ours != theirs
    return (ours != theirs) & ~(np.isnan(rules.decode(kind, ours)) & np.isnan(rules.decode(kind, theirs)))


def differing(case, ours, theirs):
    """A mask of the blocks that differ in a scale, a code or a dequantized value. A witness may lack some of these."""
    codes, scales, back = ours
    wrong = np.full(len(codes), False)
    if theirs.scales is not None:
        as_code = case.rule in rules.SECOND_LEVEL
        wrong |= codes_differ("e4m3", scales, theirs.scales) if as_code else ~same(scales, theirs.scales)
    if theirs.codes is not None:
        wrong |= codes_differ(case.elem, codes, theirs.codes).any(axis=1)
    if theirs.back is not None:
        wrong |= ~same(back, rules.restored(case, theirs)).all(axis=1)
    return wrong


def judge(case, ours, opinion):
    """A mask of the blocks that differ without a documented reason, and how many blocks each reason explains."""
    ours = rules.Answer(*(array[opinion.kept] for array in ours))
    bad, explained = differing(case, ours, opinion.theirs), Counter()
    excused = np.full(len(bad), False)
    for known in opinion.known:
        if known.change is not None:
            ours = known.change(ours)
        else:
            excused |= known.where
        still = differing(case, ours, opinion.theirs) & ~excused
        explained[opinion.witness, case.rule, known.reason] = int((bad & ~still).sum())
        bad = still
    return bad, explained


def quantized(library, case, blocks):
    codes, scales, back = library.quantize(case, tensor_of(blocks, case.block))
    return rules.Answer(blocks_of(codes, case.block), scales.reshape(-1), blocks_of(back, case.block))


def compare(library, random, planted, only):
    """Counts, by reference and rule, the blocks compared and those that differ, and by reason those that may differ.

    If `planted`, only one case is compared, with one code altered. `only` is the name of a rule, or None for all.
    """
    blocks, wrong, explained = Counter(), Counter(), Counter()
    cases = (case for case in every_case(library) if only in (None, case.rule))
    for case in islice(cases, 1 if planted else None):
        source = sample(case, random)
        ours = quantized(library, case, source)
        if planted:
            ours.codes[9, 3] ^= 1
        for opinion in stacks.opinions(case, source, ours):
            bad, reasons = judge(case, ours, opinion)
            blocks[opinion.witness, case.rule] += len(bad)
            wrong[opinion.witness, case.rule] += int(bad.sum())
            explained.update(reasons)
            if bad.any():
                print(f"{opinion.witness} {case}: differing blocks {np.flatnonzero(opinion.kept)[bad][:8]}")
    return blocks, wrong, explained


def report(blocks, wrong, explained):
    """Prints the counts. Returns the documented differences that did not occur."""
    print(stacks.versions())
    print(f"{'witness':20} {'rule':16} {'blocks':>8} {'differ':>8}")
    for (witness, rule), count in sorted(blocks.items()):
        print(f"{witness:20} {rule:16} {count:8} {wrong[witness, rule]:8}")
    for (witness, rule, reason), count in sorted(explained.items()):
        print(f"{witness} {rule}: {count} blocks differ as documented: {reason}")
    return [key for key, count in explained.items() if count == 0]


def main():
    parser = argparse.ArgumentParser(description="Compare libpto's block scaling with other people's.")
    parser.add_argument("library", help="libpto.so")
    parser.add_argument("--plant", action="store_true", help="alter one code: fails if it is found")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rule", help="compare only this rule")
    parser.add_argument("--stack", action="append", choices=stacks.STACKS, help="compare only with this stack")
    options = parser.parse_args()
    stacks.load(options.stack or stacks.STACKS)
    random = np.random.default_rng(options.seed)
    blocks, wrong, explained = compare(Library(options.library), random, options.plant, options.rule)
    unseen = report(blocks, wrong, explained)
    if options.plant:
        found = set(wrong.values()) == {1}
        print("planted: every witness found the altered code" if found else "planted: not found, or more than that")
        return 1 if found else 0
    for witness, rule, reason in unseen:
        print(f"{witness} {rule}: no block differs any more: {reason}")
    return 1 if any(wrong.values()) or unseen else 0


sys.exit(main())
