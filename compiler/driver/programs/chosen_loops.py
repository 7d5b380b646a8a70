"""Loops of a schedule that were chosen by their names, to be transformed: lines of scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Loops(Generic[T]):
    """One or several loops: `s["i"].tile(32)`, `s["i", "j"].tile(32, 8)`. `do` takes a line."""

    def __init__(self, do: Callable[[str], T], places: tuple[str, ...]):
        self._do = do
        self._places = places

    def tile(self, *sizes: int) -> T:
        """Tiles of these sizes, one for each loop."""
        return self._do(f"tile {' '.join(self._places)} {' '.join(map(str, sizes))}")

    def permute(self) -> T:
        """The loops in the order in which they were listed."""
        return self._do(f"permute {' '.join(self._places)}")

    def interchange(self, other: str) -> T:
        return self._do(f"interchange {self._one()} {other}")

    def strip(self, size: int) -> T:
        return self._do(f"strip {self._one()} {size}")

    def unroll(self, count: int) -> T:
        return self._do(f"unroll {self._one()} {count}")

    def skew(self, by: str, factor: int = 1) -> T:
        return self._do(f"skew {self._one()} {by} {factor}")

    def shift(self, amount: int) -> T:
        return self._do(f"shift {self._one()} {amount}")

    def reverse(self) -> T:
        return self._do(f"reverse {self._one()}")

    def scale(self, factor: int) -> T:
        return self._do(f"scale {self._one()} {factor}")

    def distribute(self, *statements: str) -> T:
        return self._do(" ".join(["distribute", self._one(), *statements]))

    def peel(self, end: str = "first", count: int = 1) -> T:
        return self._do(f"peel {self._one()} {end} {count}")

    def split(self, where: str) -> T:
        return self._do(f"split {self._one()} where {where}")

    def vectorize(self) -> T:
        return self._do(f"vectorize {self._one()}")

    def parallel(self) -> T:
        return self._do(f"parallel {self._one()}")

    def localize(self, *arrays: str) -> T:
        return self._do(" ".join(["localize", self._one(), *arrays]))

    def _one(self) -> str:
        if len(self._places) != 1:
            raise TypeError(f"this step takes one loop, not {len(self._places)}")
        return self._places[0]

    def __repr__(self) -> str:
        return f"<loop{'s' if len(self._places) > 1 else ''} {', '.join(self._places)}>"
