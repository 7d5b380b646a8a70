"""The best schedule for one call of a program that is loaded here, found by measuring.

The same search as that of `polyopt-tune`, over functions of this process: each program is called in
turns with the baseline, so that a busy moment hits both. Every schedule has been proved legal; what
the call leaves in its arguments is not compared.

`Space` is the programs that may be tried, as points with scripts and neighbours; a strategy is a
function from it, what measures, and a budget to the best point, as `search` is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from polyopt.driver.options.flags import Settings
from polyopt.driver.programs.program import Program, compile_source
from polyopt.driver.units.source import Source
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.tools.tune.search import Budget, Measure, Points, Tally, TimeIsUp, search
from polyopt.tools.tune.space import Point, Space
from polyopt.tools.tune.story import Story
from polyopt.tools.tune.trials import HOPELESS, Outcome

ROUNDS = 3
WORTH = 0.97
"""A program that takes more of the baseline's time is not worth a script."""

Run = Callable[[Program], float]
"""How many seconds the call takes."""

Strategy = Callable[[Points, Measure, Budget, Callable[[Tally, Point, Outcome], None]], Tally]
"""Asks for outcomes of points while the budget lasts, tells of each, and gives the best."""


@record
class Tuned:
    """The best `program`, what was done to its loops, and how many times as fast it is; `story` has
    every trial, and what was ruled out and why."""

    program: Program
    base: str
    script: str
    gain: float
    story: Story

    @property
    def measured(self) -> int:
        return len(self.story.tried)


def tune(
    source: Source,
    settings: Settings,
    run: Run,
    budget: Budget,
    report: Callable[[str], None] = lambda _: None,
    strategy: Strategy = search,
) -> Tuned:
    """The program that takes the least time for the call; `report` is told of each trial."""
    if settings.schedule or settings.script or settings.imports or settings.exports:
        raise CompileError("--schedule=, --steps=, --import= and --export= leave nothing to tune")
    if settings.poly == "none":
        raise CompileError("--poly=none leaves loops alone: there is nothing to tune")
    began = time.monotonic()
    first = settings.poly or "auto"
    space = Space(source, settings, list(dict.fromkeys((first, "identity"))))
    baseline = compile_source(source, replace(settings, poly=first))
    usual = run(baseline)
    spent = time.monotonic() - began
    budget = budget.left(spent, spent)
    end = None if budget.seconds is None else began + spent + budget.seconds
    took = list[float]()

    def program_of(base: str, script: str) -> Program:
        return compile_source(source, replace(settings, poly=base, script=script or None))

    def measure(base: str, script: str, best: float) -> Outcome:
        start = time.monotonic()
        if end is not None and took and start + min(took) > end:
            raise TimeIsUp  # a trial that has begun cannot be given up here
        try:
            program = program_of(base, script)
        except CompileError as error:
            return Outcome("refused", detail=error.diagnostic.message)
        outcome = _compared(run, program, baseline, HOPELESS * best * usual)
        took.append(time.monotonic() - start)
        return outcome

    story = Story(budget, lambda: space.ruled_out)

    def told(tally: Tally, point: Point, outcome: Outcome) -> None:
        report(story.line(story.add(tally, point.base, space.script(point), outcome)))

    tally = strategy(space, measure, budget, told)
    unchanged = Tuned(baseline, first, "", 1.0, story)
    script = space.script(tally.best)
    if tally.score > WORTH:
        return unchanged
    best = program_of(tally.best.base, script)
    again = _compared(run, best, baseline, float("inf"))
    assert again.score is not None
    if again.score > WORTH:
        return unchanged
    return Tuned(best, tally.best.base, script, 1 / again.score, story)


def _compared(run: Run, program: Program, baseline: Program, limit: float) -> Outcome:
    """The least time of several rounds over the baseline's in the same rounds."""
    took = run(program)
    if took > limit:
        return Outcome("slow", took / run(baseline), took)
    best, usual = took, run(baseline)
    for _ in range(ROUNDS - 1):
        best, usual = min(best, run(program)), min(usual, run(baseline))
    return Outcome("ok", best / usual, best)
