# SPDX-License-Identifier: MIT
"""Compares pto-isa's CPU simulator without and with the overlay: wrong results, and times of usual tiles.

    python measure.py --pto-isa CHECKOUT --build FOLDER --include LIBPTO/include --library FOLDER_OF_LIBPTO

Prints two tables, and a summary that begins with "median". Fails if a result with the overlay is wrong.
"""

import concurrent.futures
import statistics
import subprocess
import sys

import builds

ROUNDS = 3


def compile_programs(options, variants):
    """Compiles the tests and the measurement in both variants, and returns the paths by variant and name."""
    with concurrent.futures.ThreadPoolExecutor(builds.JOBS) as pool:
        jobs = {
            (variant.name, name): pool.submit(variant.program, builds.HERE / f"{name}.cpp", optimization)
            for name, optimization in (("test_convert", "-O1"), ("test_lanes", "-O1"), ("measure", "-O2"))
            for variant in variants
        }
        return {key: job.result() for key, job in jobs.items()}


def wrong_results(programs, variant):
    """Runs the tests, and returns the number of results and of wrong results by name."""
    counts = {}
    for name in ("test_convert", "test_lanes"):
        done = subprocess.run([programs[variant, name]], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{name} {variant} the overlay: {done.stdout}{done.stderr}")
        for line in done.stdout.splitlines():
            key, *numbers = line.split("\t")
            counts[key] = tuple(map(int, numbers))
    return counts


def print_wrong_results(programs):
    """Prints the wrong results, without the rows that have none, and returns whether the overlay has none."""
    with concurrent.futures.ThreadPoolExecutor(builds.JOBS) as pool:
        before, after = pool.map(lambda variant: wrong_results(programs, variant), ("without", "with"))
    print("| operation | results | wrong without | wrong with |")
    print("| --- | ---: | ---: | ---: |")
    for name, (results, wrong) in sorted(after.items()):
        earlier = before[name][1] if name in before else None
        if wrong != 0 or earlier != 0:
            print(f"| {name} | {results:,} | {'does not compile' if earlier is None else f'{earlier:,}'} | {wrong:,} |")
    total, wrong = (sum(column) for column in zip(*after.values(), strict=True))
    earlier = sum(numbers[1] for numbers in before.values())
    print(f"| all {len(after)} operations and types | {total:,} | {earlier:,} | {wrong:,} |")
    return wrong == 0


def times(programs):
    """Returns the names of the cases, and the least time in nanoseconds of each without and with the overlay."""
    paths = [programs[variant, "measure"] for variant in ("without", "with")]
    names = subprocess.run([paths[0]], capture_output=True, text=True, check=True).stdout.splitlines()
    running = [
        subprocess.Popen([path, "times"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for path in paths
    ]
    best = [[float("inf"), float("inf")] for _ in names]
    for _ in range(ROUNDS):
        for index in range(len(names)):
            for side, process in enumerate(running):
                process.stdin.write(f"{index}\n")
                process.stdin.flush()
                best[index][side] = min(best[index][side], float(process.stdout.readline()))
    for process in running:
        process.stdin.close()
        process.wait()
    return names, best


def print_times(programs):
    """Prints the table of times, with one row for each operation, and the median of all ratios."""
    names, best = times(programs)
    shapes = list(dict.fromkeys(name.split("\t")[1] for name in names))
    rows, ratios = {}, []
    for name, (before, after) in zip(names, best, strict=True):
        operation, shape = name.split("\t")
        rows.setdefault(operation, {})[shape] = (before, after)
        ratios.append(before / after)
    print("| operation | " + " | ".join(f"{shape}: us without | with | ratio" for shape in shapes) + " |")
    print("| --- |" + " ---: |" * 3 * len(shapes))
    for operation, cells in rows.items():
        texts = []
        for shape in shapes:
            if shape in cells:
                before, after = cells[shape]
                texts.append(f"{before / 1000:.2f} | {after / 1000:.2f} | {before / after:.1f}")
            else:
                texts.append("- | - | -")
        print(f"| {operation} | {' | '.join(texts)} |")
    print(
        f"median of {len(ratios)} ratios of times without and with the overlay: {statistics.median(ratios):.1f}, "
        f"least {min(ratios):.1f}, largest {max(ratios):.0f}"
    )


def main():
    options = builds.parse_options(__doc__)
    programs = compile_programs(options, builds.make_variants(options))
    all_right = print_wrong_results(programs)
    print_times(programs)
    if not all_right:
        sys.exit("results with the overlay are wrong")


if __name__ == "__main__":
    main()
