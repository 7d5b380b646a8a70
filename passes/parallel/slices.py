"""What iterations of one number have for themselves: the slices of arrays that go with a loop.

Two accesses stay apart in iterations of different numbers where subscripts that both have tell the
number; a thread that has its share of a loop again and again finds its slices where it left them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.cmem import element_type
from polyopt.ir.affine.affine_nest import (
    Access,
    AffineLoop,
    accesses_in,
    is_defined_inside,
)
from polyopt.ir.affine.linear import Linear
from polyopt.ir.objects.alias import may_overlap
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES

_Touched = tuple[tuple[Linear | None, ...] | None, AffineLoop]
"""The subscripts of an access, and the loop that it is in."""


def keep_apart(
    root: Operation, one: Access, loop: AffineLoop, other: Access, along: AffineLoop
) -> bool:
    """Whether two accesses, in two loops, touch nothing in common but in iterations of the same
    number. What is defined in `root` may be another value at each access."""
    if one.array is not other.array:
        return not may_overlap(one.array, other.array)
    return _same_slice(root, (one.subscripts, loop), (other.subscripts, along))


def _same_slice(root: Operation, left: _Touched, right: _Touched) -> bool:
    """Whether elements that are the same belong to iterations of the same number. Subscripts that
    are alike in both settle, one after the other, what is the same at both accesses:

        A[i, j - i]  and  A[i', j' - i']   ->   i = i', so j = j'
    """
    (forms, one), (others, other) = left, right
    if forms is None or others is None:
        return False
    here: dict[SSAValue, Linear] = {other.iv: Linear.of(one.iv)}
    alike = [
        form
        for form, there in zip(forms, others, strict=True)
        if form is not None and there is not None and form == there.substitute(here)
    ]
    settled = set[SSAValue]()
    for _ in alike:
        for form in alike:
            unknown = [v for v in form.values if v not in settled and is_defined_inside(v, root)]
            if len(unknown) == 1:
                settled.add(unknown[0])
    return one.iv in settled


def keeps_slices(loops: Sequence[affine.ForOp]) -> bool:
    """Whether a thread that has its share of each of them, again and again, finds what they write
    where it has left it, but for the ends of its share."""
    found = slices(loops)
    return found is not None and all(found.values())


def slices(loops: Sequence[affine.ForOp]) -> dict[SSAValue, set[int]] | None:
    """Of each array that the loops write, the dimensions that go with their iterators, in all
    accesses but those to a row that all iterations read; None where subscripts are not known."""
    accesses = [(one, AffineLoop(loop)) for loop in loops for one in accesses_in(loop)]
    written = {one.array for one, _ in accesses if one is not None and one.is_write}
    dimensions = dict[SSAValue, set[int]]()
    for access, loop in accesses:
        if access is None or access.subscripts is None:
            return None
        if access.array not in written or (not access.is_write and _is_of_a_row(access, loop)):
            continue
        along = {
            number
            for number, form in enumerate(access.subscripts)
            if form is not None and form.coefficient(loop.iv)
        }
        dimensions[access.array] = dimensions.get(access.array, along) & along
    return dimensions


def _is_of_a_row(access: Access, loop: AffineLoop) -> bool:
    """Whether all iterations of the loop read the same elements, by one loop in it at most."""
    forms = access.subscripts or ()
    inside = {v for form in forms if form for v in form.values if is_defined_inside(v, loop.op)}
    return None not in forms and loop.iv not in inside and len(inside) <= 1


def grain_of(loops: Sequence[affine.ForOp]) -> int:
    """How many iterations stay together, so that two threads do not write one line."""
    sizes = [size for one in loops if (size := bytes_along_rows(one)) is not None]
    return CORE.threads.lines_together * LINE_BYTES // min(sizes) if sizes else 1


def bytes_along_rows(loop: affine.ForOp) -> int | None:
    """Of the smallest element of which neighbouring iterations write neighbours; None where they
    write nothing side by side."""
    iterator = AffineLoop(loop).iv
    sizes = list[int]()
    for access in accesses_in(loop):
        if access is None or not access.is_write or not access.subscripts:
            continue
        last = access.subscripts[-1]
        if last is not None and last.coefficient(iterator) == 1:
            element = element_type(access.array)
            sizes.append(element.size if isinstance(element, FixedBitwidthType) else 8)
    return min(sizes, default=None)
