"""An order of what an iteration does in which vectors of iterations keep what these carry.

    a[i] *= c[i]                         x = a[i + 1]
    b[i] += a[i + 1] * d[i]      =>      a[i] *= c[i]
                                         b[i] += x * d[i]

A vector runs each operation for all of its lanes before the next one. So it keeps a dependence from
one iteration to a later one if the operation that it comes from is in front of the one that it goes
to, and any that goes as far as a vector has lanes. What an iteration leaves for one that near to
read is not asked for, though it could stand in order: no core hands parts of two vectors on before
they have reached the cache, and one iteration after the other is faster.

Operations stand in such an order where these dependences, those within an iteration and those of
values have no cycle; the arms of a conditional, of which one runs, are two of them (statement
reordering and node splitting: R. Allen, K. Kennedy, Optimizing Compilers for Modern Architectures,
2001, 5.2 and 5.5; loads are nodes of their own).
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, Region

from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.support.record import record

_Edges = set[tuple[int, int]]


@record
class _Part:
    """An operation of the loop's, or one arm of a conditional."""

    op: Operation
    arm: int | None = None

    @property
    def operations(self) -> list[Operation]:
        if self.arm is None:
            return list(self.op.walk())
        return [one for top in self.op.regions[self.arm].block.ops for one in top.walk()]


def put_in_order(loop: AffineLoop, lanes: int) -> bool:
    """May vectors of up to `lanes` iterations run? If so, the operations are in an order for it;
    else nothing is changed. Each iteration does what it did."""
    dependences = dependences_below(loop.op)
    if not dependences.is_complete or loop.op.inits:
        return False
    parts = [part for op in loop.block.ops for part in _parts(op)]
    if not all(isinstance(one.op, scf.IfOp) or not one.op.regions for one in parts):
        return False
    number = {op: k for k, part in enumerate(parts) for op in part.operations}
    edges = _edges_of_values(parts, number)
    for one in dependences.dependences:
        found = _edges_of(one, parts, number, lanes)
        if found is None:
            return False
        edges |= found
    order = _sorted(len(parts), edges)
    if order is None:
        return False
    if order != sorted(order):
        _write(loop, [parts[k] for k in order])
    return True


def _parts(op: Operation) -> list[_Part]:
    if isinstance(op, affine.YieldOp):
        return []
    if isinstance(op, scf.IfOp) and not op.results and all(one.blocks for one in op.regions):
        return [_Part(op, 0), _Part(op, 1)]
    return [_Part(op)]


def _edges_of_values(parts: Sequence[_Part], number: dict[Operation, int]) -> _Edges:
    edges: _Edges = set()
    for k, part in enumerate(parts):
        used = [*part.op.operands, *(one for op in part.operations for one in op.operands)]
        owners = [one.owner for one in used]
        edges |= {(number[o], k) for o in owners if isinstance(o, Operation) and o in number}
    return {(a, b) for a, b in edges if a != b}


def _edges_of(
    one: Dependence, parts: Sequence[_Part], number: dict[Operation, int], lanes: int
) -> _Edges | None:
    """None for what no order keeps."""
    source, sink = number[one.source.op], number[one.sink.op]
    edges: _Edges = set()
    if source != sink and parts[source].op is not parts[sink].op and one.has_distance("d0 = 0"):
        edges.add((source, sink))
    if one.has_distance(f"0 < d0 < {lanes}"):
        if one.kind == "RAW":
            return None
        if source == sink and not _is_in_front(one.source.op, one.sink.op, parts[source]):
            return None
        if source != sink:
            edges.add((source, sink))
    return edges


def _is_in_front(one: Operation, other: Operation, part: _Part) -> bool:
    """In straight code."""
    if one.parent is not other.parent:
        return False
    order = part.operations
    return order.index(one) < order.index(other)


def _sorted(count: int, edges: _Edges) -> list[int] | None:
    """As near to the order of the source as they let it be; None for a cycle."""
    waits = [0] * count
    behind: list[list[int]] = [[] for _ in range(count)]
    for first, second in edges:
        waits[second] += 1
        behind[first].append(second)
    ready = [k for k in range(count) if not waits[k]]
    heapify(ready)
    found: list[int] = []
    while ready:
        k = heappop(ready)
        found.append(k)
        for other in behind[k]:
            waits[other] -= 1
            if not waits[other]:
                heappush(ready, other)
    return found if len(found) == count else None


def _write(loop: AffineLoop, parts: Sequence[_Part]) -> None:
    end = loop.block.last_op
    assert end is not None
    for part in parts:
        if part.arm is None:
            part.op.detach()
            loop.block.insert_op_before(part.op, end)
            continue
        assert isinstance(part.op, scf.IfOp)
        made: list[Operation] = []
        condition = part.op.cond
        if part.arm:
            true = arith.ConstantOp(IntegerAttr(-1, i1))
            other = arith.XOrIOp(condition, true.result)
            made += [true, other]
            condition = other.result
        inside = Block()
        for op in list(part.op.regions[part.arm].block.ops):
            op.detach()
            inside.add_op(op)
        made.append(scf.IfOp(condition, [], Region(inside)))
        for op in made:
            op.location = part.op.location
        loop.block.insert_ops_before(made, end)
    for op in dict.fromkeys(part.op for part in parts if part.arm is not None):
        op.detach()
        op.erase()
