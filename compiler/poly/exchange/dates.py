"""Schedules as dates, the form in which tools exchange them: { S[i] -> [d_0, ..., d_n] }.

Instances run in the lexicographic order of their dates; shorter dates go on with zeros. A
dimension that is constant wherever it is reached orders statements, any other is a loop (W. Kelly,
W. Pugh, A framework for unifying reordering transformations, 1993):

    dates_of      the tree's bands and the positions in its sequences, outermost first
    clan_dates_of the same with one constant before, between and behind the loops: 2 d + 1 for a
                  statement below d loops, whatever the others have
    tree_of       a sequence for each dimension of constants, a band for any other

`tree_of(domains, dates_of(tree))` runs the same instances in the same order as `tree`; marks, and
what is known of bands, are not in dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import islpy as isl

from polyopt.poly.isl.lists import maps, pieces, sets
from polyopt.poly.schedule_tree import LEAF, Band, Leaf, Mark, Member, Sequence, Tree, read_tree


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


def clan_dates_of(schedule: isl.Schedule, statements: Mapping[str, isl.Set]) -> dict[str, isl.Map]:
    """As Clan writes them; raises UnsupportedTree."""
    found = dict[str, isl.Map]()
    for instances, dates in _paths(read_tree(schedule), schedule.get_domain(), ()):
        for part in sets(instances):
            name = part.get_tuple_name() or ""
            relation = _relation(part, dates)
            found[name] = _united(found[name], relation) if name in found else relation
    return {
        name: found[name].coalesce().gist_domain(domain) if name in found else _no_dates(domain)
        for name, domain in statements.items()
    }


_Date = isl.UnionPwAff | int


def _paths(
    tree: Tree, instances: isl.UnionSet, dates: tuple[_Date, ...]
) -> Iterator[tuple[isl.UnionSet, tuple[_Date, ...]]]:
    """Each leaf: the instances that get there, and what orders them above it."""
    match tree:
        case Leaf():
            yield instances, _ending_in_constant(dates)
        case Mark(_, child):
            yield from _paths(child, instances, dates)
        case Band(members, child):
            for member in members:
                dates = (*_ending_in_constant(dates), member.function)
            yield from _paths(child, instances, dates)
        case Sequence():
            for position, (chosen, child) in enumerate(_flat(tree)):
                yield from _paths(child, instances.intersect(chosen), (*dates, position))


def _ending_in_constant(dates: tuple[_Date, ...]) -> tuple[_Date, ...]:
    return dates if dates and isinstance(dates[-1], int) else (*dates, 0)


def _flat(tree: Sequence) -> Iterator[tuple[isl.UnionSet, Tree]]:
    """The children, those of a child that is a sequence itself in its place."""
    for chosen, child in tree.children:
        while isinstance(child, Mark):
            child = child.child
        if isinstance(child, Sequence):
            yield from ((chosen.intersect(inner), below) for inner, below in _flat(child))
        else:
            yield chosen, child


def _relation(instances: isl.Set, dates: Iterable[_Date]) -> isl.Map:
    relation = isl.Map.from_domain(instances)
    for date in dates:
        if isinstance(date, int):
            one = isl.Map.from_domain_and_range(instances, isl.Set(f"{{ [{date}] }}"))
        else:
            here = isl.UnionSet.from_set(instances)
            (one,) = maps(isl.UnionMap.from_union_pw_aff(date).intersect_domain(here))
        relation = relation.flat_range_product(one)
    return relation


def _united(first: isl.Map, second: isl.Map) -> isl.Map:
    """Both, the shorter one with zeros behind its dates."""
    depth = max(first.dim(isl.dim_type.out), second.dim(isl.dim_type.out))
    return with_zeros(first, depth).union(with_zeros(second, depth))


def with_zeros(dates: isl.Map, depth: int) -> isl.Map:
    """The same dates with zeros behind them, to a length of `depth`."""
    zeros = isl.Set(f"{{ [{', '.join('0' * (depth - dates.dim(isl.dim_type.out)))}] }}")
    return dates.flat_range_product(isl.Map.from_domain_and_range(dates.domain(), zeros))


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
        _part(name, domain.coalesce(), dates[name].coalesce())
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
