"""Warnings: each has an id, which `-Wno-<id>` silences, and belongs to those that are always told,
to those of `-Wall` or `-Wextra`, or to those that are told only where they are asked for by name.

A pragma (`#pragma GCC diagnostic`) has the last word for the text behind it.
"""

from __future__ import annotations

from dataclasses import field

from polyopt.frontend.library_headers import is_library_header
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.standing_pragmas import StandingPragmas
from polyopt.support.diagnostics import Diagnostic, Span
from polyopt.support.record import entity

ALWAYS = {
    "attributes": "an attribute that is not known",
    "array-bounds": "a constant subscript outside its array",
    "cpp": "#warning",
    "discarded-qualifiers": "a pointer that loses const or volatile of what it points to",
    "div-by-zero": "a division by a constant zero",
    "excess-initializers": "more values than the object has room for",
    "implicit-function-declaration": "a call of a function that is not declared",
    "implicit-int": "a declaration that says no type",
    "incompatible-pointer-types": "a pointer used as one to another type",
    "int-conversion": "a pointer made from an integer, or the other way, without a cast",
    "openmp-races": "a pragma of OpenMP that lets iterations race (-fopenmp)",
    "overflow": "a constant that changes when it is converted",
    "polyopt-pragmas": "a pragma of polyopt's own that says nothing it knows, or stands nowhere",
    "pragmas": "a pragma of GNU C that says nothing that is known",
    "return-type": "a function that may end without its value, or returns one and has none",
    "shift-count": "a shift by a constant that is negative or too large",
}
WALL = {
    "parentheses": "an assignment used as a truth value",
    "unknown-pragmas": "a pragma that nobody obeys",
    "unused-function": "a static function that nobody uses",
    "unused-label": "a label that no goto names",
    "unused-variable": "a local variable that nobody uses",
}
WEXTRA: dict[str, str] = {}
BY_NAME: dict[str, str] = {}
GROUPS: dict[str, tuple[str, ...]] = {
    "unused": tuple(id for id in WALL if id.startswith("unused-")),
    "shift-count-negative": ("shift-count",),
    "shift-count-overflow": ("shift-count",),
    "shift-overflow": ("shift-count",),
    "constant-conversion": ("overflow",),
    "incompatible-pointer-types-discards-qualifiers": ("discarded-qualifiers",),
    "all": tuple(WALL),
    "extra": tuple(WEXTRA),
    "most": tuple(WALL),
    "everything": (*WALL, *WEXTRA, *BY_NAME),
}
"""What others call several of them, or one of ours."""


def names_of(id: str) -> tuple[str, ...]:
    """All the names that a warning goes by: its own and its groups'."""
    groups = [group for group, ids in GROUPS.items() if id in ids]
    return (id, *groups)


@entity
class Warnings:
    """Collects the warnings that the user wants to see. `standing`: what pragmas say of places."""

    options: CFrontendOptions
    found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    standing: StandingPragmas = field(default_factory=StandingPragmas)

    def add(self, id: str, message: str, span: Span, hint: str | None = None) -> None:
        if is_library_header(span.file):
            return
        said = self.standing.severity_at(names_of(id), span)
        if said == "ignored" or (said is None and not self.wants(id)):
            return
        self.found.append(Diagnostic(said or "warning", message, span, hint, id))

    def wants(self, id: str) -> bool:
        """Do the options ask for it?"""
        options = self.options
        if id in options.silenced or id in options.wanted:
            return id in options.wanted
        return (
            id in ALWAYS
            or (id in WALL and options.warnings)
            or (id in WEXTRA and options.extra_warnings)
        )

    def heed(self, standing: StandingPragmas) -> None:
        """The text has been read: its pragmas hold for what was found so far, too."""
        self.standing = standing
        for message, span in standing.complaints:
            self.add("pragmas", message, span)
        self.found[:] = [
            one
            for one in self.found
            if one.id is None
            or one.span is None
            or standing.severity_at(names_of(one.id), one.span) != "ignored"
        ]
