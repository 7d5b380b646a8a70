"""What stands against a static control part, in the words of somebody who writes loops; where a
change of the source helps, with it."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.control_flow import ControlFlow
from polyopt.ir.expression_text import condition_text, text
from polyopt.ir.integer_expr import Expr, Flag, Unknown

_EFFECTS: dict[type[Operation], str] = {
    cmem.VolatileLoadOp: "each access of a volatile object has to stay where it is",
    cmem.VolatileStoreOp: "each access of a volatile object has to stay where it is",
    cmem.CallIndirectOp: "a function is called by a pointer, and may do anything",
    cmem.BarrierOp: "a barrier keeps accesses of memory where they are",
}


def part_text(part: Expr | Flag) -> str:
    """For developers."""
    return condition_text(part) if isinstance(part, Flag) else text(part)


def part_words(part: Expr | Flag, flow: ControlFlow) -> str:
    """What a condition or a bound is made of that is not affine."""
    told = part_text(part).replace("%", "").replace("<", "").replace(">", "")
    if told == "?":
        return "a value that is read from memory"
    atom = part.as_atom if isinstance(part, Expr) else None
    if isinstance(atom, Unknown) and isinstance(atom.value.owner, memref.LoadOp):
        return f"{told}, which is read from memory"
    if not isinstance(atom, Unknown) or not _changes_with_a_loop(atom.value, flow):
        return told
    if isinstance(atom.value.type, LLVMPointerType):
        return f"{told}, a pointer that goes on by no fixed step"
    return f"{told}, which does not change by the same amount each time"


def operation_words(op: Operation) -> str:
    return _EFFECTS.get(type(op), "this does more than compute, load and store")


def base_words(base: SSAValue) -> str:
    """Of an array whose address is not the same all the time."""
    message = "the array's address changes while the loops run"
    if isinstance(base.owner, memref.LoadOp):
        return f"{message}: it is read from memory (x[n][m] has no pointers to its rows)"
    return message


def _changes_with_a_loop(value: SSAValue, flow: ControlFlow) -> bool:
    if not isinstance(value.owner, Block):
        return False
    loop = flow.loops.innermost(value.owner)
    return loop is not None and loop.header is value.owner
