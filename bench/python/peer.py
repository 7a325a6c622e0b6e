# SPDX-License-Identifier: MIT
"""Measures one peer: python peer.py NAME --threads 1. Prints a line of JSON for each cell.

The process is pinned to as many CPUs as it has threads, so that a library gains nothing by starting more threads.
"""

import argparse
import importlib
import json
import os
import sys
from importlib import metadata

PEERS = {  # the module with the cells of each peer, and the packages that it needs
    "numpy": ["numpy", "ml_dtypes"],
    "torch": ["torch"],
    "jax": ["jax"],
    "torchao": ["torch", "torchao"],
    "compressed_tensors": ["torch", "compressed_tensors"],
    "numkong": ["numkong"],
    "gfloat": ["gfloat"],
}
SIZES = {"64Ki": 1 << 16, "1Mi": 1 << 20, "16Mi": 1 << 24}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--sizes", nargs="*", choices=SIZES, default=list(SIZES))
    asked = parser.parse_args()
    cpus = sorted(os.sched_getaffinity(0))[-asked.threads :]
    os.sched_setaffinity(0, cpus)
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(asked.threads)
    os.environ["OMP_WAIT_POLICY"] = "passive"  # otherwise OpenMP's threads spin while libpto is measured
    os.environ["JAX_PLATFORMS"] = "cpu"
    try:
        versions = {name: metadata.version(name) for name in PEERS[asked.peer]}
        cells = importlib.import_module(f"peers.{asked.peer}")
    except Exception as error:  # a peer that cannot be imported is skipped
        print(f"{asked.peer}: skipped: {type(error).__name__}: {error}", file=sys.stderr)
        return 3
    import pto
    import race

    pto.set_num_threads(asked.threads)
    print(json.dumps({"isa": pto.isa.active(), "versions": versions}), flush=True)
    for cell in cells.cells(asked.threads, [SIZES[name] for name in asked.sizes]):
        print(json.dumps(race.run(cell, asked.peer, asked.threads, asked.seconds)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
