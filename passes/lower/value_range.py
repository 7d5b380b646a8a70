"""What is known of a value's size: an interval, open where nothing is known."""

from __future__ import annotations

from polyopt.support.record import record

Bound = int | None


@record
class KnownRange:
    """`low <= value <= high`, None where unknown."""

    low: Bound = None
    high: Bound = None

    def scaled(self, factor: int) -> KnownRange:
        low = None if self.low is None else self.low * factor
        high = None if self.high is None else self.high * factor
        return KnownRange(low, high) if factor > 0 else KnownRange(high, low)

    def __add__(self, other: KnownRange) -> KnownRange:
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return KnownRange(low, high)

    def joined(self, other: KnownRange, is_maximum: bool) -> KnownRange:
        """The range of the maximum, or of the minimum, of two values."""
        lows = [b for b in (self.low, other.low) if b is not None]
        highs = [b for b in (self.high, other.high) if b is not None]
        if is_maximum:
            return KnownRange(max(lows, default=None), max(highs) if len(highs) == 2 else None)
        return KnownRange(min(lows) if len(lows) == 2 else None, min(highs, default=None))


ANY = KnownRange()
