"""A static control part as data: what runs, what it touches, in which order.

The one value that all polyhedral mathematics takes and gives. It knows no IR: the view between
`poly.scop` operations and this is `polyopt.dialects.poly_view`. Every object is frozen; a
transformation makes a new `Scop`.

    domain    { S[i_0, ..., i_n] }                   the statement instances
    access    { S[i_0, ..., i_n] -> A[a_0, ..., a_m] }
    schedule  a schedule tree over the domain (isl), the order in which they run
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import islpy as isl

from polyopt.support.diagnostics import Span
from polyopt.support.record import record

Moves = tuple[int | None, ...]
"""What is added to a subscript when each iterator goes on by one; None: not one number."""


@record
class Access:
    """One array reference of a statement.

    `relation` maps instances of the statement to elements; a must-access touches every element
    of the image, a may-access some subset of it. `position` is the place of the reference among
    the accesses of its statement in program order. `moves`: of subscripts that the program
    computes, as far as that shows; costs are estimated from it, nothing else.
    """

    array: str
    relation: isl.Map
    is_write: bool
    is_must: bool
    position: int
    moves: tuple[Moves, ...] | None = None

    @property
    def is_exact(self) -> bool:
        """Is it known which element each instance touches?"""
        return self.is_must and self.relation.is_single_valued()


@record
class Reduction:
    """`acc = acc op value` on one element: `operator` is the name of the operation that combines
    ("arith.addf", …); `read` and `write` are positions of the accumulator's two accesses."""

    operator: str
    array: str
    read: int
    write: int


@record
class Array:
    """An array, or a scalar as one of no dimensions.

    `extents` are affine in the parameters (text), or None where unknown (dimension 0 of a
    pointer). `is_local`: nothing outside the SCoP reads what it holds at the end.
    """

    name: str
    element_bytes: int
    extents: tuple[str | None, ...]
    is_local: bool = False


@record
class Statement:
    """`domain` is a set in the space of the statement's name; `iterators` are the names of its
    dimensions as the C source has them, outermost first; `reductions` update an array each, beside
    what else it does."""

    name: str
    domain: isl.Set
    accesses: tuple[Access, ...]
    reductions: tuple[Reduction, ...] = ()
    iterators: tuple[str, ...] = ()
    span: Span | None = None

    @property
    def reduction(self) -> Reduction | None:
        """The one update that is all it does to memory."""
        writes = [access for access in self.accesses if access.is_write]
        return self.reductions[0] if self.reductions and len(writes) == 1 else None


@record
class Scop:
    """`context` holds what is known of the parameters, `assumed` what is checked at run time."""

    name: str
    context: isl.Set
    statements: tuple[Statement, ...]
    arrays: tuple[Array, ...]
    schedule: isl.Schedule
    assumed: isl.Set | None = None

    def with_schedule(self, schedule: isl.Schedule) -> Scop:
        return replace(self, schedule=schedule)

    def statement(self, name: str) -> Statement:
        return next(s for s in self.statements if s.name == name)

    def array(self, name: str) -> Array:
        return next(a for a in self.arrays if a.name == name)

    @property
    def span(self) -> Span | None:
        """Where the first statement that knows its place stands."""
        return next((one.span for one in self.statements if one.span), None)

    @cached_property
    def known(self) -> isl.Set:
        """`context` and `assumed` together: what holds whenever the SCoP runs."""
        return self.context if self.assumed is None else self.context.intersect(self.assumed)

    @cached_property
    def domain(self) -> isl.UnionSet:
        result = isl.UnionSet.empty(self.context.get_space())
        for statement in self.statements:
            result = result.union(isl.UnionSet.from_set(statement.domain))
        return result

    @cached_property
    def times(self) -> isl.UnionMap:
        """{ S[i] -> t }: the schedule as a map; one of each statement."""
        return self.schedule.get_map()

    def accesses(self, *, writes: bool, must: bool | None = None) -> isl.UnionMap:
        """The union { S[i] -> A[a] } of the reads or of the writes; `must` restricts to must- or
        to may-accesses, None takes both. Restricted to the domains."""
        result = isl.UnionMap.empty(self.context.get_space())
        for statement in self.statements:
            for access in statement.accesses:
                if access.is_write == writes and must in (None, access.is_must):
                    relation = access.relation.intersect_domain(statement.domain)
                    result = result.union(isl.UnionMap.from_map(relation))
        return result
