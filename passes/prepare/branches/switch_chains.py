"""Switches on data become chains of branches, one for each place that cases lead to."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import IntegerAttr, IntegerType, LocationAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.ir.branches import Edge
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.prepare.branches.block_editing import erase_unreachable
from polyopt.passes.prepare.branches.hammocks import depends_on_data
from polyopt.support.core_model import CORE


def expand_switches(body: Region) -> None:
    """A switch on data in a loop becomes a chain of branches."""
    loops = ControlFlow(body).loops
    for block in list(body.blocks):
        switch = block.last_op
        if isinstance(switch, cf.SwitchOp) and loops.innermost(block) is not None:
            if depends_on_data(switch.flag) and len(switch.successors) <= CORE.code.cases:
                _expand(switch)
    erase_unreachable(body)


def _expand(switch: cf.SwitchOp) -> None:
    here, location = switch.parent, switch.location
    assert here is not None
    body = here.parent
    assert body is not None
    default, *cases = (_destination(Edge(switch, n)) for n in range(len(switch.successors)))
    numbers = [] if switch.case_values is None else list(switch.case_values.get_values())
    numbers_to: dict[_Destination, list[int]] = {}
    for number, case in zip(numbers, cases, strict=True):
        if case != default:
            numbers_to.setdefault(case, []).append(number)
    flag = switch.flag
    here.erase_op(switch)
    for case, chosen in numbers_to.items():
        onward = Block()
        body.insert_block_after(onward, here)
        ops = _comparison(flag, chosen)
        ops.append(cf.ConditionalBranchOp(ops[-1], case[0], case[1], onward, ()))
        _append(here, ops, location)
        here = onward
    _append(here, [cf.BranchOp(default[0], *default[1])], location)


_Destination = tuple[Block, tuple[SSAValue, ...]]
"""A block and what is passed to it."""


def _destination(edge: Edge) -> _Destination:
    """Where an edge leads, past blocks with nothing in them (one for each label of a case)."""
    passed: set[Block] = set()
    while edge.target not in passed and not edge.target.args:
        only = edge.target.first_op
        if not isinstance(only, cf.BranchOp):
            break
        passed.add(edge.target)
        edge = Edge(only, 0)
    return edge.target, tuple(edge.values)


def _comparison(flag: SSAValue, numbers: list[int]) -> list[Operation]:
    """The operations that tell whether `flag` is one of `numbers`, the last one giving it."""
    ops: list[Operation] = []
    known: Operation | None = None
    for number in numbers:
        constant = arith.ConstantOp(IntegerAttr(number, cast(IntegerType, flag.type)))
        test = arith.CmpiOp(flag, constant, "eq")
        ops += [constant, test]
        if known is not None:
            test = arith.OrIOp(known, test)
            ops.append(test)
        known = test
    return ops


def _append(block: Block, ops: list[Operation], location: LocationAttr) -> None:
    for op in ops:
        op.location = location
        block.add_op(op)
