# SPDX-License-Identifier: MIT
"""Memory: objects, whose bytes are cells, and the states of execution.

Each access must lie inside its object at a known offset; an array may also be read at one that depends on inputs."""

import itertools

import terms
from terms import Refused, both, either, extract, mask, negate, signed
from values import ADDRESSES, Maybe, Pointer, PointerChoice, choose, merge, strip, with_poison

numbers = itertools.count(1)  # of objects that have addresses


class UnknownOffset(Refused):
    """An access at an offset that depends on inputs."""

    def __init__(self, obj, offset):
        super().__init__(f"an unknown offset in {obj}")
        self.offset = offset


class Object:
    """An object in memory. `function`: the Global, if it is a function. `address`: a number, or 0 if there is none.
    Kernels use it only to align accesses and to compute the distance of arrays."""

    def __init__(self, name, size, constant=False, function=None, address=0):
        self.name, self.size, self.constant, self.function, self.address = name, size, constant, function, address
        self.result = None  # in a call in place, the result's object has this object's address

    def __repr__(self):
        return self.name


class State:
    """Memory, and the condition under which execution is here. A cell is (value, index of the byte in the value, bytes
    of the value), or None if it was never written."""

    def __init__(self):
        self.memory = {}
        self.shared = set()  # objects whose cells another state has, too
        self.condition = 1
        self.undefined = []  # conditions under which behaviour is undefined
        self.read_late = set()  # names of objects for which a call in place is another case

    def fork(self, condition):
        other = State()
        other.memory = dict(self.memory)
        self.shared = set(self.memory)
        other.shared = set(self.memory)
        other.condition = both(self.condition, condition)
        other.undefined, other.read_late = self.undefined, self.read_late
        return other

    def new_object(self, name, cells, constant=False, misalignment=0):
        """Makes an object, far from all others, whose address is a multiple of 64 plus the misalignment."""
        obj = Object(name, len(cells), constant, None, next(numbers) << 32 | misalignment)
        self.memory[obj] = cells
        return obj

    def cells(self, obj):
        """The cells of an object, for writing."""
        if obj in self.shared:
            self.memory[obj] = list(self.memory[obj])
            self.shared.discard(obj)
        return self.memory[obj]

    def must_not(self, condition):
        if type(condition) is int and condition == 0:
            return
        condition = both(self.condition, condition)
        if not isinstance(condition, int) or condition:
            self.undefined.append(condition)

    def located(self, pointer, size, align=1):
        """Returns the object and the offset of an access. `align`: what its address must be a multiple of. Variables
        and local variables, which have no address, are aligned as the compiler wants."""
        pointer, poison = strip(pointer)
        self.must_not(poison)
        if not isinstance(pointer, Pointer):
            raise Refused("an access without an object")
        offset, poison = strip(pointer.offset)
        self.must_not(poison)
        if isinstance(offset, int):
            offset = signed(offset & mask(64), 64)
            if offset < 0 or offset + size > pointer.object.size:
                raise Refused(f"an access outside {pointer.object} at {offset}")
            if pointer.object.address and (pointer.object.address + offset) % align:
                raise Refused(f"an access to {pointer.object} that is not aligned to {align}")
        if pointer.object not in self.memory:
            raise Refused(f"an access to {pointer.object}")
        return pointer.object, offset

    def cells_to_read(self, obj, offset=0, size=None):
        """Returns the cells of an object. The caller reads `size` cells at `offset`, or any from there on if size is
        None. Adds to read_late an object of which a call in place would read overwritten cells."""
        if obj.result is not None:
            written = self.memory[obj.result][offset : None if size is None else offset + size]
            if any(cell is not None for cell in written):
                self.read_late.add(obj.name)
        return self.memory[obj]

    def note_distance(self, *lanes):
        """Adds to read_late an object whose address is compared with that of its result: in place, they are equal."""
        objects = [v.object for v in (strip(lane)[0] for lane in lanes) if isinstance(v, Pointer)]
        for obj in objects:
            if obj.result is not None and obj.result in objects:
                self.read_late.add(obj.name)

    def load(self, pointer, kind, align=1):
        pointer, poison = strip(pointer)
        self.must_not(poison)
        if isinstance(pointer, PointerChoice):
            first, second = (self.load(p, kind, align) for p in (pointer.first, pointer.second))
            return merge(pointer.condition, first, second, kind)
        obj, offset = self.located(pointer, kind.size(), align)
        if not isinstance(offset, int):
            if obj.address and (obj.address % align or kind.size() % align):
                raise Refused(f"an access to {obj} that may not be aligned to {align}")
            return self.look_up(obj, self.cells_to_read(obj), offset, kind)
        cells = self.cells_to_read(obj, offset, kind.size())
        if kind.kind not in ("int", "float", "ptr", "vector"):
            raise Refused(f"a load of a {kind.kind}")
        if not kind.is_vector:
            return get(cells, offset, kind.size(), kind.bits)
        if kind.bits % 8 != 0:
            whole = get(cells, offset, kind.size(), 8 * kind.size())
            return [part(whole, k * kind.bits, kind.bits) for k in range(kind.count)]
        step = kind.bits // 8
        return [get(cells, offset + k * step, step, kind.bits) for k in range(kind.count)]

    def look_up(self, obj, cells, offset, kind):
        """Loads from an array at an offset that depends on inputs: a choice among its entries."""
        size = kind.size()
        if kind.is_vector or obj.size // size > 4096:
            raise UnknownOffset(obj, offset)
        inside, result = [], None
        for at in range(0, obj.size - size + 1, size):
            here = terms.eq(offset, at, 64)
            inside.append(here)
            value = get(cells, at, size, kind.bits)
            result = value if result is None else merge(here, value, result, kind)
        self.must_not(negate(either(*inside)))
        return result

    def store(self, pointer, kind, value, align=1):
        obj, offset = self.located(pointer, kind.size(), align)
        if obj.constant:
            raise Refused(f"a store to {obj}")
        if not isinstance(offset, int):
            raise UnknownOffset(obj, offset)
        cells = self.cells(obj)
        if kind.is_vector and kind.bits % 8 == 0:
            step = kind.bits // 8
            for k, v in enumerate(value):
                put(cells, offset + k * step, v, step)
            return
        if kind.is_vector:
            value, bits = joined_lanes(value, kind.bits), kind.count * kind.bits
        else:
            bits = kind.bits
        if bits % 8 != 0:
            v, p = strip(value)
            value = with_poison(terms.zext(v, bits, 8 * kind.size()), p)
        put(cells, offset, value, kind.size())

    def merge_memory(self, c, one, other):
        """Takes over memory from `one` if the condition holds, else from `other`."""
        self.memory = dict(other.memory)
        self.shared = set(self.memory)
        for obj, cells in one.memory.items():
            theirs = other.memory.get(obj)
            if theirs is None and not obj.constant and not obj.address:
                raise Refused(f"{obj} is used on one side of a branch only")
            if theirs is None or cells is theirs:
                continue
            mine = self.cells(obj)
            for k in merged_places(cells, theirs):
                size = merged_size(cells, theirs, k)
                value = choose(c, get(cells, k, size, 8 * size), get(theirs, k, size, 8 * size), 8 * size)
                put(mine, k, value, size)


def merged_places(cells, theirs):
    """Where values begin that differ."""
    k = 0
    while k < len(cells):
        if cells[k] != theirs[k]:
            yield k
            k += merged_size(cells, theirs, k)
        else:
            k += 1


def merged_size(cells, theirs, k):
    """The bytes that can be merged as one value at place k: a value of the same size begins on both sides, or 1."""
    x, y = cells[k], theirs[k]
    if x is not None and y is not None and x[1] == y[1] == 0 and x[2] == y[2]:
        size = x[2]
        if cells[k : k + size] == [(x[0], j, size) for j in range(size)] and theirs[k : k + size] == [
            (y[0], j, size) for j in range(size)
        ]:
            return size
    return 1


def put(cells, at, value, size):
    cells[at : at + size] = [(value, k, size) for k in range(size)]


def get(cells, at, size, bits):
    first = cells[at]
    if first is None:
        return Maybe(0, 1)
    value, index, whole = first
    if index == 0 and whole == size:
        for k in range(1, size):
            c = cells[at + k]
            if c is None or c[0] is not value or c[1] != k:
                break
        else:
            return value if bits == 8 * size or type(value) is int else part(value, 0, bits)
    result, poison = 0, 0
    for k, c in enumerate(cells[at : at + size]):
        if c is None:
            return Maybe(0, 1)
        v, p = strip(c[0])
        if isinstance(v, ADDRESSES):
            raise Refused("a part of an address")
        poison = either(poison, p)
        byte = extract(v, 8 * c[1], 8) if not isinstance(v, int) else v >> 8 * c[1] & 255
        result = byte if k == 0 else terms.concat(byte, result, 8, 8 * k)
    return with_poison(extract(result, 0, bits), poison)


def part(lane, at, bits):
    """Bits of a lane that may be poison."""
    if type(lane) is int:
        return lane >> at & mask(bits)
    v, p = strip(lane)
    if isinstance(v, ADDRESSES):
        raise Refused("a part of an address")
    return with_poison(extract(v, at, bits), p)


def joined_lanes(lanes, bits):
    """The lanes as one; it is poison if one of them is."""
    values, poison = zip(*map(strip, lanes), strict=True)
    return with_poison(terms.join(values, bits), either(*poison))
