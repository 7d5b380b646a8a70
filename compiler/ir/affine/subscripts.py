"""How the subscripts of affine accesses move along a loop."""

from __future__ import annotations

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, access_of, is_defined_inside
from polyopt.ir.affine.linear import Linear
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.target import LINE_BYTES

GREATEST_STRIDE = 8
"""Of loads: so many vectors are loaded for each that is wanted. Stores step by one element, up or
down; what is stored in between belongs to LLVM, which knows groups of stores."""
_LONGEST_RECORD = 16
"""Members of one that is no longer than a line."""


def subscripts_of(op: ElementAccess) -> tuple[Linear, ...] | None:
    """None where they are not known, or of no use: of an array of truth values, each of which is a
    byte in memory, and a bit of a vector."""
    access = access_of(op)
    assert access is not None
    if access.subscripts is None or (access.subscripts and _is_truth(op)):
        return None
    known = [form for form in access.subscripts if form is not None]
    return tuple(known) if len(known) == len(access.subscripts) else None


def _is_truth(op: ElementAccess) -> bool:
    return memref_type(op.memref).element_type == i1


def may_meet(one: ElementAccess, other: ElementAccess) -> bool:
    """False only if no element that one of them ever touches is one that the other does: as of
    arrays that are apart, so of rows of one that have different numbers."""
    if one.memref is not other.memref:
        return may_overlap(one.memref, other.memref)
    here, there = subscripts_of(one), subscripts_of(other)
    if here is None or there is None:
        return True
    pairs = zip(here, there, strict=True)
    return not any(not (a.terms or b.terms) and a.constant != b.constant for a, b in pairs)


def stride_of(op: ElementAccess, loop: AffineLoop) -> int | None:
    """0: the same element in all iterations, 1: the next one, -1: the one before, and so on up to
    `greatest_stride`; None: anything else."""
    subscripts = subscripts_of(op)
    if subscripts is None:
        return None
    coefficients = [form.coefficient(loop.iv) for form in subscripts]
    if not any(coefficients):
        return 0
    *others, stride = coefficients
    if any(others) or abs(stride) > _LONGEST_RECORD:
        return None
    return stride if abs(stride) <= greatest_stride(op.memref) else None


def greatest_stride(array: SSAValue) -> int:
    """Of lanes that are taken from vectors of all that lies between them: records no longer than a
    line, or of few members. (Zen 4, 2,000 matrices of 3 x 3, inverted: floats 5.4 us, by LLVM 10.6;
    doubles 9.6 and 7.5.)"""
    size = element_bytes(memref_type(array).element_type)
    return max(GREATEST_STRIDE, min(_LONGEST_RECORD, LINE_BYTES // (size or LINE_BYTES)))


def steps_of(op: ElementAccess, loop: AffineLoop) -> list[int]:
    """How far apart two neighbouring lanes touch memory, in each dimension."""
    subscripts = subscripts_of(op)
    assert subscripts is not None
    return [form.coefficient(loop.iv) for form in subscripts]


def is_known(form: Linear, loop: AffineLoop) -> bool:
    """Does nothing in the form but the iterator come from inside the loop?"""
    return not any(
        value is not loop.iv and is_defined_inside(value, loop.op) for value in form.values
    )
