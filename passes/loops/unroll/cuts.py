"""Where to cut a loop's range so that conditions hold between the cuts.

A condition `c * i + rest >= 0` holds from some iteration on if c > 0, up to some iteration if
c < 0, and for all or none if c = 0.
"""

from __future__ import annotations

from polyopt.ir.affine.affine_nest import AffineLoop, is_defined_inside
from polyopt.ir.affine.linear import Form, Linear, Quotient
from polyopt.support.record import record


@record
class Cuts:
    """The conditions hold for all i with `first <= i < end` for every `first` of `firsts` and
    every `end` of `ends`, where each form of `outside`, which knows no i, is at least 0."""

    outside: tuple[Linear, ...]
    firsts: tuple[Form, ...]
    ends: tuple[Form, ...]


def find_cuts(loop: AffineLoop, conditions: tuple[Linear, ...]) -> Cuts | None:
    """None where a condition speaks of a value that is only known inside the loop."""
    outside: list[Linear] = []
    firsts: list[Form] = []
    ends: list[Form] = []
    for form in conditions:
        if any(v is not loop.iv and is_defined_inside(v, loop.op) for v in form.values):
            return None
        factor = form.coefficient(loop.iv)
        rest = form - Linear.of(loop.iv) * factor
        if factor == 0:
            outside.append(form)
        elif factor > 0:
            firsts.append(-rest if factor == 1 else Quotient(-rest, factor, is_ceiling=True))
        else:
            ends.append(rest + 1 if factor == -1 else Quotient(rest - factor, -factor))
    return Cuts(tuple(outside), tuple(firsts), tuple(ends))
