"""cf: branches; and what ends control for good."""

from __future__ import annotations

from xdsl.dialects import arith, cf, llvm, ub

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import llvm_type
from polyopt.backend.emit.operations.scf_ops import facts_on_way_back
from polyopt.backend.emit.prediction import EVEN, unpredictable
from polyopt.backend.emit.registry import EmitterTable
from polyopt.dialects.cmem import NO_UNROLL, NO_VECTOR, PROGRESS, SELDOM
from polyopt.dialects.shaped_types import is_memref, is_vector
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.idioms.cursors import stepping_arm
from polyopt.ir.idioms.records import Record, find_record, is_rare
from polyopt.ir.idioms.runs import restarting_arm
from polyopt.ir.idioms.states import asks_for_state
from polyopt.ir.idioms.sums_on import sums_on


def emit_branch(f: FunctionEmitter, op: cf.BranchOp) -> None:
    """A way back says what its branch is marked with (`PROGRESS`, `NO_VECTOR`, `NO_UNROLL`)."""
    ends, alone = PROGRESS in op.attributes, NO_VECTOR in op.attributes
    rolled = NO_UNROLL in op.attributes
    suffix = ""
    if ends or alone or rolled:
        sums = not rolled and _sums_on(f, op)
        facts = facts_on_way_back(f, ends=ends, alone=alone, rolled=rolled, sums_on=sums)
        suffix = f", !llvm.loop {facts}"
    f.jump(f.targets[op.successor], f.registers(op.arguments), suffix)


def _sums_on(f: FunctionEmitter, back: cf.BranchOp) -> bool:
    body = back.successor.parent
    if body is None or not f.module.may("reassoc", None):
        return False
    flow = f.control_flow(body)
    loop = flow.loops.innermost(back.successor)
    return loop is not None and loop.header is back.successor and sums_on(loop)


def emit_cond_branch(f: FunctionEmitter, op: cf.ConditionalBranchOp) -> None:
    condition = f.value(op.cond)
    then = f.edge(f.targets[op.then_block], f.registers(op.then_arguments))
    orelse = f.edge(f.targets[op.else_block], f.registers(op.else_arguments))
    f.terminate(f"br i1 {condition}, label %{then}, label %{orelse}{_prediction(f, op)}")


def _prediction(f: FunctionEmitter, op: cf.ConditionalBranchOp) -> str:
    """LLVM makes no selection of a branch of which it is told that it hardly ever goes one way, and
    one, where it can, of a branch that is not to be predicted."""
    if suffix := unpredictable(f, op.cond):
        return suffix
    found = find_record(op)
    if found is not None and (SELDOM in op.attributes or _is_worth_a_branch(f, found)):
        arm = found.arm
    elif found is None and SELDOM in op.attributes:
        arm = op.then_block
    else:
        arm = stepping_arm(op) or restarting_arm(op)
    if arm is None:
        return f", !prof {f.module.metadata.node(EVEN)}" if _asks_for_state(f, op) else ""
    often, seldom = "i32 2000", "i32 1"
    weights = (seldom, often) if arm is op.then_block else (often, seldom)
    node = f.module.metadata.node(f'!"branch_weights", {", ".join(weights)}')
    return f", !prof {node}"


def _asks_for_state(f: FunctionEmitter, op: cf.ConditionalBranchOp) -> bool:
    body = op.parent_region()
    return body is not None and asks_for_state(op, f.control_flow(body))


def _is_worth_a_branch(f: FunctionEmitter, found: Record) -> bool:
    """Each iteration would wait for the one before. Not where LLVM has vectors for it, for minima
    and maxima of integers and of floating-point numbers without NaNs and signed zeros; and short
    loops are rather unrolled. A search that runs over and over finds records at its beginning each
    time, and in an order (of places to cut, of neighbours) they are no exception: where only the
    best value is waited for, and no load, LLVM chooses."""
    if found.is_extremum_only:
        comparison = found.branch.cond.owner
        if not isinstance(comparison, arith.CmpfOp):
            return False
        if all(f.module.may(flag, comparison.fastmath) for flag in ("nnan", "nsz")):
            return False
    body = found.join.parent
    assert body is not None
    flow = ControlFlow(body)
    is_outermost = flow.loops.depth(found.join) == 1
    return is_rare(found, flow) and (is_outermost or not found.keeps_best)


def emit_switch(f: FunctionEmitter, op: cf.SwitchOp) -> None:
    default = f.edge(f.targets[op.default_block], f.registers(op.default_operands))
    type = llvm_type(op.flag.type)
    cases: list[str] = []
    if op.case_values is not None:
        for value, block, operands in zip(
            op.case_values.get_values(), op.case_blocks, op.case_operand, strict=True
        ):
            label = f.edge(f.targets[block], f.registers(operands))
            cases.append(f"{type} {value}, label %{label}")
    f.terminate(f"switch {f.typed(op.flag)}, label %{default} [ {' '.join(cases)} ]")


def emit_assert(f: FunctionEmitter, op: cf.AssertOp) -> None:
    passed, failed = f.new_join("assert.passed"), f.new_join("assert.failed")
    f.terminate(f"br i1 {f.value(op.arg)}, label %{passed.label}, label %{failed.label}")
    f.enter(failed)
    abort = f.module.intrinsic("abort", "void", "")
    f.emit(f"call void {abort}() noreturn nounwind")
    f.terminate("unreachable")
    f.enter(passed)


def emit_unreachable(f: FunctionEmitter, op: llvm.UnreachableOp | ub.UnreachableOp) -> None:
    f.terminate("unreachable")


def emit_poison(f: FunctionEmitter, op: ub.PoisonOp) -> None:
    """A variable that nothing was stored to has some value, as in memory and with clang: programs
    mask it (`x & 0`), and have always got what is left."""
    type = op.result.type
    count = len(memrefs.register_types(type)) if is_memref(type) else 1
    value = "poison" if is_memref(type) or is_vector(type) else "undef"
    f.bind_registers([op.result], [value] * count)


EMITTERS: EmitterTable = {
    cf.BranchOp: emit_branch,
    cf.ConditionalBranchOp: emit_cond_branch,
    cf.SwitchOp: emit_switch,
    cf.AssertOp: emit_assert,
    ub.PoisonOp: emit_poison,
    ub.UnreachableOp: emit_unreachable,
}
