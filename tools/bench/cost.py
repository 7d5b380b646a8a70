"""What a compilation costs: from the start of Python to the object file."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.tools.bench.programs import Program

SECONDS_OF_ANY = 3.0
SECONDS_OF_MEDIAN = 1.0
MEGABYTES = 400.0


@record
class Cost:
    """`seconds` on the wall, `processor` of the processor (which a busy machine does not
    lengthen much), `megabytes` at the peak."""

    kernel: str
    seconds: float
    processor: float
    megabytes: float


_MEASURED = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(code)
"""
"""By a small process in between: the peak of a process begins with that of the one it is a copy
of, which may have grown."""


def compile_cost(program: Program, flags: Sequence[str], target: Path) -> Cost:
    """Compile once, in a process of its own."""
    source = str(program.source)
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "--cache=off", *flags]
    begin = time.perf_counter()
    measured = [sys.executable, "-c", _MEASURED, *command, "-c", source, "-o", str(target)]
    process = subprocess.run(measured, stdout=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - begin
    if process.returncode != 0:
        raise CompileError(f"{program.name}: the compiler ended with {process.returncode}")
    processor, kilobytes = process.stdout.split()[-2:]
    return Cost(program.name, seconds, float(processor), float(kilobytes) * 1024 / 1e6)


def print_costs(console: Console, title: str, costs: Sequence[Cost]) -> None:
    table = Table("kernel", title=title)
    for name in ("seconds", "of the processor", "MB"):
        table.add_column(name, justify="right")
    for cost in costs:
        cells = f"{cost.seconds:.2f}", f"{cost.processor:.2f}", f"{cost.megabytes:.0f}"
        table.add_row(cost.kernel, *cells)
    console.print(table)


def cost_verdicts(costs: Sequence[Cost]) -> list[str]:
    """The promises on compile time, each kept or not."""
    slowest = max(costs, key=lambda cost: cost.seconds)
    middle = median(cost.seconds for cost in costs)
    largest = max(costs, key=lambda cost: cost.megabytes)
    return [
        f"{_kept(slowest.seconds, SECONDS_OF_ANY)}: slowest {slowest.seconds:.2f} s "
        f"({slowest.kernel}), at most {SECONDS_OF_ANY:g}",
        f"{_kept(middle, SECONDS_OF_MEDIAN)}: median {middle:.2f} s, at most {SECONDS_OF_MEDIAN:g}",
        f"{_kept(largest.megabytes, MEGABYTES)}: peak memory {largest.megabytes:.0f} MB "
        f"({largest.kernel}), below {MEGABYTES:g}",
    ]


def _kept(value: float, limit: float) -> str:
    return "kept" if value <= limit else "MISSED"
