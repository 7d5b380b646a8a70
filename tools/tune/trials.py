"""One program against the baseline: built, run in turns with it, its results compared.

A run's time is what the program says (a line `seconds CLOCK PROCESSOR`), else that of the process.
A trial's score is the best time over the baseline's best in the same rounds, so that a busy moment
hits both. A first run twice as slow as the best so far ends the trial.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import mkdtemp
from typing import Protocol

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.contest import Failure, run_command
from polyopt.tools.bench.outputs import difference, read_output

HOPELESS = 2.0
SLACK_SECONDS = 1.0
TEXT_TOLERANCE = 1e-4
_TIMES = re.compile(r"^seconds (\S+) \S+\n?", re.MULTILINE)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


@record
class Run:
    """One run's time, and what was printed but for times."""

    seconds: float
    output: str


@record
class Outcome:
    """`status`: "ok", "slow" (ended early), "wrong" (a defect of the compiler), or a failure's."""

    status: str
    score: float | None = None
    seconds: float | None = None
    detail: str = ""


class Machine(Protocol):
    """What builds a program from a scheduler's name and a script, and runs it; raises Failure."""

    def build(self, base: str, script: str) -> str: ...

    def run(self, program: str, limit: float) -> Run: ...


class ThisMachine:
    """polyopt-cc and the programs it makes, in processes of their own. `compiler` takes the name
    of the scheduler and the path of the script; commands run in `directory`."""

    def __init__(
        self,
        compiler: Callable[[str, str], Contender],
        source: str,
        folder: Path,
        arguments: Sequence[str],
        timeout: float,
        directory: Path | None = None,
    ):
        self.compiler, self.source, self.folder = compiler, source, folder
        self.arguments, self.timeout = arguments, timeout
        self.directory = directory

    def build(self, base: str, script: str) -> str:
        place = Path(mkdtemp(dir=self.folder))
        steps = place / "steps"
        steps.write_text(script, encoding="utf-8")
        target = str(place / "program")
        contender = self.compiler(base, str(steps))
        command = contender.program_command(self.source, target, ())
        run_command(command, self.timeout, self.directory)
        return target

    def run(self, program: str, limit: float) -> Run:
        begin = time.perf_counter()
        command = [program, *self.arguments]
        printed = run_command(command, min(limit, self.timeout), self.directory)
        return read_run(printed, time.perf_counter() - begin)


def read_run(printed: str, seconds: float) -> Run:
    """`seconds` are those of the process."""
    own = _TIMES.search(printed)
    try:
        seconds = float(own[1]) if own else seconds
    except ValueError:
        return Run(seconds, printed)
    return Run(seconds, _TIMES.sub("", printed))


class Trials:
    """Trials against one baseline, which is built and run at once: CompileError if it fails. What
    is measured runs inside of `alone`."""

    def __init__(
        self,
        machine: Machine,
        base: str,
        repeat: int,
        *,
        exact: bool,
        timeout: float,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
    ):
        self.machine, self.repeat, self.exact, self.timeout = machine, repeat, exact, timeout
        self._alone = alone
        try:
            self._baseline = machine.build(base, "")
            with alone():
                self._expected = machine.run(self._baseline, timeout)
                again = machine.run(self._baseline, timeout)
        except Failure as failure:
            raise CompileError(f"the baseline, --poly={base}: {failure}") from None
        if result_difference(self._expected.output, again.output, exact=True):
            raise CompileError(
                "two runs of the program print different results: nothing can be compared",
                hint="the program may print its results and a line 'seconds CLOCK PROCESSOR'",
            )
        self.baseline_seconds = min(self._expected.seconds, again.seconds)

    def measure(self, base: str, script: str, best: float, repeat: int | None = None) -> Outcome:
        """`best` is the best score so far."""
        try:
            program = self.machine.build(base, script)
            with self._alone():
                return self._timed(program, best, repeat or self.repeat)
        except Failure as failure:
            status = "slow" if failure.status == "timeout" else failure.status
            return Outcome(status, detail=failure.detail)

    def _timed(self, program: str, best: float, repeat: int) -> Outcome:
        own, other = list[float](), list[float]()
        limit = HOPELESS * self.baseline_seconds * max(best, 1.0) + SLACK_SECONDS
        for _ in range(repeat):
            run = self.machine.run(program, limit)
            reason = result_difference(self._expected.output, run.output, exact=self.exact)
            if reason is not None:
                return Outcome("wrong", detail=reason)
            own.append(run.seconds)
            other.append(self.machine.run(self._baseline, self.timeout).seconds)
            if len(own) == 1 and own[0] > HOPELESS * best * other[0]:
                return Outcome("slow", own[0] / max(other[0], 1e-9), own[0])
        return Outcome("ok", min(own) / max(min(other), 1e-9), min(own))


def result_difference(expected: str, actual: str, *, exact: bool) -> str | None:
    """Why two printings are not the same result, or None; not `exact`: numbers up to rounding."""
    if expected == actual:
        return None
    try:
        return difference(read_output(expected), read_output(actual), exact=exact)
    except CompileError:
        return _text_difference(expected, actual, exact=exact)


def _text_difference(expected: str, actual: str, *, exact: bool) -> str | None:
    want, got = expected.splitlines(), actual.splitlines()
    if len(want) != len(got):
        return f"{len(got)} lines are printed, not {len(want)}"
    for number, (one, other) in enumerate(zip(want, got, strict=True), 1):
        if one != other and (exact or not _are_close(one, other)):
            return f"line {number} is '{other}', not '{one}'"
    return None


def _are_close(one: str, other: str) -> bool:
    if _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return all(abs(float(a) - float(b)) <= TEXT_TOLERANCE * abs(float(a)) for a, b in pairs)
