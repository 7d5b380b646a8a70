"""One step of a vector loop: its operations, in lanes, at one place of the loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i1,
)
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import pvec
from polyopt.dialects.pvec_accesses import is_table
from polyopt.ir.affine.affine_nest import ElementAccess, is_defined_inside
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import steps_of, stride_of, subscripts_of
from polyopt.ir.elementwise import is_quotient, on_others
from polyopt.ir.vector_calls import harmless_argument, is_in_library
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.transfer_builder import read, write, write_in_turns
from polyopt.passes.loops.vector_memory import gather, look_up
from polyopt.passes.loops.vectors.accumulations import combined
from polyopt.passes.loops.vectors.bests import KeptValue
from polyopt.passes.loops.vectors.lane_places import IteratorValues, LanePlaces
from polyopt.passes.loops.vectors.scan_writer import ScanWriter, values_of_scans
from polyopt.passes.loops.vectors.vector_loop import VectorLoop, window_of
from polyopt.support.record import entity

_Member = tuple[SSAValue | int | Linear, ...]
"""An array, the steps from lane to lane, and the place of the first lane."""


@entity
class VectorStep:
    """`fixed` is what loads give that are the same in all iterations, `rows` in front of the loop
    what the places of rows are computed from; `mask` says which lanes are iterations, where not
    all are."""

    builder: AffineBuilder
    source: VectorLoop
    lanes: int
    scans: Sequence[ScanWriter]
    fixed: dict[SSAValue, SSAValue]
    rows: IteratorValues
    mask: SSAValue | None
    _waiting: dict[_Member, SSAValue] = field(default_factory=dict["_Member", SSAValue])

    def run(self, at: Linear, old: Sequence[SSAValue]) -> list[SSAValue]:
        """The operations in order; the accumulations' next values."""
        source, b, mask = self.source, self.builder, self.mask
        old_kept = old[len(old) - len(source.kept) :]
        place: IteratorValues = {source.loop.iv: at, **self.rows}
        masks: dict[Block | None, SSAValue | None] = {source.loop.block: mask}

        def leaf(value: SSAValue) -> SSAValue | None:
            if not isinstance(value, OpResult) or value.op.parent not in masks:
                return None
            here = masks[value.op.parent]
            if value in scanned:
                return scanned[value]()
            if value in chosen:
                return chosen[value]
            if value in given:
                return given[value]
            if isinstance(value.op, affine.LoadOp):
                return self.fixed.get(value) or self._load(value.op, place, here)
            if isinstance(value.op, memref.LoadOp):
                return self._look_up(value.op, places, here)
            if isinstance(value.op, arith.IndexCastOp):
                assert isa(value.type, IntegerType)
                return places.moving(value.op.input, value.type)
            if is_quotient(value.op):
                return self._divided(value.op, *map(evaluator.value, value.op.operands))
            if here is not None and is_in_library(value.op):
                return self._call(value.op, here, evaluator)
            return None

        chosen = {
            one.load.result: before
            for one, before in zip(source.kept, old_kept, strict=True)
            if one.load is not None
        }
        given: dict[SSAValue, SSAValue] = {}
        evaluator = Evaluator(b, self.lanes, source.loop.op, leaf)
        places = LanePlaces(b, source.loop, self.lanes, place, evaluator)
        lefts = old[len(source.accumulations) : len(old) - len(old_kept)]
        scanned, following = values_of_scans(self.scans, evaluator.value, lefts, mask)
        own = {one.load for one in source.accumulations}
        combining = {one.combine for one in source.accumulations}
        # Of scans only what is stored is computed, where it is.
        combining |= {value.owner for one in source.scans for value in one.reach}

        def compute(operations: Iterable[Operation]) -> None:
            for op in operations:
                if isinstance(op, scf.IfOp):
                    condition = evaluator.value(op.cond)
                    for block, lanes in self._arms(op, condition, masks[op.parent]):
                        masks[block] = lanes
                        compute(block.ops)
                    for result, arms in zip(op.results, _given_by_arms(op), strict=True):
                        values = map(evaluator.value, arms)
                        given[result] = b.insert(pvec.SelectOp(condition, *values)).result
                elif source.kept:
                    continue  # What is kept says what is needed.
                elif op in source.stores:
                    assert isinstance(op, affine.StoreOp)
                    result, here = evaluator.value(op.value), masks[op.parent]
                    self._store(op, result, place, here)
                elif op.results and op not in own and op not in combining and not _is_index(op):
                    evaluator.value(op.results[0])

        compute(source.operations)
        new: list[SSAValue] = []
        for one, before in zip(source.accumulations, old, strict=False):
            after = combined(self.builder, one, before, evaluator.value(one.term))
            if mask is not None:
                after = b.insert(pvec.SelectOp(mask, after, before)).result
            new.append(after)
        new += [next_one() for next_one in following]
        for one, before in zip(source.kept, old_kept, strict=True):
            after = self._changed(one, before, evaluator)
            new.append(
                after if mask is None else b.insert(pvec.SelectOp(mask, after, before)).result
            )
        return new

    def _changed(self, one: KeptValue, old: SSAValue, evaluator: Evaluator) -> SSAValue:
        """What it keeps of the best, where all its conditions are as they should be new."""
        b, lanes, all_hold = self.builder, self.lanes, None
        for condition, holds in one.path:
            here = evaluator.value(condition)
            if not holds:
                true = b.broadcast(b.insert(arith.ConstantOp(IntegerAttr(-1, i1))).result, lanes)
                here = b.insert(arith.XOrIOp(here, true)).result
            all_hold = here if all_hold is None else b.insert(arith.AndIOp(all_hold, here)).result
        new = evaluator.value(one.new)
        return new if all_hold is None else b.insert(pvec.SelectOp(all_hold, new, old)).result

    def _arms(
        self, op: scf.IfOp, condition: SSAValue, mask: SSAValue | None
    ) -> Iterator[tuple[Block, SSAValue]]:
        """The arms of a conditional, each with its lanes of those in the mask."""
        b = self.builder
        for region, holds in ((op.true_region, True), (op.false_region, False)):
            if not region.blocks or isinstance(region.block.first_op, scf.YieldOp):
                continue
            lanes = condition
            if not holds:
                true = arith.ConstantOp(IntegerAttr(-1, i1))
                all_lanes = b.broadcast(b.insert(true).result, self.lanes)
                lanes = b.insert(arith.XOrIOp(condition, all_lanes)).result
            if mask is not None:
                lanes = b.insert(arith.AndIOp(mask, lanes)).result
            yield region.block, lanes

    def _divided(self, op: Operation, left: SSAValue, right: SSAValue) -> SSAValue:
        """The quotient, or what is left over."""
        b, is_unsigned = self.builder, isinstance(op, (arith.DivUIOp, arith.RemUIOp))
        through = self.source.quotient_type(op)
        found = b.insert(pvec.QuotientOp(left, right, through, unsigned=is_unsigned)).result
        if isinstance(op, (arith.DivSIOp, arith.DivUIOp)):
            return found
        whole = b.insert(arith.MuliOp(found, right)).result
        return b.insert(arith.SubiOp(left, whole)).result

    def _call(self, op: Operation, mask: SSAValue, evaluator: Evaluator) -> SSAValue:
        """In lanes outside of the mask, of arguments that take no longer than others."""
        b = self.builder
        arguments: list[SSAValue] = []
        for operand in op.operands:
            found = evaluator.value(operand)
            if is_defined_inside(operand, self.source.loop.op):
                assert isinstance(operand.type, AnyFloat)
                number = arith.ConstantOp(FloatAttr(harmless_argument(op), operand.type))
                other = b.broadcast(b.insert(number).result, self.lanes)
                found = b.insert(pvec.SelectOp(mask, found, other)).result
            arguments.append(found)
        (result,) = op.results
        copy = on_others(op, arguments, [VectorType(result.type, [self.lanes])])
        return b.insert(copy).results[0]

    def _load(self, load: affine.LoadOp, place: IteratorValues, mask: SSAValue | None) -> SSAValue:
        loop = self.source
        at, steps = placed(load, place), steps_of(load, loop.loop)
        if (waiting := self._waiting.get((load.memref, *steps, *at))) is not None:
            return waiting
        is_strided = stride_of(load, loop.loop) not in (1, 0, -1)
        return read(
            self.builder,
            load.memref,
            at,
            VectorType(load.result.type, [self.lanes]),
            steps=steps,
            mask=mask,
            within=window_of(load, loop) if is_strided and loop.is_near(load) else (),
            like=load,
        )

    def _look_up(self, load: memref.LoadOp, places: LanePlaces, mask: SSAValue | None) -> SSAValue:
        """Elements at places that the loop computes."""
        type_ = VectorType(load.res.type, [self.lanes])
        if (row := self.source.rows.get(load)) is not None:
            at = [form.substitute(places.at) for form in row]
            steps = [form.coefficient(self.source.loop.iv) for form in row]
            if not any(steps):
                return self.builder.broadcast(self.builder.load(load.memref, at), self.lanes)
            return read(self.builder, load.memref, at, type_, steps=steps, mask=mask, like=load)
        indices = [
            places.number(index, self.source.place_type(load, index)) for index in load.indices
        ]
        if is_table(load.memref.type):
            (number,) = indices
            return look_up(self.builder, load.memref, number)
        return gather(self.builder, load.memref, indices, type_, mask)

    def _store(
        self, store: affine.StoreOp, value: SSAValue, place: IteratorValues, mask: SSAValue | None
    ) -> None:
        if store in self.source.grouped:
            self._store_in_group(store, value, place)
            return
        write(
            self.builder,
            value,
            store.memref,
            placed(store, place),
            steps=steps_of(store, self.source.loop),
            mask=mask,
            nontemporal=store is self.source.streamed,
        ).location = store.location

    def _store_in_group(
        self, store: affine.StoreOp, value: SSAValue, place: IteratorValues
    ) -> None:
        """When all of a group are there: their lanes in turns. What waits is loaded from here."""
        (group,) = (one for one in self.source.groups if store in one)
        places, steps = [placed(one, place) for one in group], steps_of(store, self.source.loop)
        keys: list[_Member] = [(store.memref, *steps, *at) for at in places]
        self._waiting[keys[group.index(store)]] = value
        if not all(key in self._waiting for key in keys):
            return
        values = [self._waiting.pop(key) for key in keys]
        first = places[0]
        offsets = [(at[-1] - first[-1]).constant for at in places]
        write_in_turns(self.builder, values, store.memref, first, steps=steps, at=offsets)


def _given_by_arms(op: scf.IfOp) -> Iterator[tuple[SSAValue, ...]]:
    """Of each value that a conditional gives, what it is in each arm."""
    ends = [region.block.last_op for region in op.regions if region.blocks]
    return zip(*(end.operands for end in ends if isinstance(end, scf.YieldOp)), strict=True)


def _is_index(op: Operation) -> bool:
    """A place, or what chooses one."""
    decides = op.operands[0] if isinstance(op, arith.CmpiOp) else op.results[0]
    return isinstance(decides.type, IndexType)


def placed(op: ElementAccess, place: IteratorValues) -> list[Linear]:
    subscripts = subscripts_of(op)
    assert subscripts is not None
    return [form.substitute(place) for form in subscripts]
