"""The loops of the source in static control parts.

A loop is found again by its statements: those in its text, with the loops around them counted from
outside.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.picture.tree_rows import TreeRow
from polyopt.report.contents import Contents, ScopView, SourceLoop, Statement
from polyopt.support.diagnostics import Span
from polyopt.support.record import record
from polyopt.support.remarks import Remark

INLINED = ("inline-functions", "inline-calls")
"""The passes that put statements of other functions into loops, whose remarks are at the calls."""


@record
class Membership:
    """A loop as part of a SCoP: its statements there, each with the position of the loop among its
    iterators."""

    number: int
    view: ScopView
    positions: dict[str, int]

    def iterator(self, statement: str) -> str:
        return self.view.statement(statement).iterators[self.positions[statement]]


def membership(contents: Contents, loop: SourceLoop) -> Membership | None:
    for number, view in enumerate(contents.scops):
        positions = dict[str, int]()
        for statement in view.statements:
            at = _position(contents, view, loop, statement)
            if at is not None:
                positions[statement.name] = at
        if positions:
            return Membership(number, view, positions)
    return None


def _position(
    contents: Contents, view: ScopView, loop: SourceLoop, statement: Statement
) -> int | None:
    """Of the loop among the iterators of the statement; None where it is not around it."""
    around, names = loops_around(contents, statement), statement.iterators
    if loop in around:
        taken = counted_loops(around, names)
        outside = max(0, len(names) - len(taken))
        return outside + taken.index(loop) if loop in taken else None
    outer = names[: len(names) - len(around)]
    calls = (one for one in contents.remarks if one.id in INLINED and one.span is not None)
    is_caller = loop.function == view.function and loop.name in outer
    if not is_caller or not any(loop.encloses(one.span) for one in calls if one.span):
        return None
    chain = [one.name for one in sorted(contents.loops, key=nesting) if one.encloses(loop.start)]
    at = outer.index(loop.name)
    return at if tuple(chain[-at - 1 :]) == outer[: at + 1] else None


def loops_around(contents: Contents, statement: Statement) -> list[SourceLoop]:
    """The loops in whose text it stands, outermost first."""
    span = statement.span
    if span is None:
        return []
    return sorted((one for one in contents.loops if one.encloses(span)), key=nesting)


def counted_loops(around: Sequence[SourceLoop], iterators: Sequence[str]) -> Sequence[SourceLoop]:
    """The loops around a statement that its iterators count: the innermost ones, but where others
    have just these names, as those around a loop that was unrolled."""
    innermost = around[max(0, len(around) - len(iterators)) :]
    if [one.name for one in innermost] == list(iterators) or len(innermost) < len(iterators):
        return innermost
    rest = list(around)
    named = list[SourceLoop]()
    for name in iterators:
        while rest and rest[0].name != name:
            rest.pop(0)
        if rest:
            named.append(rest.pop(0))
    return named if len(named) == len(iterators) else innermost


def nesting(loop: SourceLoop) -> tuple[Span, int, int]:
    return loop.start, -loop.end.line, -loop.end.column


def row_of(rows: Sequence[TreeRow], found: Membership) -> TreeRow | None:
    """The loop among the rows of the source's tree."""
    for row in rows:
        names = dict(row.names)
        if any(names.get(name) == found.iterator(name) for name in found.positions):
            return row
    return None


VECTORIZED, TAKEN_APART = "affine-vectorize", ("affine-isolate-calls", "affine-split-recurrences")
"""The pass whose remarks are about all of an innermost loop; those that made several of one."""


def tells_of(contents: Contents, view: ScopView, one: Remark, statement: Statement) -> bool:
    """Whether the loops around the statement are meant: where it is all there is, what is made of
    it may have the place of the control part; and what is told of one statement in a loop may be
    about another one, too."""
    is_single = len(view.statements) == 1 and view.span is not None
    if statement.stores_at(one.span) or (is_single and one.span == view.span):
        return True
    if one.id != VECTORIZED or _innermost(view, statement) is None:
        return False
    beside = [
        other for other in view.statements if _innermost(view, other) == _innermost(view, statement)
    ]
    apart = [a for a in contents.remarks if a.id in TAKEN_APART and a.kind == "applied"]
    return any(other.stores_at(one.span) for other in beside) and not any(
        other.stores_at(a.span) for other in beside for a in apart
    )


def _innermost(view: ScopView, statement: Statement) -> int | None:
    """The loop around it, among the rows of the tree as it is now, that has no other one in it."""
    around = [
        k
        for k, row in enumerate(view.rows_after)
        if row.kind == "loop" and dict(row.names).get(statement.name) is not None
    ]
    return around[-1] if around else None
