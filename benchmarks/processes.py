"""What several processes are worth to kernels of PolyBench, and what they send each other.

    python benchmarks/processes.py [--kernels gemm,jacobi-2d] [--processes 1,2] [--dataset LARGE]
                                   [--turns 7] [--flags=-ffast-math] [--mpiexec 'mpiexec']

Each kernel is made once, with `--distribute=*`, and run by each number of processes in turns, as
are programs without it; the best of each is shown, in milliseconds of the clock: of the first
process, around the kernel. Bytes are those of messages within loops, and at their ends, where all
results go to everybody. All print the same, to the last bit, or that is said. Processes that share
cores with anything else wait for partners that do not run: compare ratios of one run.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

KERNELS = Path(__file__).with_name("kernels")
POLYOPT = [str(Path(sys.executable).with_name("polyopt-cc")), "-O3"]
LIMIT = 300.0
ALONE = 0
"""For a number of processes: the program without MPI."""


class Program:
    """A kernel, with and without `--distribute=*`, in turns."""

    def __init__(self, kernel: str, dataset: str, flags: Sequence[str], folder: str):
        self.best = dict[int, float]()
        self.sent: dict[int, tuple[int, int]] = {ALONE: (0, 0), 1: (0, 0)}
        self.results = set[str]()
        self.files = dict[bool, str]()
        source = str(KERNELS / f"{kernel}.c")
        for is_shared in (False, True):
            self.files[is_shared] = os.path.join(folder, f"{kernel}.{is_shared:d}")
            shared = ["--distribute=*"] if is_shared else []
            command = [*POLYOPT, *shared, *flags, f"-D{dataset}_DATASET", source, "-lm"]
            subprocess.run([*command, "-o", self.files[is_shared]], check=True, timeout=LIMIT)

    def run(self, processes: int, mpiexec: Sequence[str]) -> None:
        """Once, if it is to be the best."""
        start = [*mpiexec, "-n", str(processes)] if processes else []
        ran = subprocess.run(
            [*start, self.files[processes != ALONE], "-t"],
            capture_output=True,
            text=True,
            timeout=LIMIT,
            env={**os.environ, "POLYOPT_MPI_REPORT": "1"},
        )
        if ran.returncode:
            raise SystemExit(f"{' '.join(start)} {self.files[True]}: {ran.stderr.strip()}")
        clock, _, results = ran.stdout.partition("\n")
        self.results.add(results)
        seconds = float(clock.split()[1])
        self.best[processes] = min(seconds, self.best.get(processes, seconds))
        found = re.search(r"messages, (\d+) bytes, and \d+, (\d+) to tell", ran.stderr)
        if found is not None:
            self.sent[processes] = int(found[1]), int(found[2])


def print_table(programs: dict[str, Program], counts: Sequence[int]) -> None:
    columns = ["kernel", "processes", "ms", "times as fast", "bytes in loops", "bytes of results"]
    rows = [columns]
    for name, program in programs.items():
        first = program.best.get(1)
        for count in counts:
            seconds = program.best[count]
            ratio = f"{first / seconds:.2f}" if first is not None else "-"
            sent = [f"{one:,}" for one in program.sent.get(count, (0, 0))]
            label = "without MPI" if count == ALONE else str(count)
            rows.append([name, label, f"{seconds * 1e3:.3f}", ratio, *sent])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        print(
            "  ".join(
                cell.rjust(width) if k else cell.ljust(width)
                for k, (cell, width) in enumerate(cells)
            )
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kernels", default="gemm,jacobi-2d")
    parser.add_argument("--processes", default="1,2")
    parser.add_argument("--dataset", default="LARGE")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--flags", default="")
    parser.add_argument("--mpiexec", default=str(Path(sys.executable).with_name("mpiexec")))
    chosen = parser.parse_args(arguments)
    counts = [ALONE, *(int(one) for one in chosen.processes.split(","))]
    mpiexec = shlex.split(chosen.mpiexec)
    if shutil.which(mpiexec[0]) is None:
        parser.error(f"there is no {mpiexec[0]}: `pip install polyopt[mpi]` brings one")
    programs = dict[str, Program]()
    is_same = True
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.kernels.split(","):
            program = Program(name, chosen.dataset, chosen.flags.split(), folder)
            programs[name] = program
            for _ in range(chosen.turns):
                for count in counts:
                    program.run(count, mpiexec)
            if len(program.results) > 1:
                is_same = False
                print(f"{name}: results differ", file=sys.stderr)
        print_table(programs, counts)
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
