"""polyopt-fuzz: find what the compiler does wrong, by random programs.

Random C programs without undefined behaviour are compiled in random configurations, run, and
compared with what the system's compiler makes of them without optimisation. What is found is
reduced and written to a folder, with the command that shows it. Exit status: 0 nothing was
found, 1 something was, 130 it was interrupted (what was done until then is told).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from polyopt.support.diagnostics import CompileError
from polyopt.support.own_process import claim
from polyopt.tools.errors import run_tool
from polyopt.tools.show_version import ShowVersion

if TYPE_CHECKING:
    from polyopt.tools.fuzz.campaigns.campaign import Crew

USAGE = (
    "polyopt-fuzz [option]...\n"
    "       polyopt-fuzz --show SEED\n"
    "       polyopt-fuzz --check FILE.c [option of polyopt-cc]..."
)


def main(args: Sequence[str] | None = None) -> int:
    if args is None:
        claim()
    words = list(sys.argv[1:] if args is None else args)
    return run_tool("polyopt-fuzz", lambda: _run(words))


def parser() -> argparse.ArgumentParser:
    about = (__doc__ or "").split("\n\n")[1]
    parser = argparse.ArgumentParser("polyopt-fuzz", USAGE, about, allow_abbrev=False)
    parser.add_argument("--version", action=ShowVersion)
    parser.add_argument("--seeds", default="1:100", help="first and last, as 1:100 (default)")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="begin no program later")
    parser.add_argument(
        "--configurations", type=int, default=8, metavar="N", help="of each program (default: 8)"
    )
    parser.add_argument(
        "--jobs",
        "--workers",
        type=int,
        default=0,
        metavar="N",
        help="try so many programs at a time (default: as CPUs)",
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="try them on the workers of this Dask cluster; 'local': of one made for it here",
    )
    parser.add_argument(
        "--findings", default="findings", metavar="DIR", help="where to put what is found"
    )
    parser.add_argument(
        "--reduce",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="time to reduce each kind of finding (default: 120; 0: not at all)",
    )
    parser.add_argument(
        "--mutate", action="store_true", help="spoil inputs, and see what the tools make of them"
    )
    parser.add_argument("--statistics", action="store_true", help="say what occurred, how often")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed")
    return parser


def _run(words: list[str]) -> int:
    # Read when a library of threads is loaded: those that wait shall not keep others from work.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if "--check" in words:
        from polyopt.tools.fuzz.trials.check import check_file

        place = words.index("--check")
        if place or len(words) < 2:
            raise CompileError("--check stands first, and a C file follows", hint=USAGE)
        return check_file(Path(words[1]), tuple(words[2:]))
    options = parser().parse_args(words)
    if options.show is not None:
        from polyopt.tools.fuzz.programs.program import random_program
        from polyopt.tools.fuzz.trials.harness import main_of

        program = random_program(options.show)
        print(program.text + main_of(program), end="")
        return 0
    return _campaign(options)


def read_seeds(text: str) -> range:
    first, colon, last = text.partition(":")
    if not first.isdecimal() or (colon and not last.isdecimal()):
        raise CompileError(f"bad seeds '{text}'", hint="a number, or two as in 1:100")
    return range(int(first), int(last or first) + 1)


def _campaign(options: argparse.Namespace) -> int:
    if options.jobs < 0 or options.configurations < 1:
        raise CompileError("--jobs and --configurations must be positive")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from rich.console import Console

    from polyopt.tools.fuzz.campaigns import preload
    from polyopt.tools.fuzz.campaigns.campaign import Campaign, Finding, Tally
    from polyopt.tools.fuzz.campaigns.findings import record_finding, record_mutant
    from polyopt.tools.fuzz.campaigns.statistics import features, summary

    preload.load()
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)

    def report(finding: Finding, is_first: bool) -> None:
        if is_first:
            folder = Path(options.findings)
            is_mutant = options.mutate and finding.verdict.script
            reduce = 0.0 if options.mutate else options.reduce
            path = (
                record_mutant(folder, finding)
                if is_mutant
                else record_finding(folder, finding, reduce)
            )
            console.print(f"{finding.verdict.name}: {finding.verdict.what}\n  {path}")

    seeds = read_seeds(options.seeds)
    with _crew(options) as crew, console.status("fuzzing") as status:

        def tick(tally: Tally) -> None:
            status.update(
                f"{tally.programs}/{len(seeds)} programs, {tally.trials} configurations, "
                f"{len(tally.findings)} findings of {len(tally.kinds)} kinds"
            )

        tally = Campaign(crew, report, tick).run(seeds, options.time)
    if options.statistics:
        print(features(tally))
    print(summary(tally))
    for kind, number in tally.kinds.most_common():
        print(f"  {number:6} {kind}")
    if tally.is_cut:
        sys.stdout.flush()
        raise KeyboardInterrupt
    return 1 if tally.findings else 0


@contextmanager
def _crew(options: argparse.Namespace) -> Generator[Crew]:
    """Who tries the programs."""
    if options.dask is not None:
        from polyopt.tools.cluster import cluster_at
        from polyopt.tools.fuzz.campaigns.on_cluster import MUTANTS, PROGRAMS, ClusterCrew

        with cluster_at(options.dask, options.jobs or None) as cluster:
            attempt = MUTANTS if options.mutate else PROGRAMS
            with closing(ClusterCrew(cluster, options.configurations, attempt)) as crew:
                yield crew
        return
    from polyopt.tools.fuzz.campaigns.campaign import Forks
    from polyopt.tools.fuzz.campaigns.mutants import try_mutants

    jobs = options.jobs or len(os.sched_getaffinity(0))
    attempt = try_mutants if options.mutate else None
    with closing(Forks(jobs, options.configurations, attempt=attempt)) as crew:
        yield crew


if __name__ == "__main__":
    sys.exit(main())
