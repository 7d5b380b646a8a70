"""One kernel, every contender: build, check the results, then time them in turns.

    check   each program built at a small size prints every element; compared with the reference
    time    each program built at the size of the contest runs once per round, all contenders in
            each round, so that a noisy moment hits all of them; the best run counts

Whatever goes wrong with a contender (no build, crash, timeout, wrong result) is its entry's
status and is shown as such.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from pathlib import Path

from polyopt.support.diagnostics import CompileError
from polyopt.support.progress import Progress
from polyopt.support.record import entity, record
from polyopt.tools.bench.contenders import Contender, other_rounding, quick_reference
from polyopt.tools.bench.outputs import Output, difference, read_output
from polyopt.tools.bench.programs import Program

OK = "ok"
# A short run costs nothing: its best of more rounds is worth more.
_SHORT_RUN = 0.02
_ROUNDS_OF_SHORT_RUNS = 5


@entity
class Entry:
    """How one contender did on one kernel. `status` is "ok" or what went wrong, `detail` says
    more; `seconds` has one number per run; `fired` is False where the special part of the
    contender left the object code as it was."""

    contender: str
    status: str = OK
    detail: str = ""
    build_seconds: float | None = None
    seconds: list[float] = field(default_factory=list[float])
    fired: bool = True

    @property
    def best(self) -> float | None:
        """The fastest run, where the result was right."""
        return min(self.seconds) if self.status == OK and self.seconds else None

    def fail(self, status: str, detail: str = "") -> None:
        self.status, self.detail = status, detail


@record
class Rules:
    """`check_size` None leaves out the check at a small size. `clock` is "clock" (on the wall) or
    "processor". Builds and runs are pinned to `core`. With `known_sizes` the compilers may see
    that the sizes are constants. A `size` may be a number: that of every extent.

    What runs in threads has `threads` of them, where it does not say so itself.

    The kernel runs `rounds` times in each program, the fastest counts. A contender that after two
    rounds is `loser` times as slow as another one has lost, and runs no more rounds."""

    size: str = "LARGE"
    check_size: str | None = "SMALL"
    repeat: int = 5
    timeout: float = 60.0
    clock: str = "clock"
    core: int | None = None
    known_sizes: bool = False
    rounds: int = 1
    loser: float | None = None
    threads: int = 1

    def defines(self, size: str) -> list[str]:
        chosen = f"-DBY_SIZE(a,b,c,d,e)={size}" if size.isdecimal() else f"-D{size}_DATASET"
        known = ["-DBENCH_KNOWN_SIZES"] if self.known_sizes else []
        rounds = [f"-DBENCH_ROUNDS={self.rounds}"] if self.rounds > 1 else []
        return [chosen, *known, *rounds]


class Failure(Exception):
    """A command that did not do its work: status for the table, detail for the reader."""

    def __init__(self, status: str, detail: str):
        super().__init__(f"{status}: {detail}")
        self.status, self.detail = status, detail


def run_command(command: Sequence[str], timeout: float, folder: Path | None = None) -> str:
    """What the command, run in `folder`, prints. It runs in a process group of its own, which is
    gone on return."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        cwd=folder,
    )
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failure("timeout", f"more than {timeout:g} s") from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode < 0:
        raise Failure("crash", signal.Signals(-process.returncode).name)
    if process.returncode != 0:
        said = errors.strip().splitlines()
        first = next((line for line in said if "error" in line), said[0] if said else "")
        raise Failure(f"exit {process.returncode}", first.strip())
    return output


class Contest:
    """The programs of one kernel, built in `folder`, and the entries of its contenders; `progress`
    is told what is done, but for the time of measuring."""

    def __init__(
        self,
        program: Program,
        contenders: Sequence[Contender],
        folder: Path,
        progress: Progress | None = None,
    ):
        self.progress = progress or Progress(program.name)
        self.program = program
        self.contenders = contenders
        self.folder = folder
        self.entries = {c.name: Entry(c.name) for c in contenders}

    def run(self, rules: Rules, reference: Contender | None, deadline: float) -> list[Entry]:
        """Everything in order. After `deadline` (of `time.monotonic`) no further round starts."""
        with pinned(rules.core):
            if reference and rules.check_size:
                self._check(rules, reference)
            programs = self._build_all(rules)
            self.progress.rest()
            self.time(programs, rules, deadline)
            if reference:
                self._check_summaries(programs, rules, reference)
        return list(self.entries.values())

    def _check(self, rules: Rules, reference: Contender) -> None:
        """The results at a small size, element by element."""
        size = rules.check_size
        assert size is not None
        judge = _Judge(self, reference, other_rounding(reference), size, rules, ("-d",))
        for contender in self.contenders:
            entry = self.entries[contender.name]
            self.progress.say(f"{contender.name} is checked at {size}")
            try:
                program = self.build(contender, size, rules)
                actual = self._output(contender, program, rules, "-d")
            except Failure as failure:
                entry.fail(failure.status, f"at {size}: {failure.detail}")
                continue
            if reason := judge.difference(actual, exact=contender.exact):
                entry.fail("wrong", f"at {size}: {reason}")

    def _build_all(self, rules: Rules) -> dict[str, Path]:
        programs: dict[str, Path] = {}
        for contender in self.contenders:
            entry = self.entries[contender.name]
            if entry.status != OK:
                continue
            self.progress.say(f"{contender.name} is built")
            try:
                begin = time.perf_counter()
                programs[contender.name] = self.build(contender, rules.size, rules)
                entry.build_seconds = time.perf_counter() - begin
                entry.fired = self._fired(contender, rules)
            except Failure as failure:
                entry.fail(failure.status, f"build: {failure.detail}")
        return programs

    def time(self, programs: dict[str, Path], rules: Rules, deadline: float) -> None:
        """Run the programs in turns; what was measured goes to the entries."""
        rounds = rules.repeat
        by_name = {one.name: one for one in self.contenders}
        done = 0
        while done < rounds and (done == 0 or time.monotonic() < deadline):
            for name, program in programs.items():
                entry = self.entries[name]
                if entry.status != OK or (done >= rules.repeat and _is_long(entry)):
                    continue
                if done >= 2 and self._has_lost(entry, rules):
                    continue
                try:
                    output = self._output(by_name[name], program, rules, "-t")
                except Failure as failure:
                    entry.fail(failure.status, failure.detail)
                    continue
                seconds = output.clock if rules.clock == "clock" else output.processor
                assert seconds is not None
                entry.seconds.append(seconds)
            done += 1
            if any(not _is_long(entry) for entry in self.entries.values()):
                rounds = rules.repeat * _ROUNDS_OF_SHORT_RUNS

    def _output(self, contender: Contender, program: Path, rules: Rules, *arguments: str) -> Output:
        with number_of_threads(contender.threads or rules.threads):
            return output_of(program, rules.timeout, *arguments)

    def _has_lost(self, entry: Entry, rules: Rules) -> bool:
        times = [one.best for one in self.entries.values() if one.best is not None]
        return rules.loser is not None and min(entry.seconds) > rules.loser * min(times)

    def _check_summaries(
        self, programs: dict[str, Path], rules: Rules, reference: Contender
    ) -> None:
        """The results at the contest's own size, by their sums or their hash."""
        quick, other = quick_reference(reference), other_rounding(reference)
        judge = _Judge(self, quick, other, rules.size, rules)
        for contender in self.contenders:
            entry = self.entries[contender.name]
            if entry.status != OK:
                continue
            try:
                actual = self._output(contender, programs[contender.name], rules)
            except Failure as failure:
                entry.fail(failure.status, failure.detail)
                continue
            try:
                reason = judge.difference(actual, exact=contender.exact)
            except CompileError as error:
                entry.detail = f"not compared at {rules.size}: {error}"
                continue
            if reason:
                entry.fail("wrong", f"at {rules.size}: {reason}")

    def build(self, contender: Contender, size: str, rules: Rules) -> Path:
        stem = f"{contender.name.replace(' ', '').replace(':', '-')}.{size}"
        target = self.folder / stem
        # The translated text is elsewhere: what it includes is found from the original.
        include = ["-I", str(self.program.source.parent)] if contender.translate else []
        defines = [*rules.defines(size), *include]
        source = self._translated(contender, rules.timeout)
        run_command(contender.program_command(str(source), str(target), defines), rules.timeout)
        return target

    def _translated(self, contender: Contender, timeout: float) -> Path:
        if contender.translate is None:
            return self.program.source
        marked = self.folder / f"{self.program.name}.marked.c"
        marked.write_text(self.program.marked_source(), encoding="utf-8")
        target = self.folder / f"{self.program.name}.translated.c"
        command = [*contender.translate, str(marked), "-o", str(target)]
        run_command(command, timeout, self.folder)
        return target

    def _fired(self, contender: Contender, rules: Rules) -> bool:
        plain = contender.plain()
        if plain is None:
            return True
        objects: list[bytes] = []
        for variant in (contender, plain):
            target = self.folder / "fired.o"
            defines = rules.defines(rules.size)
            command = variant.object_command(str(self.program.source), str(target), defines)
            run_command(command, rules.timeout)
            objects.append(target.read_bytes())
        return objects[0] != objects[1]


def output_of(program: Path, timeout: float, *arguments: str) -> Output:
    try:
        return read_output(run_command([str(program), *arguments], timeout))
    except CompileError as error:
        raise Failure("wrong", str(error)) from error


@entity
class _Judge:
    """What is right at one size. The second rounding is computed only when it is asked for."""

    contest: Contest
    reference: Contender
    other: Contender | None
    size: str
    rules: Rules
    arguments: tuple[str, ...] = ()

    def difference(self, actual: Output, *, exact: bool) -> str | None:
        reason = difference(self._expected, actual, exact=exact)
        if reason and not exact and self._second is not None:
            return difference(self._expected, actual, exact=False, second=self._second)
        return reason

    @cached_property
    def _expected(self) -> Output:
        return self._output_of(self.reference)

    @cached_property
    def _second(self) -> Output | None:
        return None if self.other is None else self._output_of(self.other)

    def _output_of(self, reference: Contender) -> Output:
        name = self.contest.program.name
        try:
            program = self.contest.build(reference, self.size, self.rules)
            return output_of(program, self.rules.timeout, *self.arguments)
        except Failure as failure:
            raise CompileError(
                f"{name} at {self.size}: no result by {reference.name}: {failure}"
            ) from failure


def _is_long(entry: Entry) -> bool:
    return entry.status != OK or (bool(entry.seconds) and min(entry.seconds) > _SHORT_RUN)


@contextmanager
def pinned(core: int | None) -> Generator[None]:
    """Children inherit the affinity of this process: builds and runs stay on one core."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def number_of_threads(count: int) -> Generator[None]:
    """Children learn it from the environment, as OpenMP has it."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = str(count)
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
