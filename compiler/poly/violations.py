"""What a schedule breaks, said to people: the dependence, and two instances that change places."""

from __future__ import annotations

from contextlib import suppress

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.example import Example, example
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.isl.lists import maps
from polyopt.poly.scop import Access, Scop, Statement
from polyopt.support.diagnostics import Span
from polyopt.support.record import record

OPERATIONS = 1_000_000
"""For the least examples of all violations; what is dearer is shown by any pair."""

_ENDS = {
    "flow": ("written", "read", (True, False)),
    "anti": ("read", "written", (False, True)),
    "output": ("written", "written again", (True, True)),
    "reduction": ("updated", "updated again", (True, True)),
}
"""By kind: what the two instances do to the element, and whether that is a write."""


@record
class Violation:
    """A dependence that a schedule does not keep.

    `kind` is "flow", "anti", "output" or "reduction", or "order" where the dependences were too
    dear, or "domain" where the schedule does not run the SCoP's instances, or "unknown" where the
    budget was spent. `pair` is an example as isl writes it, of one pair and one value of each
    parameter, or of one instance where `kind` is "domain"; `example` says the same in words.
    """

    kind: str
    source: str = ""
    target: str = ""
    pair: str = ""
    source_span: Span | None = None
    target_span: Span | None = None
    example: str = ""

    @property
    def shown(self) -> str:
        """The example, in words where there are such."""
        return self.example or self.pair

    def __str__(self) -> str:
        if self.kind == "domain":
            return f"the schedule does not run exactly the instances of the SCoP: {self.shown}"
        if self.kind == "unknown":
            return "the legality of the schedule could not be decided within its budget"
        if self.kind == "order":
            return (
                f"its dependences cost too much, and the source's order is not kept: {self.shown}"
            )
        return f"{self.dependence} is not kept: {self.shown}"

    @property
    def dependence(self) -> str:
        """Which dependence it is, with the places of both ends."""
        places = [str(span) for span in (self.source_span, self.target_span) if span]
        where = f" ({' and '.join(places)})" if places else ""
        return f"{self.kind} dependence from {self.source} to {self.target}{where}"


def describe(scop: Scop, dependences: Dependences, broken: isl.UnionMap) -> list[Violation]:
    """Each kind of dependence and pair of statements in `broken`, with an example."""
    if broken.is_empty():
        return []
    parts = [
        (kind, part)
        for kind, pairs in dependences.kinds().items()
        for part in maps(broken.intersect(pairs))
    ]
    found = list[Violation]()
    with suppress(BudgetExceeded), budget("example", OPERATIONS):
        for kind, part in parts:
            found.append(_violation(scop, kind, part, *_least(scop, kind, part)))
    for kind, part in parts[len(found) :]:
        found.append(_violation(scop, kind, part, part.sample(), ""))
    return found


def _violation(scop: Scop, kind: str, pairs: isl.Map, pair: isl.BasicMap, words: str) -> Violation:
    source, target = _statements(scop, pairs)
    return Violation(kind, source.name, target.name, str(pair), source.span, target.span, words)


def _statements(scop: Scop, pairs: isl.Map) -> tuple[Statement, Statement]:
    names = (pairs.get_tuple_name(end) or "" for end in (isl.dim_type.in_, isl.dim_type.out))
    source, target = map(scop.statement, names)
    return source, target


def _least(scop: Scop, kind: str, pairs: isl.Map) -> tuple[isl.BasicMap, str]:
    """The least pair that touches one element by two accesses that are known exactly."""
    source, target = _statements(scop, pairs)
    if kind in _ENDS:
        first, then, (first_writes, then_writes) = _ENDS[kind]
        for access in _exact(source, first_writes):
            for other in _exact(target, then_writes):
                if other.array != access.array:
                    continue
                meeting = access.relation.apply_range(other.relation.reverse())
                shown = example(pairs.intersect(meeting), access.relation)
                if shown is None:
                    continue
                element = access.array + "".join(f"[{at}]" for at in shown.element)
                words = (
                    f"{element} is {first} by {_instance(source, shown.first)}, "
                    f"and then {then} by {_instance(target, shown.second)}"
                )
                return _only(pairs, shown), words + _sizes(shown)
    return pairs.sample(), ""


def _exact(statement: Statement, writes: bool) -> list[Access]:
    return [
        access for access in statement.accesses if access.is_exact and access.is_write == writes
    ]


def _instance(statement: Statement, values: tuple[int, ...]) -> str:
    """ "S where i = 1, j = 2"; iterators without names are i0, i1, …"""
    if not values:
        return statement.name
    names = statement.iterators or tuple(f"i{k}" for k in range(len(values)))
    at = ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
    return f"{statement.name} at {at}"


def _sizes(shown: Example) -> str:
    given = ", ".join(f"{name} = {value}" for name, value in shown.parameters.items())
    return f" (for {given})" if given else ""


def _only(pairs: isl.Map, shown: Example) -> isl.BasicMap:
    """`pairs` without all but the one shown."""
    for name, value in shown.parameters.items():
        place = pairs.find_dim_by_name(isl.dim_type.param, name)
        pairs = pairs.fix_val(isl.dim_type.param, place, value)
    for where, values in ((isl.dim_type.in_, shown.first), (isl.dim_type.out, shown.second)):
        for place, value in enumerate(values):
            pairs = pairs.fix_val(where, place, value)
    return pairs.sample()
