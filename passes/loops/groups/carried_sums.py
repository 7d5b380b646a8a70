"""Sums in lanes that loops around go on with stay in these lanes.

    for (j < 3) for (i < 3) {                    t = 0
      t = 0                                      for (j < 3) for (i < 3)
      for (c…) t += lanes of x[c] * w[c]   =>      for (c…) t += lanes of x[c] * w[c]
      s += the sum of t's lanes                  s += the sum of t's lanes
    }

The lanes of short rows, such as the channels of a filter, take longer to be added up than to be
computed. Integers have the same sum in any order, modulo their bits. The variable is one that
nobody else can see, and is in memory; the loops around are surely entered.
"""

from __future__ import annotations

from xdsl.dialects import affine, arith, memref, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of, set_facts
from polyopt.ir.affine.affine_nest import AffineLoop, is_defined_inside
from polyopt.ir.effects import constant_in_all_lanes
from polyopt.support.record import record


@record
class _Sum:
    """`loop`, in whose result `place` the lanes are, `reduction` that adds them up, and `load`,
    `add` and `store` of the variable that this is added to."""

    loop: affine.ForOp
    place: int
    reduction: vector.ReductionOp
    load: affine.LoadOp
    add: arith.AddiOp
    store: affine.StoreOp

    @property
    def update(self) -> tuple[Operation, ...]:
        return self.reduction, self.load, self.add, self.store


def carry_sums(module: ModuleOp) -> None:
    """All sums of the module that can, out of as many loops as can."""
    for reduction in operations_in(module, vector.ReductionOp):
        found = _find(reduction)
        while found is not None and _may_leave(found):
            found = _out_of_one_loop(found)


def _find(reduction: vector.ReductionOp) -> _Sum | None:
    lanes = reduction.vector
    if not isinstance(lanes, OpResult) or not isinstance(loop := lanes.op, affine.ForOp):
        return None
    if loop.parent is not reduction.parent or not isa(lanes.type, VectorType[IntegerType]):
        return None
    if reduction.kind.data != vector.CombiningKindFlag.ADD or reduction.acc is not None:
        return None
    if constant_in_all_lanes(loop.inits[lanes.index]) != 0 or lanes.has_more_than_one_use():
        return None
    add = _only_user(reduction.dest)
    if not isinstance(add, arith.AddiOp):
        return None
    load = next((one.owner for one in add.operands if one is not reduction.dest), None)
    store = _only_user(add.result)
    if not isinstance(load, affine.LoadOp) or not isinstance(store, affine.StoreOp):
        return None
    if load.memref is not store.memref or load.result.has_more_than_one_use():
        return None
    if load.map != store.map or list(load.indices) != list(store.indices):
        return None
    return _Sum(loop, lanes.index, reduction, load, add, store)


def _only_user(value: SSAValue) -> Operation | None:
    uses = list(value.uses)
    return uses[0].operation if len(uses) == 1 else None


def _may_leave(found: _Sum) -> bool:
    """Whether the loop around does nothing with the variable but what `found` does, and keeps to
    the same element."""
    around = found.loop.parent_op()
    if not isinstance(around, affine.ForOp) or facts_of(around).is_parallel:
        return False
    if any(op.parent is not found.loop.parent for op in found.update):
        return False
    variable = found.load.memref
    if not isinstance(variable.owner, memref.AllocOp | memref.AllocaOp):
        return False
    if any(is_defined_inside(one, around) for one in (variable, *found.load.indices)):
        return False
    users = [use.operation for use in variable.uses]
    inside = [op for op in users if around.is_ancestor(op)]
    return set(inside) == {found.load, found.store} and _is_entered(AffineLoop(around))


def _is_entered(loop: AffineLoop) -> bool:
    lowers, uppers = loop.lowers or (), loop.uppers or ()
    if len(lowers) != 1 or len(uppers) != 1:
        return False
    extent = uppers[0] - lowers[0]
    return not extent.terms and extent.constant > 0


def _out_of_one_loop(found: _Sum) -> _Sum | None:
    """The sum behind the loop that was around it."""
    around = found.loop.parent_op()
    assert isinstance(around, affine.ForOp)
    zero = found.loop.inits[found.place]
    front = _zero_in_front(zero, around)
    for op in found.update:
        op.detach()
    block, facts = around.body.block, facts_of(around)
    carried = block.insert_arg(zero.type, len(block.args))
    bounds = len(found.loop.lowerBoundOperands) + len(found.loop.upperBoundOperands)
    found.loop.operands[bounds + found.place] = carried
    last = block.last_op
    assert last is not None
    following = affine.YieldOp.get(*last.operands, found.loop.results[found.place])
    block.insert_op_before(following, last)
    last.detach()
    last.erase()
    region = around.detach_region(around.body)
    loop = affine.ForOp.from_region(
        around.lowerBoundOperands,
        around.upperBoundOperands,
        [*around.inits, front],
        [*around.result_types, zero.type],
        around.lowerBoundMap,
        around.upperBoundMap,
        region,
        around.step,
    )
    loop.location = around.location
    set_facts(loop, facts)
    outer = around.parent
    assert outer is not None
    outer.insert_ops_before([loop, *found.update], around)
    found.reduction.operands[0] = loop.results[-1]
    for old, new in zip(around.results, loop.results[:-1], strict=True):
        old.replace_all_uses_with(new)
    around.detach()
    around.erase()
    return _find(found.reduction)


def _zero_in_front(zero: SSAValue, around: affine.ForOp) -> SSAValue:
    """The same lanes of nothing where the loop around begins."""
    block = around.parent
    assert block is not None
    if not is_defined_inside(zero, around):
        return zero
    assert isa(zero.type, VectorType[IntegerType])
    made = arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(zero.type, [0]))
    made.location = around.location
    block.insert_op_before(made, around)
    return made.result
