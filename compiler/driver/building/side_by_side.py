"""Several sources made side by side, each in a process of its own (`-j N`).

The compiler is loaded once, and the processes are forks of this one. What is said of a source, its
remarks and what was asked of the world come back with what was made, and are taken in the order of
the command line: nothing can be told from sources that were made one after the other. A process
that ends without an answer is a defect; its source is made again here, and ends as it always does.
"""

from __future__ import annotations

import io
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Generic, TypeVar

from polyopt.driver.building.inputs import Input
from polyopt.driver.building.job import Job
from polyopt.driver.building.making import is_watched
from polyopt.driver.building.reports import Reporter
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.loading import prepare_loading
from polyopt.driver.units.room_options import pipeline_options
from polyopt.pipeline import make_pass, steps_between
from polyopt.pipeline_options import LEVELS
from polyopt.support.diagnostics import CompileError
from polyopt.support.noted import Noted, collect_noted, note_all
from polyopt.support.record import entity, record
from polyopt.support.remarks import Remarks, are_collected, collect_remarks, repeat_remarks

Made = list[str | bytes]
Item = TypeVar("Item")

_NEEDED = ("frontend.parse_c", "backend.compiled.codegen")


def may_be_side_by_side(job: Job) -> bool:
    """Whether what comes of the sources can be put in order afterwards: nobody looks on, and no
    stream is theirs in common."""
    has_streams = not job.goes_to_files or "-" in (*job.files, job.output)
    return len(job.sources) > 1 and not has_streams and not is_watched(job)


def sources_side_by_side(
    job: Job, make: Callable[[Input, Reporter], Made], reporter: Reporter
) -> Iterator[Made]:
    """What is made of each source of the job, in their order."""
    load_compiler(job.settings)
    return made_side_by_side(job.sources, job.jobs, make, reporter)


def load_compiler(settings: Settings) -> None:
    """All that compiling with these settings needs, so that no fork loads it again."""
    prepare_loading()
    for name in _NEEDED:
        import_module(f"polyopt.{name}")
    import_module("llvmlite.binding")
    with suppress(CompileError):  # what is wrong with them, each source will be told by itself
        options = pipeline_options(settings)
        for step in steps_between(options, LEVELS[0], LEVELS[-1]):
            make_pass(step, options)


def made_side_by_side(
    items: Sequence[Item], jobs: int, make: Callable[[Item, Reporter], Made], reporter: Reporter
) -> Iterator[Made]:
    """What is made of each item, in their order; `jobs` are worked on at a time."""
    team = _Team(items, jobs, make, reporter)
    try:
        for number, item in enumerate(items):
            answer = team.answer(number)
            if answer is None:
                yield make(item, reporter)
                continue
            sys.stderr.write(answer.said)
            reporter.absorb(answer.reporter)
            repeat_remarks(answer.remarks)
            note_all(answer.noted)
            yield answer.made
    finally:
        team.end()


@record
class _Answer:
    made: Made
    said: str
    reporter: Reporter
    remarks: Remarks
    noted: Noted


@entity
class _Worker:
    process: int
    pipe: int
    data: bytearray
    is_done: bool = False

    def fileno(self) -> int:
        return self.pipe

    def read(self) -> None:
        more = os.read(self.pipe, 1 << 20)
        self.data += more
        if not more:
            os.close(self.pipe)
            os.waitpid(self.process, 0)
            self.is_done = True

    def answer(self) -> _Answer | None:
        """None where it has ended on the way."""
        return pickle.loads(self.data) if self.data.endswith(pickle.STOP) else None


class _Team(Generic[Item]):
    """One worker for each item, of which so many are at work at a time."""

    def __init__(
        self,
        items: Sequence[Item],
        jobs: int,
        make: Callable[[Item, Reporter], Made],
        reporter: Reporter,
    ):
        self._items = items
        self._jobs = jobs
        self._make = make
        self._reporter = reporter
        self._workers: list[_Worker] = []

    def answer(self, number: int) -> _Answer | None:
        """Of the item with this number; wait for it."""
        while len(self._workers) <= number or not self._workers[number].is_done:
            while len(self._workers) < len(self._items) and len(self._busy()) < self._jobs:
                self._workers.append(self._start(self._items[len(self._workers)]))
            for worker in select.select(self._busy(), [], [])[0]:
                worker.read()
        return self._workers[number].answer()

    def end(self) -> None:
        """Nobody will ask any more."""
        for worker in self._busy():
            os.kill(worker.process, signal.SIGKILL)
            while not worker.is_done:
                worker.read()

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if not worker.is_done]

    def _start(self, item: Item) -> _Worker:
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process == 0:
            try:
                os.close(reading)
                data = pickle.dumps(_answer_for(item, self._make, self._reporter.alike()))
                with open(writing, "wb") as stream:
                    stream.write(data)
            finally:
                os._exit(0)
        os.close(writing)
        return _Worker(process, reading, bytearray())


def _answer_for(item: Item, make: Callable[[Item, Reporter], Made], reporter: Reporter) -> _Answer:
    """In the worker."""
    sys.stderr = heard = io.StringIO()
    with collect_remarks(are_read=are_collected()) as remarks, collect_noted() as noted:
        made = make(item, reporter)
    return _Answer(made, heard.getvalue(), reporter, remarks, noted)
