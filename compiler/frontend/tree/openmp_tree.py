"""What `#pragma omp` means, as statements of the typed tree.

Combined directives are taken apart (`parallel for` is a `for` in a `parallel`); each names the
variables that are others inside it. A variable of a reduction is there twice: inside under its own
symbol, outside under the `outer` one.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from pcpp.parser import LexToken

from polyopt.frontend.language.c_types import CType, IntType
from polyopt.frontend.tree.typed_statements import Statement
from polyopt.frontend.tree.typed_tree import Expr, Held, Symbol, Update
from polyopt.support.record import entity


@entity
class Reduction:
    """`initial` is done at the start of a thread's part, `combine` at its end, by one thread at a
    time. Of a pointer, `start` and `count` say which elements it is about; their values are kept in
    variables, and the thread's copy of the pointer leads to memory of its own. `reads_outer`: no
    copies may be combined before all threads have begun. `is_inherited`: `outer` is that of a
    construct around. `is_scanned`: iterations see what those before them have made."""

    symbol: Symbol
    outer: Symbol
    initial: list[Statement]
    combine: list[Statement]
    start: Expr | None = None
    count: Expr | None = None
    start_symbol: Symbol | None = None
    count_symbol: Symbol | None = None
    reads_outer: bool = False
    is_inherited: bool = False
    is_scanned: bool = False


@entity
class DataClauses:
    private: list[Symbol] = field(default_factory=list[Symbol])
    firstprivate: list[Symbol] = field(default_factory=list[Symbol])
    lastprivate: list[Symbol] = field(default_factory=list[Symbol])
    copyin: list[Symbol] = field(default_factory=list[Symbol])
    copyprivate: list[Symbol] = field(default_factory=list[Symbol])
    reductions: list[Reduction] = field(default_factory=list[Reduction])


@entity
class Parallel(Statement):
    data: DataClauses
    threads: Expr | None
    condition: Expr | None
    body: Statement


@entity
class CountedLoop:
    """for (symbol = lower; symbol < upper; symbol += step): all of type `type`; `down` where the
    step is taken off, `inclusive` where the end belongs to it. Where the symbol is a pointer, these
    are numbers of elements from `origin` on, which `front` keeps in front of the loop."""

    symbol: Symbol
    type: IntType
    lower: Expr
    upper: Expr
    step: Expr
    down: bool
    inclusive: bool
    origin: Expr | None = None
    front: list[Statement] = field(default_factory=list[Statement])


Schedule = Literal["static", "dynamic", "guided", "auto", "runtime", "distribute"]


@entity
class WorkLoop(Statement):
    """A loop (a nest, where there are several) whose iterations the threads of a team share, or
    where `simd` alone, one thread's; `safelen` iterations at most are then done at once. A schedule
    of `distribute` shares them among the teams of a league; a loop that is `distributed` has what
    its team has of them. `doacross`: the rounds of loops whose iterations wait for each other."""

    data: DataClauses
    loops: list[CountedLoop]
    body: Statement
    schedule: Schedule = "static"
    chunk: Expr | None = None
    shared: bool = True
    simd: bool = False
    ordered: bool = False
    nowait: bool = False
    safelen: int | None = None
    distributed: bool = False
    doacross: list[Expr] = field(default_factory=list[Expr])


@entity
class Teams(Statement):
    """The statement once for each team of a league, by its first thread."""

    data: DataClauses
    teams: Expr | None
    limit: Expr | None
    body: Statement


@entity
class Cancel(Statement):
    """Leave the construct around early, where `condition` holds (`is_point`: where another thread
    has said so)."""

    construct: Literal["parallel", "for", "sections", "taskgroup"]
    condition: Expr | None
    is_point: bool


@entity
class DoacrossPost(Statement):
    """The iteration of these numbers has come so far."""

    numbers: list[Expr]


@entity
class DoacrossWait(Statement):
    """Until the iteration of these numbers has posted."""

    numbers: list[Expr]


@entity
class Sections(Statement):
    data: DataClauses
    bodies: list[Statement]
    nowait: bool


@entity
class Single(Statement):
    data: DataClauses
    body: Statement
    nowait: bool


@entity
class Masked(Statement):
    """`thread` None: the first one."""

    thread: Expr | None
    body: Statement


@entity
class Critical(Statement):
    name: str
    body: Statement


@entity
class Ordered(Statement):
    body: Statement


@entity
class Depend:
    """Tasks of one parent that name the same place follow one another, but for readers alone."""

    place: Expr
    writes: bool


@entity
class Task(Statement):
    """`last`: whether it is this task that gives variables their last values."""

    data: DataClauses
    condition: Expr | None
    final: Expr | None
    untied: bool
    body: Statement
    depends: list[Depend] = field(default_factory=list[Depend])
    last: Expr | None = None


@entity
class TaskGroup(Statement):
    body: Statement


@entity
class Event(Statement):
    """A directive without a statement."""

    kind: Literal["barrier", "flush", "taskwait", "taskyield"]


@entity
class AtomicRead(Statement):
    place: Expr
    value: Held
    then: Expr


@entity
class AtomicWrite(Statement):
    place: Expr
    value: Expr


@entity
class AtomicUpdate(Statement):
    """`update` at once as seen by all; then, where it is captured, `value` stands for what was
    there before (or after, where `captures_new`) in `then`. `given` are evaluated before: what they
    give stands in `update` and `then`."""

    update: Update
    value: Held | None = None
    then: Expr | None = None
    captures_new: bool = False
    given: list[tuple[Held, Expr]] = field(default_factory=list[tuple[Held, Expr]])


@entity
class DeclaredReduction:
    """`#pragma omp declare reduction`: its words, to be read where it is used."""

    type: CType
    type_words: list[LexToken]
    combiner: list[LexToken]
    initializer: list[LexToken] | None


@entity
class Rename(Statement):
    """From here on the symbol is another name of this place."""

    symbol: Symbol
    place: Expr


@entity
class ZeroFill(Statement):
    place: Expr


def bodies(statement: Statement) -> list[Statement]:
    """The statements that a directive is about."""
    match statement:
        case Sections(bodies=bodies):
            return bodies
        case (
            Parallel(body=body)
            | WorkLoop(body=body)
            | Single(body=body)
            | Masked(body=body)
            | Critical(body=body)
            | Ordered(body=body)
            | Task(body=body)
            | TaskGroup(body=body)
            | Teams(body=body)
        ):
            return [body]
        case _:
            return []
