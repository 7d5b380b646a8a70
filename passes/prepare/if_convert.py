"""Branches around plain computation become selections."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, func, math, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.ir.branches import incoming
from polyopt.ir.cfg import reverse_postorder
from polyopt.ir.effects import is_pure, is_speculatable
from polyopt.passes.prepare.block_editing import merge_with_successor
from polyopt.support.record import record

_ARM_LIMIT = 16
_EXPENSIVE = (
    *(math.ExpOp, math.Exp2Op, math.LogOp, math.Log2Op, math.Log10Op, math.PowFOp),
    *(math.SinOp, math.CosOp, math.TanOp, math.TanhOp, math.AtanOp, math.Atan2Op),
)


@dataclass(frozen=True)
class IfConvertPass(ModulePass):
    """Small diamonds and triangles without effects become `arith.select`.

    An operation moves out of its branch if it may run anywhere. A load does if the same element
    has just been loaded, or is stored by both arms. A store does if both arms store to the same
    place, or, under a condition on data, if it is to a local variable, whose old value is then
    stored again.

    Requires: equal values are shared (clean-values), so that equal places are seen to be equal.
    Ensures: no operation runs that could trap or be observed and did not run before.

        %c = arith.cmpf olt, %a, %b               %c = arith.cmpf olt, %a, %b
        cf.cond_br %c, ^join(%a), ^else           %m = arith.select %c, %a, %b
      ^else:                                ->
        cf.br ^join(%b)
      ^join(%m: f64):
    """

    name = "if-convert"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                entry = function.body.blocks.first
                assert entry is not None
                for block in reversed(reverse_postorder(entry)):
                    if block.parent is function.body:
                        _convert_at(block)


def _convert_at(block: Block) -> None:
    """Inner branches have been converted; what a conversion joins may end in a branch again."""
    while True:
        while merge_with_successor(block):
            pass
        hammock = _hammock(block)
        if hammock is None or not _can_convert(hammock):
            return
        _convert(hammock)


@record
class _Hammock:
    """`branch` goes to `then` and `orelse`, which go on to `join`; an arm that is empty because
    the branch goes to the join itself is None."""

    branch: cf.ConditionalBranchOp
    then: Block | None
    orelse: Block | None
    join: Block

    def passed(self) -> tuple[tuple[SSAValue, ...], tuple[SSAValue, ...]]:
        """The values for the join's arguments by either way."""
        then = self.branch.then_arguments if self.then is None else _passed(self.then)
        orelse = self.branch.else_arguments if self.orelse is None else _passed(self.orelse)
        return tuple(then), tuple(orelse)

    def arm_ops(self, arm: Block | None) -> list[Operation]:
        return [] if arm is None else [op for op in arm.ops if op is not arm.last_op]


def _hammock(block: Block) -> _Hammock | None:
    branch = block.last_op
    if not isinstance(branch, cf.ConditionalBranchOp) or branch.then_block is branch.else_block:
        return None
    then, orelse = _arm(branch.then_block), _arm(branch.else_block)
    then_join = branch.then_block if then is None else _target(then)
    else_join = branch.else_block if orelse is None else _target(orelse)
    if then is not None and branch.else_block is then_join:
        orelse, else_join = None, branch.else_block
    elif orelse is not None and branch.then_block is else_join:
        then, then_join = None, branch.then_block
    if then_join is not else_join or then_join is block:
        return None
    return _Hammock(branch, then, orelse, then_join)


def _arm(block: Block) -> Block | None:
    """A block that only the branch enters and that goes on to one place."""
    is_arm = isinstance(block.last_op, cf.BranchOp) and len(incoming(block)) == 1 and not block.args
    return block if is_arm else None


def _target(arm: Block) -> Block:
    assert isinstance(arm.last_op, cf.BranchOp)
    return arm.last_op.successor


def _passed(arm: Block) -> tuple[SSAValue, ...]:
    assert isinstance(arm.last_op, cf.BranchOp)
    return tuple(arm.last_op.arguments)


_Place = tuple[SSAValue, ...]
"""An element of memory, by the values that name it: the memref and the indices."""


def _place(op: memref.LoadOp | memref.StoreOp) -> _Place:
    return (op.memref, *op.indices)


def _can_convert(hammock: _Hammock) -> bool:
    then, orelse = hammock.arm_ops(hammock.then), hammock.arm_ops(hammock.orelse)
    if len(then) + len(orelse) > _ARM_LIMIT:
        return False
    then_stores, else_stores = _stores_at_end(then), _stores_at_end(orelse)
    if then_stores is None or else_stores is None:
        return False
    places = then_stores.keys() | else_stores.keys()
    if places and not _depends_on_data(hammock.branch.cond):
        return False
    elements = [place for place in places if not _is_variable(place)]
    if len(elements) > 1 or any(p not in then_stores or p not in else_stores for p in elements):
        return False
    known = {*_just_loaded(hammock.branch), *places}
    return all(_may_move(op, known) for op in (*then, *orelse))


def _may_move(op: Operation, known: set[_Place]) -> bool:
    if isinstance(op, memref.StoreOp):
        return True
    if isinstance(op, memref.LoadOp):
        return _place(op) in known or _is_variable(_place(op))
    return is_speculatable(op) and not isinstance(op, _EXPENSIVE)


def _stores_at_end(ops: list[Operation]) -> dict[_Place, memref.StoreOp] | None:
    """Where an arm stores what; None if it stores before it loads, or twice to one place."""
    stores: dict[_Place, memref.StoreOp] = {}
    for op in ops:
        if isinstance(op, memref.StoreOp):
            if _place(op) in stores:
                return None
            stores[_place(op)] = op
        elif isinstance(op, memref.LoadOp) and stores:
            return None
    return stores


def _just_loaded(branch: Operation) -> dict[_Place, SSAValue]:
    """The elements loaded in the branch's block and not stored since."""
    loaded: dict[_Place, SSAValue] = {}
    op = branch.prev_op
    while op is not None:
        if isinstance(op, memref.LoadOp):
            loaded.setdefault(_place(op), op.res)
        elif not is_pure(op):
            break
        op = op.prev_op
    return loaded


def _is_variable(place: _Place) -> bool:
    """A scalar of this function that nobody else can see: it may be loaded and stored where C
    does not."""
    slot = place[0]
    if not isinstance(slot.owner, memref.AllocaOp) or memref_type(slot).get_num_dims():
        return False
    return all(
        isinstance(use.operation, memref.LoadOp)
        or (isinstance(use.operation, memref.StoreOp) and use.operation.memref is slot)
        for use in slot.uses
    )


def _depends_on_data(condition: SSAValue) -> bool:
    """Something that was loaded, or a floating-point number, decides: an affine condition is
    better kept as a branch, which splits domains exactly."""
    seen: set[SSAValue] = set()
    pending = [condition]
    while pending:
        value = pending.pop()
        op = value.owner
        if value in seen or isinstance(op, Block):
            continue
        seen.add(value)
        if isinstance(op, memref.LoadOp | arith.CmpfOp) or not is_pure(op):
            return True
        pending.extend(op.operands)
    return False


def _convert(hammock: _Hammock) -> None:
    branch = hammock.branch
    block = branch.parent
    assert block is not None
    loaded = _just_loaded(branch)
    stores: list[dict[_Place, SSAValue]] = []
    for arm in (hammock.then, hammock.orelse):
        stores.append({})
        for op in hammock.arm_ops(arm):
            if isinstance(op, memref.StoreOp):
                stores[-1][_place(op)] = op.value
                continue
            op.detach()
            known = loaded.get(_place(op)) if isinstance(op, memref.LoadOp) else None
            if known is None:
                block.insert_op_before(op, branch)
            else:
                op.results[0].replace_all_uses_with(known)
                op.erase()
    then_passed, else_passed = hammock.passed()
    code = _Selections(branch, block)
    for place in stores[0] | stores[1]:
        code.store(place, stores[0].get(place), stores[1].get(place), loaded.get(place))
    passed = [
        code.select(then, orelse, argument.name_hint)
        for then, orelse, argument in zip(then_passed, else_passed, hammock.join.args, strict=True)
    ]
    code.insert(cf.BranchOp(hammock.join, *passed))
    block.erase_op(branch)
    for arm in (hammock.then, hammock.orelse):
        if arm is not None and arm.parent is not None:
            arm.parent.detach_block(arm)
            arm.erase()


@record
class _Selections:
    """Emits in front of `branch`, with its condition."""

    branch: cf.ConditionalBranchOp
    block: Block

    def insert(self, op: Operation) -> Operation:
        op.location = self.branch.location
        self.block.insert_op_before(op, self.branch)
        return op

    def select(self, then: SSAValue, orelse: SSAValue, name: str | None) -> SSAValue:
        if then is orelse:
            return then
        chosen = self.insert(arith.SelectOp(self.branch.cond, then, orelse)).results[0]
        chosen.name_hint = name
        return chosen

    def store(
        self, place: _Place, then: SSAValue | None, orelse: SSAValue | None, old: SSAValue | None
    ) -> None:
        """An arm that does not store leaves the old value."""
        target, *indices = place
        if old is None and (then is None or orelse is None):
            old = self.insert(memref.LoadOp.get(target, indices)).results[0]
        then, orelse = then or old, orelse or old
        assert then is not None
        assert orelse is not None
        value = self.select(then, orelse, target.name_hint)
        self.insert(memref.StoreOp.get(value, target, indices))
