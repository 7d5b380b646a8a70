"""What a serial loop does beside its recurrences, in loops of its own ahead of them and behind.

    x[i] = max(m[i - 1], x[i - 1]) + s[i] * t[i]        y[i] = f(x[i])

The operations of the body are a graph (`call_pieces`). What is on a cycle is a recurrence. What
waits for none, and for nothing of an earlier iteration, may be lanes of vectors ahead of it; what
no recurrence waits for may be lanes behind it. All else stays with the recurrences (loop
distribution at the innermost loop: R. Allen, K. Kennedy, Automatic translation of FORTRAN programs
to vector form, TOPLAS 9(4), 1987).

Loads and numbers that an operation ahead needs are loaded and made again where they are wanted,
instead of being handed on.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import linear_of
from polyopt.ir.affine.subscripts import is_known, stride_of
from polyopt.ir.elementwise import has_lanes
from polyopt.passes.loops.pieces.call_pieces import Graph, Pieces, is_pure, taken_by
from polyopt.support.components import ordered_components
from polyopt.support.record import record

AHEAD, SERIAL, BEHIND = range(3)


@record
class Parts:
    """The recurrences of a loop (each as the operations on a cycle), and the pieces."""

    recurrences: tuple[tuple[Operation, ...], ...]
    pieces: Pieces


def ways_apart(graph: Graph, loop: AffineLoop) -> Iterator[Parts]:
    """With what is ahead or behind, or both, in loops of its own: none where nothing goes round."""
    body = graph.body
    cycles = [one for one in ordered_components(graph.edges) if _goes_round(one, graph)]
    on_cycles = {k for one in cycles for k in one}
    recurrences = tuple(tuple(body[k] for k in one) for one in cycles)
    if not cycles:
        return
    ahead, behind = _ahead(graph, loop, on_cycles), _behind(graph, loop, on_cycles)
    last = _last(graph, ahead, behind)
    ahead, behind = ahead - last, last
    for first, last in ((ahead, behind), (ahead, set[int]()), (set[int](), behind)):
        pieces = _pieces(graph, first, last)
        if pieces is not None:
            yield Parts(recurrences, pieces)


def _goes_round(component: tuple[int, ...], graph: Graph) -> bool:
    return len(component) > 1 or any(graph.edges[k][k] for k in component)


def _ahead(graph: Graph, loop: AffineLoop, on_cycles: set[int]) -> set[int]:
    found = set[int]()
    for k, *_ in ordered_components(graph.edges):
        if k in on_cycles or not _may_be_lanes(graph.body[k], loop):
            continue
        needed = [j for j in range(len(graph.body)) if graph.edges[j][k]]
        if all(j in found and not graph.carried[j][k] for j in needed):
            found.add(k)
    return found


def _behind(graph: Graph, loop: AffineLoop, others: set[int]) -> set[int]:
    found = set[int]()
    for k, *_ in reversed(ordered_components(graph.edges)):
        if k in others or not _may_be_lanes(graph.body[k], loop):
            continue
        waiting = [j for j in range(len(graph.body)) if graph.edges[k][j]]
        if all(j in found and not graph.carried[k][j] for j in waiting):
            found.add(k)
    return found


def _last(graph: Graph, ahead: set[int], behind: set[int]) -> set[int]:
    """What is done behind: all that waits for a recurrence, and what of the rest goes with it."""
    found, pending = set[int](), list(behind - ahead)
    while pending:
        k = pending.pop()
        if k not in found:
            found.add(k)
            near = (j for j in behind if graph.edges[j][k] or graph.edges[k][j])
            pending += [j for j in near if j not in found]
    return found


def _may_be_lanes(op: Operation, loop: AffineLoop) -> bool:
    """Side by side, or the same in all lanes; nothing else is worth a loop of its own."""
    if isinstance(op, affine.StoreOp):
        return stride_of(op, loop) == 1
    if isinstance(op, affine.LoadOp):
        return stride_of(op, loop) in (0, 1)
    if isinstance(op, arith.IndexCastOp) and isinstance(op.result.type, IntegerType):
        return is_known(linear_of(op.input), loop)
    return has_lanes(op)


def _pieces(graph: Graph, ahead: set[int], behind: set[int]) -> Pieces | None:
    """None where nothing would be done in lanes that is not done again. Numbers of pieces are
    those that there are, in order."""
    body = graph.body
    part = [AHEAD if k in ahead else BEHIND if k in behind else SERIAL for k in range(len(body))]
    again = _again(graph, part)
    own = {part[k] for k, op in enumerate(body) if op not in again}
    if own == {SERIAL}:
        return None
    kept = [one for one in (AHEAD, SERIAL, BEHIND) if one in own]
    number = {op: kept.index(part[k]) if part[k] in own else 0 for k, op in enumerate(body)}
    return Pieces(number, again, tuple(one != SERIAL for one in kept))


def _again(graph: Graph, part: list[int]) -> frozenset[Operation]:
    """Numbers, elements that no store of the loop touches, and these in another type."""
    found = set[Operation]()
    for k, op in enumerate(graph.body):
        if isinstance(op, ElementAccess):
            meets = any(graph.meeting[k]) or any(row[k] for row in graph.meeting)
            is_cheap = isinstance(op, affine.LoadOp) and not meets
        else:
            is_cheap = isinstance(op, arith.ConstantOp) or (is_pure(op) and is_free(op))
        if is_cheap and all(operand.op in found for operand in taken_by(op)):
            found.add(op)
    return frozenset(found)


def is_free(op: Operation) -> bool:
    """Is it part of a load, or of an address?"""
    if isinstance(op, arith.ExtUIOp | arith.ExtSIOp):
        (operand,) = op.operands
        return isinstance(operand.owner, affine.LoadOp) and len(list(operand.uses)) == 1
    return isinstance(op, arith.IndexCastOp)
