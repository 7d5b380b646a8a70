"""How a serial loop falls into pieces, in turns for lanes of vectors and for one iteration after
the other, so that calls which have vector forms are in the former.

The operations of the body are a graph: an edge from each to what uses its result, and from each
access to those that have to stay behind it. What is on a cycle goes round, and is serial; a call
of such a function that is on none is for lanes; all else goes with what it needs (typed fusion:
K. Kennedy, K. McKinley, Maximizing loop parallelism and improving data locality via loop fusion and
distribution, LCPC 1993):

    edge a -> b              piece(a) <= piece(b)
    carried edge a -> b      piece(a) < piece(b) where a's is for lanes: nothing is carried there

Within a piece operations keep their order, and so do iterations; no edge leads back to an earlier
piece, so the pieces may run one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import affine, arith
from xdsl.ir import Block, Operation, OpResult

from polyopt.ir.affine.affine_dependence import NestDependences
from polyopt.ir.control.cfg import part_of
from polyopt.ir.effects import is_speculatable
from polyopt.ir.vector_calls import is_in_library
from polyopt.support.components import ordered_components
from polyopt.support.record import record


@record
class Pieces:
    """`number` of each operation; `again` are those that are done in each piece that needs them,
    instead of being handed on. `for_lanes`: of each piece."""

    number: Mapping[Operation, int]
    again: frozenset[Operation]
    for_lanes: tuple[bool, ...]

    def operations(self, piece: int) -> list[Operation]:
        """What is done in the piece, in the order of the body."""
        found = {op for op, number in self.number.items() if number == piece} - self.again
        pending = list(found)
        while pending:
            for operand in taken_by(pending.pop()):
                if operand.op in self.again and operand.op not in found:
                    found.add(operand.op)
                    pending.append(operand.op)
        return [op for op in self.number if op in found]

    def handed_on(self) -> list[OpResult]:
        """The values that a later piece takes from an earlier one."""
        taken = {
            operand
            for piece in range(len(self.for_lanes))
            for op in self.operations(piece)
            for operand in taken_by(op)
            if operand.op not in self.again and self.number[operand.op] < piece
        }
        return [result for op in self.number for result in op.results if result in taken]


@record
class Graph:
    """Of the operations of a body, by their numbers: `edges` to what uses their results or has to
    stay behind their accesses, `meeting` those of accesses, `carried` those to later iterations."""

    body: list[Operation]
    edges: list[list[bool]]
    meeting: list[list[bool]]
    carried: list[list[bool]]


def graph_of(block: Block, dependences: NestDependences) -> Graph:
    body = [op for op in block.ops if not isinstance(op, affine.YieldOp)]
    place = {op: number for number, op in enumerate(body)}
    count = len(body)
    edges = [[False] * count for _ in body]
    carried = [[False] * count for _ in body]
    for op in body:
        for operand in taken_by(op):
            edges[place[operand.op]][place[op]] = True
    meeting = [[False] * count for _ in body]
    for one in dependences.dependences:
        source, sink = (place[part_of(block, end.op)] for end in (one.source, one.sink))
        edges[source][sink] = meeting[source][sink] = True
        carried[source][sink] |= one.has_distance("d0 > 0")
    return Graph(body, edges, meeting, carried)


def find_pieces(block: Block, dependences: NestDependences) -> Pieces | None:
    """None where there is no such call, or nothing goes round."""
    graph = graph_of(block, dependences)
    body, edges, carried = graph.body, graph.edges, graph.carried
    count = len(body)
    number: dict[Operation, int] = {}
    is_mixed = [False, False]
    for component in ordered_components(edges):
        (first, *others) = component
        goes_round = bool(others) or edges[first][first]
        least = 0
        for k in component:
            for source in range(count):
                if edges[source][k] and source not in component:
                    before = number[body[source]]
                    leap = carried[source][k] and before % 2 == 0
                    least = max(least, before + leap)
        call = not goes_round and is_in_library(body[first])
        if (goes_round and least % 2 == 0) or (call and least % 2 == 1):
            least += 1
        is_mixed = [is_mixed[0] or goes_round, is_mixed[1] or call]
        number.update({body[k]: least for k in component})
    if not all(is_mixed):
        return None
    return _joined({op: number[op] for op in body}, graph.meeting)


def _joined(number: Mapping[Operation, int], meeting: list[list[bool]]) -> Pieces:
    """Even pieces without calls are for lanes in vain: they go with the serial ones beside them."""
    called = {piece for op, piece in number.items() if piece % 2 == 0 and is_in_library(op)}
    new: dict[int, int] = {}
    for_lanes = list[bool]()
    for piece in sorted(set(number.values())):
        if piece in called or not for_lanes or for_lanes[-1]:
            for_lanes.append(piece in called)
        new[piece] = len(for_lanes) - 1
    joined = _late({op: new[piece] for op, piece in number.items()}, for_lanes)
    return Pieces(
        joined, _again(joined, meeting, is_last_serial=not for_lanes[-1]), tuple(for_lanes)
    )


def _late(number: Mapping[Operation, int], for_lanes: list[bool]) -> dict[Operation, int]:
    """Arithmetic on one value of a serial piece (and numbers) goes to lanes that wait for it."""
    result = dict(number)
    for op in reversed(list(number)):
        users = [result[one] for one in _users(op) if one in result]
        if not users or for_lanes[result[op]] or not is_pure(op) or is_in_library(op):
            continue
        values = {one for one in taken_by(op) if not isinstance(one.op, arith.ConstantOp)}
        if min(users) > result[op] and len(values) == 1:
            result[op] = min(users)
    return result


def _users(op: Operation) -> list[Operation]:
    block = op.parent
    assert block is not None
    return [part_of(block, use.operation) for one in op.results for use in one.uses]


def _again(
    number: Mapping[Operation, int], meeting: list[list[bool]], *, is_last_serial: bool
) -> frozenset[Operation]:
    """Operations without effects, but calls, of nothing but such; loads among them that no store
    goes ahead of, nor one has to stay behind, but in the last piece if that keeps the order."""
    last, body = max(number.values()), list(number)
    found = set[Operation]()
    for k, op in enumerate(body):
        if isinstance(op, affine.LoadOp):
            behind = [number[body[sink]] for sink, is_met in enumerate(meeting[k]) if is_met]
            is_ahead = not any(row[k] for row in meeting)
            is_cheap = is_ahead and all(is_last_serial and one == last for one in behind)
        else:
            is_cheap = is_pure(op) and not is_in_library(op)
        if is_cheap and all(operand.op in found for operand in taken_by(op)):
            found.add(op)
    return frozenset(found)


def is_pure(op: Operation) -> bool:
    return not op.regions and bool(op.results) and is_speculatable(op)


def taken_by(op: Operation) -> list[OpResult]:
    """What the operation, or what is in it, takes of others in its block."""
    return [
        operand
        for inner in op.walk()
        for operand in inner.operands
        if isinstance(operand, OpResult) and operand.op.parent is op.parent
    ]
