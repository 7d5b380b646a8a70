"""SCoPs whose tiles may work on copies, run instance by instance: what is in memory at the end.

A value is a term: the instance that computed it, and what that read. Copies hand on what they read,
and instances go by the iterators that they had before they got the numbers of tiles, so that with
and without copies memory is the same.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import islpy as isl
from oracles.polyhedral import Point, Sizes, execution_order, pairs_of

from polyopt.poly.isl.numbers import val
from polyopt.poly.scop import Access, Scop

ANYWHERE = 3
"""The element that an access takes of which only data say where it goes, in each dimension."""
Memory = dict[Point, int]


class Terms(dict[object, int]):
    """A number for each term: terms grow with what they are made of, and are compared by these."""

    def __missing__(self, term: object) -> int:
        self[term] = len(self)
        return self[term]

    def before(self, place: Point) -> int:
        """What was there at first."""
        return self["before", place]


def memory_after(
    scop: Scop,
    sizes: Sizes,
    terms: Terms,
    leading: Mapping[str, int] | None = None,
    without: Container[Point] = (),
) -> Memory:
    """`leading`: how many iterators statements have got in front of those that they had; None where
    there are no copies. A write that may happen does in every second instance. Instances `without`
    which is asked do not run."""
    touches = {
        (one.name, access.position): _elements(access, one.domain, sizes)
        for one in scop.statements
        for access in one.accesses
    }
    memory = Memory()
    for name, iteration in execution_order(scop.schedule, sizes):
        if (name, iteration) in without:
            continue
        statement = scop.statement(name)
        old = iteration[(leading or {}).get(name, 0) :]
        read = [
            memory[place] if place in memory else terms.before(place)
            for one in statement.accesses
            if not one.is_write
            for place in [touches[name, one.position][iteration]]
        ]
        for one in statement.accesses:
            if not one.is_write or (not one.is_must and sum(old) % 2):
                continue
            place = touches[name, one.position][iteration]
            is_copy = leading is not None and name.endswith(("_in", "_out"))
            memory[place] = read[0] if is_copy else terms[name, old, tuple(read)]
    return memory


def _elements(access: Access, domain: isl.Set, sizes: Sizes) -> dict[tuple[int, ...], Point]:
    """{ iteration -> element }."""
    relation = access.relation.intersect_domain(domain)
    if not relation.is_single_valued():
        for k in range(relation.dim(isl.dim_type.out)):
            relation = relation.fix_val(isl.dim_type.out, k, val(ANYWHERE))
    return {
        source[1]: target for source, target in pairs_of(isl.UnionMap.from_map(relation), sizes)
    }
