"""What the instances of a sample read and write, and how often the cache would have to fetch.

A cache that holds some lines, and forgets the one that was not used for longest, is run through
the elements in the order of the instances: the same elements, in another order, are fetched more
or less often. Lines are as short as the sample is small.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence

import islpy as isl

from polyopt.poly.isl.lists import maps, points
from polyopt.poly.picture.sample import Instance, Sample, coordinates
from polyopt.poly.scop import Scop
from polyopt.support.record import record

LIMIT = 4000
LINE = 4
"""Elements in a line of the cache that the pictures assume."""

Element = tuple[str, tuple[int, ...]]
"""An array and the subscripts."""


@record
class Touch:
    """`is_must`: whatever the data are."""

    element: Element
    is_write: bool
    is_must: bool = True


Touches = dict[Instance, tuple[Touch, ...]]


def touches(scop: Scop, sample: Sample, *, where_known: bool = False) -> Touches | None:
    """What each instance touches, in the order of the statement; None where that is too much to
    show. `where_known`: without accesses that may be anywhere in much."""
    found = dict[Instance, list[tuple[int, Touch]]]()
    count = 0
    for statement in scop.statements:
        universe = isl.Set.universe(statement.domain.get_space())
        mine = sample.domain.intersect(isl.UnionSet.from_set(universe))
        for access in statement.accesses:
            relation = isl.UnionMap.from_map(access.relation).intersect_domain(mine)
            for pairs in (part.wrap() for part in maps(relation)):
                if pairs.is_empty():
                    continue
                own = pairs.count_val().to_python() if pairs.is_bounded() else LIMIT + 1
                if count + own > LIMIT:
                    if where_known and not access.is_must:
                        continue
                    return None
                count += own
                depth = statement.domain.dim(isl.dim_type.set)
                for point in points(pairs):
                    values = coordinates(point)
                    instance = statement.name, values[:depth]
                    element = access.array, values[depth:]
                    touch = Touch(element, access.is_write, access.is_must)
                    found.setdefault(instance, []).append((access.position, touch))
    return {
        instance: tuple(touch for _, touch in sorted(mine, key=lambda one: one[0]))
        for instance, mine in found.items()
    }


def fetched(order: Iterable[Instance], touched: Touches, capacity: int, line: int = LINE) -> int:
    """How many lines come into a cache of `capacity` lines, the least recently used going."""
    kept: OrderedDict[tuple[str, tuple[int, ...]], None] = OrderedDict()
    misses = 0
    for instance in order:
        for touch in touched.get(instance, ()):
            array, subscripts = touch.element
            key = array, (*subscripts[:-1], subscripts[-1] // line) if subscripts else ()
            if key in kept:
                kept.move_to_end(key)
                continue
            misses += 1
            kept[key] = None
            if len(kept) > capacity:
                kept.popitem(last=False)
    return misses


@record
class Box:
    """The subscripts of an array that the sample touches: first and last in each dimension."""

    array: str
    first: tuple[int, ...]
    last: tuple[int, ...]


def boxes(touched: Touches) -> list[Box]:
    """One for each array, by name."""
    elements = dict[str, list[Sequence[int]]]()
    for mine in touched.values():
        for touch in mine:
            elements.setdefault(touch.element[0], []).append(touch.element[1])
    return [
        Box(
            array,
            tuple(map(min, zip(*some, strict=True))),
            tuple(map(max, zip(*some, strict=True))),
        )
        for array, some in sorted(elements.items())
    ]
