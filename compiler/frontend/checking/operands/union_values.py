"""Values that become unions: by a cast (GNU C, "Cast to Union"), or as arguments for a parameter
that is a transparent union (GNU C, `transparent_union`), such as `connect` has of <sys/socket.h>.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.operands.check_conversions import (
    assign_conversion,
    decay,
    is_null_constant,
)
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, IntType, Member, PointerType, RecordType
from polyopt.frontend.language.conversions import are_compatible
from polyopt.frontend.tree.typed_tree import CompoundLiteral, Expr, Initial, InitialItem, Symbol
from polyopt.support.diagnostics import Span


def make_transparent(checker: Checker, type: CType, at: Span) -> None:
    """Arguments of any member's type are taken from now on, where all are passed alike."""
    if isinstance(type, RecordType) and type.record.kind == "union":
        members = type.record.members or ()
        sizes = {_register_size(member) for member in members}
        if len(sizes) == 1 and None not in sizes:
            type.record.is_transparent = True
            return
    checker.warn("attributes", "attribute 'transparent_union' is ignored", at)


def _register_size(member: Member) -> int | None:
    """The bytes of a member that goes as it is in a register for integers; None for any other."""
    if member.bits is not None or not isinstance(member.type, IntType | PointerType):
        return None
    size = ct.size_of(member.type)
    return size if size in (4, 8) else None


def argument_value(checker: Checker, value: Expr, to: CType, at: Span, what: str) -> Expr:
    """The argument as if by assignment to the parameter, or to a member of a transparent union."""
    source = value.type
    if not (isinstance(to, RecordType) and to.record.is_transparent) or (
        isinstance(source, RecordType) and source.record is to.record
    ):
        return assign_conversion(checker, value, to, at, what)
    fitting = [one for one in to.record.members or () if _fits(value, one.type)]
    if not fitting:
        return assign_conversion(checker, value, to, at, what)  # which says what is wrong
    member = min(fitting, key=lambda one: _lost(source, one.type))
    held = assign_conversion(checker, value, member.type, at, what)
    return union_of(ct.unqualified(to), member, held, at)


def _fits(value: Expr, to: CType) -> bool:
    source, to = ct.unqualified(value.type), ct.unqualified(to)
    if isinstance(to, PointerType) and isinstance(source, PointerType):
        targets = (ct.unqualified(to.target), ct.unqualified(source.target))
        return are_compatible(*targets) or any(isinstance(one, ct.VoidType) for one in targets)
    return are_compatible(to, source) or (isinstance(to, PointerType) and is_null_constant(value))


def _lost(source: CType, to: CType) -> int:
    """How many qualifiers the member takes from what the argument points to."""
    if not (isinstance(source, PointerType) and isinstance(to, PointerType)):
        return 0
    return sum(_qualifiers(source.target)) - sum(
        a and b for a, b in zip(_qualifiers(source.target), _qualifiers(to.target), strict=True)
    )


def _qualifiers(type: CType) -> Iterator[bool]:
    yield from (type.const, type.volatile)


def union_of(to: CType, member: Member, value: Expr, span: Span) -> Expr:
    """A union of this type that holds the value, which is of the member's."""
    symbol = Symbol("", to, span, "local", is_defined=True, is_modified=True)
    initial = Initial([InitialItem(member.offset, ct.unqualified(value.type), value)], span)
    return decay(CompoundLiteral(to, span, symbol, initial))
