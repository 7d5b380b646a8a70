"""Trials on this machine, each in a process of its own: so many compile while one is timed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict

from polyopt.support.record import entity
from polyopt.tools.children import Child, Say, wait_for
from polyopt.tools.tune.ahead import Trial
from polyopt.tools.tune.trials import Outcome, Trials

ATTEMPTS = 3
"""How many processes may be lost with a trial before it counts as the cause."""


@entity
class _Attempt:
    trial: Trial
    best: float
    repeat: int | None
    child: Child
    number: int = 1


class Forks:
    """A crew of forks of this process, which know the baseline's results from it."""

    def __init__(self, trials: Trials, size: int):
        self.trials, self.size = trials, size
        self.baseline_seconds = trials.baseline_seconds
        self._attempts = dict[Trial, _Attempt]()

    @property
    def under_way(self) -> Collection[Trial]:
        return self._attempts.keys()

    def begin(self, trial: Trial, best: float, repeat: int | None = None) -> None:
        child = self._start(trial, best, repeat)
        self._attempts[trial] = _Attempt(trial, best, repeat, child)

    def _start(self, trial: Trial, best: float, repeat: int | None) -> Child:
        def work(say: Say) -> dict[str, object]:
            return asdict(self.trials.measure(*trial, best, repeat))

        return Child.start(work, None)

    def end(self, trial: Trial) -> None:
        self._attempts.pop(trial).child.stop()

    def finished(self, seconds: float | None = None) -> dict[Trial, Outcome]:
        found = dict[Trial, Outcome]()
        while not found:
            over = wait_for([a.child for a in self._attempts.values()], seconds)
            if not over:
                break
            done = {id(child) for child in over}
            for attempt in [one for one in self._attempts.values() if id(one.child) in done]:
                outcome = self._outcome(attempt)
                if outcome is not None:
                    del self._attempts[attempt.trial]
                    found[attempt.trial] = outcome
        return found

    def _outcome(self, attempt: _Attempt) -> Outcome | None:
        """None if the process was lost, and another one is at it."""
        ended = attempt.child.outcome()
        if ended.ending == "returned":
            return Outcome(**ended.value)
        if ended.ending != "killed":
            raise RuntimeError(ended.detail)
        if attempt.number == ATTEMPTS:
            return Outcome("lost", detail=f"{ATTEMPTS} workers were ended by {ended.detail}")
        attempt.number += 1
        attempt.child = self._start(attempt.trial, attempt.best, attempt.repeat)
        return None

    def close(self) -> None:
        for trial in list(self.under_way):
            self.end(trial)
