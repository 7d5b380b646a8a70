"""Index-set splitting: the iterations where subscripts bend apart from the others.

On a torus, and wherever a row goes on at its other end, an access is affine by pieces:

    for x { B[x] = A[x == 0 ? w - 1 : x - 1] + A[x] + A[x == w - 1 ? 0 : x + 1] }
      =>
    x = 0 { … A[w - 1] … }    for 0 < x < w - 1 { … A[x - 1] … A[x + 1] … }   x = w - 1 { … A[0] … }

Where all accesses of an innermost loop are in one piece but for a few iterations at its ends, these
run before and behind it. Iterations keep their order, so every order that was legal still is
(M. Griebl, P. Feautrier, C. Lengauer, Index set splitting, Int. J. Parallel Programming 28(6),
2000). What bends along other dimensions stays: it does not change in the loop.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from polyopt.poly.changes.contractions import CONTRACT
from polyopt.poly.isl.lists import maps
from polyopt.poly.isl.numbers import val
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Sequence,
    Tree,
    bands,
    restrict,
    statements_of,
)
from polyopt.poly.scop import Access, Scop, Statement

_ENDS = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 2), (3, 3), (4, 4), (6, 6), (8, 8))
"""So many iterations at the beginning and the end are taken apart, the first that will do: as many
as half a window that is reflected, clamped or goes on at the other end."""

_In = isl.dim_type.in_


def isolate_edges(scop: Scop, tree: Tree) -> Tree:
    """`tree` with innermost loops split; `tree` itself if there is none to split."""
    return _below(scop, tree, scop.domain.intersect_params(scop.known))


def may_have_edges(scop: Scop) -> bool:
    """Is an access affine by pieces? If none is there is nothing to split."""
    return any(_is_in_pieces(access) for one in scop.statements for access in one.accesses)


def _is_in_pieces(access: Access) -> bool:
    return access.is_must and access.relation.n_basic_map() > 1


def _below(scop: Scop, tree: Tree, instances: isl.UnionSet) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(name, child):
            inner = child if name == CONTRACT else _below(scop, child, instances)
            return tree if inner is child else replace(tree, child=inner)
        case Sequence(children):
            new = [(one, _below(scop, child, instances.intersect(one))) for one, child in children]
            is_same = all(one is old for (_, one), (_, old) in zip(new, children, strict=True))
            return tree if is_same else replace(tree, children=tuple(new))
        case Band():
            if not bands(tree.child):
                return _split(scop, tree, instances)
            inner = _below(scop, tree.child, instances)
            return tree if inner is tree.child else replace(tree, child=inner)


def _split(scop: Scop, band: Band, instances: isl.UnionSet) -> Tree:
    *outer, last = band.members
    statements = [scop.statement(name) for name in statements_of(band)]
    if not any(_is_in_pieces(access) for one in statements for access in one.accesses):
        return band
    direction = _direction(statements, last, instances)
    if direction is None:
        return band
    dim, is_forward = direction
    domains = [_part_of(instances, one) for one in statements]
    for ends in _ENDS:
        cut = [_cut(domain, dim, ends) for domain in domains]
        if all(
            _is_straight(one, middle, dim)
            for one, (_, middle, _) in zip(statements, cut, strict=True)
        ):
            break
    else:
        return band
    if ends == (0, 0):
        return band
    parts = [_union(sets) for sets in zip(*cut, strict=True)]
    inner = replace(band, members=(last,))
    ordered = parts if is_forward else parts[::-1]
    children = tuple((part, restrict(inner, part)) for part in ordered if not part.is_empty())
    if len(children) == 1:
        return band
    sequence = Sequence(children)
    return replace(band, members=tuple(outer), child=sequence) if outer else sequence


def _direction(
    statements: Seq[Statement], last: Member, instances: isl.UnionSet
) -> tuple[int, bool] | None:
    """The dimension that the loop runs over and whether upwards, where that is the same for all
    statements: each iteration of the loop runs the same one of all."""
    found: set[tuple[int, int]] = set()
    for one in statements:
        factors = last.factors(one.name) or ()
        used = [(dim, int(factor)) for dim, factor in enumerate(factors) if factor]
        if len(used) != 1 or abs(used[0][1]) != 1:
            return None
        found.add(used[0])
    if len(found) != 1:
        return None
    functions = maps(isl.UnionMap.from_union_pw_aff(last.function).intersect_domain(instances))
    if not functions:
        return None  # what never runs has no ends
    first, *others = [one.set_tuple_name(_In, "").coalesce() for one in functions]
    if any(not first.has_equal_space(one) or not first.is_equal(one) for one in others):
        return None
    ((dim, factor),) = found
    return dim, factor > 0


def _is_straight(statement: Statement, domain: isl.Set, dim: int) -> bool:
    """Is every access one affine function along `dim`, wherever the others stand?"""
    for access in statement.accesses:
        if not _is_in_pieces(access):
            continue
        function = isl.PwMultiAff.from_map(access.relation.intersect_domain(domain)).coalesce()
        parts: list[isl.Set] = []
        function.foreach_piece(lambda where, _: parts.append(where))
        rows = [_rows(part, dim) for part in parts]
        for k, row in enumerate(rows):
            if any(not row.is_disjoint(other) for other in rows[:k]):
                return False
    return True


def _rows(part: isl.Set, dim: int) -> isl.Set:
    """The rows along `dim` that have something of the part."""
    return part.project_out(isl.dim_type.set, dim, 1)


def _cut(domain: isl.Set, dim: int, ends: tuple[int, int]) -> tuple[isl.Set, isl.Set, isl.Set]:
    """The first iterations along `dim`, wherever the others stand, those between, and the last
    ones that are not among the first; `ends` says how many."""
    first, last = ends
    low = domain.subtract(_moved(domain, dim, first))
    high = domain.subtract(_moved(domain, dim, -last)).subtract(low)
    middle = domain.subtract(low).subtract(high)
    return low.coalesce(), middle.coalesce(), high.coalesce()


def _moved(domain: isl.Set, dim: int, by: int) -> isl.Set:
    identity = isl.MultiAff.identity(domain.get_space().map_from_set())
    moved = identity.get_aff(dim).add_constant_val(val(by))
    return domain.apply(isl.Map.from_multi_aff(identity.set_aff(dim, moved)))


def _part_of(instances: isl.UnionSet, statement: Statement) -> isl.Set:
    return instances.extract_set(statement.domain.get_space())


def _union(sets: Seq[isl.Set]) -> isl.UnionSet:
    first, *others = [isl.UnionSet.from_set(one) for one in sets]
    for one in others:
        first = first.union(one)
    return first.coalesce()
