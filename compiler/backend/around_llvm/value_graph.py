"""What the values of a function, in LLVM's text, are made of, and what goes round in its loops."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from polyopt.backend.around_llvm.llvm_text import NAME
from polyopt.support.record import entity

_VALUE = re.compile(rf"(?m)^  ({NAME}) = (.*)$")
_NAMES = re.compile(NAME)


@entity
class ValueGraph:
    """`made`: what each value is computed as."""

    made: dict[str, str]

    @staticmethod
    def of(function: str) -> ValueGraph:
        return ValueGraph(dict(_VALUE.findall(function)))

    @cached_property
    def taken(self) -> dict[str, list[str]]:
        """What each value is made of, arguments and constants aside."""
        return {name: list(self._operands(name)) for name in self.made}

    @cached_property
    def users(self) -> dict[str, list[str]]:
        users: dict[str, list[str]] = {name: [] for name in self.made}
        for name, taken in self.taken.items():
            for one in taken:
                users[one].append(name)
        return users

    def around(self, name: str) -> set[str]:
        """What is made of it and is what it is made of, one iteration of a loop later."""
        return _reached(name, self.taken) & _reached(name, self.users)

    def _operands(self, name: str) -> Iterator[str]:
        return (one for one in _NAMES.findall(self.made[name]) if one in self.made)


def _reached(name: str, edges: Mapping[str, Sequence[str]]) -> set[str]:
    """By at least one of the edges."""
    found, pending = set[str](), [name]
    while pending:
        for one in edges[pending.pop()]:
            if one not in found:
                found.add(one)
                pending.append(one)
    return found
