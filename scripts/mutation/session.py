"""One session of pytest that collects the tests once and runs some of them many times, each time
in a fork of itself: everything is imported, nothing is left behind.

    near      a fork for each mutant: the functions get their new code, and the tests that are
              nearest to it are run until one fails
    map       each test file in a fork, traced: which test runs which lines; once, and where there
              is a mutant that these have not noticed
    far       a fork for each such mutant: the tests that run its line, quickest first
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from lit_items import LitFile
from tool_server import load

from mutation.line_map import Kept, Lines, TestRun, Tracer, together
from mutation.live_code import install
from mutation.mutants import Mutant, mutated

MEMORY = 6 << 30
TRACING = 600
"""Seconds that the tests of one file may take while they are traced; what takes longer is left
out."""
WAITING = 10
"""Times as long as something may compute it may take, on a machine that has other work."""


@dataclass(frozen=True)
class Outcome:
    """`by` is the test that failed, or "time" or "crash"; None where all passed. `tests`: how many
    have been tried; those that run its line, where that is known."""

    mutant: Mutant
    by: str | None
    tests: int
    seconds: float


@dataclass(eq=False)
class Session:
    """`work` is what is done once the tests are collected. `patience`: seconds of tests that are
    run for one mutant; `slack`: how much more than a few times that they may take, before a mutant
    counts as endless."""

    root: str
    rooms: tuple[str, ...]
    kept: Kept
    say: Callable[[str], None]
    work: Callable[[Session], None]
    packages: tuple[str, ...] = ()
    patience: float = 40
    slack: float = 20
    items: dict[str, pytest.Item] = field(default_factory=dict[str, pytest.Item])
    runs: dict[str, TestRun] = field(default_factory=dict[str, TestRun])
    _fails_anyway: dict[str, bool] = field(default_factory=dict[str, bool])
    _tried: dict[Mutant, set[str]] = field(default_factory=dict[Mutant, set[str]])
    _failed: bool = False
    _seconds: float = 0.0

    # Hooks of pytest

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        load(self.packages)
        lit = [isinstance(item.parent, LitFile) for item in session.items]
        if any(lit):
            load(for_tools=all(lit))  # as each of them would ask, in a fork of its own
        self.work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed
        self._seconds += report.duration

    # Running

    def _run(self, item: pytest.Item, following: pytest.Item | None = None) -> bool:
        """Whether the test passes, or is skipped."""
        self._failed, self._seconds = False, 0.0
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return not self._failed

    def look_at_all(self) -> None:
        """Find out what all tests run."""
        by_file = dict[Path, list[pytest.Item]]()
        for item in self.items.values():
            by_file.setdefault(item.path, []).append(item)
        unknown = [path for path in by_file if self.kept.of(path) is None]
        for number, path in enumerate(unknown, 1):
            self.say(f"looking at {path.relative_to(self.root)} ({number} of {len(unknown)})")
            found = in_fork(partial(self._traced, by_file[path]), TRACING)
            if isinstance(found, str):
                self.say(f"  left out: {found}")
            runs: list[TestRun] = [] if isinstance(found, str) else found
            self.kept.keep(path, runs)
        for path in by_file:
            for run in self.kept.of(path) or ():
                if run.name in self.items:
                    self.runs[run.name] = run

    def _traced(self, items: list[pytest.Item]) -> list[TestRun]:
        found = list[TestRun]()
        with tempfile.TemporaryDirectory() as folder:
            for item, following in zip(items, [*items[1:], None], strict=True):
                tracer = Tracer(self.root, self.rooms)
                if isinstance(item.parent, LitFile):
                    item.parent.after_fork = partial(_trace_into, tracer, folder)
                begin = time.perf_counter()
                tracer.start()
                passed = self._run(item, following)
                lines = tracer.stop()
                seconds = time.perf_counter() - begin
                for path in Path(folder).iterdir():
                    lines = together(lines, pickle.loads(path.read_bytes()))
                    path.unlink()
                found.append(TestRun(item.nodeid, seconds, passed, lines))
        return found

    def tests_of(self, mutant: Mutant) -> list[TestRun]:
        """Those that run its lines, the quickest first, as many as there is patience for; those
        that have been tried take none."""
        tried = self._tried.get(mutant, ())
        found = [
            run
            for run in self.runs.values()
            if run.passed and run.runs(mutant.file, mutant.line, mutant.end)
        ]
        chosen, spent = list[TestRun](), 0.0
        for run in sorted(found, key=lambda one: (one.name not in tried, one.seconds, one.name)):
            spent += 0.0 if run.name in tried else run.seconds
            if chosen and spent > self.patience:
                break
            chosen.append(run)
        return chosen

    def try_near(self, mutant: Mutant, source: str, places: Sequence[str]) -> Outcome:
        """The tests of these files, relative to the root, in this order."""
        begin = time.perf_counter()
        rank = {f"{self.root}/{place}": number for number, place in enumerate(places)}
        there = [one for one in self.items.values() if str(one.path) in rank]
        names = [one.nodeid for one in sorted(there, key=lambda one: rank[str(one.path)])]
        tried = self._tried.setdefault(mutant, set())
        by: str | None = None
        while names:
            limit = self.slack + 2 * self.patience
            answer = in_fork(partial(self._run_with, mutant, source, names), limit)
            if isinstance(answer, str):
                by = answer
                break
            ended, by = answer
            tried |= set(names[:ended])
            if by is None or not self._fails_as_it_is(by):
                break
            names, by = names[ended:], None
        return Outcome(mutant, by, len(tried), time.perf_counter() - begin)

    def _run_with(self, mutant: Mutant, source: str, names: list[str]) -> tuple[int, str | None]:
        """How many of the tests have been run, as long as there is patience, and which has
        failed."""
        self._install(mutant, source)
        items = [self.items[name] for name in names]
        for number, (item, following) in enumerate(zip(items, [*items[1:], None], strict=True)):
            if number and processor_time() > self.patience:
                return number, None
            if not self._run(item, following):
                return number + 1, item.nodeid
        return len(names), None

    def _fails_as_it_is(self, name: str) -> bool:
        if name not in self._fails_anyway:
            passes = in_fork(partial(self._run, self.items[name]), TRACING)
            self._fails_anyway[name] = passes is not True
        return self._fails_anyway[name]

    def try_mutant(self, mutant: Mutant, source: str) -> Outcome:
        """All tests that run its line, without those that have been tried."""
        tests = self.tests_of(mutant)
        tried = self._tried.get(mutant, ())
        left = [run for run in tests if run.name not in tried]
        begin = time.perf_counter()
        by: str | None = None
        if left:
            limit = self.slack + 5 * sum(run.seconds for run in left)
            by = in_fork(partial(self._with_mutant, mutant, source, left), limit)
        return Outcome(mutant, by, len(tests), time.perf_counter() - begin)

    def _with_mutant(self, mutant: Mutant, source: str, tests: list[TestRun]) -> str | None:
        self._install(mutant, source)
        items = [self.items[run.name] for run in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            if not self._run(item, following):
                return item.nodeid
        return None

    def _install(self, mutant: Mutant, source: str) -> None:
        tree = mutated(mutant.file, source, mutant.number)
        if not install(f"{self.root}/{mutant.file}", source, tree):
            raise LookupError(f"no such function is loaded: {mutant}")


def processor_time() -> float:
    """Of this process, and of those that it has started and that have ended."""
    return sum(os.times()[:4])


def _trace_into(tracer: Tracer, folder: str) -> Callable[[], None]:
    def finish() -> None:
        lines: Lines = tracer.stop()
        (Path(folder) / str(os.getpid())).write_bytes(pickle.dumps(lines))

    return finish


def in_fork(work: Callable[[], Any], limit: float) -> Any:
    """What `work` gives in a fork of this process; "time" or "crash" if it gives nothing: it has
    so many seconds of a processor, and some more to wait for one. What it raises is raised here."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.close(read)
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (ceil(limit), ceil(limit) + 5))
            try:
                answer = pickle.dumps((work(), None))
            except Exception as error:
                answer = pickle.dumps((None, f"{type(error).__name__}: {error}"))
            with os.fdopen(write, "wb") as stream:
                stream.write(answer)
        finally:
            os._exit(0)
    os.close(write)
    late = False

    def stop(*_: object) -> None:
        nonlocal late
        late = True
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, WAITING * limit)
    try:
        with os.fdopen(read, "rb") as stream:
            answer = stream.read()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # what a test has started and left
    _, status = os.waitpid(pid, 0)
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return "time"
    if not answer:
        return "crash"
    result, error = pickle.loads(answer)
    if error is not None:
        raise RuntimeError(error)
    return result
