"""Tiles of any shape: the loops of a perfect nest run through the tiles of a partition of space.

    for i { for j { S } }   =>   for i_tile { for j_tile { for i, j in the tile { S } } }

The tile coordinates are functions t(i, j) (`scanning/tile_functions`): hexagons, the tiles of any
lattice, stripes between hyperplanes. Below them the loops stay as they were, or run in another
basis; which tiles are full, so that their loops need no bounds but the shape's, may be told from
the others by a test around the loops of a tile. Dual to this, for a lattice: the place in the tile
outside, and inside the loops over the tiles that have a point there.

Tiles may run in the order of their coordinates if no dependence between two tiles goes back in it.
Where one does, another unimodular order of the same tiles is looked for: `legal_order`. What comes
of it is asked for every dependence, as any schedule is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import islpy as isl

from polyopt.poly.isl.lists import basic_sets, maps, pw_affs, sets
from polyopt.poly.isl.numbers import val
from polyopt.poly.linear.lattice import Matrix, Vector, determinant, identity, smith_form
from polyopt.poly.scanning.tile_functions import LatticeTiles, Tiles
from polyopt.poly.schedule_tree import POINT, TILE, Member, Tree, each_apart, joint
from polyopt.poly.transform.ordering import perfect_nest
from polyopt.poly.transform.places import (
    CannotTransform,
    Path,
    SingleLoop,
    instances_at,
    loop_at,
    replace_at,
    replace_loop,
    sequence,
)
from polyopt.support.record import record

REACH = 3
"""The largest factor of a tile coordinate in another order that is looked for."""


@record
class Inside:
    """How a tile is run: `basis` orders its points by `basis x`, else its loops do; `full` tiles
    have loops of their own; `dual`: the points' places are the outer loops, the tiles inner."""

    basis: Matrix = ()
    full: bool = False
    dual: bool = False


def tile_by(
    tree: Tree,
    loops: Sequence[Path],
    tiles: Tiles,
    instances: isl.UnionSet,
    pairs: isl.UnionMap,
    inside: Inside = Inside(),
) -> Tree:
    """`tree`, of `instances`, with `loops` as the coordinates of the points of `tiles`. `pairs` are
    the dependences; among the orders of the tiles that keep them, that of `tiles` is preferred."""
    if len(loops) != tiles.dimensions:
        raise CannotTransform(f"{len(loops)} loops for tiles of {tiles.dimensions} dimensions")
    places = perfect_nest(tree, loops)
    points = [loop_at(tree, path).function for path in loops]
    below = instances_at(tree, places[0], instances)
    if inside.dual:
        return _dual(tree, places, points, tiles)
    mine = pairs.intersect_domain(below).intersect_range(below)
    if inside.full and not mine.is_empty():
        raise CannotTransform(
            "full tiles apart from the others, where the loops carry dependences",
            "without 'full' their loops are the same",
        )
    tiles = _in_legal_order(tiles, points, mine)
    numbers = [composed(one, points) for one in tiles.functions()]
    for place, member in zip(places, _members(points, inside.basis), strict=True):

        def change(one: SingleLoop, member: isl.UnionPwAff | None = member) -> Tree:
            known = one if member is None else one.counting(member)
            return replace(known, marks=known.marks or (POINT,)).tree()

        tree = replace_loop(tree, place, change)
    kinds = _full(tiles, points, below) if inside.full else ()

    def around(node: Tree) -> Tree:
        return _nest(numbers, _apart(node, kinds), TILE)

    return replace_at(tree, places[0], around)


def _members(points: Sequence[isl.UnionPwAff], basis: Matrix) -> list[isl.UnionPwAff | None]:
    """What the loops in a tile count: None for what they counted."""
    if not basis:
        return [None] * len(points)
    if len(basis) != len(points) or determinant(basis) == 0:
        raise CannotTransform("the basis of a tile is a square matrix that is not singular")
    return [_sum(row, points) for row in basis]


def _dual(
    tree: Tree, places: Sequence[Path], points: Sequence[isl.UnionPwAff], tiles: Tiles
) -> Tree:
    if not isinstance(tiles, LatticeTiles):
        raise CannotTransform("only tiles of a lattice have a place for each of their points")
    local = [composed(one, points) for one in tiles.local()]
    numbers = [composed(one, points) for one in tiles.functions()]
    for place, number in zip(places, numbers, strict=True):
        tree = replace_loop(
            tree,
            place,
            lambda one, number=number: replace(one.counting(number), marks=(TILE,)).tree(),
        )
    return replace_at(tree, places[0], lambda node: _nest(local, node, POINT))


def _nest(functions: Sequence[isl.UnionPwAff], body: Tree, mark: str) -> Tree:
    for function in reversed(functions):
        body = SingleLoop(Member(function), body, (mark,)).tree()
    return body


def _full(
    tiles: Tiles, points: Sequence[isl.UnionPwAff], below: isl.UnionSet
) -> list[isl.UnionSet]:
    """The instances in tiles of which every point is one of every statement's, and the others, by
    convex sets of tiles: so that one test around a tile's loops tells which it is."""
    tile = tiles.membership()
    where = _relation(points).intersect_domain(below)
    partial = isl.Set.empty(tile.get_space().range())
    used = isl.Set.empty(tile.get_space().range())
    for statement in maps(where):
        partial = partial.union(statement.range().complement().apply(tile))
        used = used.union(statement.range().apply(tile))
    partial = partial.coalesce()
    of_tile = isl.UnionMap.from_map(tile).reverse().apply_range(where.reverse())
    return [
        isl.UnionSet.from_set(isl.Set.from_basic_set(piece)).apply(of_tile).coalesce()
        for kind in (used.subtract(partial), used.intersect(partial))
        for piece in basic_sets(kind.coalesce().make_disjoint())
    ]


def _apart(body: Tree, kinds: Sequence[isl.UnionSet]) -> Tree:
    """The loops of a tile for each kind of tiles: no tile has instances of two."""
    children = each_apart([(one, body) for one in kinds]).children
    return sequence(children) if len(children) > 1 else body


def composed(form: isl.PwAff, points: Sequence[isl.UnionPwAff]) -> isl.UnionPwAff:
    """{ S[i] -> form(points(i)) }."""
    total = isl.UnionPwAff.empty(points[0].get_space())
    for space, parts in _by_statement(points):
        point = isl.MultiPwAff.from_pw_aff(parts[0])
        for one in parts[1:]:
            point = point.flat_range_product(isl.MultiPwAff.from_pw_aff(one))
        aligned = form.align_params(space.params())
        total = total.union_add(isl.UnionPwAff.from_pw_aff(aligned.pullback_multi_pw_aff(point)))
    return total


def _by_statement(
    functions: Sequence[isl.UnionPwAff],
) -> Iterator[tuple[isl.Space, list[isl.PwAff]]]:
    others = [
        {one.get_domain_space().get_tuple_name(isl.dim_type.set): one for one in pw_affs(function)}
        for function in functions
    ]
    for name, first in others[0].items():
        found = [one[name] for one in others]
        yield first.get_domain_space(), found


def _sum(factors: Vector, functions: Sequence[isl.UnionPwAff]) -> isl.UnionPwAff:
    parts = [one.scale_val(val(factor)) for factor, one in zip(factors, functions, strict=True)]
    total = parts[0]
    for one in parts[1:]:
        total = total.add(one)
    return total


def _relation(functions: Sequence[isl.UnionPwAff]) -> isl.UnionMap:
    return isl.UnionMap.from_multi_union_pw_aff(joint(functions))


# The order of the tiles


def _in_legal_order(tiles: Tiles, points: Sequence[isl.UnionPwAff], pairs: isl.UnionMap) -> Tiles:
    """`tiles` numbered so that no pair goes back, if there is such an order; else as they are,
    which the check of all dependences will refuse."""
    if pairs.is_empty():
        return tiles
    number = _relation([composed(one, points) for one in tiles.functions()])
    between = pairs.apply_domain(number).apply_range(number).deltas()
    found = sets(between)
    if not found:
        return tiles
    distances = found[0].project_out(isl.dim_type.param, 0, found[0].dim(isl.dim_type.param))
    order = legal_order(distances.coalesce())
    return tiles if order is None or order == identity(len(order)) else tiles.along(order)


def legal_order(distances: isl.Set) -> Matrix | None:
    """A unimodular matrix by whose rows none of `distances` goes back, lexicographically: the
    identity where it may be, else one whose first row leaves as little as possible to the others;
    None if none is found whose factors are small."""
    size = distances.dim(isl.dim_type.set)
    if _leaves(distances, identity(size)) is not None:
        return identity(size)
    near = range(-REACH, REACH + 1)
    rows = sorted(product(near, repeat=size), key=lambda row: (sum(map(abs, row)), row[::-1]))
    return _completed(distances, rows, ())


def _completed(distances: isl.Set, candidates: Sequence[Vector], chosen: Matrix) -> Matrix | None:
    """`chosen` with further rows; first those that leave nothing to order."""
    size = distances.dim(isl.dim_type.set)
    if len(chosen) == size:
        return chosen
    basis = [row for row in candidates if _is_part_of_a_basis((*chosen, row))]
    forward = [(row, _left(distances, row)) for row in basis]
    allowed = [(row, left) for row, left in forward if left is not None]
    for row, left in sorted(allowed, key=lambda one: not _is_zero(one[1])):
        found = _completed(left, candidates, (*chosen, row))
        if found is not None:
            return found
    return None


def _is_part_of_a_basis(rows: Matrix) -> bool:
    form, _, _ = smith_form(rows)
    return all(form[k][k] == 1 for k in range(len(rows)))


def _leaves(distances: isl.Set, rows: Matrix) -> isl.Set | None:
    left: isl.Set | None = distances
    for row in rows:
        left = left and _left(left, row)
        if left is None:
            return None
    return left


def _left(distances: isl.Set, row: Vector) -> isl.Set | None:
    """Those that `row` does not order; None if one goes back along it."""
    form = isl.Aff.zero_on_domain_space(distances.get_space())
    for k, factor in enumerate(row):
        form = form.set_coefficient_val(isl.dim_type.in_, k, val(factor))
    here = isl.PwAff.from_aff(form)
    if not distances.intersect(here.neg().pos_set()).is_empty():
        return None
    return distances.intersect(here.zero_set())


def _is_zero(distances: isl.Set) -> bool:
    zero = isl.Set.universe(distances.get_space())
    for k in range(distances.dim(isl.dim_type.set)):
        zero = zero.fix_val(isl.dim_type.set, k, val(0))
    return distances.is_subset(zero)
