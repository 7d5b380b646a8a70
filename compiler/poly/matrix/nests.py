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
from dataclasses import replace
from functools import cached_property

import islpy as isl

from polyopt.poly.isl.lists import pw_affs, sets
from polyopt.poly.isl.numbers import val
from polyopt.poly.linear.dependence_vectors import DependenceVector, combine, vectors_of
from polyopt.poly.linear.lattice import Matrix, Vector, identity
from polyopt.poly.schedule_tree import (
    Band,
    Leaf,
    Mark,
    Member,
    Sequence,
    Tree,
    bands,
    joint_function,
)
from polyopt.support.record import record


@record(eq=False)
class MatrixNest:
    """`outer` are the loops around it; `pairs` are the dependences that neither these nor the
    sequences around it order."""

    chain: tuple[Band, ...]
    outer: tuple[Member, ...]
    pairs: isl.UnionMap

    @property
    def members(self) -> tuple[Member, ...]:
        return tuple(member for band in self.chain for member in band.members)

    @property
    def inside(self) -> Tree:
        """What is below the nest."""
        return self.chain[-1].child

    @property
    def depth(self) -> int:
        return len(self.members)

    @property
    def statements(self) -> frozenset[str]:
        """The names of the statements in it."""
        parts = pw_affs(self.members[0].function)
        names = (part.get_domain_space().get_tuple_name(isl.dim_type.set) for part in parts)
        return frozenset(name for name in names if name)

    @cached_property
    def vectors(self) -> list[DependenceVector]:
        """The dependence vectors of its loops."""
        time = isl.UnionMap.from_multi_union_pw_aff(joint_function(self.members))
        distances = self.pairs.apply_domain(time).apply_range(time).deltas()
        return [vector for one in sets(distances) for vector in vectors_of(one)]

    @property
    def functions(self) -> list[isl.UnionPwAff]:
        """Those of all loops around each statement in it, outermost first."""
        inner = [member for band in bands(self.inside) for member in band.members]
        return [member.function for member in (*self.outer, *self.members, *inner)]


Change = Callable[[MatrixNest], Matrix | None]
"""The matrix for a nest; None leaves it alone."""


def transform_nests(tree: Tree, pairs: isl.UnionMap, change: Change) -> Tree:
    """`tree` with each nest run at the times that `change` says; `pairs` are the dependences."""
    return _transform(tree, pairs, (), change)


def join_bands(tree: Tree, pairs: isl.UnionMap) -> Tree:
    """`tree` with each nest of several bands made one where that is permutable."""

    def change(nest: MatrixNest) -> Matrix | None:
        if len(nest.chain) < 2:
            return None
        steps = [step for vector in nest.vectors for step in vector]
        forward = all(step.low is not None and step.low >= 0 for step in steps)
        return identity(nest.depth) if forward else None

    return transform_nests(tree, pairs, change)


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
    nest = MatrixNest(tuple(chain), outer, pairs)
    matrix = change(nest)
    left = pairs
    if not isinstance(nest.inside, Leaf):
        left = pairs.eq_at_multi_union_pw_aff(joint_function(nest.members))
    below = _transform(nest.inside, left, (*outer, *nest.members), change)
    if matrix is not None:
        return _transformed(nest, matrix, below)
    for one in reversed(chain):
        below = replace(one, child=below)
    return below


def _transformed(nest: MatrixNest, matrix: Matrix, below: Tree) -> Band:
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
            value = val(factor)
            term = member.function.scale_val(value)
            total = term if total is None else total.add(term)
    assert total is not None, "no row of a non-singular matrix is zero"
    return total
