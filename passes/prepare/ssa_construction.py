"""Turn variables in memory into SSA values.

R. Cytron, J. Ferrante, B. K. Rosen, M. N. Wegman, F. K. Zadeck: "Efficiently Computing Static
Single Assignment Form and the Control Dependence Graph", TOPLAS 13(4), 1991, pruned by liveness:
a block gets an argument for a variable only where the variable's value at the block's start is
read later. A variable that is read before it is written has the value `ub.poison`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import cast

from xdsl.dialects import memref, ub
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.ir.branches import outgoing
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.support.record import entity

_ACCESSES = frozenset({memref.LoadOp, memref.StoreOp})


@entity
class Variable:
    """A rank-0 `memref.alloca` that is only loaded and stored.

    `exposed` are the blocks that load it before they store it, `defining` those that store it.
    """

    slot: memref.AllocaOp
    exposed: dict[Block, None] = field(default_factory=dict[Block, None])
    defining: dict[Block, None] = field(default_factory=dict[Block, None])
    loads: list[memref.LoadOp] = field(default_factory=list[memref.LoadOp])
    stores: list[memref.StoreOp] = field(default_factory=list[memref.StoreOp])


def find_variables(flow: ControlFlow) -> dict[SSAValue, Variable]:
    """The promotable variables of a function, by the result of their alloca."""
    variables: dict[SSAValue, Variable] = {}
    accesses: list[tuple[Block, memref.LoadOp | memref.StoreOp]] = []
    for block in flow.cfg.blocks:
        for op in block.ops:
            if type(op) in _ACCESSES:  # isinstance is slow to say no of classes of operations
                accesses.append((block, cast("memref.LoadOp | memref.StoreOp", op)))
            elif type(op) is memref.AllocaOp and _is_promotable(op, flow):
                variables[op.memref] = Variable(op)
    for block, op in accesses if variables else ():
        variable = variables.get(op.memref)
        if variable is None:
            continue
        if isinstance(op, memref.StoreOp):
            variable.stores.append(op)
            variable.defining[block] = None
        else:
            variable.loads.append(op)
            if block not in variable.defining:
                variable.exposed[block] = None
    return variables


def _is_promotable(op: memref.AllocaOp, flow: ControlFlow) -> bool:
    users = (use.operation for use in op.memref.uses)
    return is_variable(op) and all(user.parent in flow.cfg.number for user in users)


def is_variable(op: memref.AllocaOp) -> bool:
    """Of no dimensions, and only loaded and stored."""
    if op.memref.type.get_num_dims():
        return False
    users = (use.operation for use in op.memref.uses)
    return all(
        isinstance(user, memref.LoadOp | memref.StoreOp) and user.memref is op.memref
        for user in users
    )


def promote(flow: ControlFlow, variables: Iterable[Variable]) -> None:
    """Replace loads by the values stored and erase the variables."""
    chosen: dict[SSAValue, Variable] = {v.slot.memref: v for v in variables}
    if not chosen:
        return
    arguments = _place_arguments(flow, chosen)
    _Renaming(flow, chosen, arguments).run()
    for variable in chosen.values():
        _erase(variable.slot)


def _place_arguments(
    flow: ControlFlow, chosen: dict[SSAValue, Variable]
) -> dict[Block, dict[SSAValue, BlockArgument]]:
    """Add a block argument wherever different values of a live variable meet."""
    arguments: dict[Block, dict[SSAValue, BlockArgument]] = {}
    for slot, variable in chosen.items():
        for block in blocks_with_arguments(flow, variable):
            argument = block.insert_arg(element_type(slot), len(block.args), variable.slot.location)
            argument.name_hint = slot.name_hint
            arguments.setdefault(block, {})[slot] = argument
    return arguments


def blocks_with_arguments(flow: ControlFlow, variable: Variable) -> list[Block]:
    """Where different values of the variable meet, one of which is read later."""
    live = _live_in(flow, variable) if variable.exposed else set[int]()
    met = sorted(_iterated_frontier(flow, variable) & live) if live else []
    return [flow.cfg.blocks[number] for number in met]


def _live_in(flow: ControlFlow, variable: Variable) -> set[int]:
    """The blocks at whose start the variable's value is read later."""
    cfg = flow.cfg
    defining = {cfg.number[block] for block in variable.defining}
    pending = [cfg.number[block] for block in variable.exposed]
    live = set(pending)
    while pending:
        for source in cfg.predecessors[pending.pop()]:
            if source not in live and source not in defining:
                live.add(source)
                pending.append(source)
    return live


def _iterated_frontier(flow: ControlFlow, variable: Variable) -> set[int]:
    frontier = flow.dominators.frontier
    pending = [flow.cfg.number[block] for block in variable.defining]
    result: set[int] = set()
    while pending:
        for node in frontier[pending.pop()]:
            if node not in result:
                result.add(node)
                pending.append(node)
    return result


class _Renaming:
    """One walk over the dominator tree, with the value of each variable at each block's end."""

    def __init__(
        self,
        flow: ControlFlow,
        chosen: dict[SSAValue, Variable],
        arguments: dict[Block, dict[SSAValue, BlockArgument]],
    ):
        self.flow = flow
        self.chosen = chosen
        self.arguments = arguments
        self.poison: dict[SSAValue, SSAValue] = {}

    def run(self) -> None:
        pending: list[tuple[int, dict[SSAValue, SSAValue]]] = [(0, {})]
        children = self.flow.dominators.children
        while pending:
            number, values = pending.pop()
            values = dict(values)
            self._rename_block(self.flow.cfg.blocks[number], values)
            pending.extend((child, values) for child in reversed(children[number]))

    def _rename_block(self, block: Block, values: dict[SSAValue, SSAValue]) -> None:
        values.update(self.arguments.get(block, {}))
        for op in block.ops:
            if isinstance(op, memref.LoadOp) and op.memref in self.chosen:
                op.res.replace_all_uses_with(self._value(op.memref, values))
                _erase(op)
            elif isinstance(op, memref.StoreOp) and op.memref in self.chosen:
                values[op.memref] = op.value
                if op.value.name_hint is None:
                    op.value.name_hint = op.memref.name_hint
                _erase(op)
        for position in range(len(block.last_op.successors) if block.last_op else 0):
            edge = list(outgoing(block))[position]
            passed = [self._value(slot, values) for slot in self.arguments.get(edge.target, {})]
            if passed:
                edge.redirect(edge.target, [*edge.values, *passed])

    def _value(self, slot: SSAValue, values: dict[SSAValue, SSAValue]) -> SSAValue:
        value = values.get(slot)
        return self._undefined(slot) if value is None else value

    def _undefined(self, slot: SSAValue) -> SSAValue:
        if slot not in self.poison:
            op = ub.PoisonOp(element_type(slot))
            op.location = self.chosen[slot].slot.location
            first = self.flow.cfg.blocks[0].first_op
            assert first is not None
            self.flow.cfg.blocks[0].insert_op_before(op, first)
            self.poison[slot] = op.result
        return self.poison[slot]


def _erase(op: Operation) -> None:
    op.detach()
    op.erase()
