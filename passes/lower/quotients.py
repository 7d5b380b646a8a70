"""What values were computed as, so that what a division leaves is seen.

    x - d * floor(x / d)   is   x mod d

also where parts of it have been computed as values of their own: of a row that is cut by 64, and
what that leaves by 16,

    q = floor(x / 64), s = floor(x / 16) - 4 * q:   x - 64 * q - 16 * s   is   x mod 16
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from xdsl.ir import SSAValue

from polyopt.ir.affine.linear import Linear
from polyopt.support.record import entity


@entity
class Quotients:
    divided: dict[SSAValue, tuple[Linear, int]] = field(
        default_factory=dict[SSAValue, tuple[Linear, int]]
    )
    """Of values that are quotients: what was divided, and by what."""
    sums: dict[SSAValue, Linear] = field(default_factory=dict[SSAValue, Linear])
    """Of values that were added up: of what."""

    def with_remainders(self, form: Linear, modulo: Callable[[Linear, int], Linear]) -> Linear:
        """The same value with remainders in place of quotients; sums are taken apart where that
        leaves fewer terms."""
        found = self._replaced(form, modulo)
        if not any(value in self.sums for value in form.values):
            return found
        opened = self._opened(form)
        other = self._replaced(opened, modulo)
        return other if other is not opened and len(other.terms) < len(found.terms) else found

    def _replaced(self, form: Linear, modulo: Callable[[Linear, int], Linear]) -> Linear:
        for value, factor in form.terms:
            if (found := self.divided.get(value)) is None:
                continue
            divided, divisor = found
            times = -factor // divisor
            rest = form + Linear.of(value) * (divisor * times) - divided * times
            if factor == -divisor * times and len(rest.terms) < len(form.terms) - 1:
                return self._replaced(rest + modulo(divided, divisor) * times, modulo)
        return form

    def _opened(self, form: Linear) -> Linear:
        while any(value in self.sums for value in form.values):
            form = form.substitute({one: self.sums[one] for one in form.values if one in self.sums})
        return form
