"""Lvalues: elements, members, what pointers point to; their addresses, and which of them may be
stored to (C 6.3.2.1, 6.5.2, 6.5.3.2)."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.doubts.doubtful_values import doubt_subscript
from polyopt.frontend.checking.operands.check_conversions import convert, decay, mark_modified
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    CType,
    FunctionType,
    PointerType,
    RecordType,
    VoidType,
    unqualified,
)
from polyopt.frontend.messages.known_names import did_you_mean
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Dereference,
    Expr,
    Lvalue,
    MemberOf,
    Subscript,
    Variable,
)
from polyopt.support.diagnostics import Span


def read_subscript(checker: Checker, node: c_ast.ArrayRef, *, may_be_end: bool = False) -> Expr:
    """`may_be_end`: only its address is taken, which the end of an array has, too."""
    base = checker.expressions.operand(node.name)
    index = checker.expressions.operand(node.subscript)
    if ct.is_integer(base.type) and isinstance(index.type, ArrayType | PointerType):
        base, index = index, base
    return subscript(checker, base, decay(index), span_of(node), may_be_end=may_be_end)


def subscript(
    checker: Checker, base: Expr, index: Expr, span: Span, *, may_be_end: bool = False
) -> Expr:
    """`base[index]`; an array lvalue stays one, so that its dimensions are kept."""
    if not (isinstance(base, Lvalue) and isinstance(base.type, ArrayType)):
        base = decay(base)
    match base.type:
        case ArrayType(element=element) | PointerType(target=element):
            pass
        case _:
            checker.error(f"subscripted value of type '{base.type}' is no array", span)
    if not ct.is_integer(index.type):
        checker.error(f"array subscript has non-integer type '{index.type}'", span)
    if isinstance(element, VoidType | FunctionType) or not ct.is_complete(element):
        checker.error(f"subscript of pointer to incomplete type '{element}'", span)
    _check_bounds(checker, base, index, span, may_be_end=may_be_end)
    doubt_subscript(checker, index, span)
    return Subscript(element, span, base, index)


def _check_bounds(
    checker: Checker, base: Expr, index: Expr, span: Span, *, may_be_end: bool
) -> None:
    known = fold_integer(index)
    if known is None or not isinstance(base.type, ArrayType):
        return
    length = base.type.length
    may_be_end = may_be_end or isinstance(base.type.element, ArrayType)  # a row is an address
    if isinstance(length, int) and length > 1 and not 0 <= known < length + may_be_end:
        checker.warn("array-bounds", f"subscript {known} is outside an array of {length}", span)


def read_member(checker: Checker, node: c_ast.StructRef) -> Expr:
    base = checker.expressions.operand(node.name)
    if node.type == "->":
        base = decay(base)
        if not isinstance(base.type, PointerType):
            checker.error(f"'->' on a value of type '{base.type}', no pointer", node)
        base = Dereference(base.type.target, span_of(node), base)
    if not isinstance(base.type, RecordType):
        hint = None
        if isinstance(base.type, PointerType) and isinstance(base.type.target, RecordType):
            hint = "use '->' on a pointer"
        checker.error(
            f"member '{node.field.name}' of '{base.type}', no struct or union", node, hint
        )
    record = base.type.record
    if record.members is None:
        checker.error(f"'{base.type}' is incomplete", node)
    member = record.find(node.field.name)
    if member is None:
        names = [m.name for m in record.members if m.name]
        checker.error(
            f"'{unqualified(base.type)}' has no member '{node.field.name}'",
            node.field,
            did_you_mean(node.field.name, names),
        )
    type = ct.qualified(member.type, const=base.type.const, volatile=base.type.volatile)
    return MemberOf(type, span_of(node), base, member)


def dereference(checker: Checker, pointer: Expr, span: Span) -> Expr:
    if not isinstance(pointer.type, PointerType):
        checker.error(f"'*' needs a pointer, not a value of type '{pointer.type}'", span)
    return Dereference(pointer.type.target, span, pointer)


def read_address(checker: Checker, node: c_ast.UnaryOp) -> Expr:
    if isinstance(node.expr, c_ast.ArrayRef):
        place = read_subscript(checker, node.expr, may_be_end=True)
    else:
        place = checker.expressions.operand(node.expr)
    span = span_of(node)
    if isinstance(place, Dereference):
        return convert(place.pointer, PointerType(place.type))
    if not isinstance(place, Lvalue) or not is_place(place):
        checker.error("'&' needs something that lies in memory", node)
    if isinstance(place, MemberOf) and place.member.bits is not None:
        checker.error(f"'&' of bit-field '{place.member.name}'", node)
    whole = mark_modified(place)
    if whole is not None and whole.is_register:
        checker.error(f"address of '{whole.name}', which is declared 'register'", node)
    return AddressOf(PointerType(place.type), span, place)


def modifiable(checker: Checker, node: c_ast.Node) -> Expr:
    """An lvalue that may be stored to (C 6.3.2.1)."""
    place = checker.expressions.operand(node)
    if not isinstance(place, Lvalue) or not is_place(place):
        checker.error("expression is not assignable", node)
    match place.type:
        case ArrayType():
            checker.error(
                "an array cannot be assigned", node, "assign to its elements, or use memcpy"
            )
        case FunctionType():
            checker.error("a function cannot be assigned", node)
        case type if type.const or _has_const_member(type):
            name = f" '{place.symbol.name}'" if isinstance(place, Variable) else ""
            checker.error(f"assignment to const object{name}", node)
        case type if not ct.is_complete(type):
            checker.error(f"assignment to incomplete type '{type}'", node)
        case _:
            pass
    mark_modified(place)
    return place


def is_place(place: Expr) -> bool:
    """A member of a value is not an object: `f().x`."""
    while isinstance(place, MemberOf):
        place = place.base
    return isinstance(place, Lvalue)


def _has_const_member(type: CType) -> bool:
    if isinstance(type, ArrayType):
        return type.element.const or _has_const_member(type.element)
    if not isinstance(type, RecordType):
        return False
    return any(m.type.const or _has_const_member(m.type) for m in type.record.members or ())
