"""Calls, and what else may do anything, that keep a loop from ever being a static control part.

    for (; s < end; s++) {
        if (out->at == out->end) out->flush(out);         only data decide whether it is called,
        *out->at++ = *s;                                  and nobody here knows what it does
    }

A function each of whose innermost loops has such a call need not be prepared for anything. A call
is none where it may go yet: where its condition may become known, since numbers are all that
decides it, where the callee is a function of the file that may take its place and has none itself
whatever it is passed, or where the callee only computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects import cf, func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import linker_marks
from polyopt.dialects.cmem_accesses import VolatileLoadOp, VolatileStoreOp
from polyopt.dialects.cmem_calls import CallIndirectOp, CallVariadicOp, VaArgOp
from polyopt.dialects.team import IN_TEAM
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure_here
from polyopt.support.record import record

_CALLS = (func.CallOp, CallIndirectOp, CallVariadicOp)
_OTHERS = (VolatileLoadOp, VolatileStoreOp, VaArgOp, cmem.BarrierOp, cmem.InstructionsOp)
_MAY_BE = (*_CALLS, *_OTHERS)
_ONLY_MEMORY = frozenset(("memcpy", "memmove", "memset"))
_DEEP = 12


@record(eq=False)
class LoopsAndCalls:
    """`hopeful`: the loops in which there is nothing of the kind. `calls`: what there is in
    innermost loops."""

    hopeful: list[NaturalLoop]
    calls: list[Operation]

    @property
    def are_hopeless(self) -> bool:
        return not self.hopeful and bool(self.calls)


class UnknownCalls:
    """Those in the functions of a module."""

    def __init__(self, module: ModuleOp):
        self._functions = {
            one.sym_name.data: one for one in module.ops if isinstance(one, func.FuncOp)
        }
        self._known: dict[str, bool] = {}

    def around(self, function: func.FuncOp) -> LoopsAndCalls:
        """What is so of the loops of a function. What a team runs is written for loops; of cycles
        that are none, and of loops that never end, it has to be told."""
        flow = ControlFlow(function.body)
        loops = flow.loops.all_loops()
        is_told = flow.loops.irreducible or not all(one.exits() for one in loops)
        if (
            IN_TEAM in function.attributes
            or is_told
            or not any(map(_may_be_unknown, function.body.walk()))
        ):
            return LoopsAndCalls(loops, [])
        hopeful: list[NaturalLoop] = []
        calls: list[Operation] = []
        for loop in loops:
            here = list(self._lasting(flow, loop.blocks, loop))
            if not here:
                hopeful.append(loop)
            elif not loop.children:
                calls += here
        return LoopsAndCalls(hopeful, calls)

    def _lasting(
        self, flow: ControlFlow, blocks: Iterable[Block], loop: NaturalLoop | None
    ) -> Iterator[Operation]:
        for block in blocks:
            for op in block.ops:
                if (
                    _may_be_unknown(op)
                    and self._is_unknown(op)
                    and _is_left_to_data(flow, block, loop)
                ):
                    yield op

    def _is_unknown(self, call: Operation) -> bool:
        if isinstance(call, CallIndirectOp):
            return _is_data(call.callee, None)
        if not isinstance(call, func.CallOp):
            return True
        name = call.callee.string_value()
        if name not in self._known:
            self._known[name] = False
            self._known[name] = self._does_unknown(name)
        return self._known[name]

    def _does_unknown(self, name: str) -> bool:
        function = self._functions.get(name)
        if function is None or name in _ONLY_MEMORY:
            return False
        if not function.body.blocks:
            return linker_marks(function).keys().isdisjoint(("const", "pure"))
        if not any(map(_may_be_unknown, function.body.walk())):
            return False
        flow = ControlFlow(function.body)
        returning = (block for block in flow.cfg.blocks if flow.returns(block))
        return next(self._lasting(flow, returning, None), None) is not None


def _may_be_unknown(op: Operation) -> bool:
    return isinstance(op, _MAY_BE)


def _is_left_to_data(flow: ControlFlow, block: Block, loop: NaturalLoop | None) -> bool:
    """Whether only data decide if the block runs, in the loop or in the function. What ends the
    loop otherwise does not count."""
    at: Block | None = block
    while loop is None or at is not loop.header:
        at = flow.dominators.immediate(at)
        if at is None:
            return loop is None
        last = at.last_op
        if last is None or len(set(last.successors)) < 2:
            continue
        if loop is not None and any(one not in loop for one in last.successors):
            continue
        if not isinstance(last, cf.ConditionalBranchOp | cf.SwitchOp):
            return False
        if not _is_data(last.operands[0], loop):
            return False
    return True


def _is_data(value: SSAValue, loop: NaturalLoop | None, depth: int = 0) -> bool:
    """Whether what a pointer leads to, or what a call gives, is in the value, or for a loop what
    the function is passed, or what the loop itself changes."""
    if depth > _DEEP:
        return False
    if isinstance(value, BlockArgument):
        return loop is not None and value.owner is _entry(value.owner)
    op = value.owner
    assert isinstance(op, Operation)
    if isinstance(op, memref.LoadOp):
        return _is_from_data(op.memref, loop, depth)
    if isinstance(op, _CALLS):
        return not is_pure_here(op)
    return any(_is_data(one, loop, depth + 1) for one in op.operands)


def _entry(block: Block) -> Block | None:
    region = block.parent
    return None if region is None else region.blocks.first


def _is_from_data(place: SSAValue, loop: NaturalLoop | None, depth: int) -> bool:
    """Whether data are loaded from there: a variable that numbers are stored to may be known."""
    op = place.owner
    if isinstance(op, memref.AllocaOp):
        return _is_set_by_data(op, loop, depth)
    if not isinstance(op, cmem.ViewOp):
        return False
    pointer = op.source
    while isinstance(pointer.owner, cmem.OffsetOp):
        pointer = pointer.owner.operands[0]
    if isinstance(pointer, BlockArgument) or isinstance(pointer.owner, memref.LoadOp):
        return True
    return _is_data(pointer, loop, depth + 1)


def _is_set_by_data(variable: memref.AllocaOp, loop: NaturalLoop | None, depth: int) -> bool:
    uses = (use.operation for use in variable.memref.uses)
    stores = [one for one in uses if isinstance(one, memref.StoreOp)]
    if loop is not None and len({one.value for one in stores}) > 1:
        if any(one.parent in loop.blocks for one in stores):
            return True
    return any(_is_data(one.value, loop, depth + 1) for one in stores)
