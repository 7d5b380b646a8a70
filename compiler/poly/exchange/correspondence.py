"""Two descriptions of one loop nest by tools that name things differently: who is who?

Statements correspond in the order in which they are listed, which is that of the source.
Parameters correspond so that the domains do: candidates are those that a domain restricts alike
when all others are projected out, and of these an assignment is searched under which every domain
is the same set. Arrays correspond by what each statement reads and writes of them. Scalars that
are only read are registers to us, so an array of no dimensions that is never written may have no
partner. Instances correspond by the values of their loops where the format has these, else, and
where that makes the domains differ, by how often each loop has been run (`counters`).

Nothing is believed for its name; where names are the same the first assignment tried is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import islpy as isl

from polyopt.poly.exchange.counters import Uncountable, counters
from polyopt.poly.exchange.description import DescribedArray, DescribedStatement, Description
from polyopt.poly.isl.names import parameters_of

_Dim = isl.dim_type
_SetOrMap = TypeVar("_SetOrMap", isl.Set, isl.Map)
SMALLEST, LARGEST = -(1 << 31), (1 << 31) - 1
"""What Polly says of a parameter of type int, and no more: not told apart from nothing."""


@dataclass(frozen=True)
class Names:
    """From the names of the one to those of the other; `instances` are the relations
    { S'[c] -> S[i] } by the name of S', with the parameters of the other."""

    parameters: Mapping[str, str]
    statements: Mapping[str, str]
    instances: Mapping[str, isl.Map]

    def inverse(self) -> Names:
        back = {new: old for old, new in self.parameters.items()}
        renamed = Names(back, {}, {})
        return Names(
            back,
            {new: old for old, new in self.statements.items()},
            {
                self.statements[old]: renamed.of_parameters(relation.reverse())
                for old, relation in self.instances.items()
            },
        )

    def of_parameters(self, value: _SetOrMap) -> _SetOrMap:
        for k in range(value.dim(_Dim.param)):
            old = value.get_dim_name(_Dim.param, k) or ""
            value = value.set_dim_name(_Dim.param, k, self.parameters.get(old, f"{old}'"))
        return value

    def of_relation(self, value: isl.Map) -> isl.Map:
        """A relation from instances of a statement; what it goes to keeps its name."""
        name = value.get_tuple_name(_Dim.in_) or ""
        return self.of_parameters(value).apply_domain(self.instances[name])

    def of_statement(self, statement: DescribedStatement) -> DescribedStatement:
        return DescribedStatement(
            self.statements[statement.name],
            self.of_parameters(statement.domain).apply(self.instances[statement.name]),
            self.of_relation(statement.schedule),
            tuple(
                replace(access, relation=self.of_relation(access.relation))
                for access in statement.accesses
            ),
        )


def corresponding_names(ours: Description, theirs: Description) -> Names | str:
    """From their names to ours, or why there is no way to have all domains the same. `ours` has
    the schedule of the source; where there is a choice, arrays are accessed alike."""
    if len(ours.statements) != len(theirs.statements):
        return f"{len(theirs.statements)} statements, not {len(ours.statements)}"
    for mine, other in zip(ours.statements, theirs.statements, strict=True):
        if mine.domain.dim(_Dim.set) != other.domain.dim(_Dim.set):
            return (
                f"statement {other.name} has {other.domain.dim(_Dim.set)} dimensions, "
                f"{mine.name} has {mine.domain.dim(_Dim.set)}"
            )
    try:
        found = list[Names]()
        for names in _candidates(ours, theirs):
            if corresponding_arrays(ours, theirs, names).is_complete:
                return names
            found.append(names)
    except Uncountable as error:
        return str(error)
    if found:
        return found[0]
    return "the domains are not the same sets, whatever the parameters are called"


def _candidates(ours: Description, theirs: Description) -> Iterator[Names]:
    """All names under which the domains are the same."""
    for mine, other in _countings(ours, theirs):
        pairs = list(zip(mine.domains, other.domains, strict=True))
        for parameters in _assignments(mine, other):
            names = Names(parameters, {b: a for a, b in pairs}, {})
            known = ours.context.intersect(names.of_parameters(theirs.context))
            if all(
                _is_same(mine.domains[a], names.of_parameters(other.domains[b]), known)
                for a, b in pairs
            ):
                instances = {
                    b: _instances(mine.counters[a], names.of_parameters(other.counters[b]))
                    for a, b in pairs
                }
                yield replace(names, instances=instances)


def _countings(ours: Description, theirs: Description) -> Iterator[tuple[_Counted, _Counted]]:
    """The ways in which the instances of both may have the same numbers. A schedule of theirs need
    not be that of the source any more: it tells the way of a loop only where the format has no
    other, and their loops may be counted upward, whatever it does with them."""
    if theirs.has_iterators:
        yield _Counted.as_named(ours), _Counted.as_named(theirs)
    mine = _Counted.of(ours)
    yield mine, _Counted.of(theirs)
    yield mine, _Counted.of(theirs, upward=True)


def _is_same(mine: isl.Set, other: isl.Set, known: isl.Set) -> bool:
    other = other.set_tuple_name(mine.get_tuple_name())
    return mine.intersect_params(known).is_equal(other.intersect_params(known))


def _instances(mine: isl.Map, other: isl.Map) -> isl.Map:
    """{ S'[c] -> S[i] } by equal counters."""
    counted = mine.get_tuple_name(_Dim.out)
    return other.set_tuple_name(_Dim.out, counted).apply_range(mine.reverse())


@dataclass(frozen=True)
class _Counted:
    """A description with its instances counted, by statement."""

    context: isl.Set
    domains: Mapping[str, isl.Set]
    counters: Mapping[str, isl.Map]

    @staticmethod
    def of(description: Description, *, upward: bool = False) -> _Counted:
        found = {
            one.name: counters(one.domain, None if upward else one.schedule)
            for one in description.statements
        }
        domains = {one.name: one.domain.apply(found[one.name]) for one in description.statements}
        return _Counted(description.context, domains, found)

    @staticmethod
    def as_named(description: Description) -> _Counted:
        """Each instance has the values of its loops for its numbers."""
        domains = {one.name: one.domain for one in description.statements}
        same = {name: one.identity() for name, one in domains.items()}
        return _Counted(description.context, domains, same)

    @property
    def parameters(self) -> list[str]:
        space = self.context.get_space()
        for domain in self.domains.values():
            space = space.align_params(domain.get_space())
        return parameters_of(space)

    def shadows(self, parameter: str) -> list[isl.Set]:
        """Of each domain: the instances for each value of this parameter and any of the others'."""
        texts = (f"{SMALLEST} <= {name} <= {LARGEST}" for name in self.parameters)
        bounds = isl.Set(f"[{', '.join(self.parameters)}] -> {{ : {' and '.join(texts)} }}")
        return [_shadow(one.intersect_params(bounds), parameter) for one in self.domains.values()]


def _assignments(ours: _Counted, theirs: _Counted) -> Iterator[dict[str, str]]:
    """Their parameters to ours that restrict the domains alike, the same name first."""
    shadows = {name: ours.shadows(name) for name in ours.parameters}
    candidates = dict[str, list[str]]()
    for name in theirs.parameters:
        own = theirs.shadows(name)
        found = [one for one in shadows if _alike(shadows[one], own)]
        candidates[name] = sorted(found, key=lambda one: one != name)
    yield from _choices(candidates, {})


def _choices(
    candidates: Mapping[str, list[str]], chosen: dict[str, str]
) -> Iterator[dict[str, str]]:
    if len(chosen) == len(candidates):
        yield chosen
        return
    name = list(candidates)[len(chosen)]
    for one in candidates[name]:
        if one not in chosen.values():
            yield from _choices(candidates, {**chosen, name: one})


def _shadow(domain: isl.Set, parameter: str) -> isl.Set:
    for k in reversed(range(domain.dim(_Dim.param))):
        if domain.get_dim_name(_Dim.param, k) != parameter:
            domain = domain.project_out(_Dim.param, k, 1)
    return domain.set_dim_name(_Dim.param, 0, "p").set_tuple_name("")


def _alike(first: list[isl.Set], second: list[isl.Set]) -> bool:
    return all(one.is_equal(other) for one, other in zip(first, second, strict=True))


# Arrays


@dataclass(frozen=True)
class ArrayPairs:
    """`names` from theirs to ours; the arrays that have no partner, and whether that matters:
    their scalars that are only read are registers."""

    names: Mapping[str, str]
    ours_alone: tuple[str, ...]
    theirs_alone: tuple[str, ...]
    registers: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        return not self.ours_alone and not self.theirs_alone


Profile = Mapping[tuple[str, str], isl.Map]
"""What is done with one array: by statement and kind, the relation to its elements."""


def corresponding_arrays(ours: Description, theirs: Description, names: Names) -> ArrayPairs:
    """Partners are used alike by every statement, `names` being those of statements."""
    renamed = [names.of_statement(one) for one in theirs.statements]
    known = in_bounds(ours)
    domains = {one.name: one.domain.intersect_params(known) for one in ours.statements}
    left = _profiles(ours.statements, domains)
    found = dict[str, str]()
    alone, registers = list[str](), list[str]()
    for array, profile in _profiles(renamed, domains).items():
        same = sorted(left, key=lambda one: one != array)
        partner = next((one for one in same if _same_use(left[one], profile)), None)
        if partner is not None:
            found[array] = partner
            del left[partner]
        elif _is_register(profile):
            registers.append(array)
        else:
            alone.append(array)
    return ArrayPairs(found, tuple(left), tuple(alone), tuple(registers))


def _profiles(
    statements: Sequence[DescribedStatement], known: Mapping[str, isl.Set]
) -> dict[str, dict[tuple[str, str], isl.Map]]:
    """By array; `known` are the instances of each statement that are looked at."""
    profiles = dict[str, dict[tuple[str, str], isl.Map]]()
    for statement in statements:
        for access in statement.accesses:
            relation = access.relation.intersect_domain(known[statement.name])
            relation = relation.set_tuple_name(_Dim.out, "")
            profile = profiles.setdefault(access.array, {})
            key = (statement.name, access.kind)
            profile[key] = profile[key].union(relation) if key in profile else relation
    return profiles


def in_bounds(description: Description) -> isl.Set:
    """The parameter values for which every access stays inside the sizes that are known: which C
    says of every run, and Polly assumes where it writes `A[i][j]` with other subscripts."""
    result = description.context
    boxes = {array.name: _box(array) for array in description.arrays}
    for statement in description.statements:
        for access in statement.accesses:
            box = boxes.get(access.array)
            if box is not None:
                elements = access.relation.intersect_domain(statement.domain)
                outside = elements.subtract_range(box.align_params(elements.get_space()))
                result = result.subtract(outside.params())
    return result


def _box(array: DescribedArray) -> isl.Set:
    """Its elements by their subscripts behind the first one."""
    names = [f"a{k}" for k in range(len(array.sizes))]
    within = [
        f"0 <= {name} < {size}"
        for name, size in zip(names[1:], array.sizes[1:], strict=True)
        if size.isdecimal()
    ]
    condition = f" : {' and '.join(within)}" if within else ""
    return isl.Set(f"{{ {array.name}[{', '.join(names)}]{condition} }}")


def _same_use(first: Profile, second: Profile) -> bool:
    return first.keys() == second.keys() and all(
        first[key].get_space().has_equal_tuples(second[key].get_space())
        and first[key].is_equal(second[key])
        for key in first
    )


def _is_register(profile: Profile) -> bool:
    return all(
        kind == "read" and relation.dim(_Dim.out) == 0 for (_, kind), relation in profile.items()
    )


def same_order(ours: Description, theirs: Description, names: Names) -> bool:
    """Whether both schedules run the instances that are the same in the same order."""
    mine, other = isl.UnionMap("{ }"), isl.UnionMap("{ }")
    for one, their in zip(ours.statements, theirs.statements, strict=True):
        domain = one.domain.intersect_params(ours.context)
        dates = names.of_relation(their.schedule).intersect_domain(domain)
        mine = mine.union(isl.UnionMap.from_map(one.schedule.intersect_domain(domain)))
        other = other.union(isl.UnionMap.from_map(dates))
    if mine.is_equal(other):
        return True
    return mine.lex_lt_union_map(mine).is_equal(other.lex_lt_union_map(other))
