"""Atomic operations in the typed tree: calls of the functions that `emit/machine/atomic_bodies`
writes."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FunctionType, IntType, PointerType
from polyopt.frontend.language.element_names import element_name
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Call,
    Comma,
    Convert,
    Expr,
    Held,
    Let,
    Symbol,
    Variable,
)
from polyopt.support.diagnostics import Span

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
"""As `memory_order` counts them."""

_POINTER = PointerType(ct.VOID)


def atomic_call(
    word: str,
    order: str,
    address: Expr,
    operands: Sequence[Expr],
    type: CType,
    span: Span,
    result: CType | None = None,
) -> Expr:
    """The operation on an object of this type; a truth value is a byte that is 0 or 1."""
    byte = ct.UCHAR if isinstance(type, IntType) and type.is_bool else type
    given = type if result is None else result
    returned = byte if given == type else given
    name = f"{word}.{order}.{element_name(byte)}"
    values = [_as(one, byte) if one.type == type else one for one in operands]
    call = _call(name, [address, *values], returned, span)
    return call if given == returned else Convert(given, span, call)


def fence_call(word: str, order: str, span: Span) -> Expr:
    return _call(f"{word}.{order}", [], ct.VOID, span)


def atomic_load(place: Expr) -> Expr:
    type = ct.unqualified(place.type)
    return atomic_call("load", ORDERS[-1], address_of_place(place), [], type, place.span)


def atomic_store(place: Expr, value: Expr, span: Span) -> Expr:
    """`place = value`, whose value that is."""
    type = ct.unqualified(place.type)
    held = Held(type, span)
    address = address_of_place(place)
    stored = atomic_call("store", ORDERS[-1], address, [held], type, span, ct.VOID)
    return Let(type, span, held, value, Comma(type, span, [stored, held]))


def address_of_place(place: Expr) -> Expr:
    return Convert(_POINTER, place.span, AddressOf(PointerType(place.type), place.span, place))


def _as(value: Expr, type: CType) -> Expr:
    return value if value.type == type else Convert(type, value.span, value)


def _call(name: str, values: list[Expr], result: CType, span: Span) -> Expr:
    symbol = f"polyopt.atomic.{name}"
    type = FunctionType(result, tuple(value.type for value in values))
    function = Symbol(symbol, type, span, "function", "external", symbol)
    return Call(result, span, Variable(type, span, function), values, len(values))
