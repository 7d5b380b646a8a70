"""The instances of a sample one after another, as a schedule tree runs them, each in its tile.

Tiles of 32 have no place in a picture of ten iterations. They are drawn smaller: wherever the tree
divides by 32 it divides by 3, everything else as it is. The order is then that of another size of
tiles, as legal as the size that was chosen wherever the tree could be tiled at all; who draws it
says so (`Order.shrunk`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.lists import maps, pieces, points, pw_affs
from polyopt.poly.isl.numbers import val
from polyopt.poly.picture.sample import Instance, Sample, coordinates
from polyopt.poly.schedule_tree import (
    TILE,
    Band,
    Leaf,
    Mark,
    Member,
    Sequence,
    Tree,
    build_schedule,
    map_tree,
    read_tree,
)
from polyopt.poly.scop import Scop
from polyopt.support.record import record

_In, _Param, _Div = isl.dim_type.in_, isl.dim_type.param, isl.dim_type.div


@record
class Event:
    """An instance that runs; `tile` are the values of the loops over tiles around it."""

    statement: str
    point: tuple[int, ...]
    tile: tuple[int, ...] = ()

    @property
    def instance(self) -> Instance:
        return self.statement, self.point


@record
class Order:
    """`shrunk` are pairs of a size of tiles and the one that it is drawn with. `loops`: for each
    event the values of all loops of the tree, in the order of its rows (`tree_rows`); None of one
    that is not around it."""

    events: tuple[Event, ...]
    shrunk: tuple[tuple[int, int], ...] = ()
    loops: tuple[tuple[int | None, ...], ...] = ()

    def positions(self) -> dict[Instance, int]:
        return {event.instance: k for k, event in enumerate(self.events)}


def running_order(
    scop: Scop, schedule: isl.Schedule, sample: Sample, *, shrink: bool = True
) -> Order:
    """In the order of the schedule; instances that nothing orders, in that of their names. Without
    `shrink`, tiles have their own size. Raises UnsupportedTree."""
    tree = read_tree(schedule)
    sizes = shrunk_sizes(divisors(tree), sample.extent) if shrink else {}
    small = map_tree(tree, lambda node: _shrunk(node, sizes)) if sizes else tree
    times = build_schedule(scop.domain, small).get_map().intersect_domain(sample.domain)
    tiles = _tiles(small, sample.domain)
    dated = sorted((time, instance) for instance, time in _values_of(times))
    events = tuple(Event(*one, tiles.get(one, ())) for _, one in dated)
    loops = tuple(tuple(_loop_values(small, time)) for time, _ in dated)
    return Order(events, tuple(sorted(sizes.items())), loops)


def _loop_values(tree: Tree, time: tuple[int, ...] | None) -> Iterator[int | None]:
    """What the loops of the tree count where its schedule has this value, which has a number for
    each loop and each choice among children (a lone one is none), from the root on. None:
    elsewhere.
    """
    match tree:
        case Leaf():
            return
        case Mark(_, child):
            yield from _loop_values(child, time)
        case Band(members, child):
            count = len(members)
            yield from (None,) * count if time is None else time[:count]
            yield from _loop_values(child, None if time is None else time[count:])
        case Sequence(children):
            for k, (_, child) in enumerate(children):
                is_here = time is not None and (len(children) == 1 or time[0] == k)
                rest = time if len(children) == 1 or time is None else time[1:]
                yield from _loop_values(child, rest if is_here else None)


def shrunk_sizes(sizes: set[int], extent: int) -> dict[int, int]:
    """The sizes that do not fit, each with one that shows several tiles; larger ones stay larger,
    and of two that divide each other the drawn ones do."""
    first = max(2, round(extent / 3))
    large = sorted(size for size in sizes if size > first)
    drawn = dict[int, int]()
    for k, size in enumerate(large):
        drawn[size] = first << k
    return {size: small for size, small in drawn.items() if small < size}


def divisors(tree: Tree) -> set[int]:
    """What the members of the tree divide by."""
    found = set[int]()

    def visit(node: Tree) -> Tree:
        if isinstance(node, Band):
            for member in node.members:
                for part in pw_affs(member.function):
                    for _, aff in pieces(part):
                        found.update(_divisors_of(aff))
        return node

    map_tree(tree, visit)
    return found


def _divisors_of(aff: isl.Aff) -> Iterator[int]:
    for k in range(aff.dim(_Div)):
        if aff.get_coefficient_val(_Div, k).is_zero():
            continue
        inner = aff.get_div(k)
        yield inner.get_denominator_val().to_python()
        yield from _divisors_of(inner)


def _shrunk(node: Tree, sizes: Mapping[int, int]) -> Tree:
    if not isinstance(node, Band):
        return node
    members = tuple(_shrunk_member(member, sizes) for member in node.members)
    return replace(node, members=members)


def _shrunk_member(member: Member, sizes: Mapping[int, int]) -> Member:
    result = isl.UnionPwAff.empty(member.function.get_space())
    for part in pw_affs(member.function):
        whole = None
        for domain, aff in pieces(part):
            piece = isl.PwAff.alloc(domain, _shrunk_aff(aff, sizes))
            whole = piece if whole is None else whole.union_add(piece)
        if whole is not None:
            result = result.union_add(isl.UnionPwAff.from_pw_aff(whole))
    return Member(result, member.coincident)


def _shrunk_aff(aff: isl.Aff, sizes: Mapping[int, int]) -> isl.Aff:
    """`a floor(e / c)` becomes `a c' / c floor(e / c')` where c is to be c' and divides a, and
    `a floor(e / c')` where it does not."""
    result = isl.Aff.zero_on_domain_space(aff.get_domain_space())
    result = result.set_constant_val(aff.get_constant_val())
    for kind in (_Param, _In):
        for k in range(aff.dim(kind)):
            result = result.set_coefficient_val(kind, k, aff.get_coefficient_val(kind, k))
    for k in range(aff.dim(_Div)):
        factor, inner = aff.get_coefficient_val(_Div, k), aff.get_div(k)
        if factor.is_zero():
            continue
        size = inner.get_denominator_val().to_python()
        small = sizes.get(size, size)
        inner = _shrunk_aff(inner, sizes)
        if small != size:
            inner = inner.scale_val(val(size).div(val(small)))
            scaled = factor.mul(val(small)).div(val(size))
            factor = scaled if scaled.is_int() else factor
        result = result.add(inner.floor().scale_val(factor))
    return result


def _values_of(function: isl.UnionMap) -> Iterator[tuple[Instance, tuple[int, ...]]]:
    """Each instance with its image, which is one point."""
    for part in maps(function):
        name = part.get_tuple_name(_In) or ""
        depth = part.dim(_In)
        for point in points(part.wrap()):
            values = coordinates(point)
            yield (name, values[:depth]), values[depth:]


def _tiles(tree: Tree, domain: isl.UnionSet) -> dict[Instance, tuple[int, ...]]:
    """The values of the members marked as tiles around each instance, outermost first."""
    found = dict[Instance, tuple[int, ...]]()
    for member, instances in _tile_members(tree, domain):
        function = isl.UnionMap.from_union_pw_aff(member.function).intersect_domain(instances)
        for instance, value in _values_of(function):
            found[instance] = (*found.get(instance, ()), *value)
    return found


def _tile_members(
    tree: Tree, domain: isl.UnionSet, *, marked: bool = False
) -> Iterator[tuple[Member, isl.UnionSet]]:
    match tree:
        case Leaf():
            return
        case Mark(name, child):
            yield from _tile_members(child, domain, marked=marked or name == TILE)
        case Band(members, child):
            if marked:
                yield from ((member, domain) for member in members)
            yield from _tile_members(child, domain)
        case Sequence(children):
            for instances, child in children:
                yield from _tile_members(child, domain.intersect(instances))
