"""The loop nests of a schedule tree, one by one, each replaced by a transformed one.

A nest is a chain of bands with nothing between them, such as the perfectly nested loops of a
program; what is below the chain goes along unchanged. Its dependences are those that the loops
and sequences above leave to be ordered: the distances in the nest's own functions.

    nest    f = (f_1, ..., f_n)          { S[i] -> f(i) }
    by T    T f                          { S[i] -> T f(i) }, legal if T d > 0 for every distance d

Since T is non-singular, T f is equal for two instances exactly where f is, so the part below
orders the same pairs as before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import islpy as isl

from polyopt.poly.dependence_vectors import DependenceVector, combine, vectors_of
from polyopt.poly.isl_lists import sets
from polyopt.poly.lattice import Matrix, Vector
from polyopt.poly.schedule_tree import Band, Leaf, Mark, Member, Sequence, Tree, bands


@dataclass(frozen=True, eq=False)
class Nest:
    """`outer` are the loops around it, `inside` what is below; `pairs` are the dependences that
    neither the loops nor the sequences around it order."""

    members: tuple[Member, ...]
    outer: tuple[Member, ...]
    inside: Tree
    pairs: isl.UnionMap

    @property
    def depth(self) -> int:
        return len(self.members)

    @cached_property
    def vectors(self) -> list[DependenceVector]:
        """The dependence vectors of its loops."""
        time = isl.UnionMap.from_multi_union_pw_aff(_functions(self.members))
        distances = self.pairs.apply_domain(time).apply_range(time).deltas()
        return [vector for one in sets(distances) for vector in vectors_of(one)]

    @property
    def functions(self) -> list[isl.UnionPwAff]:
        """Those of all loops around each statement in it, outermost first."""
        inner = [member for band in bands(self.inside) for member in band.members]
        return [member.function for member in (*self.outer, *self.members, *inner)]


Change = Callable[[Nest], Matrix | None]
"""The matrix for a nest; None leaves it alone."""


def transform_nests(tree: Tree, pairs: isl.UnionMap, change: Change) -> Tree:
    """`tree` with each nest run at the times that `change` says; `pairs` are the dependences."""
    return _transform(tree, pairs, (), change)


def _transform(tree: Tree, pairs: isl.UnionMap, outer: tuple[Member, ...], change: Change) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(_, child):
            return replace(tree, child=_transform(child, pairs, outer, change))
        case Sequence(children):
            parts = list[tuple[isl.UnionSet, Tree]]()
            for one, child in children:
                within = pairs.intersect_domain(one).intersect_range(one)
                parts.append((one, _transform(child, within, outer, change)))
            return replace(tree, children=tuple(parts))
        case Band():
            return _transform_nest(tree, pairs, outer, change)


def _transform_nest(
    band: Band, pairs: isl.UnionMap, outer: tuple[Member, ...], change: Change
) -> Tree:
    chain = [band]
    while isinstance(chain[-1].child, Band):
        chain.append(chain[-1].child)
    members = tuple(member for one in chain for member in one.members)
    inside = chain[-1].child
    nest = Nest(members, outer, inside, pairs)
    matrix = change(nest)
    left = pairs
    if not isinstance(inside, Leaf):
        left = pairs.eq_at_multi_union_pw_aff(_functions(members))
    below = _transform(inside, left, (*outer, *members), change)
    if matrix is not None:
        return _transformed(nest, matrix, below)
    for one in reversed(chain):
        below = replace(one, child=below)
    return below


def _transformed(nest: Nest, matrix: Matrix, below: Tree) -> Band:
    """One band for the whole nest, with what the vectors say of its loops."""
    members = list[Member]()
    is_permutable = True
    for row in matrix:
        steps = [combine(row, vector) for vector in nest.vectors]
        is_permutable &= all(step.low is not None and step.low >= 0 for step in steps)
        members.append(Member(_product(row, nest.members), all(step.is_zero for step in steps)))
    return Band(tuple(members), below, is_permutable)


def _product(row: Vector, members: tuple[Member, ...]) -> isl.UnionPwAff:
    """The sum of `row[k] * f_k`."""
    total: isl.UnionPwAff | None = None
    for factor, member in zip(row, members, strict=True):
        if factor:
            value = isl.Val.int_from_si(isl.DEFAULT_CONTEXT, factor)
            term = member.function.scale_val(value)
            total = term if total is None else total.add(term)
    assert total is not None, "no row of a non-singular matrix is zero"
    return total


def _functions(members: tuple[Member, ...]) -> isl.MultiUnionPwAff:
    first, *rest = (isl.MultiUnionPwAff.from_union_pw_aff(one.function) for one in members)
    for one in rest:
        first = first.flat_range_product(one)
    return first
