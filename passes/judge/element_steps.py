"""How far apart the elements are that iterations of a loop find at one place of its body."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Block

from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Counter, Expr, Extremum
from polyopt.ir.expressions.shapes import byte_offset
from polyopt.passes.judge.operation_costs import element_bits
from polyopt.support.record import record


@record
class ElementStep:
    """Where the first iteration finds an element, and how many bytes on the next one does."""

    first: Expr
    step: Expr
    size: int


def place_of(
    op: memref.LoadOp | memref.StoreOp, block: Block, loop: NaturalLoop, evolution: Evolution
) -> ElementStep | None:
    indices = [evolution.signed(index, block) for index in op.indices]
    offset = byte_offset(op.memref, indices, evolution, block)
    if offset is None:
        return None
    parts = (evolution.address(op.memref, block) + offset).split(Counter(loop))
    size = element_bits(memref_type(op.memref).element_type) // 8
    return None if parts is None else ElementStep(*parts, size)


def is_perhaps_one(step: Expr, size: int, loop: NaturalLoop, evolution: Evolution) -> bool:
    """Whether LLVM asks at run time if a step of an unknown number of elements is one of one
    element, and has vectors for that alone: it does where it cannot show that the loop has no
    more iterations than the step has elements (`collectStridedAccess`)."""
    elements = next((Expr({term: 1}) for term in step.terms), None)
    if elements is None or elements.as_atom is None or step != elements * size:
        return False
    count = evolution.trip_count(loop)
    if count is None:
        return True
    least = count.taken.as_atom
    ends = least.terms if isinstance(least, Extremum) else (count.taken,)
    return not any(
        (difference := (end - elements).as_constant) is not None and difference <= 0 for end in ends
    )
