"""Warnings: each has an id, which `-Wno-<id>` silences, and belongs to those that are always told,
to those of `-Wall` or `-Wextra`, or to those that are told only where they are asked for by name.

A pragma (`#pragma GCC diagnostic`) has the last word for the text behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field, replace

from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.tokens.library_headers import is_library_header
from polyopt.support.diagnostics import Diagnostic, SourceMap, Span, by_place
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
    "pass-failed": "a pragma of polyopt's own that asks of a loop what is not done",
    "polyopt-pragmas": "a pragma of polyopt's own that says nothing it knows, or stands nowhere",
    "pragmas": "a pragma of GNU C that says nothing that is known",
    "predefined-identifier-outside-function": "__func__ where no function is",
    "unused-result": "a result that its function says must be looked at",
    "return-local-addr": "the address of a local variable, returned",
    "return-type": "a function that may end without its value, or returns one and has none",
    "shift-count": "a shift by a constant that is negative or too large",
    "unknown-escape-sequence": "an escape sequence that C gives no meaning",
}
WALL = {
    "address": "an address used as a truth value: it is never null",
    "char-subscripts": "a subscript of type char, which may be negative",
    "format": "an argument of printf or scanf that is not what the format says",
    "format-contains-nul": "a format with a '\\0' in it",
    "format-extra-args": "an argument that the format does not ask for",
    "format-zero-length": "an empty format",
    "logical-not-parentheses": "'!' on the left side of a comparison",
    "main": "a 'main' that does not return int",
    "maybe-uninitialized": "a variable that is read where only some paths have stored to it",
    "memset-transposed-args": "memset of no bytes",
    "missing-braces": "an inner array or struct initialised without braces of its own",
    "misleading-indentation": "a statement that stands as if the 'if' above guarded it",
    "multistatement-macros": "a macro of several statements, the first of which is guarded",
    "nonnull": "a null pointer where the function wants none",
    "parentheses": "operators whose order is easily mistaken, an assignment used as a truth value",
    "pointer-sign": "a pointer used as one to an integer of another sign",
    "restrict": "one pointer given twice to a function that wants different ones",
    "sequence-point": "a variable changed and used in one expression, in no order",
    "switch": "a value of an enumeration that a switch on it has no case for",
    "tautological-compare": "a comparison of a variable with itself",
    "uninitialized": "a variable that is read before anything is stored to it",
    "unknown-pragmas": "a pragma that nobody obeys",
    "unused-but-set-variable": "a local variable that is set and not used",
    "unused-function": "a static function that nobody uses",
    "unused-label": "a label that no goto names",
    "unused-local-typedefs": "a type of a function's own that nobody uses",
    "unused-value": "a statement without effect",
    "unused-variable": "a local or static variable that nobody uses",
}
WEXTRA = {
    "empty-body": "an 'if' or 'else' with an empty statement",
    "ignored-qualifiers": "const or volatile on the result of a function",
    "implicit-fallthrough": "a case that goes on into the next one",
    "missing-field-initializers": "a struct initialised without its last members",
    "sign-compare": "a comparison of a signed with an unsigned integer",
    "type-limits": "a comparison that the type alone decides",
    "unused-but-set-parameter": "a parameter that is set and not used",
    "unused-parameter": "a parameter that nobody uses",
}
BY_NAME = {
    "cast-qual": "a cast that takes const or volatile away",
    "conversion": "an integer that becomes narrower, or inexact, without a cast",
    "declaration-after-statement": "a declaration behind a statement",
    "double-promotion": "a float that becomes a double without a cast",
    "float-conversion": "a floating-point number that becomes an integer or narrower",
    "float-equal": "'==' of floating-point numbers",
    "format-security": "a format that is no literal, without arguments",
    "missing-declarations": "a function that is defined and was not declared before",
    "missing-prototypes": "the same, where a prototype is wanted",
    "missing-variable-declarations": "a global variable defined and not declared before",
    "nested-externs": "an extern declaration in a function",
    "old-style-definition": "a definition as K&R wrote it",
    "pointer-arith": "arithmetic on a pointer to void or to a function",
    "redundant-decls": "a second declaration that says nothing more",
    "shadow": "a local name that hides another",
    "sign-conversion": "an integer that changes between signed and unsigned without a cast",
    "strict-prototypes": "a function declared without its parameters",
    "switch-enum": "the same, though the switch has a default",
    "switch-default": "a switch without a default",
    "undef": "a name in #if that is no macro",
    "unused-const-variable": "a static constant that nobody uses",
    "vla": "an array of variable length",
    "write-strings": "the address of a string literal as that of chars that may be stored to",
}
GROUPS: dict[str, tuple[str, ...]] = {
    "unused": tuple(id for id in (*WALL, *WEXTRA) if id.startswith("unused-")),
    "conversion": ("conversion", "sign-conversion", "float-conversion"),
    "implicit-int-conversion": ("conversion",),
    "shorten-64-to-32": ("conversion",),
    "implicit-float-conversion": ("float-conversion",),
    "shadow-all": ("shadow",),
    "shadow-local": ("shadow",),
    "fallthrough": ("implicit-fallthrough",),
    "sometimes-uninitialized": ("maybe-uninitialized",),
    "conditional-uninitialized": ("maybe-uninitialized",),
    "dangling-else": ("parentheses",),
    "bitwise-op-parentheses": ("parentheses",),
    "logical-op-parentheses": ("parentheses",),
    "shift-op-parentheses": ("parentheses",),
    "unused-local-typedef": ("unused-local-typedefs",),
    "idiomatic-parentheses": ("parentheses",),
    "vla-extension": ("vla",),
    "unsequenced": ("sequence-point",),
    "return-stack-address": ("return-local-addr",),
    "implicit": ("implicit-function-declaration", "implicit-int"),
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


OF_WHOLE_FUNCTIONS = (
    "implicit-fallthrough",
    "maybe-uninitialized",
    "return-type",
    "switch",
    "switch-enum",
    "uninitialized",
)
"""What shows only where all of a function is understood, besides what is unused."""

_OF_RUNNING = frozenset({"shift-count", "div-by-zero"})
"""What only happens where a program comes by: `n < 32 ? x >> n : 0` is how it is kept from it."""


def names_of(id: str) -> tuple[str, ...]:
    """All the names that a warning goes by: its own and its groups'."""
    groups = [group for group, ids in GROUPS.items() if id in ids]
    return (id, *groups)


@entity
class Warnings:
    """Collects the warnings that the user wants to see. `standing`: what pragmas say of places;
    `sources`: the text, where it is at hand."""

    options: CFrontendOptions
    found: list[Diagnostic] = field(default_factory=list[Diagnostic])
    standing: StandingPragmas = field(default_factory=StandingPragmas)
    sources: SourceMap | None = None

    def add(self, id: str, message: str, span: Span, hint: str | None = None) -> None:
        if is_library_header(span.file):
            return
        said = self.standing.severity_at(names_of(id), span)
        if said == "ignored" or (said is None and not self.wants(id)):
            return
        self.found.append(Diagnostic(said or "warning", message, span, hint, id))

    def forget_running(self, start: int) -> None:
        """What was found from there on stands where no program comes by."""
        self.found[start:] = [one for one in self.found[start:] if one.id not in _OF_RUNNING]

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

    def may_tell(self, ids: Iterable[str]) -> bool:
        """Is it worth looking for one of these?"""
        return self.standing.asks or any(self.wants(id) for id in ids)

    def indentation(self, span: Span) -> str | None:
        """The blanks that a line begins with; None where it is not known."""
        line = None if self.sources is None else self.sources.line(span)
        return None if line is None else line[: len(line) - len(line.lstrip())]

    def says_between(self, first: Span, last: Span, words: re.Pattern[str]) -> bool:
        """Do the words stand in the lines from one place to the other?"""
        if self.sources is None or first.file != last.file:
            return False
        for number in range(first.line, last.line + 1):
            line = self.sources.line(replace(first, line=number))
            if line is not None and words.search(line):
                return True
        return False

    def sort(self, start: int) -> None:
        """Those from there on, once each, by their places."""
        self.found[start:] = dict.fromkeys(by_place(self.found[start:]))

    def beside_errors(self, start: int) -> tuple[Diagnostic, ...]:
        """Those from there on that are true of a program parts of which were not understood: not
        what is missing there, a use, a value or a case."""
        missing = {*GROUPS["unused"], *OF_WHOLE_FUNCTIONS} - {"unused-value"}
        return tuple(dict.fromkeys(one for one in self.found[start:] if one.id not in missing))

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
