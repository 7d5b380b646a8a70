"""The loop nests of `polyopt.poly.notation`, run in plain Python: no isl, no sets, no relations.

A text is read once more, by other code, and every loop is run over all integers near zero: what
its condition admits is an iteration. So an instance, what it touches and when it runs are known
without anything that is under test.

    header  [n, m] : known          loops, conditions   isl's words for Python's
    S: A[i] ?B[*] += C[i - 1]       `?` may, `*` anywhere, an operator before `=`: an update
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

Sizes = Mapping[str, int]
Instance = tuple[str, tuple[int, ...]]
Place = tuple[int, ...]

FIRST, LAST = -4, 26
"""Between these lies every iteration at the sizes that are asked for."""

_LOOP = re.compile(r"for (\w+)( down)? ?: ?(.*)")
_STATEMENT = re.compile(r"(\w+): ([^=]*?)(\+|\*|max|min)?=(.*)")
_REFERENCE = re.compile(r"(\?)?([A-Za-z]\w*)\[([^]]*)\]")


def python_text(text: str) -> str:
    """An expression or a condition in isl's words as Python has it."""
    text = re.sub(r"floor\(((?:[^()]|\([^()]*\))*)/(\d+)\)", r"((\1) // \2)", text)
    text = re.sub(r"(?<![\w.])(\d+)([A-Za-z])", r"\1 * \2", text.replace(" mod ", " % "))
    return re.sub(r"(?<![<>!=])=(?!=)", "==", text)


def compiled(text: str) -> CodeType:
    return compile(python_text(text).strip() or "True", text, "eval")


def value_of(code: CodeType, values: Mapping[str, int]) -> Any:
    return eval(code, {"__builtins__": {}}, values)


@dataclass(frozen=True)
class Reference:
    """`subscripts` None: any element of the array."""

    array: str
    subscripts: tuple[CodeType, ...] | None
    is_write: bool
    is_accumulator: bool = False


@dataclass(frozen=True)
class PlainStatement:
    """`path` are the loops and conditions around it, outermost first, each with the position of
    what is inside it among its siblings; `position` is its own in the outermost sequence."""

    name: str
    iterators: tuple[str, ...]
    references: tuple[Reference, ...]
    operator: str | None
    path: tuple[PlainLoop, ...]
    positions: tuple[int, ...]


@dataclass(frozen=True)
class PlainLoop:
    """A condition where `name` is empty."""

    name: str
    is_down: bool
    condition: CodeType


@dataclass
class _Block:
    indent: int
    loop: PlainLoop | None
    text: str
    children: list[_Block] = field(default_factory=list["_Block"])


@dataclass(frozen=True)
class PlainNest:
    text: str
    parameters: tuple[str, ...]
    known: CodeType
    statements: tuple[PlainStatement, ...]

    def statement(self, name: str) -> PlainStatement:
        return next(one for one in self.statements if one.name == name)

    def admits(self, sizes: Sizes) -> bool:
        return bool(value_of(self.known, sizes))

    def instances(self, sizes: Sizes) -> list[Instance]:
        """All of them, in the order of the source."""
        found = [one for statement in self.statements for one in _run(statement, sizes)]
        return sorted(found, key=self.place)

    def runs(self, instance: Instance, sizes: Sizes) -> bool:
        """Whether there is such an instance."""
        statement = self.statement(instance[0])
        values = {**sizes, **dict(zip(statement.iterators, instance[1], strict=True))}
        return all(bool(value_of(loop.condition, values)) for loop in statement.path)

    def place(self, instance: Instance) -> Place:
        """Instances run in the order of these."""
        statement = self.statement(instance[0])
        values = dict(zip(statement.iterators, instance[1], strict=True))
        found = [statement.positions[0]]
        for loop, position in zip(statement.path, statement.positions[1:], strict=True):
            if loop.name:
                found.append(-values[loop.name] if loop.is_down else values[loop.name])
            found.append(position)
        return tuple(found)

    def touched(self, instance: Instance, sizes: Sizes) -> Iterator[tuple[Reference, Place | None]]:
        """Each reference with its element."""
        statement = self.statement(instance[0])
        values = {**sizes, **dict(zip(statement.iterators, instance[1], strict=True))}
        for one in statement.references:
            if one.subscripts is None:
                yield one, None
            else:
                yield one, tuple(int(value_of(code, values)) for code in one.subscripts)


def _run(statement: PlainStatement, sizes: Sizes) -> Iterator[Instance]:
    def inside(depth: int, values: dict[str, int]) -> Iterator[Instance]:
        if depth == len(statement.path):
            yield statement.name, tuple(values[name] for name in statement.iterators)
            return
        loop = statement.path[depth]
        for value in range(FIRST, LAST + 1) if loop.name else (0,):
            here = {**values, loop.name: value} if loop.name else values
            if value_of(loop.condition, here):
                assert not loop.name or FIRST < value < LAST, "an iteration far from zero"
                yield from inside(depth + 1, here)

    return inside(0, dict(sizes))


def parse_nest(text: str) -> PlainNest:
    lines = [line for line in text.splitlines() if line.strip()]
    names, _, known = lines[0].partition("]")
    parameters = tuple(name.strip() for name in names.strip("[ ").split(",") if name.strip())
    root = _Block(-1, None, "")
    stack = [root]
    for line in lines[1:]:
        indent, bare = len(line) - len(line.lstrip()), line.strip()
        while stack[-1].indent >= indent:
            stack.pop()
        loop: PlainLoop | None = None
        if found := _LOOP.fullmatch(bare):
            loop = PlainLoop(found[1], bool(found[2]), compiled(found[3]))
        elif bare.startswith("if "):
            loop = PlainLoop("", False, compiled(bare[3:]))
        block = _Block(indent, loop, bare)
        stack[-1].children.append(block)
        stack.append(block)
    statements = tuple(_statements(root, (), ()))
    return PlainNest(text, parameters, compiled(known.strip(" :")), statements)


def _statements(
    block: _Block, path: tuple[PlainLoop, ...], positions: tuple[int, ...]
) -> Iterator[PlainStatement]:
    for position, child in enumerate(block.children):
        here = (*positions, position)
        if child.loop is not None:
            yield from _statements(child, (*path, child.loop), here)
        else:
            yield _statement(child.text, path, here)


def _statement(text: str, path: tuple[PlainLoop, ...], positions: Place) -> PlainStatement:
    found = _STATEMENT.fullmatch(text)
    assert found is not None, text
    name, left, operator, right = found.groups()
    writes = [_reference(one, True) for one in _REFERENCE.finditer(left)]
    reads = [_reference(one, False) for one in _REFERENCE.finditer(right)]
    if operator is not None:
        accumulator = writes[0]
        read = Reference(accumulator.array, accumulator.subscripts, False, True)
        writes[0] = Reference(accumulator.array, accumulator.subscripts, True, True)
        reads.insert(0, read)
    iterators = tuple(loop.name for loop in path if loop.name)
    return PlainStatement(name, iterators, (*reads, *writes), operator, path, positions)


def _reference(found: re.Match[str], is_write: bool) -> Reference:
    subscripts = _split(found[3])
    if "*" in subscripts:
        return Reference(found[2], None, is_write)
    return Reference(found[2], tuple(map(compiled, subscripts)), is_write)


def _split(subscripts: str) -> Sequence[str]:
    parts, depth = [""], 0
    for char in subscripts:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


# Which orders keep the meaning


class PlainOrder:
    """What of the order of the instances at these sizes has to stay: of any two that touch one
    element, one of them writing, the earlier one stays the earlier. `may_reassociate`: whether
    the updates by an operator may change places with each other."""

    def __init__(self, nest: PlainNest, sizes: Sizes, free: Sequence[str] = ()):
        self.nest, self.sizes = nest, sizes
        self.instances = nest.instances(sizes)
        self.free = frozenset(free)
        users: dict[tuple[str, Place | None], dict[Instance, _Use]] = {}
        anywhere: dict[str, dict[Instance, _Use]] = {}
        for instance in self.instances:
            for one, element in nest.touched(instance, sizes):
                table = (
                    anywhere.setdefault(one.array, {})
                    if element is None
                    else users.setdefault((one.array, element), {})
                )
                use = self._use(instance[0], one)
                table[instance] = table[instance].and_also(use) if instance in table else use
        for (array, _), table in users.items():
            for instance, use in anywhere.get(array, {}).items():
                table[instance] = table[instance].and_also(use) if instance in table else use
        for array, table in anywhere.items():
            users[array, None] = table
        rank = {instance: k for k, instance in enumerate(self.instances)}
        self.pairs = {
            (first, second)
            for table in users.values()
            for second, late in table.items()
            for first, early in table.items()
            if rank[first] < rank[second] and early.conflicts_with(late)
        }

    def _use(self, statement: str, one: Reference) -> _Use:
        operator = self.nest.statement(statement).operator
        is_free = one.is_accumulator and operator in self.free
        return _Use(one.is_write, operator if is_free else None)

    def broken(self, times: Mapping[Instance, Any]) -> tuple[Instance, Instance] | None:
        """A pair that running each instance at its time, if it has one, would not keep."""
        return next(
            (
                (one, two)
                for one, two in self.pairs
                if one in times and two in times and not is_before(times[one], times[two])
            ),
            None,
        )


@dataclass(frozen=True)
class _Use:
    """What an instance does with an element: `updates_by` where it does nothing else."""

    is_write: bool
    updates_by: str | None

    def and_also(self, other: _Use) -> _Use:
        same = self.updates_by == other.updates_by
        return _Use(self.is_write or other.is_write, self.updates_by if same else None)

    def conflicts_with(self, other: _Use) -> bool:
        if not (self.is_write or other.is_write):
            return False
        return self.updates_by is None or self.updates_by != other.updates_by


UNORDERED = "unordered"


def is_before(first: Sequence[Any], second: Sequence[Any]) -> bool:
    """The order of times; a pair (UNORDERED, k) is neither before nor behind another."""
    for one, two in zip(first, second, strict=False):
        if one != two:
            return not isinstance(one, tuple) and not isinstance(two, tuple) and one < two
    return False
