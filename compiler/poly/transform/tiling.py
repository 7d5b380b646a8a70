"""Rectangular tiling: blocks of iterations that touch little memory run together.

A permutable band (f_1, ..., f_n) may be run tile by tile, where the tile of an instance is
(floor(f_1 / s_1), ..., floor(f_n / s_n)) (F. Irigoin, R. Triolet, Supernode partitioning, POPL
1988). The tile band stands above what was there; what runs inside a tile may be ordered by

    the band     the point loops follow the band's own functions
    the source   the original order of the instances in the tile: also legal, since all
                 dependences between tiles are kept by the tiles and all within a tile by the
                 original order; the point loops then have the shape that the programmer wrote,
                 not one skewed or shifted
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.numbers import val
from polyopt.poly.schedule_tree import (
    POINT,
    TILE,
    Band,
    Leaf,
    Mark,
    Member,
    Sequence,
    Tree,
    restrict,
    without_members,
)

DEFAULT_SIZE = 32
UNROLL, JAM = "unroll", "jam"

SizeChoice = Callable[[Band, Seq[Member]], Seq[int] | None]
"""The tile sizes for a band, one for each member, given the members of the bands around it; None
leaves the band alone. A size of 1 leaves that member out."""


def tile_bands(
    tree: Tree, choose: SizeChoice, *, points: Tree | None = None, outer: Seq[Member] = ()
) -> Tree:
    """Every outermost permutable band of at least two members tiled by the sizes that `choose`
    gives. `points`: the tree that orders the instances inside the tiles; the band if None."""
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=tile_bands(child, choose, points=points, outer=outer))
        case Sequence(children):
            mine = [points and restrict(points, instances) for instances, _ in children]
            return replace(
                tree,
                children=tuple(
                    (instances, tile_bands(child, choose, points=own, outer=outer))
                    for (instances, child), own in zip(children, mine, strict=True)
                ),
            )
        case Band(members, child):
            sizes = _sizes(tree, choose, outer)
            if sizes is not None:
                return tile_band(tree, sizes, points=points)
            inner = tile_bands(child, choose, points=points, outer=(*outer, *members))
            return replace(tree, child=inner)


def tile_over(tree: Tree, points: Tree, choose: SizeChoice, outer: Seq[Member] = ()) -> Tree | None:
    """The tiles of one legal tree around the points of another; None if nothing is tiled.

    The outermost permutable bands of `tree` that `choose` gives sizes for become tile bands;
    below them, and wherever there are none, instances run in the order of `points`. Legal where
    both trees are: what lies in two tiles is ordered by `tree`, what lies in one by `points`.
    """
    match tree:
        case Leaf():
            return None
        case Mark(_, child):
            inner = tile_over(child, points, choose, outer)
            return inner and replace(tree, child=inner)
        case Sequence(children):
            mine = [restrict(points, instances) for instances, _ in children]
            tiled = [
                tile_over(child, own, choose, outer)
                for (_, child), own in zip(children, mine, strict=True)
            ]
            if not any(tiled):
                return None
            parts = zip(children, tiled, mine, strict=True)
            return replace(
                tree,
                children=tuple((instances, inner or own) for (instances, _), inner, own in parts),
            )
        case Band(members, child):
            sizes = _sizes(tree, choose, outer)
            if sizes is not None:
                return tile_band(tree, sizes, points=points)
            inside = without_members(points, members)
            inner = tile_over(child, inside, choose, (*outer, *members))
            return inner and replace(tree, child=inner)


def _sizes(band: Band, choose: SizeChoice, outer: Seq[Member]) -> Seq[int] | None:
    return choose(band, outer) if band.permutable and len(band.members) >= 2 else None


def tile_band(band: Band, sizes: Seq[int], *, points: Tree | None = None) -> Tree:
    """`band` in tiles: mark "tile", the tile band, mark "point", then `points` or the band.

    A member of the tile band is `size * floor(function / size)`, so the tile loops count in
    steps of the size from the first point; a size of 1 or less leaves that member out of the
    tile band (its loop is not tiled).
    """
    if len(sizes) != len(band.members):
        raise ValueError(f"{len(sizes)} tile sizes for a band of {len(band.members)} members")
    tiles = tuple(
        Member(tile_function(member.function, size), member.coincident)
        for member, size in zip(band.members, sizes, strict=True)
        if size > 1
    )
    inside = points if points is not None else band
    if not tiles:
        return inside
    return Mark(TILE, Band(tiles, Mark(POINT, inside), permutable=True))


def tile_function(function: isl.UnionPwAff, size: int) -> isl.UnionPwAff:
    """`size * floor(function / size)`."""
    value = val(size)
    return function.scale_down_val(value).floor().scale_val(value)
