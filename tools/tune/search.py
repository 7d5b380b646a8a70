"""Where to look next: neighbours of the best point, of another when these do not help.

The schedulers take turns. Of the points that start from one the most promising is asked for its
next neighbour; each neighbour that was tried makes it a little less promising. So the search
descends as long as it finds something, and turns back when it does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Protocol

from polyopt.support.record import entity, record
from polyopt.tools.tune.space import Point
from polyopt.tools.tune.trials import Outcome

WEARINESS = 0.05
"""How much less promising a point is for each neighbour that was tried."""


class Points(Protocol):
    """What a search has to know of a `Space`."""

    def starts(self) -> list[Point]: ...

    def script(self, point: Point) -> str: ...

    def neighbours(self, point: Point) -> Iterator[Point]: ...

    def loops(self, point: Point) -> str | None: ...


Measure = Callable[[str, str, float], Outcome]
"""The outcome for a scheduler's name, a script, and the best score so far; may raise TimeIsUp."""


class TimeIsUp(Exception):
    """Before the outcome was known: the search ends with what it has."""


@record
class Budget:
    """How long, and how many programs; what has been measured before counts."""

    seconds: float | None = None
    trials: int | None = None

    def left(self, spent: float, kept: float) -> Budget:
        """For the search alone: so many seconds were spent before it, and so many are kept for what
        comes behind it, but no more than half of what is left."""
        if self.seconds is None:
            return self
        left = max(0.0, self.seconds - spent)
        return Budget(left - min(kept, left / 2), self.trials)


@entity
class Tally:
    """What became of the points that were looked at, and the best one."""

    best: Point
    score: float = 1.0
    measured: int = 0
    illegal: int = 0
    same: int = 0


@entity
class _Open:
    base: str
    score: float
    rest: Iterator[Point]
    tried: int = 0

    @property
    def promise(self) -> float:
        return self.score * (1.0 + WEARINESS * self.tried)


def search(
    points: Points,
    measure: Measure,
    budget: Budget,
    report: Callable[[Tally, Point, Outcome], None],
    clock: Callable[[], float] = time.monotonic,
) -> Tally:
    """The best point within the budget: it may be the baseline, the first of the starts."""
    begin = clock()
    baseline, *starts = points.starts()
    tally = Tally(baseline)
    seen = {points.loops(baseline)}
    asked = {baseline}
    openings = [_Open(baseline.base, 1.0, points.neighbours(baseline))]

    def is_spent() -> bool:
        late = budget.seconds is not None and clock() - begin >= budget.seconds
        return late or (budget.trials is not None and tally.measured >= budget.trials)

    def look(point: Point) -> None:
        if point in asked:
            return
        asked.add(point)
        loops = points.loops(point)
        if loops is None or loops in seen:
            tally.illegal += loops is None
            tally.same += loops is not None
            return
        seen.add(loops)
        outcome = measure(point.base, points.script(point), tally.score)
        tally.measured += 1
        if outcome.score is not None:
            openings.append(_Open(point.base, outcome.score, points.neighbours(point)))
        if outcome.status == "ok" and outcome.score is not None and outcome.score < tally.score:
            tally.best, tally.score = point, outcome.score
        report(tally, point, outcome)

    def look_around() -> None:
        last = baseline.base
        while openings and not is_spent():
            place = min(openings, key=lambda one: (one.base == last, one.promise))
            last = place.base
            point = next(place.rest, None)
            if point is None:
                openings.remove(place)
                continue
            place.tried += 1
            look(point)

    with suppress(TimeIsUp):
        for start in starts:
            if not is_spent():
                look(start)
        look_around()
    return tally
