"""Many programs, each in several configurations, by a few processes at a time.

    campaign = Campaign(folder, jobs=2); campaign.run(range(1, 101), per_program=8)

A program is a child of this process, a configuration is a child of that. What was found first of
its kind is reduced and written to the folder; the rest is counted.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import entity, record
from polyopt.tools.children import Child, Limits, Outcome, Say, wait_for
from polyopt.tools.errors import explain
from polyopt.tools.fuzz import reference
from polyopt.tools.fuzz.choices import Choices
from polyopt.tools.fuzz.configurations import (
    MODE_FLAGS,
    draw_mode,
    random_configuration,
)
from polyopt.tools.fuzz.program import random_program
from polyopt.tools.fuzz.trial import Prepared, Verdict, try_configuration, verdict_of

PROGRAM_SECONDS = 300.0
ANY = ("-O1", "-ffp-contract=off", "--poly=isl", "--verify-each")
"""What stands for the configuration of a defect that every one has."""


@record
class Finding:
    """A program and a configuration that show a defect."""

    seed: int
    words: tuple[str, ...]
    verdict: Verdict

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


@entity
class Campaign:
    """`report` is called for each finding, with whether it is the first of its kind, `tick` after
    each program. `attempt` is what is done with a seed (`try_program`)."""

    jobs: int = 1
    per_program: int = 8
    limits: Limits = field(default_factory=Limits)
    report: Callable[[Finding, bool], None] = lambda finding, is_first: None
    tick: Callable[[Tally], None] = lambda tally: None
    attempt: Callable[[int, int, Limits, Say], dict[str, Any]] | None = None

    def run(self, seeds: Iterable[int], seconds: float | None = None) -> Tally:
        """All seeds, or those that fit into the time."""
        tally = Tally()
        begun = time.monotonic()
        working = dict[int, tuple[int, Child]]()
        left = iter(seeds)
        while True:
            while len(working) < self.jobs:
                is_over = seconds is not None and time.monotonic() - begun > seconds
                seed = None if is_over else next(left, None)
                if seed is None:
                    break
                child = Child.start(self._work(seed), Limits(PROGRAM_SECONDS, 8 << 30))
                working[child.process] = seed, child
            if not working:
                tally.seconds = time.monotonic() - begun
                return tally
            for child in wait_for([child for _, child in working.values()]):
                seed, _ = working.pop(child.process)
                self._take(tally, seed, child.outcome())
                self.tick(tally)

    def _work(self, seed: int) -> Callable[[Say], Any]:
        attempt = self.attempt or try_program
        return lambda say: attempt(seed, self.per_program, self.limits, say)

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
            verdict = Verdict(**fields)
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
            trials.append((ANY, as_fields(Verdict("error", explain(error) or str(error)))))
            configurations = []
        say("configurations")
        for configuration in configurations:
            assert prepared is not None
            verdict = try_configuration(prepared, configuration, folder, limits)
            trials.append((configuration.words, as_fields(verdict)))
    drawn = [(*key, number) for key, number in (program.drawn + choices.drawn).items()]
    return {"drawn": drawn, "trials": trials}


def as_fields(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "what": verdict.what,
        "became": verdict.became,
        "script": verdict.script,
        "seconds": verdict.seconds,
    }
