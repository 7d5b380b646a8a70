"""Statements taken apart into their accesses, where the order inside of an instance counts.

Dates order instances. Within one, accesses follow each other as the program has them: where two of
them write, or what is written is read again, a dataflow between instances does not say from which
access a value comes:

    S[i]: a[i] = x; b[i] = y      =>      S@0[i]: a[i] = x
                                          S@1[i]: b[i] = y

so that the two writes may not change their places, though the same instance writes both.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyopt.poly.isl.lists import maps
from polyopt.poly.scop import Scop, Statement


def by_access(scop: Scop) -> Scop:
    """The SCoP in which such statements are one for each access, in the order of the program. Where
    there are none, the same."""
    apart = {one.name for one in scop.statements if _is_ordered_inside(one)}
    if not apart:
        return scop
    statements = list[Statement]()
    dates = isl.UnionMap.empty(scop.context.get_space())
    of_statement = {
        part.get_tuple_name(isl.dim_type.in_): part
        for part in maps(scop.times.intersect_domain(scop.domain))
    }
    for one in scop.statements:
        for position, part in _parts(one) if one.name in apart else [(0, one)]:
            statements.append(part)
            if one.name in of_statement:
                date = of_statement[one.name].set_tuple_name(isl.dim_type.in_, part.name)
                place = isl.Set(f"{{ [{position}] }}")
                inside = isl.Map.from_domain_and_range(part.domain, place)
                dates = dates.union(isl.UnionMap.from_map(date.flat_range_product(inside)))
    divided = replace(scop, statements=tuple(statements))
    order = isl.Schedule.from_domain(divided.domain.intersect(dates.domain()))
    times = isl.MultiUnionPwAff.from_union_map(dates)
    return divided.with_schedule(order.insert_partial_schedule(times))


def _is_ordered_inside(statement: Statement) -> bool:
    """Does it write twice, or write before it reads?"""
    writes = [one.position for one in statement.accesses if one.is_write]
    reads = [one.position for one in statement.accesses if not one.is_write]
    return len(writes) > 1 or bool(writes and reads and min(writes) < max(reads))


def _parts(statement: Statement) -> list[tuple[int, Statement]]:
    found = list[tuple[int, Statement]]()
    for access in statement.accesses:
        name = f"{statement.name}@{access.position}"
        relation = access.relation.set_tuple_name(isl.dim_type.in_, name)
        part = replace(
            statement,
            name=name,
            domain=statement.domain.set_tuple_name(name),
            accesses=(replace(access, relation=relation),),
            reductions=(),
        )
        found.append((access.position, part))
    return found
