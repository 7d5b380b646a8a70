"""Schedules as dates, the form in which tools exchange them: { S[i] -> [d_0, ..., d_n] }.

Instances run in the lexicographic order of their dates. Every statement's dates have the same
number of dimensions; a dimension that is constant everywhere it is reached orders statements, any
other is a loop (W. Kelly, W. Pugh, A framework for unifying reordering transformations, 1993):

    dates_of   the tree's bands and the positions in its sequences, outermost first
    tree_of    a sequence for each dimension of constants, a band for any other

`tree_of(domains, dates_of(tree))` runs the same instances in the same order as `tree`; marks, and
what is known of bands, are not in dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import islpy as isl

from polyopt.poly.isl_lists import maps, pieces
from polyopt.poly.schedule_tree import LEAF, Band, Member, Sequence, Tree


class NoDates(Exception):
    """The relation is no schedule: it gives an instance two dates, or none."""


def dates_of(schedule: isl.Schedule, statements: Mapping[str, isl.Set]) -> dict[str, isl.Map]:
    """{ S[i] -> [d] } of each statement, simplified by what its domain says."""
    found = {_input_name(part): part for part in maps(schedule.get_map())}
    return {
        name: found[name].gist_domain(domain) if name in found else _no_dates(domain)
        for name, domain in statements.items()
    }


def _input_name(relation: isl.Map) -> str:
    return relation.get_tuple_name(isl.dim_type.in_) or ""


def _no_dates(domain: isl.Set) -> isl.Map:
    """Of a statement that never runs."""
    return isl.Map.from_domain(domain).intersect_domain(domain)


@dataclass(frozen=True)
class _Part:
    """Instances of one statement, and those of their dates that order them further."""

    instances: isl.Set
    dates: tuple[isl.PwAff, ...]
    is_whole: bool = True

    @property
    def filter(self) -> isl.Set:
        """What tells the instances from those of the other parts."""
        return isl.Set.universe(self.instances.get_space()) if self.is_whole else self.instances

    def later(self) -> _Part:
        return replace(self, dates=self.dates[1:])


def tree_of(domains: Mapping[str, isl.Set], dates: Mapping[str, isl.Map]) -> Tree:
    """The tree that runs the instances of `domains` at their `dates`; raises NoDates."""
    missing = ", ".join(name for name in domains if name not in dates)
    if missing:
        raise NoDates(f"no dates for {missing}")
    parts = [
        _part(name, domain, dates[name])
        for name, domain in domains.items()
        if not domain.is_empty()
    ]
    depth = max((len(part.dates) for part in parts), default=0)
    return _tree([_padded(part, depth) for part in parts])


def _part(name: str, domain: isl.Set, dates: isl.Map) -> _Part:
    if not dates.intersect_domain(domain).is_single_valued():
        raise NoDates(f"some instance of {name} has two dates")
    undated = domain.subtract(dates.domain())
    if not undated.is_empty():
        raise NoDates(f"no date for {undated.sample_point()}")
    function = isl.PwMultiAff.from_map(dates.intersect_domain(domain)).gist(domain)
    count = dates.dim(isl.dim_type.out)
    return _Part(domain, tuple(function.get_pw_aff(k) for k in range(count)))


def _padded(part: _Part, depth: int) -> _Part:
    """With zeros behind its dates, as isl and Polly have it."""
    space = isl.LocalSpace.from_space(part.instances.get_space())
    zero = isl.PwAff.from_aff(isl.Aff.zero_on_domain(space))
    return replace(part, dates=part.dates + (zero,) * (depth - len(part.dates)))


def _tree(parts: list[_Part]) -> Tree:
    """Order the parts by the first of their dates, then by the others."""
    if not parts or not parts[0].dates:
        return LEAF
    by_position = _by_constant(parts)
    if by_position is None:
        return Band((Member(_joint(parts)),), _tree([part.later() for part in parts]))
    if len(by_position) == 1:
        return _tree([part for group in by_position.values() for part in group])
    children = [by_position[position] for position in sorted(by_position)]
    return Sequence(tuple((_union(group), _tree(group)) for group in children))


def _by_constant(parts: list[_Part]) -> dict[int, list[_Part]] | None:
    """The parts without their first date, by its value; None if it is not always a constant."""
    groups = dict[int, list[_Part]]()
    for part in parts:
        cases = pieces(part.dates[0])
        for condition, function in cases:
            if not function.is_cst() or not function.get_constant_val().is_int():
                return None
            inside = part.later()
            if len(cases) > 1:
                instances = part.instances.intersect(condition)
                inside = replace(inside, instances=instances, is_whole=False)
            groups.setdefault(function.get_constant_val().to_python(), []).append(inside)
    return groups


def _joint(parts: Iterable[_Part]) -> isl.UnionPwAff:
    first, *rest = (
        isl.UnionPwAff.from_pw_aff(part.dates[0].intersect_domain(part.filter)) for part in parts
    )
    for function in rest:
        first = first.union_add(function)
    return first


def _union(parts: Iterable[_Part]) -> isl.UnionSet:
    first, *rest = (isl.UnionSet.from_set(part.filter) for part in parts)
    for instances in rest:
        first = first.union(instances)
    return first
