"""Schedules as plain data, and when they run an instance: no isl.

Dates are a tuple of integer functions for each statement; a tree has bands of such functions,
sequences and sets of filtered children, and marks. Both can be written in the text of the formats
in which schedules are exchanged, and both say of an instance when it runs: never and twice are
possible, as in files that people write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oracles.plain_nests import (
    UNORDERED,
    Instance,
    PlainNest,
    PlainStatement,
    Sizes,
    compiled,
    value_of,
)

NEVER, TWICE = "never", "twice"
Time = tuple[Any, ...]
Times = Mapping[Instance, Time] | str
"""When each instance runs; or that one runs NEVER or TWICE."""


@dataclass(frozen=True)
class Date:
    """factors * names + constant; divided by `divisor`, or the rest of it, where there is one."""

    factors: Mapping[str, int]
    constant: int = 0
    divisor: int = 0
    is_rest: bool = False

    @property
    def affine(self) -> str:
        terms = [f"{factor}*{name}" for name, factor in self.factors.items() if factor]
        return " + ".join([*terms, str(self.constant)])

    def __str__(self) -> str:
        if not self.divisor:
            return f"({self.affine})"
        if self.is_rest:
            return f"(({self.affine}) mod {self.divisor})"
        return f"(floor(({self.affine})/{self.divisor}))"

    def at(self, values: Mapping[str, int]) -> int:
        total = self.constant + sum(f * values[name] for name, f in self.factors.items())
        if not self.divisor:
            return total
        return total % self.divisor if self.is_rest else total // self.divisor

    @property
    def is_constant(self) -> bool:
        return not any(self.factors.values())


def plus(one: Date, other: Date, factor: int) -> Date:
    names = {**one.factors, **other.factors}
    return Date(
        {n: one.factors.get(n, 0) + factor * other.factors.get(n, 0) for n in names},
        one.constant + factor * other.constant,
    )


def times_date(date: Date, factor: int) -> Date:
    return Date({n: factor * f for n, f in date.factors.items()}, factor * date.constant)


def values_of(nest: PlainNest, instance: Instance, sizes: Sizes) -> dict[str, int]:
    names = nest.statement(instance[0]).iterators
    return {**sizes, **dict(zip(names, instance[1], strict=True))}


def header(nest: PlainNest) -> str:
    return f"[{', '.join(nest.parameters)}] -> "


def of_instance(statement: PlainStatement) -> str:
    return f"{statement.name}[{', '.join(statement.iterators)}]"


# Dates


@dataclass(frozen=True)
class Dates:
    """`where` are conditions on the instances that have a date at all; `shifted` names the
    statements whose instances run once more, one later."""

    nest: PlainNest
    of: Mapping[str, tuple[Date, ...]]
    where: Mapping[str, str] = field(default_factory=dict[str, str])
    again: frozenset[str] = frozenset()

    @property
    def depth(self) -> int:
        return max(map(len, self.of.values()))

    def padded(self, name: str) -> tuple[Date, ...]:
        dates = self.of[name]
        return (*dates, *[Date({})] * (self.depth - len(dates)))

    def time(self, instance: Instance, sizes: Sizes) -> Time:
        values = values_of(self.nest, instance, sizes)
        return tuple(date.at(values) for date in self.padded(instance[0]))

    def times(self, instances: Sequence[Instance], sizes: Sizes) -> Times:
        """Of the instances that have a date."""
        conditions = {name: compiled(text) for name, text in self.where.items()}
        dated = [
            one
            for one in instances
            if one[0] not in conditions
            or value_of(conditions[one[0]], values_of(self.nest, one, sizes))
        ]
        if any(name in self.again for name, _ in dated):
            return TWICE
        return {one: self.time(one, sizes) for one in dated}

    def isl_text(self, name: str) -> str:
        statement = self.nest.statement(name)
        dates = self.padded(name)
        head = f"{header(self.nest)}{{ {of_instance(statement)} -> "
        where = f" : {self.where[name]}" if name in self.where else ""
        texts = [f"[{', '.join(map(str, dates))}]{where}"]
        if name in self.again:
            later = [f"1 + {dates[0]}", *map(str, dates[1:])]
            texts.append(f"[{', '.join(later)}]{where}")
        return head + f"; {of_instance(statement)} -> ".join(texts) + " }"

    def matrix(self, name: str) -> list[str]:
        """The lines of OpenScop's SCATTERING: first the numbers, then a row for each equation
        and inequality over (1 or 0, dates, iterators, divisions, parameters, constant)."""
        statement, dates = self.nest.statement(name), self.padded(name)
        divided = [k for k, date in enumerate(dates) if date.divisor]
        outputs, inputs = len(dates), len(statement.iterators)
        columns = [*statement.iterators, *divided, *self.nest.parameters]
        rows = list[list[int]]()

        def row(kind: int, output: int, date: Date, sign: int, division: int, constant: int):
            numbers = [0] * outputs
            if output >= 0:
                numbers[output] = -1
            for column in columns:
                if isinstance(column, str):
                    numbers.append(sign * date.factors.get(column, 0))
                else:
                    numbers.append(division if column == current else 0)
            rows.append([kind, *numbers, sign * date.constant + constant])

        for current, date in enumerate(dates):
            k = date.divisor
            if not k:
                row(0, current, date, 1, 0, 0)
                continue
            if date.is_rest:
                row(0, current, date, 1, -k, 0)
            else:
                row(0, current, Date({}), 1, 1, 0)
            row(1, -1, date, 1, -k, 0)
            row(1, -1, date, -1, k, k - 1)
        shape = (len(rows), 2 + outputs + len(columns), outputs, inputs, len(divided))
        lines = [" ".join(map(str, [*shape, len(self.nest.parameters)]))]
        return lines + [" ".join(map(str, one)) for one in rows]


def dates_of_source(nest: PlainNest) -> Dates:
    return Dates(nest, {one.name: tuple(_source_dates(one)) for one in nest.statements})


def _source_dates(statement: PlainStatement) -> Iterator[Date]:
    yield Date({}, statement.positions[0])
    for loop, position in zip(statement.path, statement.positions[1:], strict=True):
        if loop.name:
            yield Date({loop.name: -1 if loop.is_down else 1})
        yield Date({}, position)


# Trees


@dataclass(frozen=True)
class Leaf:
    pass


@dataclass(frozen=True)
class Band:
    """`members` of each statement, as many of each; what is said of them may be wrong."""

    members: Mapping[str, tuple[Date, ...]]
    child: Tree
    is_permutable: bool = False
    are_coincident: bool = False


@dataclass(frozen=True)
class Children:
    """Each child for the instances of these statements that fulfil a condition ("": all)."""

    children: tuple[tuple[Mapping[str, str], Tree], ...]
    is_ordered: bool = True


@dataclass(frozen=True)
class Mark:
    name: str
    child: Tree


Tree = Leaf | Band | Children | Mark


def tree_of_source(nest: PlainNest) -> Tree:
    return _tree(list(nest.statements), 0)


def _tree(statements: list[PlainStatement], depth: int) -> Tree:
    """What stands at one depth of the loops and conditions."""
    groups: dict[int, list[PlainStatement]] = {}
    for one in statements:
        groups.setdefault(one.positions[depth], []).append(one)
    trees = [_group(groups[key], depth) for key in sorted(groups)]
    if len(trees) == 1:
        return trees[0]
    filters = [{one.name: "" for one in groups[key]} for key in sorted(groups)]
    return Children(tuple(zip(filters, trees, strict=True)))


def _group(statements: list[PlainStatement], depth: int) -> Tree:
    if len(statements[0].path) == depth:
        return Leaf()
    loop = statements[0].path[depth]
    below = _tree(statements, depth + 1)
    if not loop.name:
        return below
    date = Date({loop.name: -1 if loop.is_down else 1})
    return Band({one.name: (date,) for one in statements}, below)


def tree_times(nest: PlainNest, tree: Tree, instances: Sequence[Instance], sizes: Sizes) -> Times:
    found = dict[Instance, Time]()
    for one in instances:
        values = values_of(nest, one, sizes)
        ways = list(_ways(tree, one[0], values))
        if len(ways) != 1:
            return TWICE if ways else NEVER
        found[one] = ways[0]
    return found


def _ways(tree: Tree, name: str, values: Mapping[str, int]) -> Iterator[Time]:
    match tree:
        case Leaf():
            yield ()
        case Mark(_, child):
            yield from _ways(child, name, values)
        case Band(members, child):
            here = tuple(date.at(values) for date in members[name])
            yield from ((*here, *rest) for rest in _ways(child, name, values))
        case Children(children, is_ordered):
            for position, (filters, child) in enumerate(children):
                if name in filters and value_of(compiled(filters[name]), values):
                    here = position if is_ordered else (UNORDERED, position)
                    yield from ((here, *rest) for rest in _ways(child, name, values))


def tree_text(nest: PlainNest, tree: Tree, domain: str) -> str:
    """As isl writes it, in flow style."""
    below = _text(nest, tree)
    child = f", child: {{ {below} }}" if below else ""
    return f'{{ domain: "{domain}"{child} }}'


def _text(nest: PlainNest, tree: Tree) -> str:
    match tree:
        case Leaf():
            return ""
        case Mark(name, child):
            return _above(f'mark: "{name}"', _text(nest, child))
        case Band(members, child, is_permutable, are_coincident):
            count = len(next(iter(members.values())))
            parts = [
                "; ".join(
                    f"{of_instance(nest.statement(name))} -> [{dates[k]}]"
                    for name, dates in members.items()
                )
                for k in range(count)
            ]
            functions = ", ".join(f"{{ {part} }}" for part in parts)
            head = f'schedule: "{header(nest)}[{functions}]"'
            if is_permutable:
                head += ", permutable: 1"
            if are_coincident:
                head += f", coincident: [{', '.join(['1'] * count)}]"
            return _above(head, _text(nest, child))
        case Children(children, is_ordered):
            texts = [
                "{ " + _above(f'filter: "{_filter(nest, names)}"', _text(nest, child)) + " }"
                for names, child in children
            ]
            return f"{'sequence' if is_ordered else 'set'}: [{', '.join(texts)}]"


def _filter(nest: PlainNest, names: Mapping[str, str]) -> str:
    parts = [
        of_instance(nest.statement(name)) + (f" : {condition}" if condition else "")
        for name, condition in names.items()
    ]
    return f"{header(nest)}{{ {'; '.join(parts)} }}"


def _above(text: str, below: str) -> str:
    return f"{text}, child: {{ {below} }}" if below else text
