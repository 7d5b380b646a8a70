"""cf: branches; and what ends control for good."""

from __future__ import annotations

from xdsl.dialects import cf, llvm, ub

from polyopt.backend.emit import memrefs
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import is_memref, llvm_type
from polyopt.backend.emit.registry import EmitterTable
from polyopt.backend.emit.scf_ops import must_progress


def emit_branch(f: FunctionEmitter, op: cf.BranchOp) -> None:
    """`cmem.progress`: on the way back to the head of a loop that C lets us assume to end."""
    suffix = f", !llvm.loop {must_progress(f)}" if "cmem.progress" in op.attributes else ""
    f.jump(f.targets[op.successor], f.registers(op.arguments), suffix)


def emit_cond_branch(f: FunctionEmitter, op: cf.ConditionalBranchOp) -> None:
    condition = f.value(op.cond)
    then = f.edge(f.targets[op.then_block], f.registers(op.then_arguments))
    orelse = f.edge(f.targets[op.else_block], f.registers(op.else_arguments))
    f.terminate(f"br i1 {condition}, label %{then}, label %{orelse}")


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
    type = op.result.type
    count = len(memrefs.register_types(type)) if is_memref(type) else 1
    f.bind_registers([op.result], ["poison"] * count)


EMITTERS: EmitterTable = {
    cf.BranchOp: emit_branch,
    cf.ConditionalBranchOp: emit_cond_branch,
    cf.SwitchOp: emit_switch,
    cf.AssertOp: emit_assert,
    llvm.UnreachableOp: emit_unreachable,
    ub.PoisonOp: emit_poison,
    ub.UnreachableOp: emit_unreachable,
}
