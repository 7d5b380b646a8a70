"""Iterations of a serial loop that run together, so that vectors picked out of others share these.

Where columns lie s elements apart and the serial loop moves by one, as in a filter that halves a
picture, s iterations pick all of the same s vectors:

    for k: s[i] += h[k] * x[2 * i + k]     =>     for k step 2: even and odd elements of two vectors
"""

from __future__ import annotations

from math import gcd, log2

from xdsl.dialects import affine

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.loops.registers.nest_groups import Element, Group
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
    is_scattered,
    moves_with,
    strides_along,
)


def steps_together(nest: RegisterNest, group: Group, columns: AffineLoop) -> int:
    """How many iterations of the group's innermost loop pick their vectors out of the same ones."""
    if not group.loops or moves_with(group.loops[-1], columns) or group.loops[-1].step != 1:
        return 1
    loaded = (element for op, element in group.elements.items() if isinstance(op, affine.LoadOp))
    return max(
        (_steps_of(one, group, columns) for one in loaded if one not in nest.held), default=1
    )


def _steps_of(element: Element, group: Group, columns: AffineLoop) -> int:
    """How many read within one step from column to column, for one element."""
    stride = abs(strides_along(element, columns)[1])
    *others, last = [form.coefficient(group.loops[-1].iv) for form in element[1]] or [0]
    if stride < 2 or is_scattered(element, columns) or any(others) or last % stride == 0:
        return 1
    steps = stride // gcd(stride, last)
    return steps if (steps - 1) * abs(last) < stride else 1


def shuffles_left(together: int) -> float:
    """The part of the shuffles that is left where all vectors of a whole group are picked: halves
    are taken apart, then halves of these."""
    return 1.0 if together == 1 else log2(together) / (together - 1)


def places_beside(
    element: Element, group: Group, columns: AffineLoop, beside: range
) -> tuple[int, ...]:
    """How far from an element lies what iterations read for it that share its vectors: of those
    `beside` this one, which run together and are so many ahead."""
    if not group.loops:
        return (0,)
    number, steps = -beside.start, _steps_of(element, group, columns)
    first = number // steps * steps
    sharing = range(first, min(first + steps, len(beside)))
    factor = element[1][-1].coefficient(group.loops[-1].iv)
    return tuple(sorted(factor * (one - number) for one in sharing))
