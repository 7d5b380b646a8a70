"""States that hold until something happens: triggers with hysteresis, switches, phases of a signal.

    if (on) { if (x[i] < low) on = 0; } else if (x[i] > high) on = 1;

Whoever writes two limits for one signal expects the state to last: the branch that asks for it goes
the same way for a while, and is predicted. As a selection, of two limits or of what both ways come
to, each iteration waits for the one before.

The state is a variable that the loop gives constants only, each in an arm of a branch that asks for
the state, and there under a further condition. Not whether a text is inside of a word, which some
characters end whatever the state is; not a bit that changes each time.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, cf, memref
from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import constant_integer
from polyopt.ir.idioms.records import Variable, loaded_variable
from polyopt.support.record import entity, record

_MOST_VALUES = 100
_MOST_CHANGES = 8
"""What changes more often is a machine of many states, whose branches nobody foresees."""
_CONVERSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)


@record
class _Given:
    """A constant that the state becomes in a block; `may_stay`: or stays what it was."""

    block: Block
    constant: int
    may_stay: bool


@entity
class _State:
    """`names`: the values and variables that it goes through."""

    names: set[SSAValue | Variable]
    given: list[_Given]


def asks_for_state(branch: cf.ConditionalBranchOp, flow: ControlFlow) -> bool:
    """Does the branch, in a loop, compare such a state with a constant?"""
    block = branch.parent
    assert block is not None
    loop = flow.loops.innermost(block)
    asked = _asked(branch)
    state = None if loop is None or asked is None else _state(asked, loop)
    if loop is None or state is None or len({one.constant for one in state.given}) < 2:
        return False
    arms = list(_arms(state, loop))
    return all(any(_may_happen(one, arm, flow) for arm in arms) for one in state.given)


def _asked(branch: cf.ConditionalBranchOp) -> SSAValue | Variable | None:
    """What the branch compares with a constant, where that may be a state."""
    comparison = branch.cond.owner
    if not isinstance(comparison, arith.CmpiOp) or constant_integer(comparison.rhs) is None:
        return None
    return _name(comparison.lhs)


def _name(value: SSAValue) -> SSAValue | Variable | None:
    while isinstance(value.owner, _CONVERSIONS):
        value = value.owner.operands[0]
    if isinstance(value, BlockArgument) or isinstance(value.owner, arith.SelectOp):
        return value
    variable = loaded_variable(value)
    is_local = variable is not None and isinstance(variable.memory, SSAValue)
    return variable if is_local else None


def _state(asked: SSAValue | Variable, loop: NaturalLoop) -> _State | None:
    """None where the loop gives it anything but constants, or many."""
    state = _State(set(), [])
    pending = [asked]
    while pending and len(state.names) < _MOST_VALUES:
        name = pending.pop()
        if name in state.names:
            continue
        state.names.add(name)
        for block, value, may_stay in _sources(name, loop):
            constant = constant_integer(value)
            if constant is not None:
                state.given.append(_Given(block, constant, may_stay))
                if len(state.given) > _MOST_CHANGES:
                    return None
            elif (other := _name(value)) is not None:
                pending.append(other)
            else:
                return None
    return None if pending else state


def _sources(
    name: SSAValue | Variable, loop: NaturalLoop
) -> Iterator[tuple[Block, SSAValue, bool]]:
    """What it may become in the loop, where, and whether that is one of several there. What is
    done to a variable is found by its uses: loops with many branches ask for many variables."""
    if isinstance(name, Variable):
        assert isinstance(name.memory, SSAValue)
        for use in name.memory.uses:
            op = use.operation
            if isinstance(op, memref.StoreOp) and op.memref is name.memory:
                if (block := op.parent) is not None and block in loop:
                    yield block, op.value, False
    elif isinstance(name, BlockArgument):
        for edge in incoming(name.owner):
            if name.owner in loop and edge.source in loop:
                is_one_of_two = isinstance(edge.terminator, cf.ConditionalBranchOp)
                yield edge.source, edge.values[name.index], is_one_of_two
    elif isinstance(choice := name.owner, arith.SelectOp) and choice.parent is not None:
        yield choice.parent, choice.lhs, True
        yield choice.parent, choice.rhs, True


def _arms(state: _State, loop: NaturalLoop) -> Iterator[Block]:
    """Of the branches of the loop that ask for the state."""
    for block in loop.blocks:
        branch = block.last_op
        if isinstance(branch, cf.ConditionalBranchOp) and _asked(branch) in state.names:
            for arm in (branch.then_block, branch.else_block):
                if len(incoming(arm)) == 1:
                    yield arm


def _may_happen(given: _Given, arm: Block, flow: ControlFlow) -> bool:
    """In the arm only, and there not always."""
    return flow.dominators.dominates(arm, given.block) and (
        given.may_stay or not flow.postdominators.dominates(given.block, arm)
    )
