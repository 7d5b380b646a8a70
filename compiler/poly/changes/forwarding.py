"""Values that a statement only takes from elsewhere, taken from there by who uses them.

    for i, k { a = A[i, k]; for j { C[i, j] += a * B[k, j] } }
  =>
    for i, k, j { C[i, j] += A[i, k] * B[k, j] }

What was loaded in front of a loop, as everybody writes products whose rows run inside, ties the
loop to where it stands: with the temporary gone, the statement is a contraction again.

Legal is it where each read of the temporary gets its value from one instance of the one statement
that writes it, and the elements which that reads hold the same values when they are read later: the
dataflow of the later reads is that of the earlier ones. (Forward substitution: D. J. Kuck et al.,
Dependence graphs and compiler optimizations, POPL 1981.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from polyopt.poly.changes.storage import AccessOf, dataflow, find_webs, sources_of
from polyopt.poly.isl.lists import maps
from polyopt.poly.scop import Access, Array, Scop, Statement
from polyopt.support.record import record


@record
class Forwarding:
    """`reads`: of each access that reads the temporary, where it reads instead what the accesses of
    `source` read, by their positions."""

    source: Statement
    reads: Mapping[AccessOf, Mapping[int, isl.Map]]


def find_forwarding(scop: Scop, array: Array) -> Forwarding | None:
    """Of a temporary that nobody reads behind the SCoP. Only loops inside of those that it is set
    in take over what its statement does: they do it once in front of them, or have lanes."""
    source = _only_writer(scop, array)
    if not array.is_local or source is None:
        return None
    readers = [
        (one, access)
        for one in scop.statements
        for access in one.accesses
        if access.array == array.name and not access.is_write
    ]
    depth = source.domain.dim(isl.dim_type.set)
    if not readers or any(one.domain.dim(isl.dim_type.set) <= depth for one, _ in readers):
        return None
    webs = find_webs(scop, array)
    if not webs:
        return None
    taken = [access for access in source.accesses if not access.is_write]
    found: dict[AccessOf, dict[int, isl.Map]] = {}
    for reader, access in readers:
        origins = maps(sources_of(webs[0].flow, reader, access.position))
        if len(origins) != 1 or not origins[0].is_single_valued():
            return None
        (origin,) = origins
        if not reader.domain.intersect_params(scop.known).is_subset(origin.domain()):
            return None
        relations = {one.position: _composed(scop, origin, one, source, reader) for one in taken}
        if not all(reader.domain.is_subset(one.domain()) for one in relations.values()):
            return None
        if not all(_is_read_later(scop, source, one, reader, origin) for one in taken):
            return None
        found[reader.name, access.position] = relations
    return Forwarding(source, found)


def _only_writer(scop: Scop, array: Array) -> Statement | None:
    """The statement that writes it, if it writes nothing else and reads what is known."""
    touching = [one for one in scop.statements if array.name in {a.array for a in one.accesses}]
    writers = [one for one in touching if any(_writes(a, array) for a in one.accesses)]
    if len(writers) != 1:
        return None
    (source,) = writers
    is_plain = all(a.is_must and a.moves is None for a in source.accesses)
    writes = [a for a in source.accesses if a.is_write]
    is_read = any(a.array == array.name and not a.is_write for a in source.accesses)
    return source if is_plain and len(writes) == 1 and not is_read else None


def _writes(access: Access, array: Array) -> bool:
    return access.is_write and access.array == array.name


def _composed(
    scop: Scop, origin: isl.Map, one: Access, source: Statement, reader: Statement
) -> isl.Map:
    """{ R[r] -> X[x] }, of all sizes: the dataflow is of those that the SCoP runs with."""
    relation = origin.apply_range(one.relation.intersect_domain(source.domain))
    return relation.gist_params(scop.known).gist_domain(reader.domain).coalesce()


def _is_read_later(
    scop: Scop, source: Statement, one: Access, reader: Statement, origin: isl.Map
) -> bool:
    """Does the reader see the same value of the element as the source has?"""
    writes = [a for s in scop.statements for a in s.accesses if a.array == one.array and a.is_write]
    if not writes:
        return True
    if not all(access.is_must for access in writes):
        return False
    later = replace(
        one,
        relation=origin.apply_range(one.relation.intersect_domain(source.domain)),
        position=len(reader.accesses),
    )
    statements = tuple(
        replace(s, accesses=(*s.accesses, later), reductions=()) if s is reader else s
        for s in scop.statements
    )
    flow, _ = dataflow(replace(scop, statements=statements), {one.array})
    wanted = isl.UnionMap.from_map(origin).apply_range(sources_of(flow, source, one.position))
    return wanted.is_equal(sources_of(flow, reader, later.position))
