"""Bisections: conditions that say which half of an interval goes on to be halved.

    while (hi - lo > 1) { mid = lo + (hi - lo) / 2; if (a[mid] <= x) lo = mid; else hi = mid; }

Both ways are as likely: a search that learned less from each step would take more of them. So the
condition cannot be predicted, and is better a selection, though each step waits for the one before.

A halving that depends on itself, around the loop; the condition is computed from it, and from what
an earlier run of the condition has chosen: of a selection, of arguments of the block in which two
arms come together, or of variables in memory that an arm stores to; and a choice is computed from
the halving.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.branches import incoming, outgoing
from polyopt.ir.effects import constant_integer, is_pure

_MOST_VALUES = 100
"""So many values are looked at."""
_DIVISIONS = (arith.DivSIOp, arith.DivUIOp, arith.FloorDivSIOp)
_SHIFTS = (arith.ShRSIOp, arith.ShRUIOp)


class Bisections:
    """Which conditions of a function are some, asked while nothing in it changes: what is stored to
    a variable is looked for once."""

    def __init__(self) -> None:
        self._stored: dict[SSAValue, list[SSAValue]] = {}

    def has(self, condition: SSAValue) -> bool:
        """Does it choose the interval that its own next run halves?"""
        if not isinstance(condition.owner, (arith.CmpiOp, arith.CmpfOp)):
            return False
        halvings = {value for value in self._behind([condition], is_here=True) if _halved(value)}
        halvings = {value for value in halvings if value in self._behind(_operands(value))}
        if not halvings:
            return False
        before = self._behind([condition])
        return any(
            chosen in before and not halvings.isdisjoint(self._behind(alternatives, is_here=True))
            for chosen, alternatives in _chosen_by(condition)
        )

    def _behind(self, values: Sequence[SSAValue], *, is_here: bool = False) -> set[SSAValue]:
        """What they are computed from, themselves included, around loops and through variables;
        where `is_here`, as far as the way is the same in each run."""
        found: set[SSAValue] = set()
        passed: set[SSAValue] = set()
        pending = list(values)
        while pending and len(found) < _MOST_VALUES:
            value = pending.pop()
            if value not in found:
                found.add(value)
                variable = _variable_read(value)
                if variable is None:
                    pending += _sources(value, is_here)
                elif variable not in passed:
                    passed.add(variable)
                    stored = self._stored_to(variable)
                    pending += stored if not is_here or len(stored) == 1 else ()
        return found

    def _stored_to(self, variable: SSAValue) -> list[SSAValue]:
        found = self._stored.get(variable)
        if found is None:
            users = [use.operation for use in variable.uses]
            found = self._stored[variable] = [
                op.value for op in users if isinstance(op, memref.StoreOp) and op.memref is variable
            ]
        return found


def _operands(value: SSAValue) -> Sequence[SSAValue]:
    return value.owner.operands if isinstance(value.owner, Operation) else ()


def _halved(value: SSAValue) -> bool:
    op = value.owner
    if isinstance(op, _DIVISIONS):
        return constant_integer(op.rhs) == 2
    if isinstance(op, (arith.MulfOp, arith.DivfOp)):
        wanted = 0.5 if isinstance(op, arith.MulfOp) else 2.0
        return any(_is_number(one, wanted) for one in op.operands)
    return isinstance(op, _SHIFTS) and constant_integer(op.rhs) == 1


def _is_number(value: SSAValue, wanted: float) -> bool:
    op = value.owner
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, FloatAttr):
        return False
    return op.value.value.data == wanted


def _variable_read(value: SSAValue) -> SSAValue | None:
    op = value.owner
    return op.memref if isinstance(op, memref.LoadOp) and _is_variable(op.memref) else None


def _sources(value: SSAValue, is_here: bool) -> Sequence[SSAValue]:
    op = value.owner
    if isinstance(op, Block):
        assert isinstance(value, BlockArgument)
        return () if is_here else _passed_to(value)
    return op.operands if isinstance(op, memref.LoadOp) or is_pure(op) else ()


def _passed_to(argument: BlockArgument) -> list[SSAValue]:
    edges = incoming(argument.owner)
    return [edge.values[argument.index] for edge in edges if argument.index < len(edge.values)]


def _is_variable(place: SSAValue) -> bool:
    return isinstance(place.owner, memref.AllocaOp) and not memref_type(place).get_num_dims()


def _chosen_by(condition: SSAValue) -> Iterator[tuple[SSAValue, Sequence[SSAValue]]]:
    """What is one value or another by the condition, and these; what an arm stores."""
    for use in condition.uses:
        op = use.operation
        if isinstance(op, arith.SelectOp):
            yield op.result, (op.lhs, op.rhs)
        elif isinstance(op, cf.ConditionalBranchOp):
            yield from _chosen_in_arms(op)


def _chosen_in_arms(
    branch: cf.ConditionalBranchOp,
) -> Iterator[tuple[SSAValue, Sequence[SSAValue]]]:
    then, orelse = branch.then_block, branch.else_block
    ends = _after(then), _after(orelse)
    if ends[0] is not None and ends[0] is ends[1]:
        join, arms = ends[0], (then, orelse)
    elif ends[0] is orelse:
        join, arms = orelse, (then,)
    elif ends[1] is then:
        join, arms = then, (orelse,)
    else:
        return
    for argument in join.args:
        yield argument, _passed_to(argument)
    for arm in arms:
        for op in arm.ops:
            if isinstance(op, memref.StoreOp) and _is_variable(op.memref):
                yield op.value, (op.value,)


def _after(arm: Block) -> Block | None:
    """Where an arm goes on to, that only one branch enters."""
    if len(incoming(arm)) != 1 or not isinstance(arm.last_op, cf.BranchOp):
        return None
    (edge,) = outgoing(arm)
    return edge.target
