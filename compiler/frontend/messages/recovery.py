"""All that is wrong with a translation unit, not only the first thing.

An error ends the statement or the declaration that it is in, and what follows is looked at. The
names that a broken declaration would have declared are `lost`: what is wrong with their uses
follows from that, is a `Consequence`, and is not told.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field

from pycparser import c_ast

from polyopt.support.diagnostics import CompileError, Diagnostic, Span
from polyopt.support.record import entity

MOST = 100
"""Whoever has more to mend begins with these."""


class Consequence(CompileError):
    """It follows from an error that was told before."""


@entity
class Errors:
    found: list[CompileError] = field(default_factory=list[CompileError])
    lost: set[str] = field(default_factory=set[str])
    lost_tags: set[str] = field(default_factory=set[str])
    _told: set[tuple[str, Span | None]] = field(default_factory=set[tuple[str, Span | None]])
    _whole: CompileError | None = None

    def add(self, error: CompileError, node: c_ast.Node | None = None) -> None:
        """Keep the error of a broken piece of the program. An undeclared name is told of once.
        The last one that is kept is raised with the others: through all pieces around, whoever
        would keep it as theirs."""
        if self._whole is not None:
            raise self._whole
        diagnostic = error.diagnostic
        follows = isinstance(error, Consequence) or self._follows(diagnostic.message)
        if node is not None:
            self.lost |= declared_names(node)
            self.lost_tags |= _declared_tags(node)
        if follows and self.found:
            return
        place = None if diagnostic.message.startswith("use of undeclared") else diagnostic.span
        if (diagnostic.message, place) in self._told:
            return
        self._told.add((diagnostic.message, place))
        self.found.append(error)
        if len(self.found) == MOST:
            self.raise_all()

    def _follows(self, message: str) -> bool:
        """Whether it is about a structure whose members, or a label that, could not be read."""
        if message.startswith("use of undeclared label"):
            return _quoted(message) in self.lost
        return "incomplete" in message and any(f"'{tag}'" in message for tag in self.lost_tags)

    def raise_all(self) -> None:
        """Raise what was found, as one error."""
        if self._whole is not None:
            raise self._whole
        if not self.found:
            return
        files = list(dict.fromkeys(_place(error)[0] for error in self.found))
        places = {id(error): _place(error) for error in self.found}
        first, *others = sorted(
            self.found,
            key=lambda error: (files.index(places[id(error)][0]), places[id(error)][1:]),
        )
        first.more = tuple(error.diagnostic for error in others)
        self._whole = first
        raise first


def _place(error: CompileError) -> tuple[str, int, int]:
    span = error.diagnostic.span
    return (span.file, span.line, span.column) if span is not None else ("", 0, 0)


def declared_names(node: c_ast.Node) -> set[str]:
    """The names that a declaration or the definition of a function declares, or a product that
    would be a declaration, were its first factor the type that it was to be."""
    if isinstance(node, c_ast.FuncDef):
        node = node.decl
    if isinstance(node, c_ast.BinaryOp) and node.op == "*" and isinstance(node.right, c_ast.ID):
        return {node.right.name}
    if isinstance(node, c_ast.Decl | c_ast.Typedef) and node.name is not None:
        return {node.name}
    return set()


def _declared_tags(node: c_ast.Node) -> set[str]:
    """The structures that a declaration at the head of a file, or of a block, describes."""
    found: set[str] = set()
    type: c_ast.Node | None = node
    while isinstance(
        type, c_ast.Decl | c_ast.Typedef | c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl
    ):
        type = type.type
    if isinstance(type, c_ast.Struct | c_ast.Union) and type.name and type.decls is not None:
        kind = "struct" if isinstance(type, c_ast.Struct) else "union"
        found.add(f"{kind} {type.name}")
        for member in type.decls:
            found |= _declared_tags(member)
    return found


def is_about_type(diagnostic: Diagnostic) -> bool:
    return diagnostic.message.startswith("unknown type name")


def is_consequence(diagnostic: Diagnostic, lost: Collection[str]) -> bool:
    """A type that is unknown may be what a broken declaration would have declared."""
    return is_about_type(diagnostic) and _quoted(diagnostic.message) in lost


def _quoted(message: str) -> str:
    return message.partition("'")[2].partition("'")[0]
