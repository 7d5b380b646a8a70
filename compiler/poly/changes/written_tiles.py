"""Tiles of what is written, around loops of which none commute: a table that fills from itself.

Each element of a table over intervals takes what lies left of it and below,

    for i down { for k { for j { m[i, j] = min(m[i, j], m[i, k] + m[k + 1, j]) } } }

and within a row, k comes before j, so that no two of these loops commute. But each block of m needs
blocks left of it and below only: tiles of -i and j, the subscripts of what is written with a sign
each, may stand around the loops as they are (data shackling: I. Kodukula, N. Ahmed, K. Pingali,
Data-centric multi-level blocking, PLDI 1997):

    for i_tile { for j_tile { for i down, in the tile { for k { for j in the tile { … } } } } }

Blocks of a row wait for what is left of them, rows for the ones below: threads take rows in turns,
a block behind each other. Legal where every dependence goes forward or nowhere along both
functions; what lies in one tile is ordered as it was.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import (
    TreePosition,
    is_coincident,
    is_forward,
    nest_of,
)
from polyopt.poly.changes.contractions import CONTRACT
from polyopt.poly.dependences import Dependences
from polyopt.poly.linear.linear_forms import subscripts_of
from polyopt.poly.schedule_tree import (
    TILE,
    Band,
    Leaf,
    Mark,
    Member,
    Sequence,
    Tree,
    statements_of,
)
from polyopt.poly.scop import Scop, Statement
from polyopt.poly.transform.tiling import tile_band

SUBSCRIPTS = 2
LEAST_LOOPS = 3


def tile_written(scop: Scop, dependences: Dependences, tree: Tree, sizes: tuple[int, int]) -> Tree:
    """`tree` with tiles of these sizes around each outermost nest of three loops and more of one
    statement, in no tiles yet, of which no loop is parallel but for the innermost; `tree` itself if
    there is none."""

    def below(tree: Tree, place: TreePosition) -> Tree:
        match tree:
            case Leaf():
                return tree
            case Mark(name, child):
                new = child if name in (TILE, CONTRACT) else below(child, place)
                return tree if new is child else replace(tree, child=new)
            case Sequence(children):
                parts = tuple((one, below(old, place.among(one))) for one, old in children)
                same = all(new is old for (_, new), (_, old) in zip(parts, children, strict=True))
                return tree if same else replace(tree, children=parts)
            case Band():
                tiles = _tiles(scop, tree, place)
                return tree if tiles is None else tile_band(tiles, sizes, points=tree)

    return below(tree, TreePosition((), dependences.validity))


def _tiles(scop: Scop, band: Band, place: TreePosition) -> Band | None:
    """The band whose tiles go around the nest that begins with this one."""
    members, inside = nest_of(band)
    names = statements_of(band)
    if len(names) != 1 or len(members) < LEAST_LOOPS or not isinstance(inside, Leaf):
        return None
    if _commutes(members, place):
        return None
    (statement,) = (one for one in scop.statements if one.name == names[0])
    found = [_forward(one, place) for one in _subscripts(statement)]
    functions = tuple(one for one in found if one is not None)
    if len(found) != SUBSCRIPTS or len(functions) != SUBSCRIPTS:
        return None
    return Band(functions, Leaf(), permutable=True)


def _commutes(members: Seq[Member], place: TreePosition) -> bool:
    """Whether a loop with loops in it is parallel, or the outermost two make tiles as they are."""
    if is_forward(place.pending, members[1]):
        return True
    for member in members[:-1]:
        if is_coincident(place.pending, member):
            return True
        place = place.inside((member,))
    return False


def _subscripts(statement: Statement) -> list[isl.UnionPwAff]:
    """Of what it writes, one array in one way; functions of its instances."""
    writes = [one for one in statement.accesses if one.is_write]
    if len(writes) != 1 or subscripts_of(writes[0].relation) is None:
        return []
    relation = writes[0].relation.intersect_domain(statement.domain)
    function = isl.MultiPwAff.from_pw_multi_aff(isl.PwMultiAff.from_map(relation))
    return [
        isl.UnionPwAff.from_pw_aff(function.get_at(k))
        for k in range(function.dim(isl.dim_type.out))
    ]


def _forward(function: isl.UnionPwAff, place: TreePosition) -> Member | None:
    """The function, or what it is less than nothing, whichever no dependence goes backward along;
    None as well where none goes anywhere: its loop is parallel."""
    for one in (function, function.neg()):
        member = Member(one)
        if is_forward(place.pending, member):
            return None if is_coincident(place.pending, member) else member
    return None
