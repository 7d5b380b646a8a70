"""Why an innermost loop is not in vectors, in the words of somebody who writes loops.

Nothing here decides anything: `find_vector_loop` and the models do, and are quick about it. Of a
loop that they have refused, and only where somebody will read it, the first of their conditions
that does not hold is looked for again, in the widest sense in which lanes are taken at all:
strided, under masks, and in groups of stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from xdsl.dialects import affine, func, memref, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.locations import span_of
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.subscripts import is_known, steps_of, stride_of, subscripts_of
from polyopt.ir.elementwise import has_lanes, is_quotient
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.vector_calls import has_vector_forms, is_in_library
from polyopt.passes.loops.vectors.accumulations import find_accumulation
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop, gives_elements
from polyopt.passes.loops.vectors.strided_model import pays_strided, scattered_stores
from polyopt.passes.loops.vectors.vector_loop import VectorLoop, flattened
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import are_collected, remark
from polyopt.support.target import Target

CARRIED = ("serial", "pipeline")
"""Loops whose dependences are told where the source's are."""


@record
class Refusal:
    """`id` names the condition that does not hold; `why` goes on "no vectors: "."""

    id: str
    why: str


def tell_why_not(op: affine.ForOp, target: Target) -> None:
    """A remark at the first store of the loop, if anybody listens and there is something to say
    that the dependences of the source do not."""
    if not are_collected():
        return
    stores = [one for one in op.walk() if isinstance(one, (affine.StoreOp, memref.StoreOp))]
    loop = AffineLoop(op)
    if not stores or loop.facts.is_final or loop.facts.carried in CARRIED:
        return
    found = refusal(loop, target)
    if found is not None:
        remark("missed", f"no-vectors-{found.id}", f"no vectors: {found.why}", span_of(stores[0]))


def refusal(loop: AffineLoop, target: Target) -> Refusal | None:
    """None where it might be vectors, for all that is known here."""
    is_wide = target.vector_bits >= CORE.strided.wide_bits
    operations = [one for one in loop.block.ops if not isinstance(one, affine.YieldOp)]
    found = (
        _of_range(loop)
        or _of_operations(operations, loop, is_wide=is_wide)
        or _of_results(operations, loop)
        or _of_iterations(loop, is_wide=is_wide)
    )
    if found is not None:
        return found
    lanes = find_vector_loop(loop.op, is_strided=True, may_leave_out=is_wide)
    return None if lanes is None else _of_cost(lanes, target)


def _of_range(loop: AffineLoop) -> Refusal | None:
    if loop.op.inits:
        return Refusal("values", "a value goes from iteration to iteration")
    if loop.step != 1:
        return Refusal("step", f"the loop goes in steps of {loop.step}")
    if loop.lowers is None or loop.uppers is None:
        apart = next((one for one in loop.block.walk() if _is_spread(one, loop)), None)
        spread = "" if apart is None else f"{_apart(apart, loop)}, and "
        return Refusal("bounds", f"{spread}where the loop begins or ends is a quotient")
    return None


def _is_spread(op: Operation, loop: AffineLoop) -> TypeGuard[affine.StoreOp]:
    """Whether it stores to neither one element nor to neighbours, as in a loop by steps of 2."""
    if not isinstance(op, affine.StoreOp) or subscripts_of(op) is None:
        return False
    return stride_of(op, loop) not in (0, 1, -1)


def _of_operations(
    operations: Sequence[Operation], loop: AffineLoop, *, is_wide: bool
) -> Refusal | None:
    for op in operations:
        found = (
            _of_conditional(op, loop, is_wide=is_wide)
            if isinstance(op, scf.IfOp)
            else _of_operation(op, loop, is_wide=is_wide)
        )
        if found is not None:
            return found
    return None


def _of_operation(op: Operation, loop: AffineLoop, *, is_wide: bool) -> Refusal | None:
    if isinstance(op, (affine.LoadOp, affine.StoreOp)):
        return _of_access(op, loop)
    if isinstance(op, (memref.LoadOp, memref.StoreOp)):
        name, size = _name(op.memref), _bytes(op.memref)
        if isinstance(op, memref.StoreOp):
            return Refusal("places", f"where {name} is written is computed in the loop")
        if size not in (4, 8):
            why = f"no instruction gathers elements of {_words(size)}, as {name} has"
            return Refusal("elements", why)
        return None
    if isinstance(op, func.CallOp):
        return Refusal("calls", f"the call of {op.callee.root_reference.data} has no vector form")
    if op.regions:
        return Refusal("control", "there is more than straight code in it")
    if has_vector_forms(op):
        why = f"{_operation(op)} is computed exactly; -ffast-math permits its vector forms"
        return None if is_in_library(op) else Refusal("calls", why)
    is_place = any(isinstance(one.type, IndexType) for one in (*op.operands, *op.results))
    if not is_place and not has_lanes(op) and not (is_wide and is_quotient(op)):
        return Refusal("operations", f"{_operation(op)} has no vector form")
    return None


def _of_conditional(op: scf.IfOp, loop: AffineLoop, *, is_wide: bool) -> Refusal | None:
    inside = list(flattened([op]))
    if not gives_elements(op):
        return Refusal("control", "a condition on data chooses a place")
    for one in inside:
        if isinstance(one, (affine.LoadOp, affine.StoreOp)):
            if isinstance(one, affine.StoreOp) and stride_of(one, loop) == 0:
                why = f"under a condition on data, it stores to one element of {_name(one.memref)}"
                return Refusal("control", why)
            has_mask = is_wide and stride_of(one, loop) in (0, 1)
            if _bytes(one.memref) not in (4, 8) and not has_mask:
                why = f"no instruction masks elements of {_words(_bytes(one.memref))}, which"
                return Refusal("control", f"{why} {_name(one.memref)} has, under a condition")
    return _of_operations(inside, loop, is_wide=is_wide)


def _of_access(op: ElementAccess, loop: AffineLoop) -> Refusal | None:
    name, size = _name(op.memref), _bytes(op.memref)
    forms = subscripts_of(op)
    if forms is None or not all(is_known(form, loop) for form in forms):
        return Refusal("places", f"a subscript of {name} is no sum of loop variables")
    if stride_of(op, loop) is None and size not in (4, 8):
        why = f"{_apart(op, loop)}, and no instruction gathers elements of {_words(size)}"
        return Refusal("elements", why)
    return None


def _of_results(operations: Sequence[Operation], loop: AffineLoop) -> Refusal | None:
    stores = [one for one in flattened(operations) if isinstance(one, affine.StoreOp)]
    if not stores:
        return Refusal("results", "nothing is stored where a subscript says")
    for store in stores:
        if stride_of(store, loop) == 0 and find_accumulation(store, operations) is None:
            name = _name(store.memref)
            return Refusal("results", f"all iterations write the same element of {name}")
    return None


def _of_iterations(loop: AffineLoop, *, is_wide: bool) -> Refusal | None:
    if find_vector_loop(loop.op, is_strided=True, may_leave_out=is_wide) is not None:
        return None
    if any(map(is_in_library, loop.block.ops)):
        return None  # LLVM calls the vector forms.
    strided = [
        one
        for one in loop.block.ops
        if isinstance(one, affine.StoreOp) and stride_of(one, loop) not in (0, 1, -1)
    ]
    if strided and _bytes(strided[0].memref) not in (4, 8):
        size = _bytes(strided[0].memref)
        why = f"{_apart(strided[0], loop)}, and no instruction scatters elements of {_words(size)}"
        return Refusal("elements", why)
    return Refusal("carried", "as the loops are now, an iteration may need what another one does")


def _of_cost(found: VectorLoop, target: Target) -> Refusal | None:
    apart = next((op for op in (*found.stores, *found.loads) if _is_far(op, found)), None)
    looked_up = next(iter(found.gathers), None)
    if pays_strided(found, target):
        return None
    if looked_up is not None:
        what = f"the elements of {_name(looked_up.memref)} lie where a value says"
    elif apart is not None:
        what = _apart(apart, found.loop)
    else:
        return None
    verb = "scattering" if scattered_stores(found) else "gathering"
    return Refusal("cost", f"{what}, and {verb} them costs more than it gains")


def _is_far(op: ElementAccess, found: VectorLoop) -> bool:
    if isinstance(op, affine.LoadOp):
        return not found.is_near(op)
    return op not in found.grouped and stride_of(op, found.loop) not in (1, -1)


def _apart(op: ElementAccess, loop: AffineLoop) -> str:
    """How the elements lie that iterations touch one after the other."""
    *rows, last = steps_of(op, loop)
    name = _name(op.memref)
    if any(rows):
        return f"neighbouring iterations touch {name} in different rows"
    return f"neighbouring iterations touch {name} {abs(last)} elements apart"


def _name(array: SSAValue) -> str:
    return array.name_hint or "an array"


def _bytes(array: SSAValue) -> int | None:
    return element_bytes(getattr(array.type, "element_type", array.type))


def _words(size: int | None) -> str:
    return "1 byte" if size == 1 else f"{size or 'unknown'} bytes"


def _operation(op: Operation) -> str:
    """math.sin as sin, arith.divsi as a division."""
    name = op.name.partition(".")[2]
    if name.startswith(("div", "ceildiv", "floordiv")):
        return "the division of integers"
    return "the remainder of integers" if name.startswith("rem") else name
