"""polyopt-bench: race polyopt against the compilers of this machine on the kernel programs.

Every kernel is built by every contender from the same source, its results are compared with an
unoptimised build, and the programs run in turns on one core; the best run counts. A contender
that fails is shown with what went wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from polyopt.support.diagnostics import CompileError
from polyopt.support.files import write_whole
from polyopt.tools.errors import run_tool
from polyopt.tools.show_version import ShowVersion

if TYPE_CHECKING:
    from polyopt.tools.bench.contenders import Contender
    from polyopt.tools.bench.contest import Rules
    from polyopt.tools.bench.report import KernelRow

CONFIGURATIONS = ("none", "isl+tile", "auto")
SUITES = {
    "kernels": "PolyBench/C's computations and six more, the default",
    "kinds": "loops of the kinds that people write, each a few milliseconds at MEDIUM",
}


def main(args: Sequence[str] | None = None) -> int:
    options = parser().parse_args(args)
    return run_tool("polyopt-bench", lambda: _run(options))


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("polyopt-bench", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--version", action=ShowVersion)

    def add_names(option: str, help: str, default: list[str] | None = None) -> None:
        parser.add_argument(option, type=_names, metavar="NAME,...", default=default, help=help)

    add_names("--kernels", "which kernels (default: all)", [])
    parser.add_argument("--size", default="LARGE", help="MINI ... EXTRALARGE (default: LARGE)")
    add_names(
        "--configs",
        "polyopt's, as after its --poly= (default: none,isl+tile,auto)",
    )
    add_names("--peers", "which peers, or 'none' (default: all that are on the PATH)")
    parser.add_argument(
        "--strict", action="store_true", help="no -ffast-math, no contraction: compare bits"
    )
    parser.add_argument(
        "--known-sizes",
        action="store_true",
        help="let the compilers see that the sizes are constants (default: hidden from all)",
    )
    parser.add_argument("--repeat", type=int, default=5, help="rounds (default: 5)")
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="seconds for each build or run (default: 60)"
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=60.0,
        help="minutes for everything; rounds are left out to keep to it (default: 60)",
    )
    parser.add_argument(
        "--check",
        default="SMALL",
        metavar="SIZE",
        help="compare every element at this size; 'none' trusts everybody (default: SMALL)",
    )
    parser.add_argument(
        "--clock",
        choices=("clock", "processor"),
        default="clock",
        help="time on the wall, or of the processor for a machine that is not quiet",
    )
    parser.add_argument("--core", type=int, help="pin to this core (default: the last one)")
    parser.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="instead: each of --configs (default: auto) in one thread and in N, and the peers "
        "that parallelise loops, in N: gcc, polly, pluto-gcc, pluto-clang; OpenBLAS beside gemm; "
        "and what is to be reached",
    )
    add_names(
        "--tables",
        "with --threads, which of: race (at --size), little (MINI and SMALL, polyopt alone), "
        "support (pipelines and reductions on against off) (default: all)",
    )
    parser.add_argument(
        "--compile-time",
        action="store_true",
        help="instead: what compiling each kernel to an object file costs, with each of --configs",
    )
    parser.add_argument(
        "--schedule-time",
        action="store_true",
        help="instead: what dependences, schedule and loops of each kernel take, with each of "
        "--configs (default: poly-ast,isl)",
    )
    parser.add_argument(
        "--core-model",
        action="store_true",
        help="instead: what this machine takes for a few things, beside the models' numbers",
    )
    parser.add_argument(
        "--goals",
        type=_names,
        metavar="PART,...",
        help="instead: the goals and whether they are reached; parts are small, tiny, compile, "
        "sweep, race, products, strict, tsvc, or all (more than an hour)",
    )
    parser.add_argument("--tsvc", type=Path, metavar="DIRECTORY", help="where TSVC-2's sources are")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--suite", choices=SUITES, default="kernels", help=_suites())
    place.add_argument("--directory", type=Path, help="where other kernel programs are")
    return parser


def _suites() -> str:
    return "which programs: " + "; ".join(f"{name} ({what})" for name, what in SUITES.items())


def _directory(options: argparse.Namespace) -> Path:
    from polyopt.tools.bench.programs import suite_directory

    return options.directory or suite_directory(options.suite)


def _run(options: argparse.Namespace) -> int:
    if options.goals is not None:
        return _measure_goals(options)
    if options.core_model:
        return _measure_core()
    if options.schedule_time:
        return _measure_schedulers(options)
    if options.compile_time:
        return _measure_compiler(options)
    return _race(options) if options.threads is None else _race_in_threads(options)


def _measure_core() -> int:
    from rich.console import Console
    from rich.table import Table

    from polyopt.tools.bench.core_model import measure

    table = Table("what", "model", "measured", "in cycles, where nothing else is said")
    for one in measure():
        table.add_row(one.name, f"{one.model:.2f}", f"{one.cycles:.2f}", one.what)
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    return 0


def _measure_goals(options: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from rich.console import Console

    from polyopt.tools.bench.goal_run import PARTS, GoalRun, print_rows
    from polyopt.tools.bench.goals import GoalVerdict, print_verdicts

    for name in options.goals:
        if name not in (*PARTS, "all"):
            raise CompileError(f"no goals are called '{name}'", hint=f"parts: {', '.join(PARTS)}")
    if options.repeat < 1:
        raise CompileError("--repeat must be positive")
    progress = Console(stderr=True)
    run = GoalRun(
        _directory(options),
        _core(options),
        options.repeat,
        lambda line: progress.print(line, markup=False, highlight=False),
        options.kernels,
        options.tsvc,
    )
    console = Console(width=None if sys.stdout.isatty() else 200)
    chosen = [part for part in PARTS if part in options.goals or "all" in options.goals]
    verdicts = list[GoalVerdict]()
    measured = dict[str, object]()
    for part in chosen:
        found, rows = run.part(part)
        print_rows(console, rows)
        verdicts += found
        measured[part] = {
            "rows": [asdict(row) for row in rows],
            "verdicts": [asdict(one) for one in found],
        }
        if options.json is not None:
            write_whole(options.json, json.dumps(measured, indent=1) + "\n")
    print_verdicts(console, verdicts)
    return 0 if all(one.is_kept is not False for one in verdicts) else 1


def _core(options: argparse.Namespace) -> int:
    """Where everything is to run."""
    cores = sorted(os.sched_getaffinity(0))
    core = cores[-1] if options.core is None else options.core
    if core not in cores:
        raise CompileError(f"core {core} is not among those of this process: {cores}")
    return core


def _measure_schedulers(options: argparse.Namespace) -> int:
    from rich.console import Console

    from polyopt.tools.bench.programs import find_programs
    from polyopt.tools.bench.schedule_cost import print_schedule_costs, promise, schedule_cost

    programs = find_programs(_directory(options), options.kernels)
    console = Console(width=None if sys.stdout.isatty() else 200)
    for name in _configurations(options, ("poly-ast", "isl")):
        costs = [schedule_cost(one, name, fast=not options.strict) for one in programs]
        print_schedule_costs(console, name, costs)
        verdict = promise(name, costs)
        if verdict is not None:
            console.print(verdict, highlight=False, markup=False)
    return 0


def _measure_compiler(options: argparse.Namespace) -> int:
    from rich.console import Console

    from polyopt.tools.bench.contenders import polyopt_contenders
    from polyopt.tools.bench.cost import compile_cost, cost_verdicts, print_costs
    from polyopt.tools.bench.programs import find_programs

    programs = find_programs(_directory(options), options.kernels)
    console = Console(width=None if sys.stdout.isatty() else 200)
    for contender in polyopt_contenders(_configurations(options), fast=not options.strict):
        with TemporaryDirectory(prefix="polyopt-bench-") as folder:
            target = Path(folder) / "kernel.o"
            costs = [compile_cost(program, contender.flags, target) for program in programs]
        print_costs(console, contender.name, costs)
        for line in cost_verdicts(costs):
            console.print(line, highlight=False, markup=False)
    return 0


def _configurations(
    options: argparse.Namespace, default: Sequence[str] = CONFIGURATIONS
) -> Sequence[str]:
    """Those that are named, which may be none."""
    return default if options.configs is None else options.configs


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _race_in_threads(options: argparse.Namespace) -> int:
    from rich.console import Console

    from polyopt.tools.bench import contenders as who
    from polyopt.tools.bench.thread_run import TABLES, ThreadRun
    from polyopt.tools.bench.threads import PEERS, contenders_in_threads

    threads, fast = options.threads, not options.strict
    if threads < 1:
        raise CompileError("--threads must be positive")
    if options.core is not None or options.clock != "clock":
        raise CompileError("threads are timed by the clock on all cores: no --core, no --clock")
    names = PEERS if options.peers is None else options.peers
    for name in names:
        if name not in (*PEERS, "none"):
            known = f"those that do: {', '.join(PEERS)}"
            raise CompileError(f"'{name}' is no peer that parallelises loops", hint=known)
    for table in options.tables or ():
        if table not in TABLES:
            raise CompileError(f"no table is called '{table}'", hint=f"tables: {', '.join(TABLES)}")
    own = who.polyopt_contenders(_configurations(options, ("auto",)), fast=fast)
    peers = who.peer_contenders(None, fast=fast)
    contenders = contenders_in_threads(own, peers, threads, names)
    others = [one for one in contenders if not one.is_polyopt]
    rules = replace(_rules(options), threads=threads)
    run = ThreadRun(
        Console(width=None if sys.stdout.isatty() else 200),
        threads,
        own,
        others,
        options.kernels,
        fast,
        lambda rules, whom, which: _hold(options, rules, whom, which),
    )
    rows = run.tables(options.tables or TABLES, rules, contenders)
    return _end(options, rules, rows, contenders)


def _race(options: argparse.Namespace) -> int:
    from rich.console import Console

    from polyopt.tools.bench import contenders as who
    from polyopt.tools.bench import report

    rules = replace(_rules(options), core=_core(options))
    fast = not options.strict
    peers = [] if options.peers == ["none"] else who.peer_contenders(options.peers, fast=fast)
    contenders = [*peers, *who.polyopt_contenders(_configurations(options), fast=fast)]
    rows = _hold(options, rules, contenders)
    console = Console(width=None if sys.stdout.isatty() else 200)
    report.print_table(console, rows, contenders)
    report.print_failures(console, rows)
    report.print_means(console, rows, contenders)
    for line in report.verdicts(rows, rules):
        console.print(line, highlight=False, markup=False)
    return _end(options, rules, rows, contenders)


def _rules(options: argparse.Namespace) -> Rules:
    """But for where it runs."""
    from polyopt.tools.bench.contest import Rules
    from polyopt.tools.bench.programs import SIZES

    check = None if options.check == "none" else options.check.upper()
    for size in (options.size.upper(), check):
        if size is not None and size not in SIZES:
            raise CompileError(f"unknown size '{size}'", hint=f"sizes: {', '.join(SIZES)}")
    if options.repeat < 1 or options.timeout <= 0 or options.budget <= 0:
        raise CompileError("--repeat, --timeout and --budget must be positive")
    return Rules(
        size=options.size.upper(),
        check_size=check,
        repeat=options.repeat,
        timeout=options.timeout,
        clock=options.clock,
        known_sizes=options.known_sizes,
    )


def _hold(
    options: argparse.Namespace,
    rules: Rules,
    contenders: Sequence[Contender],
    kernels: Sequence[str] = (),
) -> list[KernelRow]:
    """The contest of each kernel that is asked for, or of these, within the budget."""
    from rich.console import Console

    from polyopt.support.progress import Progress
    from polyopt.tools.bench import contenders as who
    from polyopt.tools.bench.contest import Contest, Entry
    from polyopt.tools.bench.programs import find_programs
    from polyopt.tools.bench.report import KernelRow

    programs = find_programs(_directory(options), kernels or options.kernels)
    reference = who.reference_contender() if rules.check_size else None
    if rules.check_size and reference is None:
        raise CompileError("no C compiler to check the results with", hint="--check none")
    progress = Console(stderr=True)
    end = time.monotonic() + 60.0 * options.budget
    rows: list[KernelRow] = []
    for done, program in enumerate(programs):
        now = time.monotonic()
        if now >= end:
            entries = [Entry(c.name, "not run", "the budget is spent") for c in contenders]
            rows.append(KernelRow(program.name, tuple(entries)))
            continue
        progress.print(f"[{done + 1}/{len(programs)}] {program.name}", markup=False)
        share = now + (end - now) / (len(programs) - done)
        with (
            TemporaryDirectory(prefix="polyopt-bench-") as folder,
            Progress(program.name) as told,
        ):
            contest = Contest(program, contenders, Path(folder), told)
            entries = contest.run(rules, reference, share)
        rows.append(KernelRow(program.name, tuple(entries)))
    return rows


def _end(
    options: argparse.Namespace,
    rules: Rules,
    rows: Sequence[KernelRow],
    contenders: Sequence[Contender],
) -> int:
    """Write what was measured where that is asked for; 1 where one of ours has no right result."""
    from polyopt.tools.bench.report import write_json

    if options.json is not None:
        write_json(options.json, rows, contenders, rules)
    ours = [e for row in rows for c, e in zip(contenders, row.entries, strict=True) if c.is_polyopt]
    return 0 if all(entry.status == "ok" for entry in ours) else 1


if __name__ == "__main__":
    sys.exit(main())
