"""Many programs, each in several configurations, by a few processes at a time.

    Campaign(Forks(2, per_program=8)).run(range(1, 101))

A program is a child of this process, or of one on another machine, a configuration is a child of
that. Outcomes are taken in the order of the seeds, so that what is found does not depend on who is
how fast. What was found first of its kind is reduced and written to the folder; the rest is
counted.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from xdsl.utils.exceptions import DiagnosticException

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import entity, record
from polyopt.tools.children import Child, Limits, Outcome, Say, wait_for
from polyopt.tools.errors import explain
from polyopt.tools.fuzz.programs.choices import Choices
from polyopt.tools.fuzz.programs.program import random_program
from polyopt.tools.fuzz.trials import reference
from polyopt.tools.fuzz.trials.configurations import (
    MODE_FLAGS,
    draw_mode,
    random_configuration,
)
from polyopt.tools.fuzz.trials.trial import Prepared, TrialVerdict, try_configuration, verdict_of

PROGRAM_SECONDS = 300.0
ANY = ("-O1", "-ffp-contract=off", "--poly=isl", "--verify-each")
"""What stands for the configuration of a defect that every one has."""


@record
class Finding:
    """A program and a configuration that show a defect."""

    seed: int
    words: tuple[str, ...]
    verdict: TrialVerdict

    @property
    def kind(self) -> str:
        """What other findings of probably the same cause have in common."""
        verdict = self.verdict
        if verdict.name == "internal error":
            words = re.sub(r"'[^']*'", "", verdict.what).split()
            return f"{verdict.name}: {' '.join(words)[:160]}"
        if verdict.name in ("different", "crash", "hang", "memory"):
            ways = [w.split("=")[0] for w in self.words if w.startswith(("--steps", "--through"))]
            phase = re.search(r"\(.*\)", verdict.what)
            return " ".join([verdict.name, *ways, phase[0] if phase else ""])
        text = re.sub(
            r"[^ ]*program\.c:\d+(:\d+)?:? ?|'[^']*'|\d+", "", verdict.what.partition("\n")[0]
        )
        return f"{verdict.name}: {' '.join(text.split())[:120]}"


@entity
class Tally:
    """What was done and found."""

    programs: int = 0
    trials: int = 0
    verdicts: Counter[str] = field(default_factory=Counter[str])
    drawn: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    became: Counter[str] = field(default_factory=Counter[str])
    findings: list[Finding] = field(default_factory=list[Finding])
    kinds: Counter[str] = field(default_factory=Counter[str])
    seconds: float = 0.0
    is_cut: bool = False
    """An interrupt came before all seeds were through."""


class Crew(Protocol):
    """Who tries the programs of seeds. A seed whose worker is lost is given to another one."""

    size: int
    """How many may be under way."""

    def begin(self, seed: int) -> None: ...

    def finished(self) -> list[tuple[int, Outcome]]:
        """Wait until there are some."""
        ...


Attempt = Callable[[int, int, Limits, Say], dict[str, Any]]
"""What is done with a seed (`try_program`)."""


class Forks:
    """A crew of forks of this process."""

    def __init__(
        self,
        size: int,
        per_program: int = 8,
        limits: Limits = Limits(),
        attempt: Attempt | None = None,
    ):
        self.size, self.per_program, self.limits = size, per_program, limits
        self.attempt = attempt or try_program
        self._working = dict[int, tuple[int, Child]]()

    def begin(self, seed: int) -> None:
        def work(say: Say) -> dict[str, Any]:
            return self.attempt(seed, self.per_program, self.limits, say)

        child = Child.start(work, Limits(PROGRAM_SECONDS, 8 << 30))
        self._working[child.process] = seed, child

    def finished(self) -> list[tuple[int, Outcome]]:
        done = wait_for([child for _, child in self._working.values()])
        return [(self._working.pop(one.process)[0], one.outcome()) for one in done]

    def close(self) -> None:
        """End what is under way."""
        while self._working:
            self._working.popitem()[1][1].stop()


@entity
class Campaign:
    """`report` is called for each finding, with whether it is the first of its kind, `tick` after
    each program."""

    crew: Crew
    report: Callable[[Finding, bool], None] = lambda finding, is_first: None
    tick: Callable[[Tally], None] = lambda tally: None

    def run(self, seeds: Iterable[int], seconds: float | None = None) -> Tally:
        """All seeds, or those that fit into the time, or that were through when an interrupt
        came."""
        tally = Tally()
        begun = time.monotonic()
        try:
            self._run(tally, seeds, math.inf if seconds is None else begun + seconds)
        except KeyboardInterrupt:
            tally.is_cut = True
        tally.seconds = time.monotonic() - begun
        return tally

    def _run(self, tally: Tally, seeds: Iterable[int], end: float) -> None:
        left = iter(seeds)
        order, outcomes = deque[int](), dict[int, Outcome]()
        working = 0
        while True:
            while working < self.crew.size:
                seed = None if time.monotonic() > end else next(left, None)
                if seed is None:
                    break
                self.crew.begin(seed)
                order.append(seed)
                working += 1
            if not working:
                return
            found = self.crew.finished()
            working -= len(found)
            outcomes.update(found)
            while order and order[0] in outcomes:
                seed = order.popleft()
                self._take(tally, seed, outcomes.pop(seed))
                self.tick(tally)

    def _take(self, tally: Tally, seed: int, outcome: Outcome) -> None:
        tally.programs += 1
        if outcome.ending != "returned":
            verdict = verdict_of(outcome)
            self._find(tally, Finding(seed, ANY, verdict))
            tally.verdicts[verdict.name] += 1
            return
        for topic, name, number in outcome.value["drawn"]:
            tally.drawn[topic, name] += number
        for words, fields in outcome.value["trials"]:
            verdict = TrialVerdict(**fields)
            tally.trials += 1
            tally.verdicts[verdict.name] += 1
            tally.became.update(verdict.became)
            if verdict.is_finding:
                self._find(tally, Finding(seed, tuple(words), verdict))

    def _find(self, tally: Tally, finding: Finding) -> None:
        tally.findings.append(finding)
        tally.kinds[finding.kind] += 1
        self.report(finding, tally.kinds[finding.kind] == 1)


def try_program(seed: int, count: int, limits: Limits, say: Say) -> dict[str, Any]:
    """The program of the seed in `count` configurations."""
    say("generate")
    program = random_program(seed)
    choices = Choices(f"configurations {seed}")
    mode = draw_mode(choices)
    configurations = [random_configuration(choices, mode) for _ in range(count)]
    trials = list[tuple[Sequence[str], dict[str, Any]]]()
    with TemporaryDirectory(prefix="polyopt-fuzz-") as name:
        folder = Path(name)
        say("reference")
        library = reference.build(program.text, folder)
        expected = reference.results(program, library, spread=mode != "strict")
        prepared: Prepared | None = None
        try:
            prepared = Prepared.of(program, expected, MODE_FLAGS[mode], configurations, say)
        except (CompileError, DiagnosticException) as error:
            trials.append((ANY, as_fields(TrialVerdict("error", explain(error) or str(error)))))
            configurations = []
        say("configurations")
        for configuration in configurations:
            assert prepared is not None
            verdict = try_configuration(prepared, configuration, folder, limits)
            trials.append((configuration.words, as_fields(verdict)))
    drawn = [(*key, number) for key, number in (program.drawn + choices.drawn).items()]
    return {"drawn": drawn, "trials": trials}


def as_fields(verdict: TrialVerdict) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "what": verdict.what,
        "became": verdict.became,
        "script": verdict.script,
        "seconds": verdict.seconds,
    }
