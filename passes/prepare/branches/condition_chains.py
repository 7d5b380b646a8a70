"""Conditions that are tested one after the other become one.

  cond_br %a, ^second, ^no                 %c = scf.if %a {
^second:                                     %b = …
  %b = …                             ->      yield %b
  cond_br %b, ^yes, ^no                    } else { yield false }
                                           cond_br %c, ^yes, ^no
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import cast

from xdsl.dialects import arith, cf, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use

from polyopt.dialects.cmem import SELDOM
from polyopt.ir.branches import Edge, incoming
from polyopt.ir.effects import is_speculatable
from polyopt.passes.prepare.branches.block_editing import region_of, replace_terminator
from polyopt.passes.prepare.branches.hammocks import (
    ElementName,
    depends_on_data,
    is_movable,
    place_of,
    take_over_in,
)
from polyopt.passes.prepare.branches.selected_values import is_cheap_anywhere, select_values
from polyopt.support.core_model import CORE


def merge_conditions(
    block: Block, is_decided: bool, *, selects: Container[ElementName] | None = None
) -> bool:
    """`block` and one of its successors, which only it enters, both branch to the same place: one
    branch on both conditions. Gives whether this was done. `selects`: only if the second one may
    be computed anywhere, once these variables are loaded, and neither is known to lead to what
    hardly ever runs."""
    branch = block.last_op
    if not isinstance(branch, cf.ConditionalBranchOp):
        return False
    for position in (0, 1):
        second = Edge(branch, position).target
        if selects is not None and len(incoming(second)) == 1:
            take_over_in([op for op in second.ops if op is not second.last_op], branch)
        again = _edge_to(second, Edge(branch, 1 - position))
        if again is None or (selects is not None and not _is_selected(branch, again, selects)):
            continue
        assert isinstance(again.terminator, cf.ConditionalBranchOp)
        conditions = (branch.cond, again.terminator.cond)
        if is_decided or any(map(depends_on_data, conditions)):
            if selects is not None:
                _load_first(second, branch, selects)
            _merge(branch, position, again)
            return True
    return False


def _edge_to(second: Block, shared: Edge) -> Edge | None:
    """The edge from `second` that does what the edge `shared` does, if `second` can be computed
    where the branch to it is."""
    branch = second.last_op
    if not isinstance(branch, cf.ConditionalBranchOp) or len(incoming(second)) != 1 or second.args:
        return None
    ops = [op for op in second.ops if op is not branch]
    if second is shared.target or not is_movable(ops):
        return None
    if not all(_is_number(value) for value in _used_outside(ops, branch)):
        return None
    for position in (0, 1):
        edge, other = Edge(branch, position), Edge(branch, 1 - position)
        same = all(a is b for a, b in zip(edge.values, shared.values, strict=False))
        if edge.target is shared.target and same and other.target is not shared.target:
            return edge
    return None


def _is_selected(branch: Operation, again: Edge, variables: Container[ElementName]) -> bool:
    if SELDOM in branch.attributes or SELDOM in again.terminator.attributes:
        return False
    second = [
        op
        for op in again.source.ops
        if op is not again.terminator and not _loads_one_of(op, variables)
    ]
    return len(second) <= CORE.code.selected and all(map(is_cheap_anywhere, second))


def _loads_one_of(op: Operation, variables: Container[ElementName]) -> bool:
    return isinstance(op, memref.LoadOp) and place_of(op) in variables


def _load_first(second: Block, branch: Operation, variables: Container[ElementName]) -> None:
    """Nothing is stored in between: what may be computed anywhere stores nothing."""
    around = branch.parent
    assert around is not None
    for op in list(second.ops):
        if _loads_one_of(op, variables):
            op.detach()
            around.insert_op_before(op, branch)


def _is_number(value: SSAValue) -> bool:
    return isinstance(value.type, IntegerType | IndexType | AnyFloat)


def _used_outside(ops: list[Operation], branch: cf.ConditionalBranchOp) -> list[SSAValue]:
    """The values of `ops`, which stand in front of `branch`, that more than these and its condition
    use: what it passes to a block goes on being used there."""

    def is_inside(use: Use) -> bool:
        if use.operation is branch:
            return use.index == 0
        return use.operation in ops or _is_in(use.operation, ops)

    return [
        result
        for op in ops
        for result in op.results
        if not all(is_inside(use) for use in result.uses)
    ]


def _is_in(op: Operation, ops: list[Operation]) -> bool:
    around = op.parent_op()
    return around is not None and (around in ops or _is_in(around, ops))


def _merge(branch: cf.ConditionalBranchOp, position: int, again: Edge) -> None:
    """The edge number `position` of `branch` leads to the block of `again`, whose other edge is
    taken if both conditions say so. What is computed there and used further on is used only where
    it was computed: the value that it has elsewhere does not matter."""
    second, inner = again.source, again.terminator
    assert isinstance(inner, cf.ConditionalBranchOp)
    _move_integers(second, branch)
    onward, shared = Edge(inner, 1 - again.position), Edge(branch, 1 - position)
    goes_on = onward.position == 0
    ops = [op for op in second.ops if op is not inner]
    further = _used_outside(ops, inner)
    computed = region_of(ops, [inner.cond, *further], inner.location)
    # The second condition is as it is where control goes to the shared place.
    skipped = _constants(0 if goes_on else -1, [value.type for value in further], inner.location)
    types = [i1, *(value.type for value in further)]
    regions = (computed, skipped) if position == 0 else (skipped, computed)
    conditional = scf.IfOp(branch.cond, types, *regions)
    condition, *results = conditional.results
    for old, new in zip(further, results, strict=True):
        new.name_hint = old.name_hint
        old.replace_uses_with_if(new, lambda use: not _is_in(use.operation, [conditional]))
    yes, no = (onward, shared) if goes_on else (shared, onward)
    merged = cf.ConditionalBranchOp(
        condition, yes.target, list(yes.values), no.target, list(no.values)
    )
    second.detach_op(inner)
    inner.erase()
    replace_terminator(branch, conditional, merged)
    assert second.parent is not None
    second.parent.detach_block(second)
    second.erase()
    select_values(conditional)


def _move_integers(second: Block, branch: Operation) -> None:
    """Integers that may be computed anywhere, and constants, are computed in front of the branch:
    other blocks may share them, as subscripts."""
    around = branch.parent
    assert around is not None
    remaining: set[Operation] = set()
    for op in list(second.ops):
        is_integer = all(isinstance(r.type, IntegerType | IndexType) for r in op.results)
        is_cheap = is_integer or isinstance(op, arith.ConstantOp)
        if is_cheap and is_speculatable(op) and remaining.isdisjoint(v.owner for v in op.operands):
            op.detach()
            around.insert_op_before(op, branch)
        else:
            remaining.add(op)


def _constants(flag: int, types: Sequence[Attribute], location: LocationAttr) -> Region:
    """A region that gives a flag and zeros."""
    block = Block()
    values = [arith.ConstantOp(IntegerAttr(flag, i1)), *map(_zero, types)]
    for op in (*values, scf.YieldOp(*values)):
        op.location = location
        block.add_op(op)
    return Region(block)


def _zero(type_: Attribute) -> arith.ConstantOp:
    if isinstance(type_, IntegerType | IndexType):
        return arith.ConstantOp(IntegerAttr(0, cast(IntegerType, type_)))
    return arith.ConstantOp(FloatAttr(0.0, cast(AnyFloat, type_)))
