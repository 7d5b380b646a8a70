"""What the compiler did to each loop nest, and why not more: data, collected on the way.

Passes call `remark(...)`; a tool installs a `Remarks` collector around the pipeline. With no
collector installed a remark costs nothing and goes nowhere.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field, replace
from operator import itemgetter

from polyopt.support.diagnostics import Span
from polyopt.support.record import entity, record

COUNTED = "counted-iterations"
"""The remarks that a loop's iterations have numbers of their own in static control parts."""


@record
class Remark:
    """`kind` is "applied", "missed" or "analysis"; `id` names the pass or the reason (kebab
    case); `message` is for the user: no IR in it. `numbers` are those of it that a program may
    want, by name."""

    kind: str
    id: str
    message: str
    span: Span | None = None
    function: str | None = None
    numbers: tuple[tuple[str, float], ...] = ()

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        return f"{place}{self.kind}: {self.message} [{self.id}]"


@entity
class Remarks:
    """`counters` are named totals, such as "scops" or "budget-spent"."""

    items: list[Remark] = field(default_factory=list[Remark])
    counters: dict[str, int] = field(default_factory=dict[str, int])
    functions: list[tuple[Span, str]] = field(default_factory=list[tuple[Span, str]])
    """Where the functions begin whose loops are looked at, in that order."""
    begun: dict[str, int] = field(default_factory=dict[str, int])
    """How many remarks there were when a trial of this name began."""
    said: set[Remark] = field(default_factory=set[Remark])
    """The same as `items`: to look through these for each remark takes the square of their time."""

    def by_place(self) -> list[Remark]:
        """In the order of the source, those without a place last; else as they came."""
        return sorted(self.items, key=lambda item: (item.span is None, item.span or Span("", 0)))

    def function_at(self, span: Span) -> str | None:
        """The function around a place: the last one that begins before it."""
        behind = bisect_right(self.functions, span, key=itemgetter(0))
        begin, name = self.functions[behind - 1] if behind else (None, None)
        return name if begin is not None and begin.file == span.file else None


_current: ContextVar[Remarks | None] = ContextVar("remarks", default=None)


@contextmanager
def collect_remarks(*, are_read: bool = True) -> Generator[Remarks]:
    """What is said in the body; nothing, at no cost, where nobody is going to read it."""
    remarks = Remarks()
    token = _current.set(remarks if are_read else None)
    try:
        yield remarks
    finally:
        _current.reset(token)


@contextmanager
def overhear_remarks() -> Generator[Remarks]:
    """Collect what is said in the body; whoever collects around it hears it too. Nothing if nobody
    does."""
    heard = Remarks()
    if not are_collected():
        yield heard
        return
    token = _current.set(heard)
    try:
        yield heard
    finally:
        _current.reset(token)
        repeat_remarks(heard)


def repeat_remarks(heard: Remarks) -> None:
    """Say all that again."""
    for item in heard.items:
        remark(item.kind, item.id, item.message, item.span, item.function, item.numbers)
    for counter, amount in heard.counters.items():
        count(counter, amount)


def are_collected() -> bool:
    """Whether anybody will read a remark: what only a remark needs need not be found out else."""
    return _current.get() is not None


def remark(
    kind: str,
    id: str,
    message: str,
    span: Span | None = None,
    function: str | None = None,
    numbers: tuple[tuple[str, float], ...] = (),
) -> None:
    remarks = _current.get()
    if remarks is not None:
        if function is None and span is not None:
            function = remarks.function_at(span)
        item = Remark(kind, id, message, span, function, numbers)
        if item not in remarks.said:
            remarks.said.add(item)
            remarks.items.append(item)


def how_many(number: int, noun: str) -> str:
    """1 row, 2 rows."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def begin_trial(name: str) -> None:
    """What is said to be applied from now on may be taken back."""
    remarks = _current.get()
    if remarks is not None:
        remarks.begun[name] = len(remarks.items)


def withdraw_remarks(trial: str, places: Collection[Span]) -> None:
    """What was applied at these places since the trial began is in no code: it was tried."""
    remarks = _current.get()
    if remarks is None or not places:
        return
    begin = remarks.begun.get(trial, 0)
    for k, item in enumerate(remarks.items):
        if k >= begin and item.kind == "applied" and item.span in places:
            message = f"tried, and not kept: {item.message}"
            remarks.items[k] = replace(item, kind="analysis", message=message)
            remarks.said.discard(item)
            remarks.said.add(remarks.items[k])


def know_functions(functions: Iterable[tuple[Span, str]]) -> None:
    """Remarks about places in these are about them from now on."""
    remarks = _current.get()
    if remarks is not None:
        remarks.functions = sorted([*remarks.functions, *functions])


def count(counter: str, amount: int = 1) -> None:
    remarks = _current.get()
    if remarks is not None:
        remarks.counters[counter] = remarks.counters.get(counter, 0) + amount
