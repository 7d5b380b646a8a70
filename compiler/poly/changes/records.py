"""Records of which loops use a few members again and again, and whose members are worth rows.

    struct node { double v, other[7]; } *a
    for t, for i { a[i].v = f(a[i - 1].v, a[i + 1].v) }       a[8 i], a[8 i - 8], a[8 i + 8]

An array of records of K numbers is one whose last subscripts all move by multiples of K and say a
member each (they are constant modulo K), whatever the source calls them. A use of a record brings
the lines that its members are in; with the members in rows of their own (`layouts`, "split") it
brings these alone, and neighbours in one vector. Copies in and out read and write each member that
is used once more, so that it pays where a record is used often: where a loop around, which the
array does not move with, has many turns. Where parameters decide on that, they are to be asked.

Where no dependence leads from one record to another one, that loop may go inside: each record is
loaded once, whatever lies around it, and stays as it is.

    for t, for i { a[i].v = a[i].v * k[t] }      in the order i, t
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd

import islpy as isl

from polyopt.poly.changes.turns import parameters_with_turns
from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.lists import pieces
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target

_IN, _OUT, _PARAM, _SET = (
    isl.dim_type.in_,
    isl.dim_type.out,
    isl.dim_type.param,
    isl.dim_type.set,
)


@record
class Records:
    """An array of records of `number` numbers, of which `members` are used. `often`: the parameters
    for which each is used often enough."""

    array: str
    number: int
    members: tuple[int, ...]
    often: isl.Set


def records_apart(
    scop: Scop, dependences: Callable[[], Dependences | None], target: Target
) -> tuple[Records, ...]:
    """Those whose members are worth rows of their own; `dependences` are asked where there are
    records at all, and None where they are not known."""
    found = [_of_array(scop, array, target) for array in scop.arrays if array.extents]
    candidates = [one for one in found if one is not None]
    known = dependences() if candidates else None
    if known is None:
        return ()
    return tuple(one for one in candidates if _lead_on(scop, one, known.validity))


def _of_array(scop: Scop, array: Array, target: Target) -> Records | None:
    accesses = [
        (statement, access)
        for statement in scop.statements
        for access in statement.accesses
        if access.array == array.name
    ]
    if not accesses or not all(access.is_exact for _, access in accesses):
        return None
    forms = [_last_subscript(access) for _, access in accesses]
    known = [form for form in forms if form is not None]
    number = gcd(*(_stride(form) for form in known)) if len(known) == len(forms) else 0
    if not 2 <= number <= CORE.records.largest:
        return None
    members = tuple(sorted({_constant(form) % number for form in known}))
    if not _brings_more(array.element_bytes, number, members, target):
        return None
    often = isl.Set.empty(scop.context.get_space())
    for statement, access in accesses:
        often = often.union(_uses_often(scop, statement, access))
    often = often.intersect(scop.known).coalesce()
    return None if often.is_empty() else Records(array.name, number, members, often)


def _lead_on(scop: Scop, found: Records, dependences: isl.UnionMap) -> bool:
    """Whether some of the dependences lead from one of the records to another one."""
    touched = isl.UnionMap.empty(scop.context.get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == found.array:
                relation = access.relation.intersect_domain(statement.domain)
                touched = touched.union(isl.UnionMap.from_map(_record_of(relation, found.number)))
    pairs = dependences.apply_domain(touched).apply_range(touched)
    return not pairs.is_subset(touched.range().identity())


def _record_of(relation: isl.Map, number: int) -> isl.Map:
    """{ S[i] -> A[…, floor(x / number)] } of { S[i] -> A[…, x] }"""
    rank, name = relation.dim(_OUT), relation.get_tuple_name(_OUT)
    names = [f"a{k}" for k in range(rank)]
    places = ", ".join([*names[:-1], f"floor(({names[-1]})/{number})"])
    return relation.apply_range(isl.Map(f"{{ {name}[{', '.join(names)}] -> {name}[{places}] }}"))


def _last_subscript(access: Access) -> isl.Aff | None:
    """Where it is one affine function without divisions."""
    element = isl.PwMultiAff.from_map(access.relation)
    last = pieces(element.get_at(element.dim(_OUT) - 1))
    if len(last) != 1:
        return None
    ((_, form),) = last
    return form if form.dim(isl.dim_type.div) == 0 and form.get_denominator_val().is_one() else None


def _stride(form: isl.Aff) -> int:
    """The greatest number that it moves by multiples of."""
    factors = [
        abs(form.get_coefficient_val(kind, k).to_python())
        for kind in (_IN, _PARAM)
        for k in range(form.dim(kind))
    ]
    return gcd(*factors)


def _constant(form: isl.Aff) -> int:
    return form.get_constant_val().to_python()


def _brings_more(size: int, number: int, members: Sequence[int], target: Target) -> bool:
    """Whether what comes with the members is enough times as much as they are."""
    lines = len({member * size // target.line_bytes for member in members})
    brought = min(number * size, lines * target.line_bytes)
    return brought >= CORE.records.share * len(members) * size


def _uses_often(scop: Scop, statement: Statement, access: Access) -> isl.Set:
    """The parameters for which a loop that the access does not move with has enough turns."""
    domain = statement.domain.intersect_params(scop.known)
    often = isl.Set.empty(scop.context.get_space())
    rank = domain.dim(_SET)
    for k in range(rank):
        if (
            not access.relation.intersect_domain(domain)
            .gist_domain(domain)
            .involves_dims(_IN, k, 1)
        ):
            often = often.union(parameters_with_turns(domain, k, CORE.records.uses))
    return often
