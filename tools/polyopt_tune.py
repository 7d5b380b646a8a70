"""polyopt-tune: find a schedule for a program by measuring legal ones.

Steps of docs/schedules.md, on what a scheduler gives, are tried while they help: orders of loops,
one or two levels of tiles, register tiles, fusion and distribution, where most of the work is
first. The program runs in turns with what
--poly=auto makes of it, its results are compared; the best steps are written for --schedule=.
"""

from __future__ import annotations

import argparse
import hashlib
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from polyopt.support.diagnostics import CompileError
from polyopt.tools.errors import run_tool
from polyopt.tools.version import ShowVersion

if TYPE_CHECKING:
    from polyopt.tools.tune.search import Tally
    from polyopt.tools.tune.space import Point
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
        help="when to stop: 90s, 5m (default), or a number of programs to measure",
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
    return _tune(options, Path(sources[0]), others, words[split + 1 :])


def _tune(
    options: argparse.Namespace, path: Path, flags: list[str], arguments: Sequence[str]
) -> int:
    from rich.console import Console

    from polyopt.driver.flags import read_settings
    from polyopt.driver.unit import read_source
    from polyopt.support.files import write_whole
    from polyopt.tools.bench.contenders import Contender
    from polyopt.tools.tune.budget import read_budget
    from polyopt.tools.tune.journal import Journal
    from polyopt.tools.tune.search import search
    from polyopt.tools.tune.space import Space
    from polyopt.tools.tune.trials import ThisMachine, Trials

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

    def compiler(base: str, steps: str) -> Contender:
        chosen = (*flags, *loop_flags(base, Path(steps)))
        command = (sys.executable, "-m", "polyopt.tools.polyopt_cc", "--cache=off")
        return Contender(f"polyopt:{base}", command, chosen, is_polyopt=True)

    journal_path = script_path.with_suffix(".tune.json")
    if options.restart:
        journal_path.unlink(missing_ok=True)
    journal = Journal(
        journal_path,
        {
            "source": hashlib.sha256(source.text.encode(errors="surrogateescape")).hexdigest(),
            "options": flags,
            "baseline": baseline,
            "functions": options.function,
            "arguments": list(arguments),
            "repeat": options.repeat,
        },
    )
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    if journal.found:
        console.print(f"{journal.found} programs were measured before: {journal_path}")
    exact = not (settings.finite_math or settings.reciprocal_math or settings.associative_math)
    exact = exact and settings.fp_contract == "off"
    with TemporaryDirectory(prefix="polyopt-tune-") as folder:
        machine = ThisMachine(compiler, str(path), Path(folder), arguments, options.timeout)
        trials = Trials(machine, baseline, options.repeat, exact=exact, timeout=options.timeout)
        console.print(f"baseline: --poly={baseline}, {trials.baseline_seconds:.6g} s")
        defects = list[str]()

        def report(tally: Tally, point: Point, outcome: Outcome) -> None:
            script = space.script(point)
            console.print(_progress(tally, point.base, script, outcome))
            if outcome.status not in ("ok", "slow"):
                defects.append(_defect(point.base, script, outcome))

        with console.status("measuring"):
            tally = search(space, journal.remembering(trials.measure), budget, report)
        console.print(
            f"{tally.measured} programs measured, {tally.illegal} schedules illegal, "
            f"{tally.same} the same as others"
        )
        for defect in defects:
            console.print(defect)
        best = tally.best
        script = space.script(best)
        if tally.score >= 1.0:
            print(f"nothing measured beats --poly={baseline}: no script is written")
            return 0
        again = trials.measure(best.base, script, 1.0, 2 * options.repeat)
    if again.score is None or again.score > WORTH or again.status != "ok":
        print(f"nothing measured beats --poly={baseline} for certain: no script is written")
        return 0
    command = shlex.join(
        ["polyopt-cc", *flags, f"--poly={best.base}", f"--schedule={script_path}", str(path)]
    )
    shown = f"{again.seconds:.6g} s, {1 / again.score:.2f} times as fast as --poly={baseline}"
    date = time.strftime("%Y-%m-%d")
    header = f"# Found by polyopt-tune on {date}: {shown}\n# {command}\n"
    write_whole(script_path, header + script)
    print(f"{script_path}: {shown}\n  {command}")
    return 0


def loop_flags(base: str, script: Path) -> tuple[str, ...]:
    """Also a script of no steps is given, where without one loops would not be finished."""
    from polyopt.pipeline_options import PipelineOptions

    is_needed = script.stat().st_size > 0 or not PipelineOptions(poly=base).finishes_loops
    return f"--poly={base}", *((f"--schedule={script}",) if is_needed else ())


def _progress(tally: Tally, base: str, script: str, outcome: Outcome) -> str:
    steps = "; ".join(script.splitlines()) or "as it is"
    result = outcome.status if outcome.score is None else f"{1 / outcome.score:.2f}x"
    return f"[{tally.measured}] best {1 / tally.score:.2f}x, this {result}: --poly={base}: {steps}"


def _defect(base: str, script: str, outcome: Outcome) -> str:
    what = f"{outcome.status}: {outcome.detail}"
    kind = "defect of polyopt: another result" if outcome.status == "wrong" else "did not run"
    return f"{kind} ({what}) with --poly={base} and the steps\n{script}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
