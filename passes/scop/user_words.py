"""What stands against a static control part, in the words of somebody who writes loops; where a
change of the source helps, with it."""

from __future__ import annotations

import re

from xdsl.dialects import arith, func, memref
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import passes_values
from polyopt.ir.expressions.expression_text import condition_text, text
from polyopt.ir.expressions.integer_expr import Counter, Expr, Flag, Unknown
from polyopt.ir.objects.bases import BaseKind, are_disjoint, base_kind, object_of
from polyopt.passes.scop.array_names import array_name

_EFFECTS: dict[type[Operation], str] = {
    cmem.VolatileLoadOp: "each access of a volatile object has to stay where it is",
    cmem.VolatileStoreOp: "each access of a volatile object has to stay where it is",
    cmem.CallIndirectOp: "a function is called by a pointer, and may do anything",
    cmem.InstructionsOp: "assembly may do anything to memory",
    cmem.BarrierOp: "a barrier keeps accesses of memory where they are",
}


def part_text(part: Expr | Flag) -> str:
    """For developers."""
    return condition_text(part) if isinstance(part, Flag) else text(part)


def part_words(part: Expr | Flag, flow: ControlFlow) -> str:
    """What a condition or a bound is made of that is not affine."""
    told = _plain(part_text(part))
    atom = part.as_atom if isinstance(part, Expr) else None
    if isinstance(atom, Unknown) and isinstance(atom.value.owner, memref.LoadOp):
        return _loaded_words(told, atom.value.owner)
    if isinstance(atom, Unknown) and isinstance(atom.value.owner, func.CallOp):
        return f"what {atom.value.owner.callee.string_value()} returns"
    if isinstance(atom, Unknown) and isinstance(atom.value.owner, cmem.CallIndirectOp):
        return "what a function returns"
    if told == "?":
        return "a value that is read from memory"
    if isinstance(part, Expr) and (found := _unknown_factor(part)) is not None:
        loop, factor = found
        stepping = _stepped_by(loop, factor)
        if stepping is not None:
            return f"{stepping}, whose step {factor.name_hint} is no constant"
        return f"{told}, where {factor.name_hint} is no constant"
    if not isinstance(atom, Unknown) or not _changes_with_a_loop(atom.value, flow):
        return told
    if isinstance(atom.value.type, LLVMPointerType):
        return f"{told}, a pointer that goes on by no fixed step"
    return f"{told}, which does not change by the same amount each time"


def _plain(told: str) -> str:
    """Without what tells values and counters from names, and how a value is made wider."""
    return re.sub(r"\bunsigned (?=%)|[%<>]", "", told)


def _loaded_words(told: str, load: memref.LoadOp) -> str:
    """What a value that was loaded is called: after its array, unless that is one variable."""
    name = _object_name(load.memref)
    if name is not None and (load.indices or told == "?"):
        return f"what is read from {name}"
    return f"{'a value that' if told == '?' else f'{told}, which'} is read from memory"


def _object_name(place: SSAValue) -> str | None:
    return array_name(object_of(place))


def _unknown_factor(part: Expr) -> tuple[NaturalLoop, SSAValue] | None:
    """By what a loop's counter is multiplied, where that is a value of the program."""
    for monomial in part.terms:
        values = [one.value for one in monomial if isinstance(one, Unknown)]
        counters = [one.loop for one in monomial if isinstance(one, Counter)]
        if len(values) == 1 and counters and values[0].name_hint is not None:
            return counters[0], values[0]
    return None


def _stepped_by(loop: NaturalLoop, step: SSAValue) -> str | None:
    """The variable of the loop that goes by this value: the program has no such product then."""
    for variable in loop.header.args:
        added = (one.operation for one in variable.uses if isinstance(one.operation, arith.AddiOp))
        if any(step in one.operands for one in added):
            return variable.name_hint
    return None


def operation_words(op: Operation) -> str:
    return _EFFECTS.get(type(op), "this does more than compute, load and store")


def call_words(call: Operation, name: str) -> str:
    if name == "memmove" and isinstance(call, func.CallOp) and len(call.arguments) == 3:
        target, source = map(object_of, call.arguments[:2])
        if not are_disjoint(target, source):
            shown = [_object_name(place) or "memory" for place in (target, source)]
            if target is source:
                return f"memmove goes within {shown[0]}: write it as a loop"
            return (
                f"memmove lets {shown[0]} and {shown[1]} overlap: memcpy or 'restrict' says that "
                "they do not"
            )
    message = f"the call of {name} may do anything: move it out of the loop or inline it"
    if isinstance(call, func.CallOp) and passes_values(call):
        message += "; if it only computes, '__attribute__((const))' in its declaration says so"
    return message


def base_words(base: SSAValue) -> str:
    """Of an array whose address is not the same all the time."""
    message = "the array's address changes while the loops run"
    if isinstance(base.owner, memref.LoadOp):
        where = _object_name(base.owner.memref) or "memory"
        return f"{message}: it is read from {where} (x[n][m] has no pointers to its rows)"
    return message


def read_words(call: func.CallOp, base: SSAValue) -> str:
    """Of a call that may read an array that the loops write."""
    message = f"the call of {call.callee.string_value()} may read {_object_name(base) or 'memory'}"
    if base_kind(base) is BaseKind.ARGUMENT and base not in call.arguments:
        return f"{message}, which is written here: declare that pointer 'restrict' if it does not"
    return f"{message}, which is written here"


def _changes_with_a_loop(value: SSAValue, flow: ControlFlow) -> bool:
    if not isinstance(value.owner, Block):
        return False
    loop = flow.loops.innermost(value.owner)
    return loop is not None and loop.header is value.owner
