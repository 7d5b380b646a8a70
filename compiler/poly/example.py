"""One pair of instances out of many, to be shown to people: the least, for a problem as small as it
may be."""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from polyopt.support.record import record


@record(eq=False)
class Example:
    """Values of the parameters, the instances, and the element that both touch."""

    parameters: Mapping[str, int]
    first: tuple[int, ...]
    second: tuple[int, ...]
    element: tuple[int, ...]


def example(pairs: isl.Map, touched: isl.Map) -> Example | None:
    """The least of `pairs`, small sizes first, then early iterations, with the element that its
    first instance touches by `touched`; None where there is none."""
    depth = pairs.dim(isl.dim_type.in_)
    both = pairs.wrap()
    count = both.dim(isl.dim_type.param)
    names = [both.get_dim_name(isl.dim_type.param, place) or "" for place in range(count)]
    shown = [both.involves_dims(isl.dim_type.param, place, 1) for place in range(count)]
    for place in range(count):
        positive = both.lower_bound_val(isl.dim_type.param, place, 0)
        if not positive.is_empty():
            both = positive
    flat = both.flatten().move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, count)
    least = flat.lexmin() if flat.is_bounded() or _has_least(flat) else flat
    point = least.sample_point()
    if point.is_void():
        return None
    total = flat.dim(isl.dim_type.set)
    values = [_number(point, place) for place in range(total)]
    first = tuple(values[count : count + depth])
    at = touched
    for place, value in enumerate(values[:count]):
        found = at.find_dim_by_name(isl.dim_type.param, names[place])
        if found >= 0:
            at = at.fix_val(isl.dim_type.param, found, value)
    for place, value in enumerate(first):
        at = at.fix_val(isl.dim_type.in_, place, value)
    element = at.range().sample_point()
    rank = at.dim(isl.dim_type.out)
    return Example(
        {name: values[place] for place, name in enumerate(names) if shown[place]},
        first,
        tuple(values[count + depth :]),
        tuple(_number(element, place) for place in range(rank)),
    )


def _has_least(values: isl.Set) -> bool:
    """Whether each dimension is bounded from below."""
    return all(
        values.dim_has_any_lower_bound(isl.dim_type.set, place)
        for place in range(values.dim(isl.dim_type.set))
    )


def _number(point: isl.Point, place: int) -> int:
    return point.get_coordinate_val(isl.dim_type.set, place).to_python()
