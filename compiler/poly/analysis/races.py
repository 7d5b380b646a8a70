"""Pairs of accesses that meet, in no order that anybody keeps: what a wrong parallel loop has.

For accesses x and y, each with the instances in which it is done, the elements that it touches and
the times of one thread's run:

    meeting      { s -> t : x in s and y in t touch one element }
    earlier      { s -> t : one thread does x in s before y in t }
    alike        { s -> t : they belong to one run of what is around }
    separated    { s -> t : there is a wait between s and t }

all of them exact: what is in their intersection happens. Whether it happens often enough for the
loop to be called wrong is another question: `is_certain`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import islpy as isl

from polyopt.support.record import record

LONG = 4096
"""A loop that may have any number of iterations is looked at for so many and more: what goes wrong
beyond that distance only is not spoken of."""

LARGEST = 1 << 30
"""Sizes beyond that are not asked for: there integers wrap."""

Moment = int | tuple[int, int]
"""A part of a time: a place in the program, or (the dimension that counts, its direction)."""


@record(eq=False)
class Instances:
    """`domain` { S[i] }, `relation` { S[i] -> A[a] }, and the time of each in one thread's run:
    places and counters in turns, as in the 2d+1 form of schedules."""

    domain: isl.Set
    relation: isl.Map
    time: tuple[Moment, ...]

    @property
    def depth(self) -> int:
        return self.domain.dim(isl.dim_type.set)

    def prefix(self, count: int) -> isl.Map:
        """{ S[i_0, …] -> [i_0, …, i_count-1] }"""
        return self._map([(place, 1) for place in range(count)])

    def times(self, length: int, without: frozenset[int] = frozenset()) -> isl.Map:
        """{ S[i] -> [time] }, of so many parts; counters of the dimensions `without` left out."""
        kept = [part for part in self.time if isinstance(part, int) or part[0] not in without]
        return self._map([*kept, *[0] * (length - len(kept))])

    def _map(self, parts: Sequence[Moment]) -> isl.Map:
        space = self.domain.get_space()
        local = isl.LocalSpace.from_space(space)
        affs = isl.AffList.alloc(isl.DEFAULT_CONTEXT, len(parts))
        for part in parts:
            aff = isl.Aff.zero_on_domain(local)
            if isinstance(part, int):
                aff = aff.set_constant_val(part)
            else:
                aff = aff.set_coefficient_val(isl.dim_type.in_, part[0], part[1])
            affs = affs.add(aff)
        range = space.params().add_unnamed_tuple_ui(len(parts))
        result = isl.MultiAff.from_aff_list(space.map_from_domain_and_range(range), affs)
        return isl.Map.from_multi_aff(result).intersect_domain(self.domain)


def meeting(x: Instances, y: Instances) -> isl.Map:
    """{ s -> t : x in s and y in t touch one element }"""
    return _through(x.relation.intersect_domain(x.domain), y.relation.intersect_domain(y.domain))


def alike(x: Instances, y: Instances, count: int) -> isl.Map:
    """{ s -> t : the first `count` counters agree }"""
    return _through(x.prefix(count), y.prefix(count))


def earlier(x: Instances, y: Instances, without: frozenset[int] = frozenset()) -> isl.Map:
    """{ s -> t : x in s comes before y in t }; `without` the dimensions of loops that are done at
    once, in the order in which that does them."""
    length = max(len(x.time), len(y.time))
    return x.times(length, without).lex_lt_map(y.times(length, without))


def _through(x: isl.Map, y: isl.Map) -> isl.Map:
    return x.apply_range(y.reverse())


def separated(x: Instances, y: Instances, waits: Iterable[Instances]) -> isl.Map:
    """{ s -> t : a wait is between x in s and y in t }"""
    space = x.domain.get_space().map_from_domain_and_range(y.domain.get_space())
    result = isl.Map.empty(space)
    for wait in waits:
        result = result.union(earlier(x, wait).apply_range(earlier(wait, y)))
    return result


def long_loops(iterations: Iterable[isl.Set]) -> isl.Set | None:
    """The parameters for which each loop's last counter runs over a range of LONG numbers, or of
    as many as it ever does; None where that is not to be had."""
    result: isl.Set | None = None
    for domain in iterations:
        depth = domain.dim(isl.dim_type.set)
        counter = domain.project_out(isl.dim_type.set, 0, depth - 1).reset_tuple_id()
        ways = isl.Map.from_domain_and_range(counter, counter).deltas()
        most = ways.project_out_all_params().dim_max_val(0)
        if most.is_nan() or most.is_neginfty():
            return None
        least = LONG if most.is_infty() else min(LONG, most.to_python())
        enough = ways.lower_bound_val(isl.dim_type.set, 0, least).params()
        result = enough if result is None else result.intersect(enough)
    return result


def reasonable(values: isl.Set) -> isl.Set:
    """Without parameters that are larger than any size."""
    for place in range(values.dim(isl.dim_type.param)):
        values = values.lower_bound_val(isl.dim_type.param, place, -LARGEST)
        values = values.upper_bound_val(isl.dim_type.param, place, LARGEST)
    return values


def is_certain(race: isl.Map, expected: isl.Set) -> bool:
    """Whether it happens for all parameters that are expected, and there are such."""
    if race.is_empty() or expected.is_empty():
        return False
    return expected.is_subset(race.domain().params())
