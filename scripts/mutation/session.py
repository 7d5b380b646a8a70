"""One session of pytest that collects the tests once and runs some of them many times, each time
in a fork of itself: everything is imported, nothing is left behind.

    map       each test file in a fork, traced: which test runs which lines; when a mutant asks for
              it, and once
    mutants   a fork for each: the functions get their new code, the tests that run the line are
              run, quickest first, until one fails
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
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


@dataclass(frozen=True)
class Outcome:
    """`by` is the test that failed, or "time" or "crash"; None where all passed. `tests`: how many
    have been tried on it so far."""

    mutant: Mutant
    by: str | None
    tests: int
    seconds: float


@dataclass(eq=False)
class Session:
    """`work` is what is done once the tests are collected. `patience`: seconds of tests, as they
    take without a mutant, that are run for one mutant; `slack`: how much later than five times
    that they may end, before a mutant counts as endless."""

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
    _tried: dict[Mutant, set[str]] = field(default_factory=dict[Mutant, set[str]])
    _failed: bool = False
    _seconds: float = 0.0

    # Hooks of pytest

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        load(self.packages)
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

    def look_at(self, places: Collection[str] | None) -> None:
        """Find out what the tests of these files run, relative to the root; None: of all."""
        by_file = dict[Path, list[pytest.Item]]()
        for item in self.items.values():
            if places is None or str(item.path.relative_to(self.root)) in places:
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
        """Those that run its lines, the quickest first, as many as there is patience for; without
        those that have been tried."""
        found = [
            run
            for run in self.runs.values()
            if run.passed
            and run.runs(mutant.file, mutant.line, mutant.end)
            and run.name not in self._tried.get(mutant, ())
        ]
        chosen, spent = list[TestRun](), 0.0
        for run in sorted(found, key=lambda one: (one.seconds, one.name)):
            spent += run.seconds
            if chosen and spent > self.patience:
                break
            chosen.append(run)
        return chosen

    def try_mutant(self, mutant: Mutant, source: str) -> Outcome:
        tests = self.tests_of(mutant)
        tried = self._tried.setdefault(mutant, set())
        tried |= {run.name for run in tests}
        begin = time.perf_counter()
        by: str | None = None
        if tests:
            limit = self.slack + 5 * sum(run.seconds for run in tests)
            by = in_fork(partial(self._with_mutant, mutant, source, tests), limit)
        return Outcome(mutant, by, len(tried), time.perf_counter() - begin)

    def _with_mutant(self, mutant: Mutant, source: str, tests: list[TestRun]) -> str | None:
        tree = mutated(mutant.file, source, mutant.number)
        if not install(f"{self.root}/{mutant.file}", source, tree):
            raise LookupError(f"no such function is loaded: {mutant}")
        items = [self.items[run.name] for run in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            if not self._run(item, following):
                return item.nodeid
        return None


def _trace_into(tracer: Tracer, folder: str) -> Callable[[], None]:
    def finish() -> None:
        lines: Lines = tracer.stop()
        (Path(folder) / str(os.getpid())).write_bytes(pickle.dumps(lines))

    return finish


def in_fork(work: Callable[[], Any], limit: float) -> Any:
    """What `work` gives in a fork of this process; "time" or "crash" if it gives nothing. What
    it raises is raised here."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.close(read)
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
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
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        with os.fdopen(read, "rb") as stream:
            answer = stream.read()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # what a test has started and left
    os.waitpid(pid, 0)
    if late:
        return "time"
    if not answer:
        return "crash"
    result, error = pickle.loads(answer)
    if error is not None:
        raise RuntimeError(error)
    return result
