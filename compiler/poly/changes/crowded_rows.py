"""Arrays whose rows meet in the sets of a cache, and by how much longer rows would be worth it.

    double A[m][512]:  a tile walks down 64 columns of all rows, and does so for 64 steps

Rows that lie a multiple of `set_bytes` apart go to few sets: those of a tile push each other out
though there would be room for all of them. A line more in each row, and they are spread over all
sets (`layouts`). The two ways that copies take through the array pay where its elements are used
many times, and where tiles count on a cache to keep what it then does not. Sizes that are not known
are taken to be as the models of tiles take them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod

import islpy as isl

from polyopt.poly.changes.contractions import CONTRACT
from polyopt.poly.isl.numbers import val
from polyopt.poly.schedule_tree import TILE, Band, Mark, Member, Tree, joint_function, marks
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.support.core_model import CORE
from polyopt.support.target import Target

_PARAM, _SET = isl.dim_type.param, isl.dim_type.set


def crowded_rows(scop: Scop, tree: Tree, target: Target) -> dict[str, int]:
    """How many elements longer rows are to be, for each array of which that pays in this order."""
    crowded = {
        one.name: one
        for one in scop.arrays
        if _is_in_few_sets(one) and _uses(scop, one) >= CORE.crowded.uses
    }
    found = dict[str, int]()
    for name, members in _tiles(tree) if crowded else ():
        statement = scop.statement(name)
        for access in statement.accesses:
            array = crowded.get(access.array)
            if array is None or access.array in found or not _is_simple(access):
                continue
            if _pays(scop, statement, access, array, members, target):
                found[access.array] = -(-target.line_bytes // array.element_bytes)
    return found


def _is_in_few_sets(array: Array) -> bool:
    """Its rows lie a known distance apart, which counts few sets."""
    return len(array.extents) == 2 and _row_bytes(array) % CORE.crowded.set_bytes == 0


def _row_bytes(array: Array) -> int:
    """1 where that is not known."""
    length = array.extents[-1] or ""
    return int(length) * array.element_bytes if length.isdigit() and int(length) else 1


def _is_simple(access: Access) -> bool:
    return access.is_must and access.relation.is_single_valued()


def _uses(scop: Scop, array: Array) -> float:
    """Of each element on average."""
    accesses, elements = 0, isl.UnionSet.empty(scop.context.get_space())
    for statement in scop.statements:
        domain = _at_assumed_sizes(statement.domain.intersect_params(scop.known))
        for access in statement.accesses:
            if access.array == array.name and not domain.is_empty():
                if not _is_simple(access):
                    return 0
                accesses += _box(domain)
                elements = elements.union(
                    isl.UnionSet.from_set(access.relation.intersect_domain(domain).range())
                )
    return accesses / _box(isl.Set.from_union_set(elements)) if accesses else 0


def _tiles(tree: Tree, outer: tuple[Member, ...] = ()) -> Iterator[tuple[str, Sequence[Member]]]:
    """Each statement in tiles, with the members of all loops down to those over tiles; not where
    contractions are inside, which are packed."""
    match tree:
        case Mark(name, Band(members, inside) as band) if name == TILE:
            for statement in () if CONTRACT in marks(inside) else band.statements:
                yield statement, (*outer, *members)
        case Mark(_, child):
            yield from _tiles(child, outer)
        case Band(members, child):
            yield from _tiles(child, (*outer, *members))
        case TreeSequence(children):
            for _, child in children:
                yield from _tiles(child, outer)
        case _:
            return


def _pays(
    scop: Scop,
    statement: Statement,
    access: Access,
    array: Array,
    members: Sequence[Member],
    target: Target,
) -> bool:
    domain = _at_assumed_sizes(statement.domain.intersect_params(scop.known))
    relation = access.relation.intersect_domain(domain)
    if domain.is_empty() or domain.dim(_SET) <= 2:
        return False
    rows, columns = _extents_in_a_tile(domain, relation, members)
    lines = rows * max(1.0, columns * array.element_bytes / target.line_bytes)
    share = CORE.tiles.l2_share
    is_kept = lines * target.line_bytes <= share * target.l2_bytes
    return is_kept and rows > share * _held(_row_bytes(array), target)


def _held(row_bytes: int, target: Target) -> int:
    """How many rows so far apart the second level keeps a line of, in the place of each line."""
    way = target.l2_bytes // CORE.crowded.ways
    return CORE.crowded.ways * (way // gcd(way, row_bytes))


def _at_assumed_sizes(domain: isl.Set) -> isl.Set:
    for k in range(domain.dim(_PARAM)):
        domain = domain.fix_val(_PARAM, k, val(CORE.assumed.of_rank(2)))
    return domain


def _extents_in_a_tile(
    domain: isl.Set, relation: isl.Map, members: Sequence[Member]
) -> tuple[int, int]:
    """Of the rows and columns that one tile touches, at most."""
    instances = isl.UnionSet.from_set(domain)
    functions = [
        Member(part)
        for one in members
        if not (part := one.function.intersect_domain(instances)).domain().is_empty()
    ]
    if not functions:
        return 0, 0
    tile_of = isl.Map.from_union_map(
        isl.UnionMap.from_multi_union_pw_aff(joint_function(functions)).intersect_domain(instances)
    )
    touched = tile_of.reverse().apply_range(relation)
    return _spread(touched, 0), _spread(touched, 1)


def _spread(touched: isl.Map, dimension: int) -> int:
    least, greatest = touched.dim_min(dimension), touched.dim_max(dimension)
    return _places(isl.Val.zero(isl.DEFAULT_CONTEXT), greatest.sub(least).max_val())


def _box(elements: isl.Set) -> int:
    """The places of the box around them."""
    dimensions = range(elements.dim(_SET))
    return prod(_places(elements.dim_min_val(k), elements.dim_max_val(k)) for k in dimensions)


def _places(least: isl.Val, greatest: isl.Val) -> int:
    """From the one to the other; more than there are anywhere, if there is no end."""
    is_known = least.is_int() and greatest.is_int()
    return int(greatest.sub(least).to_python()) + 1 if is_known else 1 << 60
