"""What has happened in a search: what was measured, in turn, and what was ruled out, and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import field

from polyopt.support.record import entity, record
from polyopt.support.remarks import how_many
from polyopt.tools.tune.search import Budget, Tally
from polyopt.tools.tune.trials import Outcome

EXAMPLES = 2
"""So many scripts are told of each reason."""


@record
class Tried:
    """`best` is the best score when it was measured, its own included; `seconds` since the search
    began."""

    seconds: float
    base: str
    script: str
    outcome: Outcome
    best: float

    @property
    def steps(self) -> str:
        return f"--poly={self.base}: {steps_of(self.script)}"

    @property
    def result(self) -> str:
        score = self.outcome.score
        return self.outcome.status if score is None else f"{1 / score:.2f}x"


@entity
class Story:
    """`ruled_out` is asked for reasons by script; `trying` is what is being measured."""

    budget: Budget
    ruled_out: Callable[[], Mapping[str, str]]
    clock: Callable[[], float] = time.monotonic
    tried: list[Tried] = field(default_factory=list[Tried])
    trying: str = ""

    def __post_init__(self) -> None:
        self.began = self.clock()

    def add(self, tally: Tally, base: str, script: str, outcome: Outcome) -> Tried:
        """What was measured last."""
        told = Tried(self.clock() - self.began, base, script, outcome, tally.score)
        self.tried.append(told)
        return told

    def line(self, tried: Tried) -> str:
        """What is said of the trial that was added last."""
        best = f"{1 / tried.best:.2f}x"
        return f"[{len(self.tried)}] best {best}, this {tried.result}: {tried.steps}"

    @property
    def best(self) -> float:
        return self.tried[-1].best if self.tried else 1.0

    @property
    def left(self) -> str:
        """What the budget still allows."""
        if self.budget.trials is not None:
            return f"{how_many(max(0, self.budget.trials - len(self.tried)), 'program')} left"
        if self.budget.seconds is None:
            return ""
        seconds = max(0.0, self.budget.seconds - (self.clock() - self.began))
        return f"{int(seconds) // 60}:{int(seconds) % 60:02d} left"

    @property
    def state(self) -> str:
        """In one line."""
        ruled_out = len(self.ruled_out())
        parts = [
            f"{len(self.tried)} measured",
            f"best {1 / self.best:.2f}x",
            *([f"{ruled_out} ruled out"] if ruled_out else []),
            self.left,
        ]
        return ", ".join(part for part in parts if part)

    def reasons(self) -> list[tuple[str, list[str]]]:
        """Each reason with the steps that it forbids, the most frequent first."""
        found = dict[str, list[str]]()
        for script, why in self.ruled_out().items():
            found.setdefault(why, []).append(steps_of(script))
        return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def steps_of(script: str) -> str:
    return "; ".join(script.splitlines()) or "as it is"


def reason_text(why: str, steps: list[str]) -> str:
    """How many are ruled out by it, and some of them."""
    shown = " | ".join(steps[:EXAMPLES])
    more = f" | and {len(steps) - EXAMPLES} more" if len(steps) > EXAMPLES else ""
    return f"{len(steps)} ruled out: {why} ({shown}{more})"


def winner_words(gain: float, seconds: float | None, base: str, script: str, baseline: str) -> str:
    """What the sentence at the head of the page says of the best steps."""
    took = "" if seconds is None else f"{seconds:.6g} s, "
    times = f"{gain:.2f} times as fast as --poly={baseline}"
    return f"The best: {took}{times}, by --poly={base} and the steps {steps_of(script)}."
