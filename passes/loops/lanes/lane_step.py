"""Straight-line code in the lanes of one vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.lane_shuffles import picked
from polyopt.passes.loops.lanes.lookups import Lookups
from polyopt.passes.loops.lanes.serial_loop import Reuse
from polyopt.passes.loops.lanes.strip import Mask, Strip
from polyopt.passes.loops.transfer_builder import read, write
from polyopt.passes.loops.vectors.lane_places import IteratorValues

Old = dict[tuple[ElementAccess, int], SSAValue]
"""What a load or store touched so many iterations before."""
Private = dict[SSAValue, SSAValue]
"""The values of the private variables in the lanes of a vector."""


class LaneStep:
    """Straight-line code in the lanes of one vector; `place` is that of its first lane."""

    def __init__(
        self,
        strip: Strip,
        inner: AffineLoop | None,
        operations: Sequence[Operation],
        place: IteratorValues,
        mask: Mask,
        private: Private,
        old: Old,
        reuses: dict[affine.LoadOp, Reuse],
        transposed: dict[ElementAccess, tuple[SSAValue, list[Linear]]] | None = None,
        *,
        is_inside: bool = True,
    ):
        self.transposed = transposed or {}
        """Where rows that were transposed are."""
        self.is_inside = is_inside
        """Whether some lane of the strip runs: what is the same for all of them is there then."""
        self.held: dict[ElementAccess, affine.StoreOp] = {}
        self.in_registers: dict[affine.StoreOp, SSAValue] = {}
        """What accumulators hold, by their first stores."""
        self.strip, self.inner, self.operations = strip, inner, operations
        self.place, self.mask, self.private = place, mask, private
        self.old, self.reuses = old, reuses
        self.neighbour: Old = {}
        """What the vector of the lanes before these, if there is one, has as old."""
        self.values: dict[ElementAccess, SSAValue] = {}
        leaf: Callable[[SSAValue], SSAValue | None] = self._leaf
        self.evaluator = Evaluator(strip.builder, strip.lanes, strip.source.loop.op, leaf)

    def evaluate(self) -> None:
        for op in self.operations:
            if isinstance(op, affine.StoreOp) and op.memref in self.strip.source.private:
                self.private[op.memref] = self.evaluator.value(op.value)
            elif isinstance(op, affine.StoreOp) and op in self.held:
                self.in_registers[self.held[op]] = self.evaluator.value(op.value)
            elif isinstance(op, affine.StoreOp):
                self.values[op] = self.evaluator.value(op.value)
                self.put(op, self.values[op])
            elif op.results and not isinstance(op.results[0].type, IndexType):
                self.evaluator.value(op.results[0])

    def touched(self, op: ElementAccess) -> SSAValue:
        """What this step has loaded or stored."""
        return self.values[op]

    def _leaf(self, value: SSAValue) -> SSAValue | None:
        if not isinstance(value, OpResult) or value.op not in self.operations:
            return None
        if isinstance(value.op, arith.IndexCastOp):
            return self._count(value.op)
        if isinstance(value.op, memref.LoadOp):
            return Lookups(self.evaluator, self.strip.lanes).look_up(value.op, self.mask)
        if not isinstance(value.op, affine.LoadOp):
            return None
        load = value.op
        if load.memref in self.strip.source.private:
            return self.private[load.memref]
        if load in self.held:
            return self.in_registers[self.held[load]]
        reuse = self.reuses.get(load)
        if reuse is not None and reuse.lanes:
            result = self.values[load] = self._passed_on(load, reuse)
            return result
        if reuse is not None:
            return self.old[reuse.source, reuse.age]
        result = self.values[load] = self.load(load)
        return result

    def _passed_on(self, load: affine.LoadOp, reuse: Reuse) -> SSAValue:
        """The lanes of what is old, each one further; the first is that of the vector before, or
        what is in memory."""
        b, lanes = self.strip.builder, self.strip.lanes
        key = reuse.source, reuse.age
        before = self.neighbour.get(key)
        if before is None:
            at, type_ = self._at(load), VectorType(load.result.type, [lanes])
            before = read(b, load.memref, at, type_, steps=[0] * len(at), like=load)
        return picked(b, [before, self.old[key]], [0, lanes], range(lanes - 1, 2 * lanes - 1))

    def _count(self, op: arith.IndexCastOp) -> SSAValue:
        """An iterator in each lane."""
        source, type_ = self.strip.source, op.result.type
        assert isinstance(type_, IntegerType)
        step = 1 if op.input is source.loop.iv else -source.skew
        return self.strip.builder.numbers(self.place[op.input], step, self.strip.lanes, type_)

    def put(self, store: affine.StoreOp, value: SSAValue) -> None:
        """Store it where `store` does."""
        b = self.strip.builder
        if store in self.transposed:
            write(b, value, *self.transposed[store]).location = store.location
            return
        steps = self.strip.source.steps(store, self.inner)
        made = write(b, value, store.memref, self._at(store), steps=steps, mask=self.mask)
        made.location = store.location

    def load(self, op: ElementAccess) -> SSAValue:
        b = self.strip.builder
        element = op.result.type if isinstance(op, affine.LoadOp) else op.value.type
        type_ = VectorType(element, [self.strip.lanes])
        if op in self.transposed:
            return read(b, *self.transposed[op], type_, like=op)
        steps = self.strip.source.steps(op, self.inner)
        mask = None if self.is_inside and not any(steps) else self.mask
        return read(b, op.memref, self._at(op), type_, steps=steps, mask=mask, like=op)

    def _at(self, op: ElementAccess) -> list[Linear]:
        forms = subscripts_of(op)
        assert forms is not None
        return [form.substitute(self.place) for form in forms]
