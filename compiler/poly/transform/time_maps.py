"""Transformations as maps from time to time, composed with the schedules of statements.

T. Grosser, Enabling polyhedral optimizations in LLVM, diploma thesis, Passau 2011, §6.1. A flat
schedule is { S[i] -> [t_0, ..., t_n] }; a transformation is a map { [t] -> [t'] } on its range:

    S'  =  S o T        for the statements that are transformed; the others keep theirs

Two transformations compose as maps do. Trees say more (sequences, marks, what is permutable), so
the compiler's own passes work on trees; maps are the shortest definition of what each of them
means, and need nothing but a schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import islpy as isl

from polyopt.poly.isl.lists import maps


def transform_times(
    times: isl.UnionMap, transformation: isl.Map, statements: Collection[str] | None = None
) -> isl.UnionMap:
    """`times` with the transformation after it, for all statements or for those named."""
    result = isl.UnionMap.empty(times.get_space())
    for one in maps(times):
        name = one.get_tuple_name(isl.dim_type.in_)
        chosen = statements is None or name in statements
        result = result.union(
            isl.UnionMap.from_map(one.apply_range(transformation) if chosen else one)
        )
    return result


def schedule_of_times(times: isl.UnionMap) -> isl.Schedule:
    """The schedule tree of one band that runs each instance at its time."""
    root = isl.ScheduleNode.from_domain(times.domain())
    band = isl.MultiUnionPwAff.from_union_map(times)
    return root.child(0).insert_partial_schedule(band).get_schedule()


def permutation(order: Sequence[int]) -> isl.Map:
    """{ [t] -> [t_order[0], t_order[1], ...] }; interchange is the permutation of two."""
    return _map(len(order), lambda t: [t[k] for k in order])


def strip_mining(dimensions: int, loop: int, size: int) -> isl.Map:
    """{ [..., t, ...] -> [..., T, t, ...] : T mod size = 0 and T <= t < T + size }."""
    return _map(dimensions, lambda t: [*t[:loop], _strip(t[loop], size), *t[loop:]])


def tiling(dimensions: int, loops: Sequence[int], sizes: Sequence[int]) -> isl.Map:
    """The strips of all `loops`, in that order, in front of the first of them."""
    first = min(loops)

    def tiled(t: list[str]) -> list[str]:
        strips = [_strip(t[loop], size) for loop, size in zip(loops, sizes, strict=True)]
        return [*t[:first], *strips, *t[first:]]

    return _map(dimensions, tiled)


def unroll_and_jam(dimensions: int, loop: int, count: int) -> isl.Map:
    """Strip-mining, and the strip moved innermost: { [s_0, s_1] -> [T, s_1, s_0] }."""
    return _map(dimensions, lambda t: [*t[:loop], _strip(t[loop], count), *t[loop + 1 :], t[loop]])


def skewing(dimensions: int, loop: int, by: int, factor: int) -> isl.Map:
    return _map(
        dimensions, lambda t: [*t[:loop], f"{t[loop]} + {factor} * {t[by]}", *t[loop + 1 :]]
    )


def shifting(dimensions: int, loop: int, amount: int) -> isl.Map:
    return _map(dimensions, lambda t: [*t[:loop], f"{t[loop]} + {amount}", *t[loop + 1 :]])


def scaling(dimensions: int, loop: int, factor: int) -> isl.Map:
    """Reversal is scaling by -1."""
    return _map(dimensions, lambda t: [*t[:loop], f"{factor} * {t[loop]}", *t[loop + 1 :]])


def placing(dimensions: int, before: int, position: int) -> isl.Map:
    """A constant dimension in front of dimension `before`: fission gives each of the parts a
    `position` of its own there, fusion the same one to all."""
    return _map(dimensions, lambda t: [*t[:before], str(position), *t[before:]])


def _strip(time: str, size: int) -> str:
    return f"{size} * floor({time} / {size})"


def _map(dimensions: int, times: Callable[[list[str]], list[str]]) -> isl.Map:
    names = [f"t{k}" for k in range(dimensions)]
    return isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(times(names))}] }}")
