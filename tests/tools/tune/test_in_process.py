"""The search for the best loops of a call, with a clock that we set."""

from __future__ import annotations

import numpy as np
import pytest

from polyopt.driver.options.flags import read_settings
from polyopt.driver.programs.program import Program
from polyopt.driver.units.source import Source
from polyopt.tools.tune.in_process import tune
from polyopt.tools.tune.search import Budget, Measure, Points, Tally, TimeIsUp

SOURCE = Source(
    "<cell>",
    """void twice(int n, double x[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i][j] += x[i][j];
}""",
)


def steps_of(program: Program) -> str:
    settings = program._settings  # pyright: ignore[reportPrivateUsage]
    return settings.script or ""


def test_what_takes_least_time_is_taken() -> None:
    told: list[str] = []

    def run(program: Program) -> float:
        return 0.5 if "unroll" in steps_of(program) else 1.0

    found = tune(SOURCE, read_settings(["-O2"]), run, Budget(trials=4), told.append)
    assert "unroll" in found.script
    assert "unroll" in steps_of(found.program)
    assert (found.gain, found.measured) == (2.0, 4)
    assert len(told) == 4
    assert told[-1].startswith("[4] best 2.00x, this ")
    x = np.ones((5, 5))
    found.program.twice(5, x)
    assert (x == 2).all()


def test_where_nothing_helps_the_baseline_stays() -> None:
    found = tune(SOURCE, read_settings(["-O2"]), lambda _: 1.0, Budget(trials=2))
    assert (found.script, found.gain, found.base) == ("", 1.0, "auto")
    assert steps_of(found.program) == ""


def test_the_baseline_is_within_the_budget() -> None:
    asked: list[float] = []

    def noted(points: Points, measure: Measure, budget: Budget, report: object) -> Tally:
        assert budget.seconds is not None
        asked.append(budget.seconds)
        return Tally(points.starts()[0])

    tune(SOURCE, read_settings(["-O2"]), lambda _: 1.0, Budget(seconds=1e6), strategy=noted)
    (left,) = asked
    assert 0 < left < 1e6


def test_no_trial_begins_that_would_end_too_late() -> None:
    """All time is gone behind the baseline; a strategy that asks all the same is told so."""

    def asking(points: Points, measure: Measure, budget: Budget, report: object) -> Tally:
        (start, *_) = points.starts()
        measure(start.base, "", 1.0)
        with pytest.raises(TimeIsUp):
            measure(start.base, "", 1.0)
        return Tally(start)

    tune(SOURCE, read_settings(["-O2"]), lambda _: 1.0, Budget(seconds=1e-9), strategy=asking)


def test_a_lucky_measurement_is_not_believed() -> None:
    """What seemed better once is not, when it is measured again."""
    counts: dict[str, int] = {}

    def run(program: Program) -> float:
        script = steps_of(program)
        counts[script] = counts.get(script, 0) + 1
        return 0.5 if script and counts[script] <= 3 else 1.0

    found = tune(SOURCE, read_settings(["-O2"]), run, Budget(trials=1))
    assert (found.script, found.gain) == ("", 1.0)
