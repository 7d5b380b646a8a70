"""Records: a branch taken where an element beats the best one so far, which it then becomes.

    if (a[i] > m) { m = a[i]; at = i; }            if (a[i] > a[at]) at = i;

One side of the comparison becomes equal to the other if what the arm replaces is put in: m by
a[i], or `at` by i. Of n numbers in no order about ln(n) are records, so that the branch is seldom
taken in a long loop; and whoever turns it into a selection lets each iteration wait for the one
before. Of loops that rise all along the branch is always taken, and predicted as well.

Variables may be values (passed to the join of the branch) or in memory (stored by the arm).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from xdsl.dialects import arith, cf, memref
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.branches import incoming, outgoing
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer, is_pure
from polyopt.ir.orders import predicate_of
from polyopt.support.record import record

_STRICT = frozenset({"slt", "sgt", "ult", "ugt", "olt", "ogt"})
_WITH_EQUAL = frozenset({"sle", "sge", "ule", "uge", "ole", "oge"})
_DEPTH_LIMIT = 24
SHORT_TRIP = 64


@record
class Variable:
    """The memory of one scalar: that of an alloca, or of a symbol; it is never another's."""

    memory: SSAValue | str


def variable_of(place: SSAValue) -> Variable | None:
    """The variable that a memref stands for; None where that may change, or is part of more."""
    if cmem.memref_type(place).get_num_dims():
        return None
    owner = place.owner
    if isinstance(owner, cmem.ViewOp):
        source = owner.source.owner
        is_symbol = isinstance(source, cmem.AddressOfOp)
        return Variable(source.symbol.string_value()) if is_symbol else None
    return Variable(place) if isinstance(owner, memref.AllocaOp) else None


def loaded_variable(value: SSAValue) -> Variable | None:
    """The variable whose value it is; None for all but loads of one."""
    return variable_of(value.owner.memref) if isinstance(value.owner, memref.LoadOp) else None


Changes = dict[SSAValue | Variable, SSAValue]


@record
class Record:
    """`arm` runs where `branch` finds a record, then goes on to `join`; `changed` are the values
    and variables that it replaces, with what replaces them. Where it finds none `kept` is passed
    to the join, by the branch itself or by an `empty` block, as `continue` leaves one."""

    branch: cf.ConditionalBranchOp
    arm: Block
    join: Block
    changed: tuple[tuple[SSAValue | Variable, SSAValue], ...]
    kept: tuple[SSAValue, ...]
    empty: Block | None

    @property
    def keeps_best(self) -> bool:
        """The best value itself is a variable; else it is loaded from where it was found."""
        comparison = self.branch.cond.owner
        assert isinstance(comparison, Operation)
        changed = dict(self.changed)
        return any(_computed_from(side, changed) for side in comparison.operands)

    @property
    def is_extremum_only(self) -> bool:
        """Nothing but the best value is kept: a minimum or maximum."""
        return len(self.changed) == 1 and self.keeps_best


def _computed_from(value: SSAValue, changed: Changes, depth: int = 0) -> bool:
    """Whether one of the variables is in it other than as a subscript."""
    if value in changed or loaded_variable(value) in changed:
        return True
    op = value.owner
    if isinstance(op, Block) or not is_pure(op) or depth > _DEPTH_LIMIT:
        return False
    return any(_computed_from(operand, changed, depth + 1) for operand in op.operands)


def find_record(branch: cf.ConditionalBranchOp) -> Record | None:
    """What the branch is where it is taken for records only: what is no better than the best is
    none."""
    for position, arm in enumerate((branch.then_block, branch.else_block)):
        join = (branch.else_block, branch.then_block)[position]
        kept = tuple((branch.else_arguments, branch.then_arguments)[position])
        empty = join if _is_empty(join) and not _is_arm(arm, join) else None
        if empty is not None:
            (edge,) = outgoing(empty)
            join, kept = edge.target, tuple(edge.values)
        if not _is_arm(arm, join):
            continue
        found = find_record_to(branch, arm, join, kept, empty)
        if found is not None:
            return found
    return None


def find_record_to(
    branch: cf.ConditionalBranchOp,
    arm: Block,
    join: Block,
    kept: tuple[SSAValue, ...],
    empty: Block | None = None,
) -> Record | None:
    """The same where the way on which none is found comes to the join with these values."""
    if not compares_for_record(branch, arm):
        return None
    comparison = branch.cond.owner
    assert isinstance(comparison, Operation)
    changed = tuple(changes_of(arm, kept))
    for best, challenger in (comparison.operands, tuple(reversed(comparison.operands))):
        if changed and _becomes(best, challenger, dict(changed)):
            return Record(branch, arm, join, changed, kept, empty)
    return None


def compares_for_record(branch: cf.ConditionalBranchOp, arm: Block) -> bool:
    """Does the arm run for what is better only, not for what is as good?"""
    predicate = predicate_of(branch.cond.owner)
    return predicate in (_STRICT if arm is branch.then_block else _WITH_EQUAL)


def is_rare(found: Record, flow: ControlFlow, arms: Collection[Block] = ()) -> bool:
    """Whether the loop around it is long enough, as far as one can see, and goes on with the best
    of the iterations before. `arms`: of other records, which may replace it, too."""
    loop = flow.loops.innermost(found.join)
    if loop is None or _is_short(loop):
        return False
    variables = {old for old, _ in found.changed if isinstance(old, Variable)}
    if any(isinstance(o, SSAValue) and not isinstance(o, BlockArgument) for o, _ in found.changed):
        return False
    return not any(
        isinstance(op, memref.StoreOp) and variable_of(op.memref) in variables
        for block in loop.blocks
        if block is not found.arm and block not in arms
        for op in block.ops
    )


def _is_short(loop: NaturalLoop) -> bool:
    """It counts to a small number."""
    last = loop.header.last_op
    comparison = last.cond.owner if isinstance(last, cf.ConditionalBranchOp) else None
    if not isinstance(comparison, arith.CmpiOp):
        return False
    bounds = [constant_integer(side) for side in comparison.operands]
    return any(bound is not None and abs(bound) <= SHORT_TRIP for bound in bounds)


def _is_empty(block: Block) -> bool:
    """Only one edge enters it, and it goes on at once, with nothing done."""
    last = block.last_op
    return (
        isinstance(last, cf.BranchOp)
        and last is block.first_op
        and not block.args
        and len(incoming(block)) == 1
    )


def _is_arm(arm: Block, join: Block) -> bool:
    """Only the branch enters it, and it goes on to the join at once."""
    return leads_to(arm) is join


def leads_to(arm: Block) -> Block | None:
    """Where a block goes on at once that only one edge enters; None where it is no such block."""
    last = arm.last_op
    if not isinstance(last, cf.BranchOp) or last.successor is arm:
        return None
    return last.successor if not arm.args and len(incoming(arm)) == 1 else None


def changes_of(
    arm: Block, kept: tuple[SSAValue, ...]
) -> Iterator[tuple[SSAValue | Variable, SSAValue]]:
    """What an arm (`_is_arm`) replaces, with what: of the values that the branch passes to the join
    where the arm does not run (`kept`), and of variables in memory."""
    for old, new in zip(kept, next(outgoing(arm)).values, strict=True):
        if old is not new:
            yield old, new
    for op in arm.ops:
        variable = variable_of(op.memref) if isinstance(op, memref.StoreOp) else None
        if variable is not None:
            assert isinstance(op, memref.StoreOp)
            yield variable, op.value


def _becomes(old: SSAValue, new: SSAValue, changed: Changes, depth: int = 0) -> bool:
    """Whether `old`, computed again after the arm, is `new`; something in it must change."""
    replaced = changed.get(old)
    variable = loaded_variable(old)
    if replaced is None and variable is not None:
        replaced = changed.get(variable)
    if replaced is not None:
        return _are_equal(replaced, new)
    if depth > _DEPTH_LIMIT or not _are_alike(old.owner, new.owner):
        return False
    found = False
    for before, after in _operand_pairs(old, new):
        if _becomes(before, after, changed, depth + 1):
            found = True
        elif not _are_equal(before, after, depth + 1):
            return False
    return found


def _are_equal(left: SSAValue, right: SSAValue, depth: int = 0) -> bool:
    """The same computation, as far as one can see without asking what is stored in between."""
    if left is right:
        return True
    if depth > _DEPTH_LIMIT or not _are_alike(left.owner, right.owner):
        return False
    return all(_are_equal(a, b, depth + 1) for a, b in _operand_pairs(left, right))


def _operand_pairs(left: SSAValue, right: SSAValue) -> list[tuple[SSAValue, SSAValue]]:
    one, other = left.owner, right.owner
    assert isinstance(one, Operation)
    assert isinstance(other, Operation)
    return list(zip(one.operands, other.operands, strict=True))


def _are_alike(left: Operation | Block, right: Operation | Block) -> bool:
    if isinstance(left, Block) or isinstance(right, Block):
        return False
    if not isinstance(left, memref.LoadOp) and not is_pure(left):
        return False
    return (
        left.name == right.name
        and left.properties == right.properties
        and len(left.operands) == len(right.operands)
        and not isinstance(left, memref.AllocaOp)
    )
