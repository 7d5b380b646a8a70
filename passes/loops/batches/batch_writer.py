"""Writes a batch: strips of as many problems as a vector has lanes, on transposed copies.

for b                     for b step lanes, if all lanes are there
  problem(A[b])     =>      copy[e] = (A[b][e], A[b + 1][e], …)        for all e that it needs
                            problem(copy), each element a vector
                            (A[b][e], A[b + 1][e], …) = copy[e]        for all e that it writes
                          else the problems that are left, one by one
"""

from __future__ import annotations

from dataclasses import field

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.loop_facts import LoopFacts, facts_of
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.conditions import conditions_of
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.batches.find_batch import Batch
from polyopt.passes.loops.batches.transposed_copy import TransposedCopy
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.transfer_builder import read, write
from polyopt.support.record import entity
from polyopt.support.target import LINE_BYTES

_At = dict[SSAValue, Linear]


@entity
class BatchWriter:
    builder: AffineBuilder
    batch: Batch
    lanes: int
    rooms: dict[SSAValue, tuple[SSAValue, int]] = field(
        default_factory=dict[SSAValue, tuple[SSAValue, int]]
    )
    """Where the lanes' elements of an array are, and which of them is the first."""

    def write(self) -> None:
        """Behind a test of the sizes, if there are any."""
        b, sizes = self.builder, self.batch.sizes
        if not sizes:
            self._write_strips()
            return
        apart = [Linear.of(value) - size for value, size in sizes.items()]
        branch = b.branch([*apart, *(-form for form in apart)])
        with branch.then():
            self._write_strips()
        with branch.orelse():
            b.insert(self.batch.loop.op.clone())
        branch.close()

    def _write_strips(self) -> None:
        b, loop = self.builder, self.batch.loop
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        name = loop.iv.name_hint
        facts = LoopFacts(iterator=loop.facts.iterator)
        with b.loop(lowers, uppers, step=self.lanes, name=name, facts=facts) as strip:
            branch = b.branch([upper - strip.index - self.lanes for upper in uppers])
            with branch.then():
                self._write_strip(strip.index)
            with branch.orelse(), b.loop([strip.index], uppers, name=name, facts=facts) as one:
                values: dict[SSAValue, SSAValue] = {loop.iv: one.iv}
                for op in loop.block.ops:
                    if not isinstance(op, affine.YieldOp):
                        b.insert(op.clone(values))
            branch.close()

    def _write_strip(self, first: Linear) -> None:
        batch, b = self.batch, self.builder
        copies: list[TransposedCopy] = []
        for array, seen in batch.problem.seen.items():
            if array in batch.steps and batch.lies_side_by_side(array):
                continue
            if array not in batch.steps and array not in batch.private:
                continue
            low, high = min(seen.touched), max(seen.touched)
            room = self._room(array, high - low + 1)
            self.rooms[array] = room, low
            if array in batch.steps:
                base = tuple(form.substitute({batch.loop.iv: first}) for form in seen.base)
                steps = batch.steps[array]
                copies.append(TransposedCopy(b, array, room, low, base, steps, self.lanes, seen))
        for copy in copies:
            copy.turn_in()
        self._write_block(batch.loop.block, {batch.loop.iv: first}, {})
        for copy in copies:
            copy.turn_out()
        for array in batch.private:
            self._keep_last(array)

    def _room(self, array: SSAValue, extent: int) -> SSAValue:
        element, shape = memref_type(array).element_type, [extent, self.lanes]
        room = self.builder.insert(
            memref.AllocaOp.get(element, alignment=LINE_BYTES, shape=shape)
        ).memref
        room.name_hint = "lanes"
        return room

    def _write_block(self, block: Block, at: _At, known: dict[SSAValue, SSAValue]) -> None:
        b, root = self.builder, self.batch.loop.op
        evaluator = Evaluator(b, self.lanes, root, lambda value: None, known=dict(known))
        for op in block.ops:
            if isinstance(op, affine.ForOp):
                self._write_loop(AffineLoop(op), at, evaluator.known)
            elif isinstance(op, affine.IfOp):
                self._write_branch(op, at, evaluator.known)
            elif isinstance(op, affine.LoadOp):
                evaluator.known[op.result] = self._load(op, at)
            elif isinstance(op, affine.StoreOp):
                value = evaluator.value(op.value)
                array, place = self._where(op, at)
                write(b, value, array, place)
            elif op.results:
                evaluator.value(op.results[0])

    def _write_loop(self, loop: AffineLoop, at: _At, known: dict[SSAValue, SSAValue]) -> None:
        b = self.builder
        lowers, uppers = loop.lowers, loop.uppers
        assert lowers is not None
        assert uppers is not None
        lowers = [form.substitute(at) for form in lowers]
        uppers = [form.substitute(at) for form in uppers]
        facts = LoopFacts(iterator=facts_of(loop.op).iterator)
        with b.loop(lowers, uppers, step=loop.step, name=loop.iv.name_hint, facts=facts) as inner:
            self._write_block(loop.block, at | {loop.iv: inner.index}, known)

    def _write_branch(self, op: affine.IfOp, at: _At, known: dict[SSAValue, SSAValue]) -> None:
        """Iterators of the loops inside choose it, so that all lanes take the same one."""
        conditions = conditions_of(op)
        assert conditions is not None
        branch = self.builder.branch([form.substitute(at) for form in conditions])
        with branch.then():
            self._write_block(op.then_region.block, at, known)
        if op.else_region.blocks:
            with branch.orelse():
                self._write_block(op.else_region.block, at, known)
        branch.close()

    def _load(self, op: affine.LoadOp, at: _At) -> SSAValue:
        type_ = VectorType(op.result.type, [self.lanes])
        array, place = self._where(op, at)
        is_shared = array is op.memref and array not in self.batch.steps
        steps = [0] * len(place) if is_shared else None
        return read(self.builder, array, place, type_, steps=steps)

    def _where(self, op: ElementAccess, at: _At) -> tuple[SSAValue, list[Linear]]:
        place = self.batch.problem.places[op]
        if op.memref in self.rooms:
            room, low = self.rooms[op.memref]
            return room, [place.offset.substitute(at) - low, Linear()]
        pairs = zip(place.base, place.inner, strict=True)
        return op.memref, [(base + inner).substitute(at) for base, inner in pairs]

    def _keep_last(self, array: SSAValue) -> None:
        """What the last lane has left in it is what the loop would have."""
        b, seen = self.builder, self.batch.problem.seen[array]
        room, low = self.rooms[array]
        last = Linear((), self.lanes - 1)
        if not seen.base:
            b.store(b.load(room, [Linear(), last]), array, [])
            return
        with b.loop([Linear()], [Linear((), len(seen.written))], facts=ROLLED) as element:
            value = b.load(room, [element.index, last])
            b.store(value, array, [seen.base[0] + element.index + low])
