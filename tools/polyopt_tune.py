"""polyopt-tune: find a schedule for a program by measuring legal ones.

Steps of docs/schedules.md, on what a scheduler gives, are tried while they help: orders of loops,
one or two levels of tiles, register tiles, fusion and distribution, where most of the work is
first. The program runs in turns with what
--poly=auto makes of it, its results are compared; the best steps are written for --schedule=.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from polyopt.support.diagnostics import CompileError
from polyopt.tools.errors import run_tool
from polyopt.tools.show_version import ShowVersion

if TYPE_CHECKING:
    from polyopt.driver.options.settings import Settings
    from polyopt.driver.units.source import Source
    from polyopt.tools.tune.ahead import Crew
    from polyopt.tools.tune.job import Job
    from polyopt.tools.tune.journal import Journal
    from polyopt.tools.tune.search import Tally
    from polyopt.tools.tune.space import Point
    from polyopt.tools.tune.story import Story
    from polyopt.tools.tune.trials import Outcome

DEFAULT_OPTIONS = ("-O3", "-march=native")
WORTH = 0.98
"""A winner takes at most this share of the baseline's time when both are run once more."""

USAGE = (
    "polyopt-tune [option]... kernel.c [option of polyopt-cc]... [-- argument of the program...]"
)


def main(args: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if args is None else args)
    return run_tool("polyopt-tune", lambda: _run(words))


def parser() -> argparse.ArgumentParser:
    about = (__doc__ or "").split("\n\n")[1]
    parser = argparse.ArgumentParser("polyopt-tune", USAGE, about, allow_abbrev=False)
    parser.add_argument("--version", action=ShowVersion)
    parser.add_argument(
        "--budget",
        default="5m",
        help="when to be done: 90s, 5m (default), or a number of programs to measure",
    )
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="tune the loops of this function only; may be given again (default: all)",
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help="the script (default: kernel.steps)"
    )
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program (default: 3)")
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="seconds for a build or a run (default: 60)"
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="make so many trials at a time; one is timed while the others compile (default: 1)",
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="make them on the workers of this Dask cluster; 'local': of one made for it here",
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        help="write a page about the search: its trials, what was ruled out, what is best",
    )
    parser.add_argument(
        "--restart", action="store_true", help="forget what an earlier search has measured"
    )
    return parser


def _run(words: list[str]) -> int:
    split = words.index("--") if "--" in words else len(words)
    sources = [word for word in words[:split] if word.endswith(".c")]
    options, others = parser().parse_known_args(words[:split])
    if len(sources) != 1:
        raise CompileError(f"one C file with a main, not {len(sources)}", hint=f"usage: {USAGE}")
    others = [word for word in others if word != sources[0]] or [*DEFAULT_OPTIONS]
    if options.repeat < 1 or options.timeout <= 0:
        raise CompileError("--repeat and --timeout must be positive")
    if options.workers is not None and options.workers < 1:
        raise CompileError("--workers must be positive")
    return _tune(options, Path(sources[0]), others, words[split + 1 :])


def _tune(
    options: argparse.Namespace, path: Path, flags: list[str], arguments: Sequence[str]
) -> int:
    from rich.console import Console

    from polyopt.driver.options.flags import read_settings
    from polyopt.driver.units.source import read_source
    from polyopt.tools.tune.ahead import Ahead, measured
    from polyopt.tools.tune.budget import read_budget
    from polyopt.tools.tune.display import Display
    from polyopt.tools.tune.job import Job
    from polyopt.tools.tune.search import search
    from polyopt.tools.tune.space import Space
    from polyopt.tools.tune.story import Story, steps_of, winner_words

    began = time.monotonic()
    budget = read_budget(options.budget)
    settings = read_settings(flags)
    if settings.schedule or settings.script or settings.imports or settings.exports:
        raise CompileError(
            "--schedule=, --steps=, --import= and --export= are not for polyopt-tune"
        )
    if settings.poly == "none":
        raise CompileError("--poly=none leaves loops alone: there is nothing to tune")
    baseline = settings.poly or "auto"
    bases = list(dict.fromkeys((baseline, "identity")))
    source = read_source(str(path))
    flags = [flag for flag in flags if not flag.startswith("--poly=")]
    script_path = Path(options.output) if options.output else path.with_suffix(".steps")
    space = Space(source, settings, bases, options.function)
    exact = not (settings.finite_math or settings.reciprocal_math or settings.associative_math)
    job = Job(
        name=path.name,
        text=source.text,
        directory=os.getcwd(),
        beside=str(path.resolve().parent),
        flags=tuple(flags),
        baseline=baseline,
        arguments=tuple(arguments),
        repeat=options.repeat,
        exact=exact and settings.fp_contract == "off",
        timeout=options.timeout,
    )
    journal = _journal(options, job, script_path.with_suffix(".tune.json"))
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    if journal.found:
        console.print(f"{journal.found} programs were measured before: {journal.path}")
    defects = list[str]()

    def report(tally: Tally, point: Point, outcome: Outcome) -> None:
        script = space.script(point)
        display.tell(story.add(tally, point.base, script, outcome))
        if outcome.status not in ("ok", "slow"):
            defects.append(_defect(point.base, script, outcome))

    with _crew(options, job) as crew:
        console.print(f"baseline: --poly={baseline}, {crew.baseline_seconds:.6g} s")
        spent = time.monotonic() - began
        # Behind the search the best program is built once more, and run in turns with the baseline.
        budget = budget.left(spent, spent + 4 * options.repeat * crew.baseline_seconds)
        story = Story(budget, lambda: space.ruled_out)
        display = Display(console, story)
        ahead = Ahead(crew, space, budget, journal)

        def measure(base: str, script: str, best: float) -> Outcome:
            story.trying = f"--poly={base}: {steps_of(script)}"
            return ahead.measure(base, script, best)

        with display.moving():
            tally = search(space, measure, budget, report)
        crew.close()
        console.print(
            f"{tally.measured} programs measured, {tally.illegal} schedules illegal, "
            f"{tally.same} the same as others"
        )
        display.tell_ruled_out()
        if budget.seconds == 0:
            console.print("the baseline took all of the time: --budget= gives more")
        for defect in defects:
            console.print(defect)
        best = tally.best
        script = space.script(best)
        again = None
        if tally.score < 1.0:
            again = measured(crew, (best.base, script), 2 * options.repeat)
    if again is None or again.score is None or again.score > WORTH or again.status != "ok":
        sure = "" if again is None else " for certain"
        result = f"nothing measured beats --poly={baseline}{sure}: no script is written"
        print(result)
        _report(options.report, story, source, settings, baseline, "", f"{result.capitalize()}.")
        return 0
    _write(script_path, script, again, best.base, job, path)
    result = winner_words(1 / again.score, again.seconds, best.base, script, baseline)
    _report(options.report, story, source, settings, best.base, script, result)
    return 0


def _report(
    path: str | None,
    story: Story,
    source: Source,
    settings: Settings,
    base: str,
    script: str,
    result: str,
) -> None:
    """The page, if one was asked for."""
    from polyopt.support.files import write_whole
    from polyopt.tools.tune.search_page import search_page

    if path is not None:
        write_whole(Path(path), search_page(story, source, settings, base, script, result))
        print(f"{path}: a page about the search")


def _journal(options: argparse.Namespace, job: Job, path: Path) -> Journal:
    from polyopt.tools.tune.journal import Journal

    if options.restart:
        path.unlink(missing_ok=True)
    key = {
        "source": hashlib.sha256(job.text.encode(errors="surrogateescape")).hexdigest(),
        "options": list(job.flags),
        "baseline": job.baseline,
        "functions": options.function,
        "arguments": list(job.arguments),
        "repeat": job.repeat,
    }
    return Journal(path, key)


@contextmanager
def _crew(options: argparse.Namespace, job: Job) -> Generator[Crew]:
    """Who measures; the baseline has been."""
    if options.dask is not None:
        from polyopt.tools.cluster import cluster_at
        from polyopt.tools.tune.on_cluster import ClusterCrew, forget

        with cluster_at(options.dask, options.workers) as cluster:
            yield ClusterCrew(cluster, job, options.workers)
            cluster.everywhere(forget, job)
        return
    from polyopt.tools.tune.forks import Forks

    with TemporaryDirectory(prefix="polyopt-tune-") as folder:
        crew = Forks(job.begin(Path(folder)), options.workers or 1)
        try:
            yield crew
        finally:
            crew.close()


def _write(
    script_path: Path, script: str, outcome: Outcome, base: str, job: Job, source: Path
) -> None:
    """The script, with the command that takes it at its head."""
    from polyopt.support.files import write_whole

    assert outcome.score is not None
    command = shlex.join(
        ["polyopt-cc", *job.flags, f"--poly={base}", f"--schedule={script_path}", str(source)]
    )
    times = f"{1 / outcome.score:.2f} times as fast as --poly={job.baseline}"
    shown = f"{outcome.seconds:.6g} s, {times}"
    date = time.strftime("%Y-%m-%d")
    header = f"# Found by polyopt-tune on {date}: {shown}\n# {command}\n"
    write_whole(script_path, header + script)
    print(f"{script_path}: {shown}\n  {command}")


def _defect(base: str, script: str, outcome: Outcome) -> str:
    what = f"{outcome.status}: {outcome.detail}"
    kind = "defect of polyopt: another result" if outcome.status == "wrong" else "did not run"
    return f"{kind} ({what}) with --poly={base} and the steps\n{script}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
