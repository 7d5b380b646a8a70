"""What several processes are worth to kernels of PolyBench, and what they send each other.

    python benchmarks/processes.py [--kernels gemm,jacobi-2d] [--processes 1,2] [--dataset LARGE]
                                   [--turns 7] [--flags=-ffast-math] [--mpiexec mpiexec] [--model P]

Each kernel is made once, with `--distribute=*`, and run by each number of processes in turns, as
are programs without it; the best of each is shown, in milliseconds of the clock: of the first
process, around the kernel. Bytes are those of messages within loops, and at their ends, where all
results go to everybody. All print the same, to the last bit, or that is said. Processes that share
cores with anything else wait for partners that do not run: compare ratios of one run.

`--model 1000` adds what so many processes would take, each on a core of its own: a model, marked as
such, of what is measured here. A message takes a latency and its bytes the bandwidth that two
processes on this machine have (by mpi4py), none of it hidden behind computing:

    seconds(P) = seconds(1) / P + (messages(P) * latency + bytes(P) / bandwidth) / P

Messages and bytes of all P processes together are the polynomial through those that were counted,
so `--processes 1,2,3` tells it of neighbours (P - 1) and of everybody to everybody (P (P - 1)).
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

KERNELS = Path(__file__).with_name("kernels")
POLYOPT = [str(Path(sys.executable).with_name("polyopt-cc")), "-O3"]
LIMIT = 300.0
PING_PONG = """
import sys, time
from mpi4py import MPI
import numpy as np
comm, best = MPI.COMM_WORLD, []
for count, turns in ((1, 2000), (1 << 20, 60)):
    room, least = np.zeros(count), 1e9
    for _ in range(turns):
        began = time.perf_counter()
        if comm.rank:
            comm.Recv(room, 0), comm.Send(room, 0)
        else:
            comm.Send(room, 1), comm.Recv(room, 1)
        least = min(least, (time.perf_counter() - began) / 2)
    best.append(least)
if comm.rank == 0:
    print(best[0], 8 * (1 << 20) / max(best[1] - best[0], 1e-9))
"""
ALONE = 0
"""For a number of processes: the program without MPI."""


class Program:
    """A kernel, with and without `--distribute=*`, in turns."""

    def __init__(self, kernel: str, dataset: str, flags: Sequence[str], folder: str):
        self.best = dict[int, float]()
        self.sent = dict[int, tuple[int, int]]({ALONE: (0, 0), 1: (0, 0)})
        self.messages = dict[int, int]({1: 0})
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
        found = re.search(_SENT, ran.stderr)
        if found is not None:
            within, its_bytes, last, last_bytes = (int(one) for one in found.groups())
            self.sent[processes] = its_bytes, last_bytes
            self.messages[processes] = within + last

    def expected(self, processes: int, latency: float, bandwidth: float) -> float:
        """Seconds, by the model."""
        counted = {count: sum(sent) for count, sent in self.sent.items() if count != ALONE}
        messages, total = (through(one, processes) for one in (self.messages, counted))
        return (self.best[1] + messages * latency + total / bandwidth) / processes


_SENT = r"sent (\d+) messages, (\d+) bytes, and (\d+), (\d+) to tell"


def through(points: Mapping[int, int], at: int) -> float:
    """The value there of the polynomial of least degree through the points (Lagrange)."""
    total = 0.0
    for one, value in points.items():
        product = float(value)
        for other in points:
            if other != one:
                product *= (at - other) / (one - other)
        total += product
    return total


def link(mpiexec: Sequence[str]) -> tuple[float, float]:
    """Seconds that a message of one number takes, and bytes in a second, between two processes."""
    command = [*mpiexec, "-n", "2", sys.executable, "-c", PING_PONG]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
    latency, bandwidth = (float(word) for word in ran.stdout.split())
    return latency, bandwidth


def print_model(programs: Mapping[str, Program], processes: int, mpiexec: Sequence[str]) -> None:
    latency, bandwidth = link(mpiexec)
    print(
        f"\nA model, not measured: {processes} processes, each on a core of its own, "
        f"{latency * 1e6:.2f} us for a message, {bandwidth / 1e9:.2f} GB/s"
    )
    for name, program in programs.items():
        if 1 not in program.best:
            continue
        seconds = program.expected(processes, latency, bandwidth)
        ratio = program.best[1] / seconds
        print(f"{name}  {seconds * 1e3:.3f} ms, {ratio:.1f} times as fast as one (model)")


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
    parser.add_argument("--model", type=int)
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
        if chosen.model is not None:
            print_model(programs, chosen.model, mpiexec)
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
