"""Records as lists of plain values and back: what is written down is data, no code."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

from polyopt.backend.called.layouts import Layout, Member
from polyopt.backend.called.signature import Parameter, Signature, Variable
from polyopt.frontend.preprocessing.header_search import Header
from polyopt.support.diagnostics import Correction, Diagnostic, Missing, Span
from polyopt.support.remarks import Remark

_CLASSES: dict[str, Any] = {
    each.__name__: each
    for each in (Span, Diagnostic, Remark, Header, Signature, Parameter, Variable, Layout, Member)
}


_HINTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "Correction": (Correction.of, ("said", "meant")),
    "Missing": (Missing.of, ("meant",)),
}
"""Texts that know more than their words: what makes one, of which of its parts."""


def plain(value: Any) -> Any:
    """A record is a list: the name of its class, and its fields. Tuples stay tuples."""
    name = type(value).__name__
    if name in _HINTS:
        return [name, *(getattr(value, part) for part in _HINTS[name][1])]
    if name in _CLASSES:
        return [name, *(plain(getattr(value, field.name)) for field in fields(value))]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in cast("tuple[Any, ...]", value))
    return value


def made_of(value: Any) -> Any:
    """What became `value`."""
    if isinstance(value, list):
        name, *parts = cast("list[Any]", value)
        if name in _HINTS:
            return _HINTS[name][0](*parts)
        return _CLASSES[name](*map(made_of, parts))
    if isinstance(value, tuple):
        return tuple(map(made_of, cast("tuple[Any, ...]", value)))
    return value
