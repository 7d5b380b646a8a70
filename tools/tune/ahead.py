"""The search with several workers: what it will probably ask for next is measured ahead.

The search is a function of the outcomes that it is given, and looks at one point after the other.
So what it comes to does not depend on who measures, as long as each outcome is that of its point:
while it waits for one, the other workers make trials of those that it would ask for if what is
under way did not help, which is what becomes of most trials. Guesses that were wrong are lost
time; their outcomes stay in the journal, for later.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Protocol

from polyopt.tools.tune.journal import Journal
from polyopt.tools.tune.search import Budget, Points, Tally, TimeIsUp, search
from polyopt.tools.tune.space import Point
from polyopt.tools.tune.trials import Outcome

Trial = tuple[str, str]
"""A scheduler's name and a script."""


class Crew(Protocol):
    """Workers. A trial of a worker that is lost is made again, without a word."""

    size: int
    """How many trials there may be under way."""

    baseline_seconds: float

    @property
    def under_way(self) -> Collection[Trial]: ...

    def begin(self, trial: Trial, best: float, repeat: int | None = None) -> None: ...

    def end(self, trial: Trial) -> None:
        """It is not wanted any more."""
        ...

    def finished(self, seconds: float | None = None) -> dict[Trial, Outcome]:
        """Wait until there are some; for so long, and there may be none."""
        ...

    def close(self) -> None: ...


class Ahead:
    """`measure` for a search among the points, which begins now, within the budget."""

    def __init__(
        self,
        crew: Crew,
        points: Points,
        budget: Budget,
        journal: Journal,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.crew, self.points, self.budget, self.journal = crew, points, budget, journal
        self._clock = clock
        self._end = None if budget.seconds is None else clock() + budget.seconds

    def measure(self, base: str, script: str, best: float) -> Outcome:
        """Raises TimeIsUp where the budget ends before the trial does, which is given up."""
        trial = base, script
        while (outcome := self.journal.get(*trial)) is None:
            left = None if self._end is None else self._end - self._clock()
            if left is not None and left <= 0:
                raise TimeIsUp
            self._begin(trial, best)
            for other, found in self.crew.finished(left).items():
                self.journal.put(*other, found)
        return outcome

    def _begin(self, trial: Trial, best: float) -> None:
        """All workers have work: the trial first, and what is no longer expected makes room."""
        crew = self.crew
        room = crew.size - len(crew.under_way)
        if trial in crew.under_way and room <= 0:
            return
        wanted = [trial, *self._expected(trial)]
        if trial not in crew.under_way and room <= 0:
            unwanted = [one for one in crew.under_way if one not in wanted]
            if not unwanted:
                return
            crew.end(unwanted[-1])
            room += 1
        for one in wanted:
            if one not in crew.under_way and room > 0:
                crew.begin(one, best)
                room -= 1

    def _expected(self, trial: Trial) -> list[Trial]:
        """What the search comes to if nothing helps that is not in the journal."""
        if self.crew.size == 1:
            return []
        found = expected(self.points, self.journal, self.budget, self.crew.size)
        return [one for one in found if one != trial]


def measured(crew: Crew, trial: Trial, repeat: int) -> Outcome:
    """The outcome of a trial that is made anew, with nothing else under way."""
    crew.begin(trial, 1.0, repeat)
    while True:
        found = crew.finished()
        if trial in found:
            return found[trial]


class _Enough(Exception):
    pass


def expected(points: Points, journal: Journal, budget: Budget, count: int) -> list[Trial]:
    """The first trials, at most `count`, that a search asks for and the journal does not know, if
    none of them helps. How long it takes is not considered."""
    found = list[Trial]()

    def measure(base: str, script: str, best: float) -> Outcome:
        outcome = journal.get(base, script)
        if outcome is not None:
            return outcome
        if len(found) == count:
            raise _Enough
        found.append((base, script))
        return Outcome("slow")

    try:
        search(points, measure, Budget(trials=budget.trials), _unheard)
    except _Enough:
        pass
    return found


def _unheard(tally: Tally, point: Point, outcome: Outcome) -> None: ...
