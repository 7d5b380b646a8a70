"""Loops of a schedule that were chosen by their names, to be transformed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyopt.driver.schedule import Schedule


class Loops:
    """One or several loops of a schedule: `s["i"].tile(32)`, `s["i", "j"].tile(32, 8)`."""

    def __init__(self, schedule: Schedule, places: tuple[str, ...]):
        self._schedule = schedule
        self._places = places

    def tile(self, *sizes: int) -> Schedule:
        """Tiles of these sizes, one for each loop."""
        return self._schedule.tile(*self._places, *sizes)

    def permute(self) -> Schedule:
        """The loops in the order in which they were listed."""
        return self._schedule.permute(*self._places)

    def interchange(self, other: str) -> Schedule:
        return self._schedule.interchange(self._one(), other)

    def strip(self, size: int) -> Schedule:
        return self._schedule.strip(self._one(), size)

    def unroll(self, count: int) -> Schedule:
        return self._schedule.unroll(self._one(), count)

    def skew(self, by: str, factor: int = 1) -> Schedule:
        return self._schedule.skew(self._one(), by, factor)

    def shift(self, amount: int) -> Schedule:
        return self._schedule.shift(self._one(), amount)

    def reverse(self) -> Schedule:
        return self._schedule.reverse(self._one())

    def scale(self, factor: int) -> Schedule:
        return self._schedule.scale(self._one(), factor)

    def distribute(self, *statements: str) -> Schedule:
        return self._schedule.distribute(self._one(), *statements)

    def peel(self, end: str = "first", count: int = 1) -> Schedule:
        return self._schedule.peel(self._one(), end, count)

    def split(self, where: str) -> Schedule:
        return self._schedule.split(self._one(), where)

    def vectorize(self) -> Schedule:
        return self._schedule.vectorize(self._one())

    def parallel(self) -> Schedule:
        return self._schedule.parallel(self._one())

    def _one(self) -> str:
        if len(self._places) != 1:
            raise TypeError(f"this step takes one loop, not {len(self._places)}")
        return self._places[0]

    def __repr__(self) -> str:
        return f"<loop{'s' if len(self._places) > 1 else ''} {', '.join(self._places)}>"
