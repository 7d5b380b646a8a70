"""Arrays that nobody has whole: each processor has its part of them before a SCoP, and behind it.

    in_A[e]     writes A[e]            where A[e] lives     of what is read before it is written
    the SCoP
    out_A[e]    reads and writes A[e]  where A[e] lives     of what is written

With these two statements around it, what has to come from owners and to go back to them is flow
like any other, each value once: halos, panels, rows. They stand for no code: what they write is in
its place. Where data choose what is read of an array, all that may be chosen comes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl

from polyopt.poly.isl.lists import sets
from polyopt.poly.placement.element_loops import by_subscripts
from polyopt.poly.placement.ownership import Extents, Unplaceable
from polyopt.poly.scop import Access, Scop, Statement


def with_owners(scop: Scop, owned: Extents) -> Scop:
    """The SCoP between what owners have and what they get. Raises Unplaceable."""
    scop = _within(scop, owned)
    before = _statements(scop, "in", owned, _read_first(scop))
    behind = _statements(scop, "out", owned, scop.accesses(writes=True).range())
    first, last = ([by_subscripts(one.domain) for one in some] for some in (before, behind))
    schedule = reduce(isl.Schedule.sequence, [*first, scop.schedule, *last])
    return replace(scop, statements=(*before, *scop.statements, *behind), schedule=schedule)


def _within(scop: Scop, owned: Extents) -> Scop:
    """No access goes beyond an array's end: of elements that data choose so much is known."""
    boxes = dict[str, isl.Set]()

    def clipped(access: Access) -> Access:
        if access.array not in owned or access.is_exact:
            return access
        if access.array not in boxes:
            boxes[access.array] = _box(access, owned[access.array])
        return replace(access, relation=access.relation.intersect_range(boxes[access.array]))

    return replace(
        scop,
        statements=tuple(
            replace(one, accesses=tuple(clipped(access) for access in one.accesses))
            for one in scop.statements
        ),
    )


def _box(access: Access, extents: Sequence[isl.PwAff]) -> isl.Set:
    """All elements of the array."""
    if len(extents) < access.relation.dim(isl.dim_type.out):
        text = f"which element of '{access.array}' is read depends on data"
        raise Unplaceable(f"{text}, and how many it has is no sum of parameters and numbers")
    intervals = [isl.Set.from_pw_aff(one).apply(_BELOW) for one in extents]
    return reduce(isl.Set.flat_product, intervals).set_tuple_name(access.array)


_BELOW = isl.Map("{ [end] -> [e] : 0 <= e < end }")


def _read_first(scop: Scop) -> isl.UnionSet:
    """{ A[e] : some instance reads it that nothing in front of has written }."""
    sink = scop.accesses(writes=False).intersect_params(scop.known)
    source = scop.accesses(writes=True).intersect_params(scop.known)
    info = isl.UnionAccessInfo.from_sink(sink).set_schedule(scop.schedule)
    flow = info.set_must_source(source).compute_flow()
    return flow.get_must_no_source().range()


def _statements(
    scop: Scop, kind: str, owned: Collection[str], elements: isl.UnionSet
) -> list[Statement]:
    found = list[Statement]()
    for one in sets(elements.coalesce()):
        array = one.get_tuple_name() or ""
        if array not in owned or one.is_empty():
            continue
        name = _unused(f"{kind}_{array}", scop)
        domain = one.set_tuple_name(name).intersect_params(scop.known)
        identity = isl.Map.identity(domain.get_space().map_from_set())
        relation = identity.set_tuple_name(isl.dim_type.out, array)
        write = Access(array, relation, is_write=True, is_must=True, position=1)
        read = replace(write, is_write=False, position=0)
        found.append(Statement(name, domain, (write,) if kind == "in" else (read, write)))
    return found


def _unused(name: str, scop: Scop) -> str:
    taken = {one.name for one in scop.statements}
    while name in taken:
        name += "_"
    return name
