"""What is done to the loops of one SCoP: as data, as steps (docs/schedules.md), and its neighbours.

A plan first changes which statements share loops (`structure`), then treats each perfect nest that
this gives by itself (`treatment`). A neighbour differs from a plan in one of these choices; those
that concern most of the work come first. Nothing here asks what is legal.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyopt.support.record import record
from polyopt.tools.tune.treatment import TreatedNest, Treatment
from polyopt.tools.tune.turns import in_proportion

STRUCTURE_LINES = 3


@record
class Change:
    """A line that changes the structure, and how much work runs in what it changes."""

    line: str
    work: float = 1.0


@record
class Shape:
    """What a structure gives: the nests, and what would change it further."""

    nests: tuple[TreatedNest, ...]
    changes: tuple[Change, ...]

    @property
    def work(self) -> float:
        return max(1.0, sum(nest.work for nest in self.nests))


@record
class Plan:
    """`treatments` has one for each nest of the structure; of none nothing is done to any."""

    structure: tuple[str, ...] = ()
    treatments: tuple[Treatment, ...] = ()

    def lines(self, shape: Shape) -> tuple[str, ...]:
        pairs = zip(shape.nests, self.treatments, strict=True) if self.treatments else ()
        return (*self.structure, *(line for nest, one in pairs for line in one.lines(nest)))

    def neighbours(self, shape: Shape) -> Iterator[Plan]:
        treatments = self.treatments or tuple(map(Treatment.nothing, shape.nests))
        changes = sorted(shape.changes, key=lambda one: -one.work)
        if len(self.structure) >= STRUCTURE_LINES:
            changes = []

        def treated(k: int) -> Iterator[Plan]:
            for other in treatments[k].neighbours():
                yield Plan(self.structure, (*treatments[:k], other, *treatments[k + 1 :]))

        yield from in_proportion(
            (
                max((one.work for one in changes), default=1.0),
                (Plan((*self.structure, one.line)) for one in changes),
            ),
            *((nest.work, treated(k)) for k, nest in enumerate(shape.nests)),
        )
