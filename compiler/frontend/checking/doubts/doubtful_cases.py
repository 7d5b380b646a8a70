"""A switch on an enumeration, against the values that this has."""

from __future__ import annotations

from typing import Protocol

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language.c_types import CType
from polyopt.frontend.tree.typed_statements import Label

IDS = ("switch", "switch-enum")


class Cases(Protocol):
    """The cases of a switch: of single values, and of ranges."""

    cases: dict[int, Label]
    ranges: list[tuple[int, int, Label]]
    default: Label | None


def doubt_cases(checker: Checker, node: c_ast.Switch, type: CType, found: Cases) -> None:
    """The values that have no case, of each once, and the cases of no value."""
    if not checker.warnings.may_tell(IDS):
        return
    symbols = checker.types.enumerators_of(type)
    if symbols is None:
        return
    known = {symbol.value for symbol in symbols}
    covered = found.cases.keys() | {
        value for low, high, _ in found.ranges for value in known if low <= value <= high
    }
    missing = {symbol.value: symbol.name for symbol in reversed(symbols)}
    for value, name in reversed(missing.items()):
        if value not in covered:
            is_told = found.default is None and checker.warnings.wants("switch")
            id = "switch" if is_told else "switch-enum"
            checker.warn(id, f"'{name}' of '{type}' has no case", node)
    for value, label in found.cases.items():
        if value not in known:
            id = "switch" if checker.warnings.wants("switch") else "switch-enum"
            checker.warn(id, f"{value} is no value of '{type}'", label.span)
