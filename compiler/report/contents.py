"""What there is to show of one translation unit: plain data, collected by the driver."""

from __future__ import annotations

from dataclasses import replace

from polyopt.poly.picture.arrows import Arrow
from polyopt.poly.picture.running_order import Order
from polyopt.poly.picture.sample import Instance
from polyopt.poly.picture.touches import Touches
from polyopt.poly.picture.tree_rows import TreeRow
from polyopt.support.diagnostics import Span
from polyopt.support.record import record
from polyopt.support.remarks import Remark


@record
class CodeLine:
    """A line of generated code and the line of the source that it was made of, if that is known,
    with the column."""

    text: str
    source: int | None = None
    column: int | None = None


UNNAMED = "loop"
"""The name of a loop that no variable goes through."""


@record
class SourceLoop:
    """A loop as it is written: from its first word to the last thing that is done in it."""

    function: str
    name: str
    start: Span
    end: Span

    def encloses(self, span: Span) -> bool:
        return self.start <= span <= self.end


@record
class Statement:
    """`iterators` are the names of the loops around it; `text` is its line of the source, `line`
    its number in the file that is shown, None where it is in another. Of `sums` and `updates` it
    does nothing but update elements: floating-point sums, and what comes out the same in every
    order; `places` are where it stores; `rounds`: whether it computes in floating point.
    `touches`: arrays that it accesses in one other line, whether it writes them, and where;
    `integers`: arrays of integers that it writes."""

    name: str
    iterators: tuple[str, ...]
    span: Span | None
    text: str
    line: int | None = None
    sums: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    places: tuple[Span, ...] = ()
    rounds: bool = False
    touches: tuple[tuple[str, bool, int], ...] = ()
    integers: tuple[str, ...] = ()

    def where(self, array: str, *, is_written: bool) -> Statement:
        """With the line in which it reads or writes the array, where there is one."""
        lines = [
            line for name, written, line in self.touches if (name, written) == (array, is_written)
        ]
        return replace(self, line=lines[0]) if lines else self

    def stores_at(self, span: Span | None) -> bool:
        return span is not None and (span == self.span or span in self.places)

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        if self.line is not None:
            return f"line {self.line}"
        return self.name if self.span is None else f"{self.span.file}:{self.span.line}"


@record
class Shown:
    """What the pictures of a SCoP are made of; `touched` and `arrows` are None where there is too
    much to show."""

    parameters: tuple[tuple[str, int], ...]
    cropped: tuple[str, ...]
    before: Order
    after: Order
    arrows: tuple[Arrow, ...] | None
    touched: Touches | None

    def instances(self) -> list[Instance]:
        return sorted(event.instance for event in self.before.events)


@record
class Examples:
    """Pairs of runs of statements in which one needs the other, with what they touch. `further`:
    one pair each, of problems of other sizes, for loops that carry none of these."""

    arrows: tuple[Arrow, ...]
    touched: Touches
    further: tuple[Examples, ...] = ()


@record
class Execution:
    """How often a SCoP ran with these values of its parameters, and for how long altogether."""

    values: tuple[int, ...]
    entries: int
    seconds: float


@record
class Measured:
    """What a SCoP took in a run of the program: `entries` times, `seconds` altogether. Of
    `counted` of these seconds it is known what was done: `instances` of statements, `flops`, and
    the `bytes` that came in and went out at least, each element once each time. `expected` are the
    seconds that the model thinks these take, None where it says nothing. `of_main`: all this is of
    the thread that `main` runs in, while others may have run some of it, too."""

    entries: int
    seconds: float
    counted: float
    instances: int
    flops: int
    bytes: int
    expected: float | None = None
    of_main: bool = False


@record
class Machine:
    """What the machine does at most: operations on f64 and bytes from memory in a second, and its
    cycles."""

    flops: float
    bandwidth: float
    cycles: float


@record
class ScopView:
    """A static control part: as it was, and as it became. `shown` is None where nothing could be
    sampled; `why_not` says why. `variables`: which variable of the source an array holds for each
    iteration; `spread`: of these the ones whose variable is read later, with how many of their
    subscripts say which iteration. `examples` may be of fewer iterations than what is shown.

    `own` are arrays that are variables of the function and of nobody else: `rows_own` are the rows
    before as if each iteration had them for itself, `rows_of_values` as if it had all arrays, of
    which `fresh` have no values from before. All three are empty where no loop carries anything.
    `called`: what the source calls arrays whose names here were made."""

    name: str
    function: str
    span: Span | None
    statements: tuple[Statement, ...]
    rows_before: tuple[TreeRow, ...]
    rows_after: tuple[TreeRow, ...]
    loops: tuple[CodeLine, ...]
    shown: Shown | None
    why_not: str = ""
    variables: tuple[tuple[str, str], ...] = ()
    spread: tuple[tuple[str, int], ...] = ()
    examples: Examples | None = None
    measured: Measured | None = None
    own: tuple[str, ...] = ()
    rows_own: tuple[TreeRow, ...] = ()
    rows_of_values: tuple[TreeRow, ...] = ()
    fresh: tuple[str, ...] = ()
    called: tuple[tuple[str, str], ...] = ()

    def statement(self, name: str) -> Statement:
        return next(one for one in self.statements if one.name == name)

    @property
    def places(self) -> set[Span]:
        """Where something is told of it."""
        own = {self.span, *(one.span for one in self.statements)} - {None}
        return {span for span in own if span} | {p for one in self.statements for p in one.places}

    @property
    def lines(self) -> tuple[int, int] | None:
        """The first and the last line of its statements in the file that is shown."""
        found = [one.line for one in self.statements if one.line is not None]
        return (min(found), max(found)) if found else None


@record
class FunctionCode:
    name: str
    lines: tuple[CodeLine, ...]


@record
class Contents:
    """`source` are the lines of the file; `command` is how it was compiled, in words.
    `why_not_looked_at`: why no loop was looked at, in a sentence, if none was.
    `machine`: where the program was run and measured. `gains_of_sums`: how many times as
    fast the model thinks that the static control parts at these places are where sums may be
    reordered; `gains_of_order`: the same where all floating-point operations may be. `any_order`:
    whether sums may be reordered as it is."""

    file: str
    source: tuple[str, ...]
    command: str
    loops: tuple[SourceLoop, ...]
    scops: tuple[ScopView, ...]
    functions: tuple[FunctionCode, ...]
    remarks: tuple[Remark, ...]
    why_not_looked_at: str | None = None
    machine: Machine | None = None
    gains_of_sums: tuple[tuple[Span, float], ...] = ()
    gains_of_order: tuple[tuple[Span, float], ...] = ()
    any_order: bool = False
