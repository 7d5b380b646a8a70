"""Linear forms over SSA values and what is known of their ranges: plain data, no emission."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

Bound = int | None


@dataclass(frozen=True)
class Range:
    """`low <= value <= high`, None where unknown."""

    low: Bound = None
    high: Bound = None

    def scaled(self, factor: int) -> Range:
        low = None if self.low is None else self.low * factor
        high = None if self.high is None else self.high * factor
        return Range(low, high) if factor > 0 else Range(high, low)

    def __add__(self, other: Range) -> Range:
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return Range(low, high)

    def joined(self, other: Range, is_maximum: bool) -> Range:
        """The range of the maximum, or of the minimum, of two values."""
        lows = [b for b in (self.low, other.low) if b is not None]
        highs = [b for b in (self.high, other.high) if b is not None]
        if is_maximum:
            return Range(max(lows, default=None), max(highs) if len(highs) == 2 else None)
        return Range(min(lows) if len(lows) == 2 else None, min(highs, default=None))


ANY = Range()


@dataclass(frozen=True)
class Linear:
    """`sum(factor * value) + constant`; no factor is 0, terms stand in order of appearance."""

    terms: tuple[tuple[SSAValue, int], ...] = ()
    constant: int = 0

    def scaled(self, factor: int) -> Linear:
        if factor == 0:
            return Linear()
        return Linear(tuple((v, c * factor) for v, c in self.terms), self.constant * factor)

    def __add__(self, other: Linear) -> Linear:
        if not other.terms:
            return Linear(self.terms, self.constant + other.constant)
        sums = dict(self.terms)
        for value, factor in other.terms:
            sums[value] = sums.get(value, 0) + factor
        return Linear(
            tuple((v, c) for v, c in sums.items() if c != 0), self.constant + other.constant
        )
