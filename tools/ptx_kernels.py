# SPDX-License-Identifier: MIT
"""Runs whole PTX kernels on an NVIDIA GPU, through CuPy, and prints their results:

    python tools/ptx_kernels.py FOLDER >test/data/kernels-sm_90.txt

FOLDER has the PTX files that the tables below name. The result has one line for each output array of each kernel:
the file, the kernel, the number of the parameter, the SHA-256 of the array's bytes, and the first bytes of
both of its halves in hexadecimal.

Inputs are made from the number of the parameter, so they are identical on every machine. Element i of array k is a hash
of (k, i); the first elements are special values. An output array is filled with bytes of 0xaa before the run, and
arrays have more elements than the kernel's n. So the result shows a store beyond n."""

import hashlib
import re
import sys
from pathlib import Path

import numpy as np

N = 4000  # the kernel's n: not a multiple of a block
ROOM = 4096  # elements of each array
BLOCK = 128
SHOWN = 256  # bytes that are printed of each half of a result

SPECIAL = {
    "f32": [
        0,
        0x80000000,
        0x3F800000,
        0xBF800001,
        0x7F800000,
        0xFF800000,
        0x7FC00005,
        0xFFA00002,
        1,
        0x7F7FFFFF,
        0x80000001,
        0x007FFFFF,
        0x00800000,
        0x80800000,
        0x3F7FFFFF,
        0x43E00000,
        0x43E80000,
        0xC0490FDB,
        0xFF7FFFFF,
        0x7F800001,
        0x7FFFFFFF,
        0xFFFFFFFF,
        0x33800000,
        0x7F000001,
    ],
    "f16": [0, 0x8000, 0x3C00, 0xBC01, 0x7C00, 0xFC00, 0x7E05, 0xFD02, 1, 0x7BFF, 0x8001, 0x03FF],
    "bf16": [0, 0x8000, 0x3F80, 0xBF81, 0x7F80, 0xFF80, 0x7FC5, 0xFFA2, 1, 0x7F7F, 0x8001, 0x007F],
    "u8": [0, 1, 2, 0x7F, 0x80, 0xFF],
    "mask": [0, 1, 0, 2, 0x80, 0xFF],
}
WIDTH = {"f32": 4, "f16": 2, "bf16": 2, "u8": 1, "mask": 1}

# The parameters of each kernel:
#   TYPE*PER             an input array of n * PER elements
#   >BYTES               an output array of n * BYTES bytes
#   +TYPE                an array that the kernel reads and writes
#   n                    the number of elements
#   BITS:u32, VALUE:f32  scalars
#   0                    a null pointer
CUDA = {
    "k01_relu": "f32 >4 n",
    "k02_leaky": "f32 >4 n 0.01:f32",
    "k03_clamp": "f32 >4 n -1:f32 6:f32",
    "k04_where": "f32 f32 mask >4 n",
    "k05_maskfill": "f16 mask >2 n",
    "k06_expthr": "f32 >4 n 3.5:f32",
    "k07_argmaxstep": "f32 +f32 >4 n 7:u32",
    "k08_topkmask": "f32 >1 n 0.5:f32",
    "k09_q_e4m3": "f32 >1 n 0.37:f32",
    "k10_q_e4m3x4": "f32*4 >4 n 0.37:f32",
    "k11_q_e2m1": "f32*2 >1 n 0.37:f32",
    "k12_q_bf16": "f32 >2 n",
    "k13_mxdeq_e4m3": "u8 u8 >4 n",
    "k14_mxdeq_e2m1": "u8 u8 >8 n",
    "k15_nan_to_num": "f32 >4 n",
    "k16_sign": "f32 >4 n",
}
CLANG = {
    "relu": "f32 >4 n",
    "leaky": "f32 >4 n 0.01:f32",
    "clampf": "f32 >4 n -1:f32 6:f32",
    "where": "f32 f32 mask >4 n",
    "hrelu": "f16 >2 n",
    "sign": "f32 >4 n",
    "f2i": "f32 >4 n",
    "f2bf": "f32 >2 n",
    "fmac": "f32 >4 n",
}
# A thread of a Triton kernel handles four elements; each block of softmax handles one row of n.
TRITON = {
    "cast_f32_bf_90": ("cast", "f32 >2 n 0 0"),
    "cast_f32_e4m3_90": ("cast", "f32 >1 n 0 0"),
    "clamp_90": ("clampk", "f32 >4 n -1:f32 6:f32 0 0"),
    "maskfill_90": ("maskfill", "f16 mask >2 n 0 0"),
    "quant_90": ("quant", "bf16 f32 >1 n 0 0"),
    "relu_90": ("relu", "f32 >4 n 0 0"),
    "relu_h_90": ("relu", "f16 >2 n 0 0"),
    "softmax_90": ("softmax", "f32 >4 500:u32 0 0"),
    "where_90": ("where", "f32 f32 mask >4 n 0 0"),
}
KERNELS = (
    [("nvcc135_sm_90a.ptx", name, parameters, 1) for name, parameters in CUDA.items()]
    + [("clang19_sm_90.ptx", name, parameters, 1) for name, parameters in CLANG.items()]
    + [(f"triton/{file}.ptx", name, parameters, 4) for file, (name, parameters) in TRITON.items()]
)


def hashed(number: int, count: int) -> np.ndarray:
    """The first outputs of SplitMix64 with the seeds (number << 32) + i."""
    z = (np.uint64(number) << np.uint64(32)) + np.arange(count, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def made(dtype: str, number: int, count: int) -> np.ndarray:
    """Input array `number`. Three of four floats have moderate exponents, which conversions and exp do not saturate."""
    bits = hashed(number, count)
    word = bits >> np.uint64(32)
    moderate = (bits & np.uint64(3)) != 0
    if dtype == "f32":
        word = np.where(moderate, (word & np.uint64(0x87FFFFFF)) | np.uint64(0x38000000), word)
    elif dtype == "mask":
        word = np.where(moderate, word & np.uint64(1), word)
    array = word.astype(f"u{WIDTH[dtype]}")
    special = np.array(SPECIAL[dtype], dtype=np.uint64).astype(array.dtype)
    array[: len(special)] = np.roll(special, number)
    return array


def arguments(parameters: str):
    """Yields (kind, value) for each parameter: an input, an output or a scalar as a NumPy array."""
    for number, text in enumerate(parameters.split()):
        if text == "n":
            yield "scalar", np.uint32(N)
        elif text == "0":
            yield "scalar", np.uint64(0)
        elif ":" in text:
            value, dtype = text.split(":")
            yield "scalar", np.float32(value) if dtype == "f32" else np.uint32(value)
        elif text[0] == ">":
            yield "output", np.full(ROOM * int(text[1:]), 0xAA, dtype=np.uint8)
        else:
            dtype, _, per = text.lstrip("+").partition("*")
            yield "output" if text[0] == "+" else "input", made(dtype, number, ROOM * int(per or 1))


def launch(path: Path, name: str, grid: int, values: list) -> list:
    """Runs a kernel with CuPy and returns its arrays, as they are after the run. The driver rejects PTX of a newer
    version than its own, even if the text uses nothing new, so the version is set to 8.7."""
    import cupy

    text = re.sub(r"(?m)^\.version .*$", ".version 8.7", path.read_text())
    scratch = Path("build") / f"{path.stem}.ptx"  # CuPy caches modules by path: one for each file
    scratch.parent.mkdir(exist_ok=True)
    scratch.write_text(text)
    kernel = cupy.RawModule(path=str(scratch)).get_function(name)
    on_gpu = [cupy.asarray(value) if isinstance(value, np.ndarray) else value for value in values]
    kernel((grid,), (BLOCK,), tuple(on_gpu), shared_mem=1024)
    return [cupy.asnumpy(value) if isinstance(values[i], np.ndarray) else value for i, value in enumerate(on_gpu)]


def main() -> None:
    import cupy

    chip = cupy.cuda.runtime.getDeviceProperties(0)
    print("# format libpto kernels 1\n# licence MIT\n# origin tools/ptx_kernels.py on a GPU")
    print(f"# chip {chip['name'].decode()}, sm_{chip['major']}{chip['minor']}")
    print(f"# cuda {cupy.cuda.runtime.runtimeGetVersion()}, driver {cupy.cuda.runtime.driverGetVersion()}")
    for file, name, parameters, per_thread in KERNELS:
        kinds, values = zip(*arguments(parameters), strict=True)
        grid = 8 if name == "softmax" else -(-N // (BLOCK * per_thread))
        try:
            results = launch(Path(sys.argv[1]) / file, name, grid, list(values))
        except Exception as error:  # a file that this driver cannot load must not stop the others
            print(f"{file} {name}: {' '.join(str(error).split())[:200]}", file=sys.stderr)
            continue
        for number, kind in enumerate(kinds):
            if kind == "output":
                data = results[number].tobytes()
                print(
                    file,
                    name,
                    number,
                    hashlib.sha256(data).hexdigest(),
                    data[:SHOWN].hex(),
                    data[len(data) // 2 :][:SHOWN].hex(),
                )


if __name__ == "__main__":
    main()
