"""Schedule trees as isl writes them, in YAML's block style, for people to read and edit.

domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)] }]"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

import islpy as isl

from polyopt.poly.isl.messages import explain
from polyopt.poly.isl.names import parameters_of
from polyopt.poly.isl.schedule_yaml import IslPart, MalformedTree, read_yaml
from polyopt.support.diagnostics import CompileError, Span


class _InSpace(Protocol):
    def get_space(self) -> isl.Space: ...


_READERS: dict[str, Callable[[str], _InSpace]] = {
    "domain": isl.UnionSet,
    "filter": isl.UnionSet,
    "context": isl.Set,
    "guard": isl.Set,
    "schedule": isl.MultiUnionPwAff,
    "extension": isl.UnionMap,
    "expansion": isl.UnionMap,
    "contraction": isl.UnionPwMultiAff,
    "options": isl.UnionSet,
}
"""What the text after each key is."""


def schedule_text(schedule: isl.Schedule) -> str:
    printer = isl.Printer.to_str(isl.DEFAULT_CONTEXT).set_yaml_style(isl.yaml_style.BLOCK)
    return printer.print_schedule(schedule).get_str()


def parse_schedule(text: str, file: str, parameters: Collection[str] | None = None) -> isl.Schedule:
    """Raises CompileError with the place in `file` of what is wrong: isl only says "syntax
    error" of the whole. No part may speak of another parameter than `parameters`."""
    parts = list[IslPart]()
    try:
        flow, parts = read_yaml(text)
        schedule = isl.Schedule(flow)
        if parameters is not None:
            _check_parameters(parts, parameters, text, file)
        return schedule
    except MalformedTree as error:
        raise CompileError(str(error), _span(text, error.position, file)) from None
    except isl.Error as error:
        reason = explain(error)
    for part in parts:
        complaint = _complaint(part)
        if complaint is not None:
            raise CompileError(complaint, _span(text, part.position, file))
    raise CompileError(f"no schedule tree: {reason}", Span(file, 1))


def _check_parameters(
    parts: Sequence[IslPart], parameters: Collection[str], text: str, file: str
) -> None:
    for part in parts:
        for name in _parameters_of(part):
            if name in parameters:
                continue
            found = re.compile(rf"\b{re.escape(name)}\b").search(text, part.position)
            raise CompileError(
                f"the {part.key} of a schedule speaks of '{name}', "
                "which is no parameter of the SCoP",
                _span(text, part.position if found is None else found.start(), file),
                f"its parameters: {', '.join(parameters) or 'none'}",
            )


def _parameters_of(part: IslPart) -> list[str]:
    reader = _READERS.get(part.key)
    if reader is None:
        return []
    return parameters_of(reader(part.text).get_space())


def _complaint(part: IslPart) -> str | None:
    try:
        if part.key in _READERS:
            _READERS[part.key](part.text)
    except isl.Error as error:
        return f"no {part.key} of a schedule: {explain(error)}"
    return None


def _span(text: str, position: int, file: str) -> Span:
    line = text.count("\n", 0, position)
    return Span(file, line + 1, position - text.rfind("\n", 0, position))
