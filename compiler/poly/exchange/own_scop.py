"""A SCoP of ours as a description, the SCoP that a description is of, and where two differ.

A file is only asked for a schedule: where it says anything else of the SCoP than we know, the
schedule is not taken, so that no change of an access or a domain is lost without a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import islpy as isl

from polyopt.poly.exchange.dates import dates_of, tree_of
from polyopt.poly.exchange.description import (
    DescribedAccess,
    DescribedArray,
    DescribedStatement,
    Description,
)
from polyopt.poly.schedule_tree import build_schedule
from polyopt.poly.scop import Access, Array, Scop, Statement


def describe(scop: Scop, types: Mapping[str, str], location: str | None = None) -> Description:
    """`types` are LLVM's names of the arrays' elements. As in Polly's files the first size of an
    array is "*", and so is any other that is not known; an array of no dimensions has none."""
    dates = dates_of(scop.schedule, {one.name: one.domain for one in scop.statements})
    return Description(
        scop.name,
        scop.known,
        tuple(DescribedArray(one.name, _sizes(one), types[one.name]) for one in scop.arrays),
        tuple(_statement(one, dates[one.name]) for one in scop.statements),
        location,
    )


def _sizes(array: Array) -> tuple[str, ...]:
    return tuple("*" if k == 0 or size is None else size for k, size in enumerate(array.extents))


def _statement(statement: Statement, dates: isl.Map) -> DescribedStatement:
    return DescribedStatement(
        statement.name,
        statement.domain,
        dates,
        tuple(
            DescribedAccess(access.is_write, access.relation, not access.is_must)
            for access in statement.accesses
        ),
    )


BYTES = {"half": 2, "bfloat": 2, "float": 4, "x86_fp80": 16, "fp128": 16}
"""Of LLVM's types by name; iN as many as hold N bits, all else as many as a double."""


def scop_of(description: Description) -> Scop:
    """The SCoP that a file describes, whoever wrote it, for the mathematics alone. Scalars that
    Polly does not list are arrays of no dimensions. Raises NoDates."""
    domains = {one.name: one.domain for one in description.statements}
    dates = {one.name: one.schedule for one in description.statements}
    listed = {array.name: _array(array) for array in description.arrays}
    for statement in description.statements:
        for access in statement.accesses:
            rank = access.relation.dim(isl.dim_type.out)
            listed.setdefault(access.array, Array(access.array, 8, (None,) * rank))
    domain = isl.UnionSet("{ }")
    for one in domains.values():
        domain = domain.union(isl.UnionSet.from_set(one))
    return Scop(
        description.name,
        description.context,
        tuple(
            Statement(one.name, one.domain, tuple(_accesses(one))) for one in description.statements
        ),
        tuple(listed.values()),
        build_schedule(domain, tree_of(domains, dates)),
    )


def _accesses(statement: DescribedStatement) -> Iterator[Access]:
    for position, access in enumerate(statement.accesses):
        relation = access.relation.intersect_domain(statement.domain)
        is_must = not access.is_may and relation.is_single_valued()
        yield Access(access.array, access.relation, access.is_write, is_must, position)


def _array(array: DescribedArray) -> Array:
    bits = array.type.removeprefix("i")
    size = (int(bits) + 7) // 8 if bits.isdecimal() else BYTES.get(array.type, 8)
    extents = tuple(size if size.isdecimal() else None for size in array.sizes)
    return Array(array.name, size, extents)


def disagreement(ours: Description, theirs: Description, *, but_places: bool = False) -> str | None:
    """The first thing but schedules that `theirs`, which uses our names, has otherwise;
    `but_places`: which elements are accessed may differ, too, and there may be more arrays."""
    names = [one.name for one in ours.statements], [one.name for one in theirs.statements]
    if sorted(names[0]) != sorted(names[1]):
        return f"the file's statements are {_listed(names[1])}, not {_listed(names[0])}"
    if not ours.context.is_subset(theirs.context):
        return f"the file assumes {theirs.context}, which is not known to hold"
    for mine, other in zip(
        sorted(ours.statements, key=lambda one: one.name),
        sorted(theirs.statements, key=lambda one: one.name),
        strict=True,
    ):
        found = _statement_disagreement(mine, other, ours.context, but_places)
        if found is not None:
            return found
    names_of_ours = {array.name for array in ours.arrays}
    for array in theirs.arrays:
        is_new = but_places and array.name not in names_of_ours
        if array not in ours.arrays and not is_new:
            return f"array '{array.name}' is not one of the SCoP's, or declared otherwise there"
    return None


def _statement_disagreement(
    mine: DescribedStatement, other: DescribedStatement, context: isl.Set, but_places: bool
) -> str | None:
    if mine.domain.get_space().dim(isl.dim_type.set) != other.domain.dim(isl.dim_type.set):
        return f"statement '{mine.name}' has other dimensions in the file"
    domain = mine.domain.intersect_params(context)
    if not domain.is_equal(other.domain.intersect_params(context)):
        return f"the domain of statement '{mine.name}' is {mine.domain}, not {other.domain}"
    if len(mine.accesses) != len(other.accesses):
        count = len(mine.accesses)
        return f"statement '{mine.name}' has {count} accesses, in the file {len(other.accesses)}"
    for access, changed in zip(mine.accesses, other.accesses, strict=True):
        same = access.kind == changed.kind and (
            but_places
            or (
                access.relation.get_space().has_equal_tuples(changed.relation.get_space())
                and access.relation.intersect_domain(domain).is_equal(
                    changed.relation.intersect_domain(domain)
                )
            )
        )
        if not same:
            return (
                f"statement '{mine.name}' has the {access.kind} {access.relation}, "
                f"in the file it is the {changed.kind} {changed.relation}"
            )
    return None


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"
