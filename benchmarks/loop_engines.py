"""Both loop generators on every SCoP of the kernel programs: code size and control overhead.

    python benchmarks/loop_engines.py [--poly CONFIGURATION] [--tile-sizes 4] [--size 14] [KERNEL …]

For each kernel, isl's generator and scanning (`polyopt.poly.scanning`), summed over its SCoPs:
lines of the loops as text; operations in bounds, conditions and arguments; the same counted each
time that they are computed, for each instance run (all parameters being `--size`); loops started
that run nothing, for 100 instances; milliseconds of generating the loops, best of three.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time

import islpy as isl

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import read_source
from polyopt.driver.units.unit import lower, parse
from polyopt.ir.problem import Problem, problems_in
from polyopt.poly.cost.loop_cost import Control, code_size, control
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.loops.loop_tree import Node
from polyopt.poly.scanning.generate import scan_loops
from polyopt.support.diagnostics import SourceMap
from polyopt.tools.bench.programs import Program, default_directory, find_programs

Engine = Callable[[Problem], tuple[Node, ...] | None]

ENGINES: dict[str, Engine] = {
    "isl": lambda one: generate_loops(one.scop, one.dependences, one.scop.schedule),
    "scan": lambda one: scan_loops(one.scop, one.dependences, one.scop.schedule),
}
COLUMNS = ("lines", "operations", "work / instance", "empty / 100", "ms")


@dataclass
class Sums:
    lines: int = 0
    operations: int = 0
    seconds: float = 0
    control: Control = field(default_factory=Control)

    def cells(self) -> tuple[float, ...]:
        """One for each of COLUMNS."""
        instances = max(self.control.instances, 1)
        work, empty = self.control.work / instances, 100 * self.control.empty / instances
        return self.lines, self.operations, work, empty, 1000 * self.seconds


def problems(program: Program, arguments: Namespace) -> Iterator[Problem]:
    flags = ["-O3", "-DMINI_DATASET", "-ffast-math", f"--poly={arguments.poly}"]
    if arguments.tile_sizes:
        flags.append(f"--tile-sizes={arguments.tile_sizes}")
    unit = parse(read_source(str(program.source)), read_settings(flags), SourceMap())
    lower(unit, "schedule")
    yield from problems_in(unit.module)


def measure(engine: Engine, problem: Problem, size: int, sums: Sums) -> None:
    times = list[float]()
    nodes: tuple[Node, ...] | None = ()
    for _ in range(3):
        start = process_time()
        nodes = engine(problem)
        times.append(process_time() - start)
    if nodes is None:
        raise SystemExit(f"{problem.scop.name}: no loops")
    sums.seconds += min(times)
    sums.lines += loop_text(nodes).count("\n")
    sums.operations += code_size(nodes).operations
    context = problem.scop.context
    names = (context.get_dim_name(isl.dim_type.param, k) for k in range(context.dim(_PARAM)))
    ran = control(nodes, {name: size for name in names if name})
    sums.control.work += ran.work
    sums.control.empty += ran.empty
    sums.control.instances += ran.instances


_PARAM = isl.dim_type.param


def row(name: str, pairs: Sequence[tuple[float, float]]) -> str:
    cells = (f"{text(first)} | {text(second)}" for first, second in pairs)
    return f"| {name} | {' | '.join(cells)} |"


def text(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def main() -> None:
    parser = ArgumentParser(description="compare the code of both loop generators")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--poly", default="identity", metavar="CONFIGURATION")
    parser.add_argument("--tile-sizes", default="", metavar="SIZES")
    parser.add_argument("--size", type=int, default=14)
    arguments = parser.parse_args()
    print("| kernel |", " | ".join(f"{one}: isl | scan" for one in COLUMNS), "|")
    print("|---" * (1 + 2 * len(COLUMNS)) + "|")
    totals = {name: Sums() for name in ENGINES}
    for program in find_programs(default_directory()):
        if arguments.kernels and program.name not in arguments.kernels:
            continue
        sums = {name: Sums() for name in ENGINES}
        for problem in problems(program, arguments):
            for name, engine in ENGINES.items():
                measure(engine, problem, arguments.size, sums[name])
        if sums["isl"].control.instances != sums["scan"].control.instances:
            raise SystemExit(f"{program.name}: the engines do not run the same number of instances")
        both = [one.cells() for one in sums.values()]
        print(row(program.name, list(zip(*both, strict=True))), flush=True)
        for name, one in sums.items():
            totals[name].lines += one.lines
            totals[name].operations += one.operations
            totals[name].seconds += one.seconds
            totals[name].control.work += one.control.work
            totals[name].control.empty += one.control.empty
            totals[name].control.instances += one.control.instances
    print(row("all", list(zip(*(one.cells() for one in totals.values()), strict=True))))


if __name__ == "__main__":
    main()
