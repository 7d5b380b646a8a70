"""What is known of a value's size: an interval, open where nothing is known."""

from __future__ import annotations

from polyopt.support.record import record

Bound = int | None


@record
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
