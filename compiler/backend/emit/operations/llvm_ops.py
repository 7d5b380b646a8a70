"""llvm: what other compilers leave in a module of memory that is behind a plain pointer, such as a
place for the time that a kernel took (`llvm.load`, `llvm.store`).

Nothing is known of what is there: these accesses may meet any other.
"""

from __future__ import annotations

from xdsl.dialects import llvm

from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import llvm_type
from polyopt.backend.emit.operations.cf_ops import emit_unreachable
from polyopt.backend.emit.registry import EmitterTable


def emit_load(f: FunctionEmitter, op: llvm.LoadOp) -> None:
    result = op.dereferenced_value
    text = f"load {llvm_type(result.type)}, {f.typed(op.ptr)}{_facts(op)}"
    f.define(result, text)


def emit_store(f: FunctionEmitter, op: llvm.StoreOp) -> None:
    volatile = "volatile " if op.volatile_ is not None else ""
    f.emit(f"store {volatile}{f.typed(op.value)}, {f.typed(op.ptr)}{_facts(op)}")


def _facts(op: llvm.LoadOp | llvm.StoreOp) -> str:
    """The alignment where it is stated; else LLVM takes the type's."""
    if op.ordering is not None and op.ordering.value.data:
        raise unsupported(op, "the LLVM back end has no atomic accesses of this dialect")
    return "" if op.alignment is None else f", align {op.alignment.value.data}"


EMITTERS: EmitterTable = {
    llvm.LoadOp: emit_load,
    llvm.StoreOp: emit_store,
    llvm.UnreachableOp: emit_unreachable,
}
