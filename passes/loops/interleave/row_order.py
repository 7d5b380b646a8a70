"""May rows run together? Rows i, i + 1, … are jammed: each group runs for all rows before the next
group does, and a loop over vectors runs all rows at each step. That changes the order of two
instances only if they are in different rows of one block, and then

    from a later group in one row to an earlier group in a later row:  not legal
    within a loop over vectors, at different iterations of it:          not legal
    everything else keeps its order

(an unroll-and-jam: D. Callahan, J. Cocke, K. Kennedy, Estimating interlock and improving balance
for pipelined architectures, JPDC 5(4), 1988).

A loop over vectors touches what the loop does whose iterations are its lanes, one after the other.
Dependences are asked of that: of loops that hold the accesses and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xdsl.dialects import affine
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.affine_dependence import Dependence, dependences_below
from polyopt.ir.affine.linear import Linear, linear_forms
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.interleave.row_loop import RowLoop, VectorGroup
from polyopt.support.record import entity


def may_jam(rows: RowLoop, count: int) -> bool:
    """Is it legal to run `count` rows together?"""
    if rows.loop.is_marked_parallel:
        return True
    assert not rows.between
    accesses = _Accesses(AffineBuilder(Block(), rows.loop.op), rows)
    loop = accesses.write()
    try:
        dependences = dependences_below(loop)
        return dependences.is_complete and all(
            accesses.keeps(one, count) for one in dependences.dependences
        )
    finally:
        loop.detach()
        loop.erase()


@entity
class _Accesses:
    """`parts` says of each access in which part of a row it is: 0, 1, … in their order."""

    builder: AffineBuilder
    rows: RowLoop
    parts: dict[Operation, int] = field(default_factory=dict[Operation, int])
    together: set[int] = field(default_factory=set[int])
    """The parts that are loops."""
    part: int = 0

    def write(self) -> affine.ForOp:
        b, loop = self.builder, self.rows.loop
        assert loop.lowers is not None
        assert loop.uppers is not None
        with b.loop(loop.lowers, loop.uppers, name=loop.iv.name_hint) as opened:
            place: dict[SSAValue, Linear] = {loop.iv: opened.index}
            for group in self.rows.groups:
                if not isinstance(group, VectorGroup):
                    self._straight(group, place)
                    continue
                self._straight(group.before, place)
                self._vectors(group, place)
                self._straight(group.after, place)
        op = b.block.last_op
        assert isinstance(op, affine.ForOp)
        return op

    def _straight(self, run: Sequence[Operation], place: dict[SSAValue, Linear]) -> None:
        self.part += 1
        for op in run:
            if isinstance(op, (affine.LoadOp, affine.StoreOp)):
                self._access(op, place)

    def _vectors(self, group: VectorGroup, place: dict[SSAValue, Linear]) -> None:
        self.part += 1
        self.together.add(self.part)
        bounds = [
            [form.substitute(place) for form in ends] for ends in (group.lowers, group.uppers)
        ]
        with self.builder.loop(*bounds) as opened:
            here = {**place, group.vectors.loop.iv: opened.index}
            for op in group.transfers:
                self._access(op, here)

    def _access(
        self, op: affine.LoadOp | affine.StoreOp | ReadOp | WriteOp, place: dict[SSAValue, Linear]
    ) -> None:
        forms = linear_forms(op.map.data, op.indices)
        b = self.builder
        if forms is None:
            # Of a subscript that divides, its own map knows more than a form.
            copy = op.clone()
            copy.operands = [_here(one, place, b) for one in op.operands]
            b.insert(copy)
        elif isinstance(op, (affine.LoadOp, ReadOp)):
            b.load(op.memref, [form.substitute(place) for form in forms])
        else:
            b.store(op.value, op.memref, [form.substitute(place) for form in forms])
        assert b.block.last_op is not None
        self.parts[b.block.last_op] = self.part

    def keeps(self, dependence: Dependence, count: int) -> bool:
        near = f"0 < d0 < {count}"
        if not dependence.has_distance(near):
            return True
        source, sink = (self.parts[one.op] for one in (dependence.source, dependence.sink))
        if source != sink or source not in self.together:
            return source <= sink
        return not dependence.has_distance(f"{near} and (d1 < 0 or d1 > 0)")


def _here(value: SSAValue, place: dict[SSAValue, Linear], builder: AffineBuilder) -> SSAValue:
    form = place.get(value)
    return value if form is None else builder.value(form)
