"""Updates that wait for elements of their own row, in the order in which these are finished.

    for j:                                      for k:
      for k < j: X[j] += X[k] * Q[k, j]   =>      X[k] = f(X[k])
      X[j] = f(X[j])                              for j > k: X[j] += X[k] * Q[k, j]

On the left each element pulls what it needs, down a column of Q; on the right each finished element
is pushed to all behind it, along rows of X and Q: the innermost loop has no recurrence. Each
element still sees its updates in the order of k, but after those that the rest of the loop makes to
it, not before: the dependences say whether that may be.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import islpy as isl

from polyopt.poly.changes.updates import accumulator, is_unit_stride, varies
from polyopt.poly.isl.lists import pieces, pw_affs
from polyopt.poly.legality import keeps
from polyopt.poly.schedule_tree import (
    LEAF,
    Band,
    Member,
    Sequence,
    Tree,
    build_schedule,
    on_statements_of,
    restrict,
)
from polyopt.poly.scop import Scop, Statement


def pushed(
    scop: Scop,
    band: Band,
    instances: isl.UnionSet,
    pairs: isl.UnionMap,
    names: Iterable[str],
) -> Tree | None:
    """`band`, on `instances`, with the updates of `names` along its second member when what they
    take is finished; None if no statement is of that kind, or if that breaks one of `pairs`."""
    if len(band.members) < 2:
        return None
    first, second, *inner = band.members
    others, times = instances, list[isl.UnionPwAff]()
    parts: list[tuple[isl.UnionSet, Tree]] = []
    for name in sorted(names):
        statement = scop.statement(name)
        own = instances.intersect(isl.UnionSet.from_set(statement.domain))
        finished = None if own.is_empty() else _when_finished(statement, second.function)
        if finished is not None:
            times.append(finished.intersect_domain(own))
            along = on_statements_of(second.function, own)
            parts.append((own, Band((Member(along),), LEAF)))
            others = others.subtract(own)
    if not parts:
        return None
    if not others.is_empty():
        times.append(on_statements_of(second.function, others))
        rest = Band(tuple(inner), band.child, band.permutable) if inner else band.child
        parts.insert(0, (others, restrict(rest, others)))
    time = reduce(isl.UnionPwAff.union_add, times)
    outer = Member(on_statements_of(first.function, instances))
    child = parts[0][1] if len(parts) == 1 else Sequence(tuple(parts))
    tree = Band((outer, Member(time)), child)
    return tree if keeps(build_schedule(instances, tree), pairs) else None


def _when_finished(statement: Statement, steps: isl.UnionPwAff) -> isl.UnionPwAff | None:
    """The step at which the operand is finished that lies in the row of the result.

    { S[i, j, k] -> steps(S[i, k, j]) }, where S updates X[.., j] from X[.., k], and goes along rows
    with j; None where it does not.
    """
    write = accumulator(statement)
    if write is None:
        return None
    dims = range(statement.domain.dim(isl.dim_type.set))
    depth = [d for d in dims if not varies(write, d)]
    along = [d for d in dims if varies(write, d) and is_unit_stride(write, d)]
    if len(depth) != 1 or len(along) != 1:
        return None
    swap = _swap(statement, depth[0], along[0])
    domain = statement.domain
    operand = write.relation.gist_domain(domain).preimage_domain_multi_aff(swap)
    takes_own = any(
        one.array == write.array
        and one.relation.intersect_domain(domain).is_equal(operand.intersect_domain(domain))
        for one in statement.accesses
    )
    if not takes_own or not all(
        is_unit_stride(one, along[0]) for one in statement.accesses if varies(one, along[0])
    ):
        return None
    here = on_statements_of(steps, isl.UnionSet.from_set(statement.domain))
    values = [aff for part in pw_affs(here) for _, aff in pieces(part)]
    if len(values) != 1:
        return None
    return isl.UnionPwAff.from_pw_aff(isl.PwAff.from_aff(values[0].pullback_multi_aff(swap)))


def _swap(statement: Statement, one: int, other: int) -> isl.MultiAff:
    """{ S[.., a, .., b, ..] -> S[.., b, .., a, ..] }"""
    space = statement.domain.get_space()
    swap = isl.MultiAff.identity(space.map_from_set())
    first, second = swap.get_at(one), swap.get_at(other)
    return swap.set_at(one, second).set_at(other, first)
