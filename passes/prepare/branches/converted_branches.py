"""A branch with its arms as operations in front of it, and selections of what they leave.

    cond_br %c, ^then, ^else                       store select(%c, %a, %b), %x
      ^then: store %a, %x     ^else: store %b, %x     ->      br ^join(select(%c, %d, %e))
      br ^join(%d)            br ^join(%e)

That they may run there, `if_convert.py` has asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.control.equal_values import drop_unused_values
from polyopt.passes.prepare.branches import conditional_updates as updates
from polyopt.passes.prepare.branches.block_editing import keep_written_anew
from polyopt.passes.prepare.branches.conditional_extremes import best_always
from polyopt.passes.prepare.branches.hammocks import (
    ElementName,
    Hammock,
    just_loaded,
    loaded_last,
    place_of,
)
from polyopt.passes.prepare.branches.late_conversions import cut_at_last
from polyopt.support.record import record


def convert(hammock: Hammock, stored: Mapping[ElementName, SSAValue]) -> None:
    """`stored`: what elements hold that have just been stored to."""
    branch = hammock.branch
    block = branch.parent
    assert block is not None
    loaded = {**stored, **just_loaded(branch)}
    stores: list[dict[ElementName, SSAValue]] = []
    moved: list[Operation] = []
    for arm in (hammock.then, hammock.orelse):
        stores.append({})
        for op in hammock.arm_ops(arm):
            if isinstance(op, memref.StoreOp):
                stores[-1][place_of(op)] = op.value
                continue
            op.detach()
            known = loaded.get(place_of(op)) if isinstance(op, memref.LoadOp) else None
            if known is None:
                block.insert_op_before(op, branch)
                moved.append(op)
            else:
                op.results[0].replace_all_uses_with(known)
                op.erase()
    then_passed, else_passed = hammock.passed()
    code = _Selections(branch, block, loaded_last(branch))
    loaded = {**stored, **just_loaded(branch)}
    for place in stores[0] | stores[1]:
        code.store(place, stores[0].get(place), stores[1].get(place), loaded.get(place))
    passed = [
        code.select(then, orelse, argument.name_hint)
        for then, orelse, argument in zip(then_passed, else_passed, hammock.join.args, strict=True)
    ]
    code.end()
    code.insert(cf.BranchOp(hammock.join, *passed))
    block.erase_op(branch)
    hammock.erase_arms()
    drop_unused_values(reversed(moved))


@record
class _Selections:
    """Emits in front of `branch`, with its condition. `current` is what was loaded there, by the
    arms too, since anything was stored; `sums`: in C's order, always added to; `waiting`: what
    waits for two choices, one behind the other."""

    branch: cf.ConditionalBranchOp
    block: Block
    current: Collection[SSAValue]
    sums: list[SSAValue] = field(default_factory=list[SSAValue])
    waiting: list[SSAValue] = field(default_factory=list[SSAValue])

    def insert(self, op: Operation) -> Operation:
        op.location = self.branch.location
        self.block.insert_op_before(op, self.branch)
        return op

    def select(self, then: SSAValue, orelse: SSAValue, name: str | None) -> SSAValue:
        if then is orelse:
            return then
        terms = self.branch.cond, then, orelse, self.insert
        best = best_always(*terms)
        if best is not None:
            keep_written_anew(self.block)
        chosen = best or updates.counted_always(*terms) or cut_at_last(*terms)
        if chosen is None:
            chosen = self.insert(arith.SelectOp(self.branch.cond, then, orelse)).results[0]
        chosen.name_hint = name
        return chosen

    def store(
        self,
        place: ElementName,
        then: SSAValue | None,
        orelse: SSAValue | None,
        old: SSAValue | None,
    ) -> None:
        """An arm that does not store leaves the old value; what is added to it under a condition is
        chosen, and always added."""
        target, *indices = place
        insert, condition = self.insert, self.branch.cond
        value = updates.updated_always(then, orelse, place, insert, condition, self.current)
        if value is not None:
            if isinstance(value.owner, Operation) and updates.is_sum_in_order(value.owner, place):
                self.sums.append(value)
            value.name_hint = target.name_hint
            self.insert(memref.StoreOp.get(value, target, indices))
            return
        if old is None and (then is None or orelse is None):
            old = self.insert(memref.LoadOp.get(target, indices)).results[0]
        then, orelse = then or old, orelse or old
        assert then is not None
        assert orelse is not None
        value = self.select(then, orelse, target.name_hint)
        if old is not None and _waits_twice(value, old):
            self.waiting.append(value)
        self.insert(memref.StoreOp.get(value, target, indices))

    def end(self) -> None:
        """A sum in order is better always added to, but not beside what then waits for two choices,
        where C's branch is foreseen: the least and the greatest of numbers that may be NaN."""
        if self.sums and not self.waiting:
            keep_written_anew(self.block)


def _waits_twice(value: SSAValue, old: SSAValue) -> bool:
    """Is it `c ? (x < old ? x : old) : old`, of floating-point numbers?"""
    op = value.owner
    if not isinstance(op, arith.SelectOp) or not isinstance(old.type, AnyFloat):
        return False
    arms = [one.owner for one in (op.lhs, op.rhs) if one is not old]
    return len(arms) == 1 and isinstance(arms[0], arith.SelectOp) and old in arms[0].operands
