"""Short rows that a loop around goes over again and again, each time reading what it has stored.

    for i:  for c = 0 to 6:  m[c] += x[i, c]        m[0] … m[5] are read again by the next i

What is stored under a mask is in memory before it can be read: each row would wait for the one
before, where LLVM, which unrolls the short loop, keeps m in registers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from xdsl.dialects import affine
from xdsl.ir import SSAValue

from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of

Element = tuple[SSAValue, tuple[Linear, ...]]
"""An array, and the subscripts of what is accessed of it."""


def is_read_again(
    stored: Iterable[Element], loaded: Collection[Element], around: Sequence[SSAValue]
) -> bool:
    """Is there an element that is stored and loaded in each iteration of one of the loops around,
    of which these are the iterators?"""
    return any(
        one in loaded and not any(form.coefficient(iterator) for form in one[1])
        for one in stored
        for iterator in around
    )


def waits_for_itself(
    loop: affine.ForOp, stores: Iterable[affine.StoreOp], loads: Iterable[affine.LoadOp]
) -> bool:
    """Do the loop's iterations, as lanes under a mask, wait for its last run?"""
    around = loop.parent_op()
    if not isinstance(around, affine.ForOp):
        return False
    stored, loaded = ({_element(one) for one in accesses} for accesses in (stores, loads))
    return is_read_again(stored, loaded, [around.body.block.args[0]])


def _element(op: affine.LoadOp | affine.StoreOp) -> Element:
    return op.memref, tuple(subscripts_of(op) or ())
