"""Which loops of a static control part are in vectors, and which are shared out to threads: read
off what the passes say that make them, and of LLVM's vectors off the code, for a picture
(`poly/picture/at_once.py`).

Vectors are drawn shorter where the sample has no room for two of them, and there are as few threads
as can be told apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyopt.poly.picture.at_once import Plan, Shared, Vectors
from polyopt.poly.picture.running_order import Order
from polyopt.poly.picture.tree_rows import TreeRow
from polyopt.poly.transform.names import TILE_SUFFIX
from polyopt.report.contents import Contents, ScopView, Shown, Statement
from polyopt.report.machine_code import inner_loops, loop_code
from polyopt.report.membership import loops_around, tells_of
from polyopt.report.verdicts import OF_NESTS, THREADS
from polyopt.support.record import record
from polyopt.support.remarks import Remark

_THREADS = re.compile(r"loop (\S+) in threads: (doall|reduction|pipeline along (\S+)|in steps of )")
_LANES_OF = re.compile(r"\d+ iterations of (\S+) in lanes")
_SKEW = re.compile(r"each (\d+) behind the one before")

FEW, MANY = 2, 4
"""Threads that are drawn: many where each has two iterations at least, or two short vectors."""


@record
class AtOncePlan:
    """`lanes`: how many there are, with how many are drawn."""

    plan: Plan
    lanes: tuple[tuple[int, int], ...]
    is_shared: bool


def at_once_plan(contents: Contents, view: ScopView, shown: Shown) -> AtOncePlan | None:
    """None where each iteration is done by itself."""
    rows = _loops(view)
    order = shown.after
    if not order.loops or len(order.loops[0]) != len(rows):
        return None
    vectors, shared = dict[str, Vectors](), dict[str, Shared]()
    for statement in view.statements:
        lanes_of = _vectors(contents, view, shown, statement)
        threads_of = _shared(contents, view, statement)
        if lanes_of is not None:
            vectors[statement.name] = lanes_of
        if threads_of is not None:
            shared[statement.name] = threads_of
    if not vectors and not shared:
        return None
    threads = min((_threads(order, name, vectors, shared) for name in shared), default=1)
    lanes = dict[int, int]()
    for name, found in vectors.items():
        drawn = _drawn_lanes(order, name, found, threads if _is_both(name, vectors, shared) else 1)
        lanes[found.lanes] = min(drawn, lanes.get(found.lanes, drawn))
    small = {name: replace(one, lanes=lanes[one.lanes]) for name, one in vectors.items()}
    return AtOncePlan(Plan(small, shared, threads), tuple(sorted(lanes.items())), bool(shared))


def _loops(view: ScopView) -> list[TreeRow]:
    return [row for row in view.rows_after if row.kind == "loop"]


def _applied(contents: Contents) -> list[Remark]:
    return [one for one in contents.remarks if one.kind == "applied"]


def _vectors(
    contents: Contents, view: ScopView, shown: Shown, statement: Statement
) -> Vectors | None:
    """The widest ones that a pass tells of it."""
    told = [
        (int(dict(one.numbers)["lanes"]), one)
        for one in _applied(contents)
        if "lanes" in dict(one.numbers) and tells_of(contents, view, one, statement)
    ]
    if not told:
        return _of_back_end(contents, view, statement)
    lanes, remark = max(told, key=lambda one: one[0])
    around = _loops_around(_loops(view), statement)
    named = _LANES_OF.match(remark.message)
    along = None
    if named is not None:
        along = named[1]
    elif remark.id in OF_NESTS:
        along = _along_rows(shown, statement)
    chosen = [k for k, name in around if name == along] if along is not None else []
    if not chosen and named is None:
        chosen = [k for k, _ in around]
    if not chosen:
        return None
    behind = _SKEW.search(remark.message)
    inner = [k for k, _ in around if k > chosen[-1]]
    if behind is None or not inner:
        return Vectors(chosen[-1], lanes)
    return Vectors(chosen[-1], lanes, int(behind[1]), inner[0])


def _of_back_end(contents: Contents, view: ScopView, statement: Statement) -> Vectors | None:
    """Those that LLVM has made of an innermost loop, which show in the code of that of the source.
    Where iterations need each other, vectors may be of what stands side by side in one of them."""
    sources = loops_around(contents, statement)
    rows = _loops(view)
    around = _loops_around(rows, statement)
    if not sources or not around or inner_loops(contents, sources[-1]):
        return None
    innermost, _ = around[-1]
    freedom = rows[innermost].parallelism
    code = loop_code(contents, sources[-1], view.span if len(view.statements) == 1 else None)
    if code.calls or code.lanes < 2 or not (freedom.is_parallel or freedom.reductions):
        return None
    return Vectors(innermost, code.lanes)


def _loops_around(rows: Sequence[TreeRow], statement: Statement) -> list[tuple[int, str]]:
    """The loops over its iterations, not over tiles of them, outermost first."""
    named = [(k, dict(row.names).get(statement.name)) for k, row in enumerate(rows)]
    return [(k, name) for k, name in named if name is not None and rows[k].size is None]


def _along_rows(shown: Shown, statement: Statement) -> str | None:
    """The iterator that goes to the next element of what the statement writes."""
    written = {
        point: touch.element
        for (name, point), mine in (shown.touched or {}).items()
        if name == statement.name
        for touch in mine
        if touch.is_write
    }
    for k, iterator in enumerate(statement.iterators):
        for point, (array, place) in written.items():
            following = written.get((*point[:k], point[k] + 1, *point[k + 1 :]))
            if place and following == (array, (*place[:-1], place[-1] + 1)):
                return iterator
    return None


def _shared(contents: Contents, view: ScopView, statement: Statement) -> Shared | None:
    """The outermost loop around it that threads share, be it one over tiles."""
    told = [
        found
        for one in _applied(contents)
        if one.id == THREADS and one.span == view.span
        if (found := _THREADS.match(one.message)) is not None
    ]
    names = [
        (k, name.partition(TILE_SUFFIX)[0])
        for k, row in enumerate(_loops(view))
        if (name := dict(row.names).get(statement.name)) is not None
    ]
    for k, name in names:
        for one in told:
            if one[1] != name:
                continue
            within = [h for h, other in names if h > k and other == one[3]]
            if one[2].startswith("pipeline") and within:
                return Shared(k, "turns", within[0])
            if one[2].startswith("in steps"):
                steps = one.string[one.end() :].split(" and ")
                within = [h for h, other in names if h > k and other in steps]
                if within:
                    return Shared(within[0])
                continue
            if not one[2].startswith("pipeline"):
                return Shared(k)
    return None


def _iterations(order: Order, statement: str, loop: int) -> int:
    """How many the loop has around the statement, as it is drawn."""
    mine = (k for k, event in enumerate(order.events) if event.statement == statement)
    return len({order.loops[k][loop] for k in mine})


def _is_both(statement: str, vectors: Mapping[str, Vectors], shared: Mapping[str, Shared]) -> bool:
    """Whether threads share the iterations that are in vectors."""
    one, other = vectors.get(statement), shared.get(statement)
    return one is not None and other is not None and one.loop == other.loop


def _drawn_lanes(order: Order, statement: str, found: Vectors, threads: int) -> int:
    """So many that the iterations of a thread are two vectors at least, as far as that goes."""
    room = _iterations(order, statement, found.loop) // threads
    drawn = found.lanes
    while drawn > 2 and 2 * drawn > room:
        drawn //= 2
    return drawn


def _threads(
    order: Order, statement: str, vectors: Mapping[str, Vectors], shared: Mapping[str, Shared]
) -> int:
    room = _iterations(order, statement, shared[statement].loop)
    each = 4 if _is_both(statement, vectors, shared) else 2
    return MANY if room >= each * MANY else FEW
