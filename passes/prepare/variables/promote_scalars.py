"""Promote variables to SSA values where loops and subscripts can only then be understood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import is_pure
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.ssa_construction import Variable, find_variables, promote
from polyopt.passes.prepare.variables.live_ranges import separate_live_ranges
from polyopt.passes.prepare.variables.summed_up import DataIn, is_outside_of_one, summing_loops
from polyopt.support.record import record

_COMPARED = (arith.CmpiOp, arith.CmpfOp)


@record
class PromoteScalarsPass(ModulePass):
    """Rank-0 allocas that are only loaded and stored become SSA values where that helps.

    What is used for several things in turn is a variable for each (`live_ranges.py`). It helps
    where a value flows into a subscript, a branch or pointer arithmetic, and where no
    block argument is needed: one store outside loops reaches all loads, or all that are in the
    innermost loop around it, or each load has its store before it in its block. Other scalars stay
    in memory: to the polyhedral middle a scalar is an array of no dimensions, and LLVM promotes
    what is left. `all` promotes everything.

    Requires: nothing. Ensures: names of variables are hints on the values; control flow is
    unchanged.

        %i = memref.alloca() : memref<i32>            cf.br ^header(%zero : i32)
        memref.store %zero, %i[]                    ^header(%i : i32):
        cf.br ^header                          ->     %0 = arith.cmpi slt, %i, %n
      ^header:                                        ...
        %v = memref.load %i[]
        %0 = arith.cmpi slt, %v, %n
    """

    name = "promote-scalars"
    all: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            flow = ControlFlow(function.body)
            if self.all:
                promote(flow, find_variables(flow).values())
            else:
                promote_scalars(flow)


def promote_scalars(flow: ControlFlow) -> None:
    """Promote the variables where that helps."""
    variables = find_variables(flow)
    if separate_live_ranges(flow, variables.values()):
        variables = find_variables(flow)
    helped = {slot for slot, one in variables.items() if _needs_no_argument(flow, one)}
    if len(helped) < len(variables):
        helped |= _steering_variables(flow, variables)
    promote(flow, [one for slot, one in variables.items() if slot in helped])


def _needs_no_argument(flow: ControlFlow, variable: Variable) -> bool:
    """Each load sees one store, known without looking at paths."""
    if not variable.exposed:
        return True
    if len(variable.stores) != 1:
        return False
    block = variable.stores[0].parent
    assert block is not None
    loop = flow.loops.innermost(block)
    if any(flow.loops.innermost(load) is not loop for load in variable.exposed if loop is not None):
        return False
    return (
        all(
            flow.dominators.dominates(block, load) for load in variable.exposed if load is not block
        )
        and block not in variable.exposed
    )


def _steering_variables(flow: ControlFlow, variables: dict[SSAValue, Variable]) -> set[SSAValue]:
    """The variables whose integers and pointers decide where control or an access goes."""
    steering: set[SSAValue] = set()
    seen: set[SSAValue] = set()
    pending = [
        value for block in flow.cfg.blocks for op in block.ops for value in _steering_operands(op)
    ]
    results = _only_compared(flow, variables)
    while pending:
        value = pending.pop()
        owner = value.owner
        if value in seen or not _may_steer(value):
            continue
        seen.add(value)
        if value in results:
            continue
        if isinstance(owner, Block):
            pending.extend(_passed_values(value))
        elif isinstance(owner, memref.LoadOp):
            variable = variables.get(owner.memref)
            if variable is not None and owner.memref not in steering:
                steering.add(owner.memref)
                pending.extend(store.value for store in variable.stores)
        elif is_pure(owner):
            pending.extend(owner.operands)
    return steering


def _only_compared(flow: ControlFlow, variables: dict[SSAValue, Variable]) -> set[SSAValue]:
    """What is loaded of variables in which data were added up, to be compared or kept, as it is or
    after more was computed of it: scaled, rounded and cut off, as in quantised networks."""
    if not flow.loops.top_level:
        return set()
    others, data = _used_otherwise(flow), DataIn(flow, variables)
    found: set[SSAValue] = set()
    for variable in variables.values():
        loads = [load for load in variable.loads if load.res not in others]
        loops = summing_loops(flow, variable, data) if loads else ()
        found |= {load.res for load in loads if is_outside_of_one(load, loops)}
    return found


def _used_otherwise(flow: ControlFlow) -> set[SSAValue]:
    """What is used, or something that is computed of it, but to be compared or stored."""
    pending = [
        operand
        for block in flow.cfg.blocks
        for op in block.ops
        for operand in _operands_used_otherwise(op)
    ]
    found: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        if isinstance(value.owner, Operation) and _computes(value.owner):
            pending += value.owner.operands
    return found


def _operands_used_otherwise(op: Operation) -> Sequence[SSAValue]:
    if isinstance(op, memref.StoreOp):
        return op.operands[1:]
    return () if isinstance(op, _COMPARED) or _computes(op) else op.operands


def _computes(op: Operation) -> bool:
    """Is it used for what its result is used for? A truth value is another matter."""
    return op.name.startswith("arith.") and is_pure(op) and not isinstance(op, _COMPARED)


def _may_steer(value: SSAValue) -> bool:
    """A floating-point value does where it is made from an integer."""
    if isinstance(value.type, IntegerType | IndexType | LLVMPointerType):
        return True
    owner = value.owner
    return isinstance(owner, Operation) and owner.name.startswith("arith.")


def _steering_operands(op: Operation) -> Iterator[SSAValue]:
    match op:
        case cf.ConditionalBranchOp():
            yield op.cond
        case cf.SwitchOp():
            yield op.flag
        case memref.LoadOp() | memref.StoreOp() | cmem.AddressOp():
            yield from op.indices
        case cmem.ViewOp() | cmem.OffsetOp() | memref.AllocaOp():
            yield from op.operands
        case _:
            return


def _passed_values(value: SSAValue) -> list[SSAValue]:
    """What the branches pass to a block argument."""
    if not isinstance(value, BlockArgument):
        return []
    return [
        edge.values[value.index] for edge in incoming(value.owner) if value.index < len(edge.values)
    ]
