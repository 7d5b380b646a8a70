"""A loop of the source in a sentence, as data."""

from __future__ import annotations

from typing import Literal

from polyopt.report.contents import UNNAMED, SourceLoop
from polyopt.support.record import record

Status = Literal["changed", "free", "partly", "held", "left"]
"""Something was done; nothing was, or it was given up again, and its iterations are independent,
add to something, need each other; it is in no static control part."""


@record
class LoopVerdict:
    """`scop` is the number of the static control part that the loop belongs to."""

    loop: SourceLoop
    status: Status
    headline: str
    details: tuple[str, ...] = ()
    scop: int | None = None

    def lines(self) -> list[str]:
        """As a compiler tells it: place, loop and verdict, and the rest below it."""
        called = f"loop {self.loop.name}" if self.loop.name != UNNAMED else "loop"
        head = f"{self.loop.start}: {called}: {self.headline}"
        return [head, *(f"    {detail}" for detail in self.details)]
