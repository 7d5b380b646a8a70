"""What passes have said of loops that are given back is taken back: it is in no code.

A line of the source may be in several nests, as when its function was inlined twice. What was said
of it stays as long as one of these is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from xdsl.ir import Operation

from polyopt.dialects.locations import span_of_location
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity
from polyopt.support.remarks import are_collected, withdraw_remarks

AS_WRITTEN_TRIAL = "functions"
"""The trial that begins where functions are kept as they were written."""

NESTS_TRIAL = "nests"
"""The trial that begins where static control parts are weighed."""


@entity
class Outcome:
    """Of one trial: the places in the source of what is kept and of what goes again."""

    trial: str
    kept: set[Span] = field(default_factory=set[Span])
    gone: set[Span] = field(default_factory=set[Span])

    def add(self, ops: Iterable[Operation], *, is_kept: bool) -> None:
        """The operations, with all that is in them, are kept or go."""
        if are_collected():
            places = self.kept if is_kept else self.gone
            found = {id(one.location): one.location for op in ops for one in op.walk()}
            places |= {span for one in found.values() if (span := span_of_location(one))}

    def tell(self) -> None:
        withdraw_remarks(self.trial, self.gone - self.kept)
