"""Facts for LLVM's optimiser that stand beside the instructions: metadata nodes by number."""

from __future__ import annotations

from dataclasses import field

from polyopt.support.record import entity, record


@entity
class Metadata:
    """The module's nodes, equal uniqued nodes being one, and its flags."""

    lines: list[str] = field(default_factory=list[str])
    count: int = 0
    flags: list[str] = field(default_factory=list[str])
    _known: dict[str, str] = field(default_factory=dict[str, str])

    def node(self, content: str) -> str:
        """The uniqued node `!{content}`."""
        name = self._known.get(content)
        if name is None:
            name = self._add(f"!{{{content}}}")
            self._known[content] = name
        return name

    def plain(self, text: str) -> str:
        """The node that is written so; equal ones are one, but for those that say they are not."""
        name = self._known.get(text)
        if name is None:
            name = self._add(text)
            if not text.startswith("distinct"):
                self._known[text] = name
        return name

    def distinct(self, content: str = "") -> str:
        """A node equal to no other; with content, its first operand is itself."""
        name = f"!{self.count}"
        return self._add(f"distinct !{{{name}, {content}}}" if content else "distinct !{}")

    def write_flags(self) -> None:
        """What holds for the whole module, when all of it is known."""
        if self.flags:
            nodes = ", ".join([self.node(flag) for flag in self.flags])
            self.lines.append(f"!llvm.module.flags = !{{{nodes}}}")

    def _add(self, text: str) -> str:
        name = f"!{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        return name


def type_tag(metadata: Metadata, type: str) -> str:
    """What an access to a scalar of this LLVM type carries where no other type's accesses touch
    the same memory; characters may stand for anything."""
    if type in _CHARACTERS:
        return ""
    root = metadata.node('!"C types"')
    character = metadata.node(f'!"character", {root}, i64 0')
    node = metadata.node(f'!"{type}", {character}, i64 0')
    return f", !tbaa {metadata.node(f'{node}, {node}, i64 0')}"


_CHARACTERS = frozenset({"i1", "i8"})


@record
class AliasScope:
    """Of the objects that are promised to be distinct, the scopes of those that an access touches,
    and of the others."""

    touched: tuple[str, ...]
    others: tuple[str, ...]


def alias_suffix(metadata: Metadata, scopes: tuple[AliasScope, ...]) -> str:
    """What an access through an object in all of `scopes` carries."""
    mine = metadata.node(", ".join(name for scope in scopes for name in scope.touched))
    others = [other for scope in scopes for other in scope.others]
    if not others:
        return f", !alias.scope {mine}"
    return f", !alias.scope {mine}, !noalias {metadata.node(', '.join(others))}"


def distinct_scopes(metadata: Metadata, count: int) -> list[AliasScope]:
    """`count` scopes of one new domain."""
    domain = metadata.distinct('!"distinct objects"')
    names = [metadata.distinct(domain) for _ in range(count)]
    return [AliasScope((name,), tuple(other for other in names if other != name)) for name in names]
