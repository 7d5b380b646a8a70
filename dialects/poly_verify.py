"""The invariants of `poly.scop` that are about names, sets and relations, listed at the head of
`poly.py`: judged on plain data, which the operations give of themselves.

What isl has to say of a text is asked once: facts are cached by the texts that they depend on,
since the verifier runs between any two passes and most texts stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import islpy as isl
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.poly_sets import parsed_map, parsed_schedule, parsed_set
from polyopt.dialects.scop_facts import AccessFacts, ScopFacts, StatementFacts
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.names import parameters_of


def verify_scop(scop: ScopFacts) -> None:
    """Raise VerifyException naming the first invariant that does not hold."""
    parameters = _distinct("parameter", scop.parameters)
    arrays = _distinct("array", scop.arrays)
    for kind, names, count in (
        ("parameters", parameters, scop.parameter_count),
        ("arrays", arrays, scop.array_count),
    ):
        if len(names) != count:
            raise VerifyException(
                f"expected one name for each of the {count} {kind}, got {len(names)}"
            )
    for name in scop.local:
        if name not in arrays:
            raise VerifyException(f"local array {name!r} is not an array of the SCoP")
    _verify_parameter_set("context", scop.context, parameters)
    if scop.assumed is not None:
        _verify_parameter_set("assumed", scop.assumed, parameters)
    _distinct("statement", (one.name for one in scop.statements))
    for statement in scop.statements:
        _verify_domain(statement, parameters)
        for access in statement.accesses:
            _verify_access(statement, access, parameters)
    _verify_schedule(scop, parameters)


def _distinct(kind: str, names: Iterable[str]) -> dict[str, None]:
    found = dict[str, None]()
    for name in names:
        if name in found:
            raise VerifyException(f"{kind} name {name!r} is used twice")
        found[name] = None
    return found


def _verify_parameter_set(what: str, text: str, parameters: Iterable[str]) -> None:
    names, spaces = _spaces_of_set(text)
    _verify_parameters(what, names, parameters)
    if any(space is not None for space in spaces):
        raise VerifyException(f"{what} is not a set of parameter values: {text}")


def _verify_parameters(what: str, used: Iterable[str], known: Iterable[str]) -> None:
    for name in used:
        if name not in known:
            raise VerifyException(f"{what} speaks of {name!r}, which is no parameter of the SCoP")


def _verify_domain(statement: StatementFacts, parameters: Iterable[str]) -> None:
    name, dimensions = statement.name, statement.dimensions
    used, spaces = _spaces_of_set(statement.domain)
    _verify_parameters(f"the domain of {name!r}", used, parameters)
    for space in spaces:
        if space != (name, dimensions):
            raise VerifyException(
                f"the domain of {name!r} is not a set of {name}[…] with "
                f"{dimensions} dimensions: {statement.domain}"
            )
    if statement.iterators not in (None, dimensions):
        raise VerifyException(f"statement {name!r}: expected one iterator name for each dimension")


def _verify_access(
    statement: StatementFacts, access: AccessFacts, parameters: Iterable[str]
) -> None:
    what, rank = f"statement {statement.name!r}: {access.kind}", access.rank
    if access.is_conditional and not access.is_may:
        raise VerifyException(f"{what}: data decide on it, so that it is a may access")
    if access.array is None:
        raise VerifyException(f"{what}: the array is not one of the SCoP's")
    used, spaces = _spaces_of_map(access.relation)
    _verify_parameters(f"{what}: the relation", used, parameters)
    expected = (statement.name, statement.dimensions, access.array, rank)
    for space in spaces:
        if space != expected:
            raise VerifyException(
                f"{what}: expected a relation from {expected[0]} ({expected[1]} dimensions) to "
                f"{access.array} ({rank} dimensions): {access.relation}"
            )
    is_single, is_total = _reach(access.relation, statement.domain)
    if access.indices not in (0, rank):
        raise VerifyException(f"{what}: expected one run-time index for each of {rank} dimensions")
    is_elsewhere = access.is_may and not access.is_conditional
    if (is_elsewhere or not is_single) and access.indices != rank:
        raise VerifyException(
            f"{what}: an access that does not always touch exactly one element carries the "
            "run-time index"
        )
    if not access.indices and not is_total:
        raise VerifyException(f"{what}: some instance touches no element")


def _verify_schedule(scop: ScopFacts, parameters: Iterable[str]) -> None:
    _verify_parameters("the schedule", _parameters_of_schedule(scop.schedule), parameters)
    domains = tuple(one.domain for one in scop.statements)
    known = tuple(text for text in (scop.context, scop.assumed) if text is not None)
    if not _runs_exactly(scop.schedule, domains, known):
        raise VerifyException("the schedule's domain is not the union of the statements' domains")


# Facts, by text. A space is (name, dimensions), None for parameter values. What takes too long to
# find out is believed: a verifier looks for mistakes, and proves nothing that others rely on.

_OPERATIONS_OF_ACCESS = 300_000
_OPERATIONS_OF_SCHEDULE = 3_000_000
"""Ten times what the kernels of PolyBench take."""

SetSpace = tuple[str, int] | None
MapSpace = tuple[str, int, str, int]


def _union_of_set(text: str) -> isl.UnionSet:
    """Most are one set, which whoever reads the SCoP asks for, too."""
    try:
        return isl.UnionSet.from_set(parsed_set(text))
    except isl.Error:  # several
        return isl.UnionSet(text)


def _union_of_map(text: str) -> isl.UnionMap:
    try:
        return isl.UnionMap.from_map(parsed_map(text))
    except isl.Error:
        return isl.UnionMap(text)


@lru_cache(maxsize=4096)
def _spaces_of_set(text: str) -> tuple[tuple[str, ...], tuple[SetSpace, ...]]:
    union, parts = _union_of_set(text), list[isl.Set]()
    union.foreach_set(parts.append)
    spaces: list[SetSpace] = []
    for part in parts:
        if part.is_params():
            spaces.append(None)
        else:
            spaces.append((part.get_tuple_name() or "", part.dim(isl.dim_type.set)))
    return tuple(parameters_of(union.get_space())), tuple(spaces)


@lru_cache(maxsize=4096)
def _spaces_of_map(text: str) -> tuple[tuple[str, ...], tuple[MapSpace, ...]]:
    union, parts = _union_of_map(text), list[isl.Map]()
    union.foreach_map(parts.append)
    spaces = tuple(
        (
            part.get_tuple_name(isl.dim_type.in_) or "",
            part.dim(isl.dim_type.in_),
            part.get_tuple_name(isl.dim_type.out) or "",
            part.dim(isl.dim_type.out),
        )
        for part in parts
    )
    return tuple(parameters_of(union.get_space())), spaces


@lru_cache(maxsize=4096)
def _reach(relation: str, domain: str) -> tuple[bool, bool]:
    """Whether the relation gives at most one, and at least one, element for each instance."""
    if _is_function(relation):
        return True, True
    try:
        with budget("accesses of a statement", _OPERATIONS_OF_ACCESS):
            instances = isl.UnionSet(domain)
            touched = isl.UnionMap(relation).intersect_domain(instances)
            return touched.is_single_valued(), instances.is_subset(touched.domain())
    except BudgetExceeded:
        return True, True


@lru_cache(maxsize=4096)
def _is_function(relation: str) -> bool:
    """Whether it is plain that the relation gives one element for whatever instances there may be,
    as most do: one form for each subscript."""
    try:
        elements = parsed_map(relation)
    except isl.Error:  # a union, or empty
        return False
    return elements.plain_is_single_valued() and elements.domain().plain_is_universe()


@lru_cache(maxsize=1024)
def _parameters_of_schedule(text: str) -> tuple[str, ...]:
    return tuple(parameters_of(parsed_schedule(text).get_domain().get_space()))


@lru_cache(maxsize=1024)
def _runs_exactly(schedule: str, domains: tuple[str, ...], known: tuple[str, ...]) -> bool:
    try:
        with budget("domain of a schedule", _OPERATIONS_OF_SCHEDULE):
            wanted = isl.UnionSet("{ }")
            for domain in domains:
                wanted = wanted.union(_union_of_set(domain))
            given = parsed_schedule(schedule).get_domain()
            for context in known:
                values = isl.Set(context)
                wanted, given = wanted.intersect_params(values), given.intersect_params(values)
            return given.is_equal(wanted)
    except BudgetExceeded:
        return True
