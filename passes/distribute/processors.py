"""The parts of processes as code: coordinates on the grid, and intervals of rows.

rank = (place_0 * count_1 + place_1) * count_2 + …
first = range + floor(place * length / count)        end = range + floor((place+1) * length / count)

Where parts are to hold every element there can be, the first of a range begins far in front of it,
and the last one ends far behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from polyopt.passes.codegen.loop_builder import Site, emit
from polyopt.passes.parallel.code import Code, Index
from polyopt.poly.placement.grid import Part, Who, end, first, place
from polyopt.poly.placement.ownership import Placement
from polyopt.poly.placement.values import value_of
from polyopt.support.record import record


@record(eq=False)
class Processors:
    """`counts` of the axes, `lengths` and `starts` of the ranges: values that are there."""

    counts: Sequence[Index]
    starts: Mapping[Part, SSAValue]
    lengths: Mapping[Part, SSAValue]
    is_total: bool = False

    def number(self, code: Code) -> Index:
        """How many processes there are."""
        result: Index = 1
        for count in self.counts:
            result = code.multiply(result, count)
        return result

    def part(self, code: Code, rank: SSAValue, who: Who) -> dict[str, SSAValue]:
        """The parameters of the process that has this rank, by name."""
        values = dict[str, SSAValue]()
        rest: Index = rank
        for axis in reversed(range(len(self.counts))):
            count = self.counts[axis]
            if axis:
                here = code.insert(arith.RemUIOp(code.index(rest), code.index(count)))
                rest = code.quotient(rest, count)
            else:
                here = code.index(rest)
            values[place(who, axis)] = here
        for (axis, number), start in self.starts.items():
            here, length = values[place(who, axis)], self.lengths[axis, number]
            following = code.index(code.add(here, 1))
            begin = self._cut(code, start, length, axis, here)
            behind = self._cut(code, start, length, axis, following)
            if self.is_total:
                begin = _choose(code, here, 0, -FAR, begin)
                behind = _choose(code, following, self.counts[axis], FAR, behind)
            values[first(who, axis, number)] = begin
            values[end(who, axis, number)] = behind
        return values

    def _cut(
        self, code: Code, start: SSAValue, length: SSAValue, axis: int, place: SSAValue
    ) -> SSAValue:
        share = code.quotient(code.multiply(place, length), self.counts[axis])
        return code.index(code.add(start, share))


FAR = 1 << 40
"""Further than any subscript, and little enough to be multiplied by what subscripts are."""


def _choose(code: Code, here: SSAValue, where: Index, far: int, near: SSAValue) -> SSAValue:
    """`here == where ? far : near`."""
    is_there = code.insert(arith.CmpiOp(here, code.index(where), "eq"))
    return code.insert(arith.SelectOp(is_there, code.index(far), near))


def processors_of(
    placement: Placement, counts: Sequence[Index], code: Code, site: Site
) -> Processors:
    """The values that parts are computed from, as code at the end of the site's block."""
    starts, lengths = dict[Part, SSAValue](), dict[Part, SSAValue]()
    for part, one in placement.ranges.items():
        start, last = emit(value_of(one.first), site), emit(value_of(one.last), site)
        length = code.index(code.add(code.subtract(last, start), 1))
        if placement.is_total:
            length = code.insert(arith.MaxSIOp(length, code.index(0)))
        starts[part], lengths[part] = start, length
    return Processors(counts, starts, lengths, placement.is_total)
