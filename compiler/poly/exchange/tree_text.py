"""Schedule trees as isl writes them, in YAML's block style, for people to read and edit.

domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)] }]"
"""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from polyopt.poly.isl_text import explain
from polyopt.poly.schedule_yaml import IslPart, MalformedTree, read_yaml
from polyopt.support.diagnostics import CompileError, Span

_READERS: dict[str, Callable[[str], object]] = {
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


def parse_schedule(text: str, file: str) -> isl.Schedule:
    """Raises CompileError with the place in `file` of what is wrong: isl only says "syntax
    error" of the whole."""
    parts = list[IslPart]()
    try:
        flow, parts = read_yaml(text)
        return isl.Schedule(flow)
    except MalformedTree as error:
        raise CompileError(str(error), _span(text, error.position, file)) from None
    except isl.Error as error:
        reason = explain(error)
    for part in parts:
        complaint = _complaint(part)
        if complaint is not None:
            raise CompileError(complaint, _span(text, part.position, file))
    raise CompileError(f"no schedule tree: {reason}", Span(file, 1))


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
