"""`#pragma polyopt tile(32, 32) parallel`: what is to be done with the loop behind it.

Clauses are done in their order, and checked for legality when the loops are known
(`passes/schedule/apply_pragmas.py`); here it is looked at how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycparser import c_ast

from polyopt.dialects.loop_pragmas import CLAUSES, OFF, LoopPragma, fits, shown
from polyopt.frontend.checking.statements.serial_places import counter_of, loop_behind, places_in
from polyopt.frontend.messages.known_names import did_you_mean
from polyopt.frontend.messages.warnings import Warnings
from polyopt.support.diagnostics import CompileError, Span, raise_all

_CLAUSE = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*,?\s*")

Written = tuple[Span, str]
"""A pragma's place, and what is behind `polyopt` in it."""


def loop_pragmas(
    tree: c_ast.FileAST, written: Sequence[Written], warnings: Warnings
) -> list[LoopPragma]:
    """What is asked of which loops. Raises CompileError for clauses that are written wrongly."""
    if not written:
        return []
    extents = list(places_in(tree))
    found: list[LoopPragma] = []
    wrong: list[CompileError] = []
    for at, text in written:
        try:
            clauses = tuple(_clauses(text, at))
        except CompileError as error:
            wrong.append(error)
            continue
        behind = loop_behind(extents, at)
        loop = None if behind is None else counter_of(behind[0])
        if behind is None or loop is None:
            words = " ".join(map(shown, clauses))
            message = f"'#pragma polyopt {words}' has no loop with a counter behind it"
            warnings.add("polyopt-pragmas", message, at)
            continue
        _, first, last = behind
        found.append(LoopPragma(first, last, at, loop, clauses))
    raise_all(wrong)
    return found


def _clauses(text: str, at: Span) -> list[str]:
    found: list[str] = []
    position = 0
    while position < len(text):
        match = _CLAUSE.match(text, position)
        if match is None:
            compact = re.sub(r"\s*([(),])\s*", r"\1", text)
            raise CompileError(f"'#pragma polyopt {compact}': expected a clause", at, _known())
        name, inside = match.groups()
        arguments = [one.strip() for one in inside.split(",")] if inside is not None else []
        clause = " ".join([name, *arguments])
        if name in CLAUSES and not fits(clause):
            said = f"{name}({', '.join(one.replace(' ', '') for one in arguments)})"
            said = said if inside is not None else name
            raise CompileError(f"'{said}' cannot be obeyed", at, f"it is {CLAUSES[name][1]}")
        if name not in CLAUSES:
            hint = did_you_mean(name, CLAUSES) or _known()
            raise CompileError(f"there is no clause '{name}'", at, hint)
        found.append(clause)
        position = match.end()
    if OFF in found and len(found) > 1:
        raise CompileError("'off' leaves the loop alone, and stands alone", at)
    return found


def _known() -> str:
    return f"there are {', '.join(CLAUSES)}, and serial"
