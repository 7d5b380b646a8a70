"""Index-set splitting: what carries a loop's dependences apart from the other iterations.

Where every dependence that an innermost loop carries begins or ends in one of its iterations,

    for j { P[i, j] = min(P[i, j], P[i, k] + P[k, j]) }         carried: by j = k only
      =>
    for j < k { … }     j = k { … }     for j > k { … }

the others carry nothing, and may run as lanes of vectors. So may both parts of a loop all of whose
dependences lead from one of them to the other,

    for i <= 2 n { A[i] = A[2 n - i] }                          carried: from i < n to 2 n - i
      =>
    for i < n { … }     for i >= n { … }

(M. Griebl, P. Feautrier, C. Lengauer, Index set splitting, Int. J. Parallel Programming 28(6),
2000, split for schedules; here the schedule stays). A part ends where iterators of loops around
have it: what an inner loop runs over says nothing of when an iteration of this one comes. So
iterations keep their order, and every order that was legal still is.

For threads the same is done of a loop with loops in it, the outermost of which it is true, if no
loop around it is parallel as it is: of all shortest paths, the rows before and behind row k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, at_bands, equal_at
from polyopt.poly.changes.contractions import CONTRACT
from polyopt.poly.changes.updates import varies
from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.lists import basic_maps, maps
from polyopt.poly.linear.linear_forms import subscripts_of
from polyopt.poly.schedule_tree import (
    Band,
    Member,
    Tree,
    bands,
    each_apart,
    statements_of,
)
from polyopt.poly.scop import Access, Scop, Statement


def isolate_carriers(
    scop: Scop, dependences: Dependences, tree: Tree, *, for_threads: bool = False
) -> Tree:
    """`tree` with innermost loops split; `tree` itself if there is none to split."""

    def split(band: Band, place: TreePosition) -> Tree:
        if for_threads:
            apart = _split_outermost(scop, band, place)
            if apart is not None:
                return below(apart, place)
        if not bands(band.child):
            return _split_at(scop, band, place, len(band.members) - 1) or band
        inner = below(band.child, place.inside(band.members))
        return band if inner is band.child else replace(band, child=inner)

    def below(tree: Tree, place: TreePosition) -> Tree:
        return at_bands(tree, place, split, but=CONTRACT)

    return below(tree, TreePosition((), dependences.validity))


def _split_outermost(scop: Scop, band: Band, place: TreePosition) -> Tree | None:
    """The band with a loop split that has loops in it, and is in no parallel one."""
    around = zip(place.reaching, place.outer, strict=True)
    if any(pairs.is_subset(equal_at(pairs, member)) for pairs, member in around):
        return None
    has_bands = bool(bands(band.child))
    for position, member in enumerate(band.members):
        is_innermost = position == len(band.members) - 1 and not has_bands
        if is_innermost or place.inside(band.members[:position]).is_coincident(member):
            return None
        apart = _split_at(scop, band, place, position)
        if apart is not None:
            return apart
    return None


def _split_at(scop: Scop, band: Band, place: TreePosition, position: int) -> Tree | None:
    """The band with the loop at this place of its members split, if that is possible."""
    outer, member = band.members[:position], band.members[position]
    names = statements_of(band)
    if member.coincident or len(names) != 1:
        return None
    statement = scop.statement(names[0])
    dim = _dimension(statement, member)
    if dim is None or not _is_promising(statement, dim):
        return None
    reaching = place.inside(outer).pending
    carried = reaching.subtract(equal_at(reaching, member))
    if carried.is_empty():
        return None
    factors = member.factors(statement.name)
    assert factors is not None
    is_up = factors[dim] > 0
    around = [_dimension(statement, one) for one in (*place.outer, *outer)]
    inside_it = [d for d in range(len(factors)) if d != dim and d not in around]
    cut = _around_a_carrier(carried, dim, inside_it, is_up) or _in_two(
        carried, dim, inside_it, is_up
    )
    if cut is None:
        return None
    instances = member.function.domain()
    inside = band.members[position + 1 :]
    inner = replace(band, members=(member, *inside), permutable=False)
    free = replace(inner, members=(replace(member, coincident=True), *inside))
    sequence = each_apart(
        [
            (instances.intersect(part), free if carries_nothing else inner)
            for part, carries_nothing in cut
        ]
    )
    return replace(band, members=outer, child=sequence) if outer else sequence


_Cut = list[tuple[isl.UnionSet, bool]]
"""Parts of a loop in their order, and whether each carries nothing."""


def _around_a_carrier(
    carried: isl.UnionMap, dim: int, inside: Sequence[int], is_up: bool
) -> _Cut | None:
    """In front of one iteration, it, and behind it."""
    for distance in _candidates(carried, dim, inside):
        carrier = isl.UnionSet.from_set(distance.zero_basic_set().to_set())
        if carried.subtract_domain(carrier).subtract_range(carrier).is_empty():
            ends = (distance.neg(), distance) if is_up else (distance, distance.neg())
            before, after = (isl.UnionSet.from_set(_positive(one)) for one in ends)
            return [(before, True), (carrier, False), (after, True)]
    return None


def _in_two(carried: isl.UnionMap, dim: int, inside: Sequence[int], is_up: bool) -> _Cut | None:
    """Up to some iteration, and behind it."""
    for part in maps(carried):
        for constraint in _last_bounds(part, dim, inside, is_up):
            before = isl.BasicSet.from_constraint(constraint).to_set()
            first, second = (isl.UnionSet.from_set(one) for one in (before, before.complement()))
            if carried.is_subset(carried.intersect_domain(first).intersect_range(second)):
                return [(first, True), (second, True)]
    return None


def _last_bounds(
    part: isl.Map, dim: int, inside: Sequence[int], is_up: bool
) -> Iterable[isl.Constraint]:
    """What bounds the sources of the pairs, in the direction in which the loop goes."""
    for constraint in part.domain().simple_hull().get_constraints():
        factor = constraint.get_coefficient_val(isl.dim_type.set, dim)
        has_quotients = constraint.get_aff().dim(isl.dim_type.div)
        if not constraint.is_equality() and not has_quotients and not factor.is_zero():
            if factor.is_neg() == is_up and not _uses(constraint, inside):
                yield constraint


def _uses(constraint: isl.Constraint, dims: Sequence[int]) -> bool:
    return any(constraint.involves_dims(isl.dim_type.set, dim, 1) for dim in dims)


def _dimension(statement: Statement, member: Member) -> int | None:
    """The iterator that the member runs over, up or down."""
    factors = member.factors(statement.name)
    if factors is None:
        return None
    used = [dim for dim, factor in enumerate(factors) if factor]
    return used[0] if len(used) == 1 and abs(factors[used[0]]) == 1 else None


def _is_promising(statement: Statement, dim: int) -> bool:
    """Is an array written along the loop and touched at one place of it, or at another pace?"""
    return any(
        _goes_otherwise(write, other, dim)
        for write in statement.accesses
        for other in statement.accesses
        if write.is_write and other.array == write.array and other is not write
    )


def _goes_otherwise(one: Access, other: Access, dim: int) -> bool:
    if varies(one, dim) != varies(other, dim):
        return True
    rows = [subscripts_of(each.relation) for each in (one, other) if each.is_must]
    mine, theirs = rows if len(rows) == 2 else (None, None)
    if mine is None or theirs is None:
        return False
    return [row[dim] for row in mine] != [row[dim] for row in theirs]


def _candidates(carried: isl.UnionMap, dim: int, inside: Sequence[int]) -> Iterable[isl.Aff]:
    """Functions x_dim - e, with e of the iterators around and parameters, that are zero at all
    sources or at all targets of some of the pairs."""
    seen = set[str]()
    for part in maps(carried):
        for piece in basic_maps(part):
            for end in (piece.domain(), piece.range()):
                for constraint in end.affine_hull().get_constraints():
                    factor = constraint.get_coefficient_val(isl.dim_type.set, dim)
                    if not constraint.is_equality() or not factor.abs().is_one():
                        continue
                    if _uses(constraint, inside):
                        continue
                    distance = constraint.get_aff()
                    if distance.dim(isl.dim_type.div):
                        continue
                    distance = distance.neg() if factor.is_neg() else distance
                    if str(distance) not in seen:
                        seen.add(str(distance))
                        yield distance


def _positive(function: isl.Aff) -> isl.Set:
    return isl.PwAff.from_aff(function).pos_set()
