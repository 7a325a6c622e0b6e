#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dask_digest.py SCHEDULER PARTS FOLDER [FORM]...: runs part.sh for each part as a task of a Dask cluster.

SCHEDULER is an address such as tcp://10.0.0.1:8786, or "local" for processes of this machine. All workers must share
FOLDER.
"""
import pathlib
import subprocess
import sys

from dask.distributed import Client, as_completed


def part(k, n, folder, forms):
    script = pathlib.Path(__file__).resolve().with_name("part.sh")
    subprocess.run([script, str(k), str(n), folder, *forms], check=True)
    return k


def main():
    scheduler, parts, folder, *forms = sys.argv[1:]
    n = int(parts)
    with Client(None if scheduler == "local" else scheduler) as client:
        futures = [client.submit(part, k, n, folder, forms, retries=3) for k in range(n)]
        for done, future in enumerate(as_completed(futures), 1):
            print(f"part {future.result()}: {done} of {n}", file=sys.stderr)


if __name__ == "__main__":
    main()
