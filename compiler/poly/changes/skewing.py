"""Skewing for tiles: loops that a tile may not cross run along a function that it may.

A nest (f_1, ..., f_n) that keeps its dependences may still not be tiled, where one that f_1 carries
goes back along f_2. With a factor s,

    (f_1, f_2)   =>   (f_1, f_2 + s f_1)        s the least for which none goes back

is permutable (M. Wolfe, Loop skewing: the wavefront method revisited, IJPP 1986). Only the tiles
need these functions: inside a tile the instances may keep the order that they had
(`tiling.tile_over`).

Such tiles are parallelograms, and only one of them can begin. Where f_1 is time, so that

    (f_1, f_2)   =>   (c f_1 - f_2, f_2)        c the least for which none goes back

is permutable too, tiles lean both ways: diamonds, of which a whole row can begin at once. Tile
(a, b) of them is on wavefront a + b, along which no tile waits for another (V. Bandishti,
I. Pananilath, U. Bondhugula, Tiling stencil computations to maximize parallelism, SC 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm

import islpy as isl

from polyopt.poly.analysis.permutability import (
    TreePosition,
    at_bands,
    equal_at,
    is_coincident,
    is_forward,
    nest_of,
)
from polyopt.poly.isl.lists import pieces, pw_affs
from polyopt.poly.isl.numbers import val
from polyopt.poly.schedule_tree import TILE, Band, Leaf, Mark, Member, Tree
from polyopt.poly.schedule_tree import Sequence as TreeSequence

LARGEST = 8
"""Tiles that lean further than this are not worth having."""


def skew_for_tiling(tree: Tree, place: TreePosition) -> Tree:
    """Every nest of bands one permutable band, as far as skewing makes it one."""
    return at_bands(tree, place, _skew)


def lean_both_ways(tree: Tree, place: TreePosition) -> Tree:
    """The two outermost members of each permutable band as functions that lean both ways in time,
    where that is possible."""
    return at_bands(tree, place, _lean)


def _lean(band: Band, place: TreePosition) -> Tree:
    if not band.permutable or len(band.members) < 2:
        return band
    time, space, *others = band.members
    for factor in range(1, LARGEST + 1):
        scaled = time.function.scale_val(val(factor))
        back = Member(scaled.sub(space.function))
        if is_forward(place.pending, back):
            return replace(band, members=(back, space, *others))
    return band


def is_skewed(band: Band) -> bool:
    """Whether a member leans: for some statement it runs along the outermost one's iterators too,
    and along others."""
    outermost, *inner = band.members
    for part in pw_affs(outermost.function):
        name = str(part.get_domain_space().get_tuple_name(isl.dim_type.set))
        time = outermost.factors(name)
        for member in inner:
            row = member.factors(name)
            if time is None or row is None:
                continue
            leans = any(a and b for a, b in zip(time, row, strict=True))
            if leans and any(b and not a for a, b in zip(time, row, strict=True)):
                return True
    return False


def is_wavefront(tree: Tree, place: TreePosition) -> bool:
    """Whether it is two loops and no more of which none is parallel, and that a skew of the inner
    one makes permutable: what lanes of the outer one, each some steps behind the one before, run
    at once. Of a sum over both the last step of a row is in front of the first one of the next."""
    if not isinstance(tree, Band):
        return False
    members, below = nest_of(tree)
    if len(members) != 2 or not isinstance(below, Leaf):
        return False
    outer, inner = members
    if place.is_coincident(outer) or place.inside([outer]).is_coincident(inner):
        return False
    return is_forward(place.pending, outer) and _skewed(inner, [outer], place.pending) is not None


def along_wavefronts(tree: Tree, place: TreePosition) -> Tree:
    """The two outermost tile loops of each nest of tiles as wavefront and place on it, where
    neither of them is parallel as it is."""
    match tree:
        case Mark(name, Band(members, child) as band) if name == TILE and len(members) > 1:
            first, second, *others = members
            if first.coincident or second.coincident:
                return tree
            front = Member(_front(first.function, second.function))
            pending = place.inside([front]).pending
            second = replace(second, coincident=is_coincident(pending, second))
            return Mark(name, replace(band, members=(front, second, *others)))
        case Mark(_, child):
            return replace(tree, child=along_wavefronts(child, place))
        case TreeSequence(children):
            parts = [(one, along_wavefronts(sub, place.among(one))) for one, sub in children]
            return replace(tree, children=tuple(parts))
        case Band(members, child):
            return replace(tree, child=along_wavefronts(child, place.inside(members)))
        case _:
            return tree


def _front(first: isl.UnionPwAff, second: isl.UnionPwAff) -> isl.UnionPwAff:
    """The sum of the numbers of the tiles, times what both their sizes divide: tiles of the one
    need not be as long as those of the other."""
    sizes = [_size(first), _size(second)]
    common = lcm(*sizes)
    scaled = [
        one.scale_val(val(common // size)) for one, size in zip((first, second), sizes, strict=True)
    ]
    return scaled[0].add(scaled[1])


def _size(tiles: isl.UnionPwAff) -> int:
    """s of the function s * floor(f / s), which counts tiles; 1 of other functions."""
    for part in pw_affs(tiles):
        for _, aff in pieces(part):
            if aff.dim(isl.dim_type.div) == 1:
                size = aff.get_coefficient_val(isl.dim_type.div, 0)
                return size.to_python() if size.is_int() and size.is_pos() else 1
    return 1


def _skew(band: Band, place: TreePosition) -> Tree:
    members, below = nest_of(band)
    skewed = list[Member]()
    for member in members:
        leaning = _skewed(member, skewed, place.pending)
        if leaning is None:
            break
        skewed.append(leaning)
    done = len(skewed)
    if not done:
        return band  # dependences both ways: nobody knows what depends on what
    child = Band(members[done:], below) if done < len(members) else below
    inner = skew_for_tiling(child, place.inside(members[:done]))
    return Band(tuple(skewed), inner, permutable=True)


def _skewed(member: Member, outer: Sequence[Member], pairs: isl.UnionMap) -> Member | None:
    """`member` skewed by the outer ones, the outermost first, so that no pair goes back along it;
    None if that takes more than the largest factor."""
    for other in outer:
        if is_forward(pairs, member):
            break
        member = _least_skewed(member, other, pairs)
    if not is_forward(pairs, member):
        return None
    return replace(member, coincident=is_coincident(pairs, member))


def _least_skewed(member: Member, other: Member, pairs: isl.UnionMap) -> Member:
    """`member` + s * `other` for the least s so that no pair that goes forward along `other` goes
    back along it; `member` if there is none."""
    forward = pairs.subtract(equal_at(pairs, other))
    for factor in range(LARGEST + 1):
        scaled = other.function.scale_val(val(factor))
        leaning = Member(member.function.add(scaled)) if factor else member
        if is_forward(forward, leaning):
            return leaning
    return member
