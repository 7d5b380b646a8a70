"""affine-to-scf: structured loops over affine maps become loops over index arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from xdsl.context import Context
from xdsl.dialects import affine, arith, memref, scf, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseIntElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Block, Operation, Region
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from polyopt.dialects.loop_facts import facts_of, stated
from polyopt.ir.control.equal_values import replace_by
from polyopt.ir.effects import constant_integer
from polyopt.passes.lower.index_arithmetic import INDEX, IndexArithmetic
from polyopt.passes.lower.value_range import KnownRange
from polyopt.support.record import entity, record


@record
class AffineToScfPass(ModulePass):
    """Lower every operation of `affine`.

    Requires: divisors and moduli are positive constants; bounds and subscripts do not wrap.
    Ensures: no `affine` operation is left; division and modulo round to minus infinity; a loop
    keeps its attributes (`poly.loop`, …), and every operation its location. `arith.floordivsi` by a
    power of two is a shift. What is left of a division by the step is a branch, no loop.

        affine.for %i = max #lower(%n) to min #upper(%n) {     %lb = arith.maxsi …
          %x = affine.load %A[%i + 1]                      =>   scf.for %i = %lb to %ub step %c1 {
        }                                                         %j = arith.addi %i, %c1
                                                                  %x = memref.load %A[%j]
    """

    name = "affine-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_affine(op.body)


def lower_affine(region: Region) -> None:
    """Lower what is in the region: for loops that are not for the loop stage."""
    _Lowering().region(region)


@entity
class _Lowering:
    """One walk, outermost first: when an operation is met, its operands are lowered."""

    index: IndexArithmetic = field(default_factory=IndexArithmetic)

    def region(self, region: Region) -> None:
        for block in region.blocks:
            with self.index.scope():
                for op in list(block.ops):
                    self.index.anchor = op
                    self.operation(op)

    def operation(self, op: Operation) -> None:
        index = self.index
        match op:
            case affine.ForOp():
                self.loop(op)
            case affine.ParallelOp():
                self.loop(serial_nest(op))
            case affine.IfOp():
                self.branch(op)
            case affine.ApplyOp():
                replace_by(op, index.results(op.map.data, op.mapOperands))
            case affine.MinOp():
                replace_by(op, [index.minimum(index.results(op.map.data, op.arguments))])
            case affine.LoadOp():
                indices = index.results(op.map.data, op.indices)
                replace_by(op, [index.insert(memref.LoadOp.get(op.memref, indices))])
            case affine.StoreOp():
                indices = index.results(op.map.data, op.indices)
                index.place(memref.StoreOp.get(op.value, op.memref, indices))
                Rewriter.erase_op(op)
            case affine.VectorLoadOp():
                indices = index.results(op.map.data, op.indices)
                assert isa(op.result.type, VectorType)
                replace_by(op, [index.insert(vector.LoadOp(op.memref, indices, op.result.type))])
            case affine.VectorStoreOp():
                indices = index.results(op.map.data, op.indices)
                index.place(vector.StoreOp(op.value, op.memref, indices))
                Rewriter.erase_op(op)
            case arith.FloorDivSIOp() if (shift := _as_shift(op)) is not None:
                replace_by(op, [index.insert(shift)])
            case affine.YieldOp():
                index.place(scf.YieldOp(*op.arguments))
                Rewriter.erase_op(op)
            case _:
                for region in op.regions:
                    self.region(region)

    def loop(self, op: affine.ForOp) -> None:
        index = self.index
        index.anchor = op
        if self.runs_once(op):
            return
        lower = index.maximum(index.results(op.lowerBoundMap.data, op.lowerBoundOperands))
        upper = index.minimum(index.results(op.upperBoundMap.data, op.upperBoundOperands))
        below, above = index.range_of(lower).low, index.range_of(upper).high
        index.ranges[op.body.block.args[0]] = KnownRange(
            below, None if above is None else above - 1
        )
        step = index.constant(op.step.value.data)
        body = op.detach_region(op.body)
        _end_with_yield(body)
        loop = scf.ForOp(lower, upper, step, op.inits, body)
        loop.attributes = dict(op.attributes)
        index.place(loop)
        replace_by(op, loop.results)
        self.region(body)

    def runs_once(self, op: affine.ForOp) -> bool:
        """Whether the loop has one iteration or none, which the ranges show: then it is a branch,
        and what is computed from its iterator is computed from where it begins."""
        index = self.index
        lowers = index.linear_results(op.lowerBoundMap.data, op.lowerBoundOperands)
        uppers = index.linear_results(op.upperBoundMap.data, op.upperBoundOperands)
        if len(lowers) != 1 or len(uppers) != 1:
            return False
        (lower,), (upper,) = lowers, uppers
        extent = index.with_remainders(upper - lower)
        most = index.range(extent).high
        if not extent.terms or most is None or most > op.step.value.data:
            return False
        condition = arith.CmpiOp(index.materialise(extent), index.constant(0), "sgt")
        start = index.materialise(lower)
        index.place(condition)
        body = op.detach_region(op.body)
        _end_with_yield(body)
        iterator, *carried = body.block.args
        for argument, value in zip(carried, op.inits, strict=True):
            argument.replace_all_uses_with(value)
        otherwise = Region(Block([affine.YieldOp.get(*op.inits)])) if carried else Region()
        branch = scf.IfOp(condition.result, op.res.types, body, otherwise)
        index.place(branch)
        replace_by(op, branch.results)
        index.forms[iterator] = lower
        self.region(body)
        self.region(otherwise)
        iterator.replace_all_uses_with(start)
        for argument in (*carried, iterator):
            body.block.erase_arg(argument)
        return True

    def branch(self, op: affine.IfOp) -> None:
        index = self.index
        condition = index.condition(op.condition.data, op.args)
        otherwise, then = op.detach_region(op.else_region), op.detach_region(op.then_region)
        for region in (then, otherwise):
            if region.blocks:
                _end_with_yield(region)
        branch = scf.IfOp(condition, op.res.types, then, otherwise, dict(op.attributes))
        index.place(branch)
        replace_by(op, branch.results)
        self.region(then)
        self.region(otherwise)


def _as_shift(op: arith.FloorDivSIOp) -> arith.ShRSIOp | None:
    """The same by a power of two."""
    divisor = constant_integer(op.rhs)
    if divisor is None or divisor <= 0 or divisor.bit_count() != 1:
        return None
    type_ = op.lhs.type
    assert isinstance(type_, IndexType) or isa(type_, IntegerType)
    distance = arith.ConstantOp(IntegerAttr(divisor.bit_length() - 1, type_))
    distance.location = op.location
    Rewriter.insert_op(distance, InsertPoint.before(op))
    return arith.ShRSIOp(op.lhs, distance)


def _end_with_yield(region: Region) -> None:
    """The terminator may be left out in affine, not in scf."""
    block = region.block
    if not isinstance(block.last_op, affine.YieldOp):
        block.add_op(affine.YieldOp.get())


def serial_nest(op: affine.ParallelOp) -> affine.ForOp:
    """The loops of `op`, each `parallel`, around its body, in its place. Raises
    PassFailedException for reductions."""
    if op.res or not op.body.block.args:
        raise PassFailedException(f"{AffineToScfPass.name}: affine.parallel with reductions")
    lower, upper = op.lowerBoundsMap.data, op.upperBoundsMap.data
    cut = lower.num_dims + lower.num_symbols
    lowers = list(_split(lower, op.lowerBoundsGroups))
    uppers = list(_split(upper, op.upperBoundsGroups))
    innermost = op.body.block
    block = op.parent
    assert block is not None
    loops: list[affine.ForOp] = []
    for low, high, step in zip(lowers, uppers, op.steps, strict=True):
        body = Block(arg_types=[INDEX])
        loop = affine.ForOp.from_region(
            op.map_operands[:cut],
            op.map_operands[cut:],
            (),
            (),
            low,
            high,
            Region(body),
            step.value.data,
        )
        loop.attributes = {**op.attributes, **stated(replace(facts_of(op), carried="parallel"))}
        loop.location = op.location
        if loops:
            loops[-1].body.block.add_op(loop)
        loops.append(loop)
    iterators = [loop.body.block.args[0] for loop in loops]
    Rewriter.inline_block(innermost, InsertPoint.at_end(loops[-1].body.block), iterators)
    block.insert_op_before(loops[0], op)
    Rewriter.erase_op(op)
    return loops[0]


def _split(map: AffineMap, groups: DenseIntElementsAttr) -> Iterator[AffineMapAttr]:
    """One map for each dimension of an affine.parallel."""
    start = 0
    for count in groups.get_values():
        assert isinstance(count, int)
        results = map.results[start : start + count]
        yield AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, results))
        start += count
