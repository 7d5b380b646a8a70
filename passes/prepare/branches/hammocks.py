"""Branches whose arms are single blocks that come together again at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field

from xdsl.dialects import arith, cf, func, memref
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.ir.branches import counts, incoming
from polyopt.ir.control.cfg import comes_back
from polyopt.ir.control.equal_values import is_value, key_of, replace_by
from polyopt.ir.effects import is_access, is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.core_model import CORE
from polyopt.support.record import entity, record

_MOST_BLOCKS = 100
"""Of a loop whose variables are asked about."""

_OF_SUMS = (
    arith.ConstantOp,
    arith.AddiOp,
    arith.SubiOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.IndexCastOp,
    arith.CmpiOp,
)
"""What comparisons of sums of counters and sizes consist of."""


@record
class Hammock:
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

    def erase_arms(self) -> None:
        """The branch goes to the join itself now."""
        for arm in (self.then, self.orelse):
            if arm is not None and arm.parent is not None:
                arm.parent.detach_block(arm)
                arm.erase()


def find_hammock(block: Block) -> Hammock | None:
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
    return Hammock(branch, then, orelse, then_join)


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


def depends_on_data(condition: SSAValue) -> bool:
    """Something that was loaded, a floating-point number or a function decides, in this iteration
    or, in an inner loop, by what a variable has come to be in those before: an affine condition is
    better kept as a branch, which splits domains exactly. A size that is loaded in front of all
    loops is as good as an argument, where nothing but sums of it is compared in one."""
    seen: set[SSAValue] = set()
    sizes: set[SSAValue] = set()
    is_sum = True
    pending = [condition]
    while pending:
        value = pending.pop()
        op = value.owner
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, BlockArgument):
            pending += _come_to_be(value)
            continue
        assert isinstance(op, Operation)
        if isinstance(op, memref.LoadOp) and _is_size(op, condition):
            sizes.add(value)
            continue
        if isinstance(op, memref.LoadOp | arith.CmpfOp | func.CallOp) or not is_pure(op):
            return True
        is_sum = is_sum and isinstance(op, _OF_SUMS)
        pending.extend(op.operands)
    return bool(sizes) and not is_sum


def _is_size(load: memref.LoadOp, condition: SSAValue) -> bool:
    """Is it an integer, loaded in front of all loops, and the condition one of a loop?"""
    asked = condition.owner if isinstance(condition.owner, Block) else condition.owner.parent
    return (
        isinstance(load.res.type, IntegerType)
        and load.parent is not None
        and asked is not None
        and load.parent is not asked
        and not comes_back(load.parent, most=_MOST_BLOCKS)
        and comes_back(asked, most=_MOST_BLOCKS)
    )


def _come_to_be(argument: BlockArgument) -> list[SSAValue]:
    """What a variable is set to on the ways to its block; nothing of one that counts, nor of one
    that an outermost loop carries: no loop around has iterations that could be lanes then, and in a
    chain through all of them branches need not wait (a threshold with hysteresis: 20 us, 60)."""
    edges = incoming(argument.owner)
    found = [edge.values[argument.index] for edge in edges]
    if any(counts(value, argument) for value in found):
        return []
    return found if all(comes_back(edge.source, most=_MOST_BLOCKS) for edge in edges) else []


def is_movable(ops: list[Operation]) -> bool:
    """Few operations that only compute, load and store: they may stand in a conditional."""
    size = sum(1 for op in ops for _ in op.walk())
    return size <= CORE.code.arm and all(is_pure(op) or is_access(op) for op in ops)


ElementName = tuple[SSAValue, ...]
"""An element of memory, by the values that name it: the memref and the indices."""


def place_of(op: memref.LoadOp | memref.StoreOp) -> ElementName:
    return (op.memref, *op.indices)


def just_loaded(branch: Operation) -> dict[ElementName, SSAValue]:
    """The elements loaded in the branch's block and not stored since."""
    loaded: dict[ElementName, SSAValue] = {}
    for op in _loads_since_store(branch):
        loaded.setdefault(place_of(op), op.res)
    return loaded


def loaded_last(branch: Operation) -> set[SSAValue]:
    """All that was loaded in the branch's block since anything was stored."""
    return {op.res for op in _loads_since_store(branch)}


def _loads_since_store(branch: Operation) -> Iterator[memref.LoadOp]:
    """The last one first."""
    op = branch.prev_op
    while op is not None:
        if isinstance(op, memref.LoadOp):
            yield op
        elif not is_pure(op):
            return
        op = op.prev_op


def take_over_loaded(hammock: Hammock) -> None:
    """What the arms load and compute, and what has just been in front of the branch, they take from
    there: elements whose place is loaded itself are seen to be equal after that."""
    for arm in (hammock.then, hammock.orelse):
        take_over_in(hammock.arm_ops(arm), hammock.branch)


def take_over_in(ops: Sequence[Operation], branch: Operation) -> None:
    """What stands in front of `branch` need not be loaded and computed again in `ops`, which follow
    it and nothing else."""
    block = branch.parent
    assert block is not None
    loaded = just_loaded(branch)
    if not loaded or not ops:
        return
    known: dict[Hashable, Sequence[SSAValue]] | None = None
    for op in ops:
        if isinstance(op, memref.LoadOp):
            value = loaded.get(place_of(op))
            results = None if value is None else (value,)
        elif is_value(op):
            if known is None:
                known = {key_of(one): one.results for one in reversed(block.ops) if is_value(one)}
            results = known.get(key_of(op))
        else:
            break
        if results is not None:
            replace_by(op, results)


def compute_common_first(hammock: Hammock) -> None:
    """What both arms compute, or load before they store what may be that, is computed and loaded in
    front of the branch: it is not under a condition then, and places of equal subscripts are seen
    to be equal after that."""
    if hammock.then is None or hammock.orelse is None:
        return
    block = hammock.branch.parent
    assert block is not None
    changed = _Changed()
    for op in hammock.arm_ops(hammock.then):
        if changed.by(op) or (isinstance(op, memref.LoadOp) and changed.may_be(op)):
            continue
        if any(_stands_in(operand, hammock.then) for operand in op.operands):
            continue
        other = _equal_in(hammock.arm_ops(hammock.orelse), op)
        if other is not None:
            op.detach()
            block.insert_op_before(op, hammock.branch)
            replace_by(other, op.results)


def _equal_in(ops: list[Operation], op: Operation) -> Operation | None:
    """Of loads, one in front of all that may have changed what they load."""
    if isinstance(op, memref.LoadOp):
        changed = _Changed()
        for one in ops:
            if not changed.by(one) and isinstance(one, memref.LoadOp):
                if place_of(one) == place_of(op):
                    return None if changed.may_be(op) else one
        return None
    key = key_of(op)
    return next((one for one in ops if is_value(one) and key_of(one) == key), None)


@entity
class _Changed:
    """What the operations so far may have changed."""

    stored: list[SSAValue] = field(default_factory=list[SSAValue])
    is_any: bool = False

    def by(self, op: Operation) -> bool:
        """Takes note of it, and says whether it may change anything."""
        if is_value(op) or isinstance(op, memref.LoadOp):
            return False
        if isinstance(op, memref.StoreOp):
            self.stored.append(op.memref)
        else:
            self.is_any = True
        return True

    def may_be(self, load: memref.LoadOp) -> bool:
        return self.is_any or any(may_overlap(one, load.memref) for one in self.stored)


def _stands_in(value: SSAValue, block: Block) -> bool:
    return isinstance(value.owner, Operation) and value.owner.parent is block


def needed_in(value: SSAValue, arm: Block) -> list[Operation]:
    """The operations of the arm that the value is computed by, in their order."""
    found: set[Operation] = set()
    pending = [value.owner]
    while pending:
        op = pending.pop()
        if isinstance(op, Operation) and op.parent is arm and op not in found:
            found.add(op)
            pending += [operand.owner for one in op.walk() for operand in one.operands]
    return [op for op in arm.ops if op in found]
