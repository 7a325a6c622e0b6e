# SPDX-License-Identifier: MIT
"""Compares pto run with the safetensors library: python3 safetensors_witness.py build/release/cli/pto

The library writes a file with a tensor of every type that both support. pto run reads the tensors and writes them into
one file, which the library reads. Names, types, shapes and bytes must be equal. Exits with 1 if they are not, and 77 if
the library is missing. --plant alters a byte of pto's file, which must be found.
"""

import ctypes
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    from safetensors import TensorSpec, deserialize, serialize
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

# For each type: its name in the library and in the file, the bits of an element, and an instruction that reads a
# register of it. Types without registers of their own are packed into 16-bit registers.
TYPES = [
    ("bool", "BOOL", 8, "not.pred {0}_d, {0};"),
    ("uint8", "U8", 8, "mov.b16 {0}_d, {0};"),
    ("int8", "I8", 8, "mov.b16 {0}_d, {0};"),
    ("uint16", "U16", 16, "add.u16 {0}_d, {0}, 1;"),
    ("int16", "I16", 16, "add.s16 {0}_d, {0}, 1;"),
    ("uint32", "U32", 32, "add.u32 {0}_d, {0}, 1;"),
    ("int32", "I32", 32, "add.s32 {0}_d, {0}, 1;"),
    ("uint64", "U64", 64, "add.u64 {0}_d, {0}, 1;"),
    ("int64", "I64", 64, "add.s64 {0}_d, {0}, 1;"),
    ("float16", "F16", 16, "neg.f16 {0}_d, {0};"),
    ("bfloat16", "BF16", 16, "neg.bf16 {0}_d, {0};"),
    ("float32", "F32", 32, "neg.f32 {0}_d, {0};"),
    ("float64", "F64", 64, "neg.f64 {0}_d, {0};"),
    ("float8_e4m3fn", "F8_E4M3", 8, "mov.b16 {0}_d, {0};"),
    ("float8_e5m2", "F8_E5M2", 8, "mov.b16 {0}_d, {0};"),
    ("float8_e8m0fnu", "F8_E8M0", 8, "mov.b16 {0}_d, {0};"),
    ("float4_e2m1fn_x2", "F4", 4, "mov.b16 {0}_d, {0};"),
]
ROWS, COLS = 6, 4


def shape_of(dtype, bits):
    """The shape of a tensor. All registers have the same number of lanes."""
    return [ROWS, COLS] if bits >= 16 or dtype == "BOOL" else [ROWS, COLS * 16 // bits]


def make(folder):
    """Writes a file with the library. Returns the type, shape and bytes of its tensors."""
    numbers = random.Random(7)
    specs, tensors, kept = {}, {}, []
    for word, dtype, bits, _ in TYPES:
        shape = shape_of(dtype, bits)
        data = numbers.randbytes(shape[0] * shape[1] * bits // 8)
        if dtype == "BOOL":
            data = bytes(byte & 1 for byte in data)
        buffer = ctypes.create_string_buffer(data, len(data))
        kept.append(buffer)
        stored = [shape[0], shape[1] // 2] if dtype == "F4" else shape  # the library's elements are pairs
        specs[f"of.{dtype}"] = TensorSpec(
            dtype=word, shape=stored, data_ptr=ctypes.addressof(buffer), data_len=len(data)
        )
        tensors[f"of.{dtype}"] = (dtype, shape, data)
    (folder / "theirs.safetensors").write_bytes(serialize(specs, {"format": "pt"}))
    return tensors


def through_pto(pto, folder):
    """Runs a program with pto run that reads all tensors and writes them unchanged."""
    names = [dtype.lower() for _, dtype, _, _ in TYPES]
    lines = [line.format(name) for name, (_, _, _, line) in zip(names, TYPES)]
    (folder / "all.ptx").write_text("\n".join(lines) + "\n")
    command = [*pto, "run", str(folder / "all.ptx")]
    for name, (_, dtype, _, _) in zip(names, TYPES):
        command += ["-i", f"{name}={folder}/theirs.safetensors:of.{dtype}"]
        command += ["-o", f"{name}={folder}/ours.safetensors:of.{dtype}"]
    subprocess.run(command, check=True)


def differences(wanted, found):
    for name, (dtype, shape, data) in wanted.items():
        if name not in found:
            yield f"{name} is missing"
            continue
        tensor = found[name]
        if tensor["dtype"] != dtype:
            yield f"{name} is {tensor['dtype']}"
        if bytes(tensor["data"]) != data:
            yield f"{name} has other bytes"
        # If a lane has several elements, the shape is not kept.
        kept = shape if shape == [ROWS, COLS] else [shape[0] * shape[1]]
        if list(tensor["shape"]) != kept:
            yield f"{name} is of shape {tensor['shape']}, not {kept}"
    for name in found.keys() - wanted.keys():
        yield f"{name} was never there"


def main():
    plant = "--plant" in sys.argv
    pto = [argument for argument in sys.argv[1:] if argument != "--plant"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wanted = make(folder)
        through_pto(pto, folder)
        ours = bytearray((folder / "ours.safetensors").read_bytes())
        if plant:
            ours[-1] ^= 1
        different = list(differences(wanted, dict(deserialize(bytes(ours)))))
    for line in different:
        print(line)
    print(f"{len(TYPES)} types, {len(different)} differences")
    return 1 if different else 0


sys.exit(main())
