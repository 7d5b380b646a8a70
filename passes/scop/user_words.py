"""What stands against a static control part, in the words of somebody who writes loops; where a
change of the source helps, with it."""

from __future__ import annotations

import re

from xdsl.dialects import arith, func, memref
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure, passes_values
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
    cmem.PrefetchOp: "it fetches ahead what its data lead to (__builtin_prefetch)",
}

_ALPHABETS = "isalnum isalpha isdigit islower isspace isupper isxdigit tolower toupper".split()
_INSTEAD = {
    **dict.fromkeys(
        _ALPHABETS,
        "asks for the program's locale: comparisons like c >= 'a' && c <= 'z' in its place can be "
        "optimised",
    ),
    **dict.fromkeys(
        "rand random drand48 lrand48 mrand48".split(),
        "goes on from the call before: fill an array by a loop of its own, or compute the numbers "
        "here",
    ),
    **dict.fromkeys(
        "printf fprintf puts fputs putchar putc fputc fwrite perror".split(),
        "writes in the order of the iterations: compute in a loop of its own, and write behind it",
    ),
    **dict.fromkeys(
        "scanf fscanf getchar getc fgetc fgets fread".split(),
        "reads in the order of the iterations: fill an array by a loop of its own",
    ),
    **dict.fromkeys(
        "malloc calloc realloc aligned_alloc free".split(),
        "is for the heap as it is then: get all memory in front of the loops, and free it behind",
    ),
}
"""What to do about functions of the C library, whose declarations nobody can change."""

TYPES_WORDS = (
    "the same memory is accessed as elements of different types: let the members of a struct have "
    "one type, or an array each"
)


def part_text(part: Expr | Flag) -> str:
    """For developers."""
    return condition_text(part) if isinstance(part, Flag) else text(part)


def condition_words(op: Operation, part: Expr | Flag, flow: ControlFlow, *, leaves: bool) -> str:
    """Of a branch that no sum of loop variables decides; `leaves`: it ends a loop."""
    what = "the loop's condition" if leaves else "the condition"
    if isinstance(part, Flag):
        message = (
            f"{what} depends on data: only sums of loop variables and parameters, multiplied by "
            "constants, can be compared"
        )
    else:
        message = f"{what} is no sum of loop variables: it contains {part_words(part, flow)}"
    if not leaves and isinstance(part, Expr) and (loop := _changed_by(part, flow)) is not None:
        may_go = any(_only_goes_on(block, loop) for block in op.successors)
        return f"{message}; leave the loop once nothing will change any more" if may_go else message
    read = () if leaves else _only_read_under(op)
    if read:
        message += (
            f"; where {' and '.join(read)} may be read whether it holds or not, do so before it"
        )
    return message


def error_words(part: Expr | Flag, flow: ControlFlow) -> str:
    if isinstance(part, Flag):
        return "data decide whether the program ends in an error here: check them in a loop before"
    words = part_words(part, flow)
    return f"the condition of an error is no sum of loop variables: it contains {words}"


def _only_read_under(branch: Operation) -> list[str]:
    """The arrays that are read under a condition by blocks that do nothing else: were they read in
    front, the condition would choose between values."""
    names = list[str]()
    for block in branch.successors:
        if len(incoming(block)) > 1:
            continue
        *ops, last = block.ops
        if not all(isinstance(op, memref.LoadOp) or is_pure(op) for op in ops) or last.regions:
            return []
        names += [
            name
            for op in ops
            if isinstance(op, memref.LoadOp) and op.indices
            if (name := _object_name(op.memref)) is not None
        ]
    return list(dict.fromkeys(names))


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
        quotient = None if not isinstance(atom, Unknown) else _quotient_words(atom.value, flow)
        return quotient or "a value that is read from memory"
    if isinstance(part, Expr) and (found := _unknown_factor(part)) is not None:
        loop, factor = found
        stepping = _stepped_by(loop, factor)
        if stepping is not None:
            name, by = stepping
            return f"{name}, which goes on by {by}, and {factor.name_hint} is no constant"
        return f"{told}, where {factor.name_hint} is no constant"
    if not isinstance(atom, Unknown) or not _changes_with_a_loop(atom.value, flow):
        return told
    if isinstance(atom.value.type, LLVMPointerType):
        return f"{told}, a pointer that goes on by no fixed step"
    return f"{told}, which does not change by the same amount each time"


def _quotient_words(value: SSAValue, flow: ControlFlow) -> str | None:
    """Of a division of values of the program."""
    op = value.owner
    if not isinstance(op, arith.DivSIOp | arith.DivUIOp | arith.RemSIOp | arith.RemUIOp):
        return None
    what = "quotient" if isinstance(op, arith.DivSIOp | arith.DivUIOp) else "remainder"
    numbers = (op.lhs, op.rhs)
    left, right = map(_number_words, numbers)
    advice = "compute it in a variable before the loops"
    told = f"the {what} of {left} and {right}"
    return told if any(_may_change(one, flow) for one in numbers) else f"{told}: {advice}"


def _number_words(value: SSAValue) -> str:
    load = value.owner
    name = _object_name(load.memref) if isinstance(load, memref.LoadOp) else None
    if value.name_hint is not None or name is None:
        return value.name_hint or "a value that has no name"
    return f"what is read from {name}"


def _may_change(value: SSAValue, flow: ControlFlow) -> bool:
    """From one iteration to the next; what is in one variable may not, as far as is known."""
    owner = value.owner
    if isinstance(owner, Block):
        return _changes_with_a_loop(value, flow)
    if isinstance(owner, memref.LoadOp):
        return bool(owner.indices)
    return not is_pure(owner) or any(_may_change(one, flow) for one in owner.operands)


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


def _stepped_by(loop: NaturalLoop, step: SSAValue) -> tuple[str, str] | None:
    """The variable of the loop that goes on by this value or by what is computed from it, and by
    what: the program has no such product then."""
    for variable in loop.header.args:
        added = [one.operation for one in variable.uses if isinstance(one.operation, arith.AddiOp)]
        terms = {term for one in added for term in one.operands}
        if variable.name_hint is None:
            continue
        if step in terms:
            return variable.name_hint, f"{step.name_hint}"
        owners = [term.owner for term in terms]
        if any(
            isinstance(one, arith.MuliOp | arith.ShLIOp) and step in one.operands for one in owners
        ):
            return variable.name_hint, f"a multiple of {step.name_hint}"
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
    if name in _INSTEAD:
        return f"the call of {name} {_INSTEAD[name]}"
    message = f"the call of {name} may do anything: move it out of the loop or inline it"
    if isinstance(call, func.CallOp) and passes_values(call):
        message += "; if it only computes, '__attribute__((const))' in its declaration says so"
    return message


def base_words(base: SSAValue) -> str:
    """Of an array whose address is not the same all the time."""
    message = "the array's address changes while the loops run"
    if isinstance(base.owner, memref.LoadOp):
        where = _object_name(base.owner.memref) or "memory"
        piece = "a matrix x[n][m] lies in one piece, without pointers to rows"
        return f"{message}: it is read from {where} ({piece})"
    return message


def read_words(call: func.CallOp, base: SSAValue) -> str:
    """Of a call that may read an array that the loops write."""
    message = f"the call of {call.callee.string_value()} may read {_object_name(base) or 'memory'}"
    if base_kind(base) is BaseKind.ARGUMENT and base not in call.arguments:
        return f"{message}, which is written here: declare that pointer 'restrict' if it does not"
    return f"{message}, which is written here"


def _changes_with_a_loop(value: SSAValue, flow: ControlFlow) -> bool:
    return _loop_of(value, flow) is not None


def _loop_of(value: SSAValue, flow: ControlFlow) -> NaturalLoop | None:
    """The loop whose iterations hand the value on from one to the next."""
    if not isinstance(value.owner, Block):
        return None
    loop = flow.loops.innermost(value.owner)
    return loop if loop is not None and loop.header is value.owner else None


def _changed_by(part: Expr, flow: ControlFlow) -> NaturalLoop | None:
    """The loop that changes the one value which the part is."""
    atom = part.as_atom
    return _loop_of(atom.value, flow) if isinstance(atom, Unknown) else None


def _only_goes_on(block: Block, loop: NaturalLoop) -> bool:
    """From there the next iteration is reached, and nothing happens on the way."""
    while block is not loop.header:
        if block not in loop.blocks or len(block.last_op.successors if block.last_op else ()) != 1:
            return False
        *ops, last = block.ops
        if not all(map(is_pure, ops)):
            return False
        block = last.successors[0]
    return True
