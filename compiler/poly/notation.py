"""A SCoP written in a few lines of text: for tests, examples and experiments without any IR.

    [n, m] : n > 0                  parameters and what is known of them
    for i : 0 <= i < n              the condition is isl's; indentation nests
      S: x[] = 0                    a statement: what it writes = what it reads
      for j down : 0 <= j <= i      a loop that counts down
        if j mod 2 = 0
          T: x[] += A[i, j] B[j]    a reduction (+, *, max, min): reads x[] too
      U: C[i] ?D[*] = x[] \\         a backslash joins lines
                      C[i]          `?` marks a may-access, `*` any subscript

Steps: lines -> a tree of loops, conditions and statements -> domains and accesses by the
conditions above each statement -> a schedule tree with one band for each loop and a sequence
wherever something has siblings.
"""

from __future__ import annotations

import re
from dataclasses import field

import islpy as isl

from polyopt.poly.scop import Access, Array, Reduction, Scop, Statement
from polyopt.support.record import entity

_HEADER = re.compile(r"\[(?P<names>[\w\s,]*)\]\s*(?::(?P<known>.*))?")
_LOOP = re.compile(r"for\s+(?P<name>\w+)\s*(?P<down>down)?\s*:(?P<condition>.*)")
_CONDITION = re.compile(r"if\s+(?P<condition>.*)")
_STATEMENT = re.compile(
    r"(?P<name>\w+)\s*:(?P<left>[^=]*?)(?P<operator>[+*]|max|min)?=(?P<right>.*)"
)
_REFERENCE = re.compile(r"(?P<may>\?)?(?P<array>[A-Za-z_]\w*)\[(?P<subscripts>[^]]*)\]")
_OPERATORS = {
    "+": "arith.addf",
    "*": "arith.mulf",
    "max": "arith.maximumf",
    "min": "arith.minimumf",
}


@entity
class _Block:
    """A loop (`name` set) or a condition around `children`, or one statement (`text` set)."""

    indent: int
    condition: str = ""
    name: str = ""
    down: bool = False
    text: re.Match[str] | None = None
    children: list[_Block] = field(default_factory=list["_Block"])


@entity
class _Reader:
    parameters: str
    statements: list[Statement] = field(default_factory=list[Statement])
    ranks: dict[str, int] = field(default_factory=dict[str, int])

    def read(self, block: _Block, loops: list[_Block], conditions: list[str]) -> str:
        """The schedule tree (isl's YAML, in flow style) of what stands in `block`."""
        if block.text is not None:
            return self._statement(block.text, loops, conditions)
        first = len(self.statements)
        inner = [*loops, block] if block.name else loops
        if block.condition:
            conditions = [*conditions, block.condition]
        below = self._children(block.children, inner, conditions)
        if not block.name:
            return below
        sign = "-" if block.down else ""
        parts = "; ".join(
            f"{_instance(s.name, s.iterators)} -> [({sign}{s.iterators[len(loops)]})]"
            for s in self.statements[first:]
        )
        return _above(f'schedule: "{self.parameters}[{{ {parts} }}]"', below)

    def _children(self, children: list[_Block], loops: list[_Block], conditions: list[str]) -> str:
        if len(children) == 1:
            return self.read(children[0], loops, conditions)
        trees: list[str] = []
        for child in children:
            first = len(self.statements)
            below = self.read(child, loops, conditions)
            names = "; ".join(_instance(s.name, s.iterators) for s in self.statements[first:])
            trees.append("{ " + _above(f'filter: "{{ {names} }}"', below) + " }")
        return f"sequence: [{', '.join(trees)}]"

    def _statement(self, text: re.Match[str], loops: list[_Block], conditions: list[str]) -> str:
        name, iterators = text["name"], tuple(loop.name for loop in loops)
        where = " and ".join(f"({condition})" for condition in conditions)
        instance = _instance(name, iterators)
        domain = isl.Set(f"{self.parameters}{{ {instance} : {where} }}")
        left = list(_REFERENCE.finditer(text["left"]))
        right = list(_REFERENCE.finditer(text["right"]))
        reductions = ()
        if text["operator"]:
            operator, array = _OPERATORS[text["operator"]], left[0]["array"]
            reductions = (Reduction(operator, array, 0, 1 + len(right)),)
            right = [left[0], *right]
        accesses = [self._access(instance, use, False, k) for k, use in enumerate(right)]
        accesses += [
            self._access(instance, use, True, k) for k, use in enumerate(left, start=len(right))
        ]
        self.statements.append(Statement(name, domain, tuple(accesses), reductions, iterators))
        return ""

    def _access(
        self, instance: str, reference: re.Match[str], is_write: bool, position: int
    ) -> Access:
        array = reference["array"]
        subscripts = _split(reference["subscripts"])
        self.ranks[array] = len(subscripts)
        wild = [f"o{k}" if text == "*" else text for k, text in enumerate(subscripts)]
        relation = f"{self.parameters}{{ {instance} -> {array}[{', '.join(wild)}] }}"
        return Access(array, isl.Map(relation), is_write, not reference["may"], position)


def _above(tree: str, below: str) -> str:
    return f"{tree}, child: {{ {below} }}" if below else tree


def _instance(name: str, iterators: tuple[str, ...]) -> str:
    return f"{name}[{', '.join(iterators)}]"


def _split(subscripts: str) -> list[str]:
    """Split at the commas outside parentheses."""
    parts, depth, start = list[str](), 0, 0
    for k, char in enumerate(subscripts):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(subscripts[start:k].strip())
            start = k + 1
    parts.append(subscripts[start:].strip())
    return [part for part in parts if part]


def _tree(lines: list[str]) -> _Block:
    root = _Block(indent=-1)
    stack = [root]
    for line in lines:
        indent, text = len(line) - len(line.lstrip()), line.strip()
        while indent <= stack[-1].indent:
            stack.pop()
        if loop := _LOOP.fullmatch(text):
            block = _Block(indent, loop["condition"].strip(), loop["name"], bool(loop["down"]))
        elif condition := _CONDITION.fullmatch(text):
            block = _Block(indent, condition["condition"].strip())
        elif statement := _STATEMENT.fullmatch(text):
            block = _Block(indent, text=statement)
        else:
            raise ValueError(f"not a loop, a condition or a statement: {text!r}")
        stack[-1].children.append(block)
        stack.append(block)
    return root


def parse_scop(
    text: str, *, name: str = "scop", local: tuple[str, ...] = (), element_bytes: int = 8
) -> Scop:
    """The SCoP that `text` describes; raises ValueError or isl.Error where it describes none.
    `local` names the arrays whose contents are dead afterwards."""
    lines = [
        bare
        for line in text.replace("\\\n", " ").splitlines()
        if (bare := line.split("#")[0].rstrip()).strip()
    ]
    header = _HEADER.fullmatch(lines[0].strip())
    if header is None:
        raise ValueError(f"expected '[parameters] : what is known', got {lines[0]!r}")
    parameters = f"[{header['names']}] -> " if header["names"].strip() else ""
    reader = _Reader(parameters)
    tree = reader.read(_tree(lines[1:]), [], [])
    context = isl.Set(f"{parameters}{{ : {header['known'] or ''} }}")
    domain = isl.UnionSet(f"{parameters}{{ }}")
    for statement in reader.statements:
        domain = domain.union(isl.UnionSet.from_set(statement.domain))
    schedule = isl.Schedule("{ " + _above(f'domain: "{domain}"', tree) + " }")
    arrays = tuple(
        Array(array, element_bytes, (None,) * rank, array in local)
        for array, rank in reader.ranks.items()
    )
    return Scop(name, context, tuple(reader.statements), arrays, schedule)
