"""Warnings: each has an id, which `-Wno-<id>` silences."""

from __future__ import annotations

from dataclasses import field

from polyopt.frontend.library_headers import is_library_header
from polyopt.frontend.options import CFrontendOptions
from polyopt.support.diagnostics import Diagnostic, Span
from polyopt.support.record import entity

# Those that are always on, and those that -Wall adds.
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


@entity
class Warnings:
    """Collects the warnings that the user wants to see."""

    options: CFrontendOptions
    found: list[Diagnostic] = field(default_factory=list[Diagnostic])

    def add(self, id: str, message: str, span: Span, hint: str | None = None) -> None:
        assert id in ALWAYS or id in WALL
        wanted = id in ALWAYS or self.options.warnings or id in self.options.wanted
        if wanted and id not in self.options.silenced and not is_library_header(span.file):
            self.found.append(Diagnostic("warning", message, span, hint, id))
