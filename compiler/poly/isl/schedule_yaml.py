"""The YAML in which isl writes schedule trees, read here before isl reads it.

isl's own reader takes any text for a tree and goes wrong where it is none: it crashes or never
comes back. So the form is checked first: block style, flow style, or one in the other, of

    node      a mapping of a key to a value, with at most one of `child`, `sequence` and `set`
    value     "text" for isl, a number, a list of numbers, a node, or a list of nodes

What the texts say is for isl to find out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TEXTS = frozenset(
    "domain context filter schedule mark guard extension contraction expansion options".split()
)
NUMBERS = frozenset(["permutable"])
LISTS = frozenset(["coincident"])
NODES = frozenset(["child"])
NODE_LISTS = frozenset(["sequence", "set"])
KEYS = TEXTS | NUMBERS | LISTS | NODES | NODE_LISTS
DEEPEST = 200

_SPACE = re.compile(r"(?:\s|#[^\n]*)*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_STRING = re.compile(r'"([^"\n]*)"')
_NUMBER = re.compile(r"\d+")
_NUMBER_LIST = re.compile(r"\[\s*(?:\d+\s*(?:,\s*\d+\s*)*)?\]")


class MalformedTree(Exception):
    """`position` is the place in the text."""

    def __init__(self, message: str, position: int):
        super().__init__(message)
        self.position = position


@dataclass(frozen=True)
class IslPart:
    """A text for isl: the key before it, what it says, where it stands."""

    key: str
    text: str
    position: int


def read_yaml(text: str) -> tuple[str, list[IslPart]]:
    """The tree in flow style, which is safe to give to isl, and isl's texts in it. Raises
    MalformedTree."""
    reader = _Reader(text)
    node = reader.node(-1, 0)
    reader.skip()
    if reader.position < len(text):
        raise reader.error("expected the end of the tree")
    return node, reader.parts


@dataclass
class _Reader:
    """Each function reads from `position` on and gives flow style. A block-style value of a key
    at column c begins behind column c; a list's dashes may stand at c itself."""

    text: str
    position: int = 0
    parts: list[IslPart] = field(default_factory=list[IslPart])

    def error(self, message: str) -> MalformedTree:
        return MalformedTree(message, self.position)

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.position)
        assert found is not None
        self.position = found.end()

    def take(self, pattern: re.Pattern[str], wanted: str) -> re.Match[str]:
        self.skip()
        found = pattern.match(self.text, self.position)
        if found is None:
            raise self.error(f"expected {wanted}")
        self.position = found.end()
        return found

    def at(self, sign: str) -> bool:
        self.skip()
        return self.text.startswith(sign, self.position)

    def past(self, sign: str) -> bool:
        if not self.at(sign):
            return False
        self.position += len(sign)
        return True

    def column(self) -> int:
        self.skip()
        return self.position - (self.text.rfind("\n", 0, self.position) + 1)

    def node(self, outside: int, depth: int) -> str:
        if depth > DEEPEST:
            raise self.error(f"the tree is deeper than {DEEPEST} nodes")
        if self.past("{"):
            return self.flow_node(depth)
        column = self.column()
        if column <= outside:
            raise self.error("expected a node, indented")
        entries = dict[str, str]()
        while True:
            self.entry(entries, column, depth)
            self.skip()
            if self.position == len(self.text) or self.column() != column or self.at("-"):
                return _flow(entries)

    def flow_node(self, depth: int) -> str:
        entries = dict[str, str]()
        while True:
            self.entry(entries, -1, depth)
            if self.past("}"):
                return _flow(entries)
            if not self.past(","):
                raise self.error("expected ',' or '}'")

    def entry(self, entries: dict[str, str], column: int, depth: int) -> None:
        self.skip()
        start = self.position
        key = self.take(_WORD, "a key")[0]
        if key not in KEYS:
            hint = f"one of {', '.join(sorted(KEYS))}"
            raise MalformedTree(f"'{key}' is nothing that a schedule tree has ({hint})", start)
        if key in entries:
            raise MalformedTree(f"'{key}' stands twice in one node", start)
        if not self.past(":"):
            raise self.error(f"expected ':' behind '{key}'")
        entries[key] = self.value(key, column, depth)

    def value(self, key: str, column: int, depth: int) -> str:
        if key in NODES:
            return self.node(column, depth + 1)
        if key in NODE_LISTS:
            return self.nodes(column, depth + 1)
        if key in NUMBERS:
            return self.take(_NUMBER, "a number")[0]
        if key in LISTS:
            return self.take(_NUMBER_LIST, "a list of numbers")[0]
        found = self.take(_STRING, "a text in quotes")
        self.parts.append(IslPart(key, found[1], found.start()))
        return found[0]

    def nodes(self, outside: int, depth: int) -> str:
        found = list[str]()
        if self.past("["):
            while not found or self.past(","):
                found.append(self.node(-1, depth))
            if not self.past("]"):
                raise self.error("expected ',' or ']'")
            return f"[ {', '.join(found)} ]"
        column = self.column()
        if column < outside or not self.at("-"):
            raise self.error("expected a list of nodes, each behind a '-'")
        while self.at("-") and self.column() == column:
            self.position += 1
            found.append(self.node(column, depth))
        return f"[ {', '.join(found)} ]"


def _flow(entries: dict[str, str]) -> str:
    return f"{{ {', '.join(f'{key}: {value}' for key, value in entries.items())} }}"
