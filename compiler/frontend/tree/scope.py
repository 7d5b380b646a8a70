"""Names: C's scopes and its two name spaces, of ordinary names and of tags (C 6.2.1, 6.2.3)."""

from __future__ import annotations

from dataclasses import field

from polyopt.frontend.language.c_types import CType
from polyopt.frontend.tree.typed_tree import Symbol
from polyopt.support.record import entity


@entity
class Scope:
    names: dict[str, Symbol] = field(default_factory=dict[str, Symbol])
    tags: dict[str, CType] = field(default_factory=dict[str, CType])


class Scopes:
    """The scopes around the place that is being checked, the file's first."""

    def __init__(self) -> None:
        self.stack = [Scope()]

    @property
    def current(self) -> Scope:
        return self.stack[-1]

    @property
    def is_file_scope(self) -> bool:
        return len(self.stack) == 1

    def push(self) -> None:
        self.enter(Scope())

    def enter(self, scope: Scope) -> None:
        """Go (back) into a scope."""
        self.stack.append(scope)

    def pop(self) -> Scope:
        return self.stack.pop()

    def find(self, name: str) -> Symbol | None:
        for scope in reversed(self.stack):
            if name in scope.names:
                return scope.names[name]
        return None

    def find_type(self, name: str) -> Symbol | None:
        """The type that a declaration names, where the parser has found one: the declarator in
        front may hide it already (`T T, *p;`). Else what the name is."""
        for scope in reversed(self.stack):
            symbol = scope.names.get(name)
            if symbol is not None and symbol.kind == "typedef":
                return symbol
        return self.find(name)

    def find_tag(self, tag: str) -> CType | None:
        for scope in reversed(self.stack):
            if tag in scope.tags:
                return scope.tags[tag]
        return None

    def visible_names(self) -> list[str]:
        return [name for scope in self.stack for name in scope.names]
