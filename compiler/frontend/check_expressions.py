"""Expressions: from syntax to the typed tree (C 6.5).

`operand` gives an expression as it is, maybe an lvalue; `value` its value, with arrays and
functions turned to addresses. Every implicit conversion becomes a node.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from polyopt.frontend import c_types as ct
from polyopt.frontend.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FunctionType,
    IntType,
    PointerType,
    RecordType,
    VoidType,
    unqualified,
)
from polyopt.frontend.check_atomics import is_exact, update_atomic, update_in_turns
from polyopt.frontend.check_calls import check_call, unknown_name
from polyopt.frontend.check_conversions import (
    assign_conversion,
    convert,
    decay,
    mark_modified,
    part_of_complex,
    promoted_bits,
)
from polyopt.frontend.check_operators import OperatorChecker
from polyopt.frontend.checker import Checker, span_of
from polyopt.frontend.constants import fold_integer
from polyopt.frontend.conversions import are_compatible, promote
from polyopt.frontend.doubtful_conversions import doubt_conversion
from polyopt.frontend.doubtful_values import doubt_address, doubt_cast, doubt_subscript
from polyopt.frontend.gnu_nodes import BlockExpression, LabelAddress
from polyopt.frontend.gnu_syntax import InBrackets
from polyopt.frontend.known_names import did_you_mean
from polyopt.frontend.literals import (
    BadLiteral,
    is_imaginary,
    parse_any_string,
    parse_character,
    parse_float,
    parse_integer,
    unknown_escapes,
)
from polyopt.frontend.openmp_regions import note_reference
from polyopt.frontend.typed_atomics import atomic_store
from polyopt.frontend.typed_tree import (
    AddressOf,
    Assign,
    Call,
    Comma,
    ComplexConst,
    CompoundLiteral,
    Conditional,
    Convert,
    Dereference,
    Expr,
    FloatConst,
    Held,
    IntConst,
    Let,
    Logical,
    Lvalue,
    MemberOf,
    SizeOf,
    StringConst,
    Subscript,
    Symbol,
    Unary,
    Update,
    Variable,
    variable_of,
)
from polyopt.support.diagnostics import Span


class ExpressionChecker:
    def __init__(self, checker: Checker):
        self.checker = checker
        self.operators = OperatorChecker(checker)
        self.readers: dict[type[c_ast.Node], Callable[..., Expr]] = {
            c_ast.Constant: self._constant,
            c_ast.ID: self._name,
            c_ast.BinaryOp: self._binary,
            c_ast.UnaryOp: self._unary,
            c_ast.Assignment: self._assignment,
            c_ast.ArrayRef: self._subscript,
            c_ast.StructRef: self._member,
            c_ast.FuncCall: self._call,
            c_ast.Cast: self._cast,
            c_ast.TernaryOp: self._conditional,
            c_ast.ExprList: self._comma,
            c_ast.CompoundLiteral: self._compound_literal,
            c_ast.GenericSelection: self._generic,
            BlockExpression: self._block,
            LabelAddress: self._label_address,
        }

    def operand(self, node: c_ast.Node) -> Expr:
        """The expression, maybe an lvalue."""
        reader = self.readers.get(type(node))
        if reader is not None:
            return reader(node)
        self.checker.error("unsupported expression", node)

    def reads(self, node: c_ast.Node) -> bool:
        """Is this an expression?"""
        return type(node) in self.readers

    def value(self, node: c_ast.Node) -> Expr:
        """The value of the expression."""
        return self._value_of(node, self.operand(node))

    def _value_of(self, node: c_ast.Node, expr: Expr) -> Expr:
        expr = decay(expr)
        if isinstance(expr.type, RecordType) and not ct.is_complete(expr.type):
            self.checker.error(f"'{expr.type}' is incomplete", node)
        return expr

    def scalar(self, node: c_ast.Node, what: str) -> Expr:
        """A value that can be compared with zero."""
        return self._scalar_of(node, self.operand(node), what)

    def _scalar_of(self, node: c_ast.Node, expr: Expr, what: str) -> Expr:
        expr = self._value_of(node, expr)
        if not ct.is_scalar(expr.type):
            self.checker.error(f"{what} has type '{expr.type}' where a scalar is needed", node)
        self.checker.note_null_test(expr)
        if isinstance(node, c_ast.Assignment) and node.op == "=":
            if not isinstance(node.coord, InBrackets):
                hint = "'==' compares; a second pair of brackets says that it is meant"
                self.checker.warn("parentheses", "assignment used as a truth value", node, hint)
        elif isinstance(expr, AddressOf):
            doubt_address(self.checker, expr)
        return expr

    def effect(self, node: c_ast.Node) -> Expr:
        """An expression whose value is not used."""
        expr = self.operand(node)
        for part in expr.operands if isinstance(expr, Comma) else (expr,):
            if isinstance(part, Assign) and (stored := variable_of(part.place)) is not None:
                stored.stores += 1
        if isinstance(expr, Lvalue) and isinstance(expr.type, ArrayType | FunctionType):
            return expr
        return decay(expr)

    def constant(self, node: c_ast.Node) -> int:
        """The value of an integer constant expression."""
        value = fold_integer(self.value(node))
        if value is None:
            self.checker.error("expression is not an integer constant", node)
        return value

    # Primary expressions

    def _constant(self, node: c_ast.Constant) -> Expr:
        span = span_of(node)
        text: str = node.value
        if "\\" in text:
            for escape in unknown_escapes(text):
                message = f"unknown escape sequence '{escape}'"
                self.checker.warn("unknown-escape-sequence", message, node)
        try:
            if node.type == "string":
                data, unit = parse_any_string(text)
                return StringConst(ArrayType(unit, len(data) // unit.size), span, data)
            if node.type == "char":
                code, type = parse_character(text)
                return IntConst(type, span, code)
            if node.type == "bool":
                return IntConst(ct.BOOL, span, int(text == "true"))
            if node.type == "nullptr_t":
                return IntConst(PointerType(ct.VOID), span, 0)
            if "int" in node.type and text[0] != "'":
                value, type = parse_integer(text)
                return IntConst(type, span, value)
            if text[0] == "'":
                code, type = parse_character(text)
                return IntConst(type, span, code)
            number, float_type = parse_float(text)
            if is_imaginary(text):
                return ComplexConst(ct.COMPLEX_OF[float_type], span, 0.0, number)
            return FloatConst(float_type, span, number)
        except BadLiteral as error:
            self.checker.error(str(error), node)

    def _name(self, node: c_ast.ID) -> Expr:
        symbol = self.checker.scopes.find(node.name)
        if symbol is None:
            self.checker.check_lost(node.name)
        if symbol is None:
            if node.name in ("__func__", "__FUNCTION__") and self.checker.function:
                data = self.checker.function.name.encode() + b"\0"
                array = ArrayType(ct.qualified(ct.CHAR, const=True), len(data))
                return StringConst(array, span_of(node), data)
            unknown_name(self.checker, node, node.name, is_call=False)
        return self.reference(symbol, span_of(node))

    def reference(self, symbol: Symbol, span: Span) -> Expr:
        symbol.is_used = symbol.is_used or symbol is not self.checker.function
        symbol.uses += 1
        note_reference(self.checker.regions, self.checker.scopes, symbol, span)
        if symbol.kind == "enumerator":
            return IntConst(symbol.type, span, symbol.value)
        if symbol.kind == "typedef":
            self.checker.error(f"'{symbol.name}' is a type, not a value", span)
        if symbol.kind in ("global", "function"):
            self.checker.externals.setdefault(symbol.ir_name, symbol)
        return Variable(symbol.type, span, symbol)

    def _block(self, node: BlockExpression) -> Expr:
        statements = self.checker.statements
        if statements is None:
            self.checker.error("a statement expression outside of functions", node)
        return statements.expression(node)

    def _label_address(self, node: LabelAddress) -> Expr:
        statements = self.checker.statements
        if statements is None:
            self.checker.error("the address of a label outside of functions", node)
        return statements.label_address(node)

    def _comma(self, node: c_ast.ExprList) -> Expr:
        operands = [self.value(item) for item in node.exprs]
        return Comma(operands[-1].type, span_of(node), operands)

    def _compound_literal(self, node: c_ast.CompoundLiteral) -> Expr:
        type = self.checker.types.read(node.type)
        span = span_of(node)
        if ct.is_variable_length(type):
            self.checker.error("a compound literal cannot have variable length", node)
        type, initial = self.checker.initialisers.read(node.init, type, span)
        if self.checker.function is None:
            symbol = self.checker.new_static(".compound", type, span)
            self.checker.initialisers.check_static(initial)
            symbol.initial = initial
        else:
            symbol = Symbol("", type, span, "local", is_defined=True, is_modified=True)
        return CompoundLiteral(type, span, symbol, initial)

    def _generic(self, node: c_ast.GenericSelection) -> Expr:
        controlling = self.value(node.expr).type
        chosen = None
        for association in node.associations:
            if association.type is None:
                chosen = chosen or association.expr
            elif are_compatible(self.checker.types.read(association.type), controlling):
                return self.operand(association.expr)
        if chosen is None:
            self.checker.error(f"no association for type '{controlling}' in _Generic", node)
        return self.operand(chosen)

    # Postfix expressions

    def _subscript(self, node: c_ast.ArrayRef) -> Expr:
        base, index = self.operand(node.name), self.operand(node.subscript)
        if ct.is_integer(base.type) and isinstance(index.type, ArrayType | PointerType):
            base, index = index, base
        return self.subscript(base, decay(index), span_of(node))

    def subscript(self, base: Expr, index: Expr, span: Span) -> Expr:
        """`base[index]`; an array lvalue stays one, so that its dimensions are kept."""
        if not (isinstance(base, Lvalue) and isinstance(base.type, ArrayType)):
            base = decay(base)
        match base.type:
            case ArrayType(element=element) | PointerType(target=element):
                pass
            case _:
                self.checker.error(f"subscripted value of type '{base.type}' is no array", span)
        if not ct.is_integer(index.type):
            self.checker.error(f"array subscript has non-integer type '{index.type}'", span)
        if isinstance(element, VoidType | FunctionType) or not ct.is_complete(element):
            self.checker.error(f"subscript of pointer to incomplete type '{element}'", span)
        self._check_bounds(base, index, span)
        doubt_subscript(self.checker, index, span)
        return Subscript(element, span, base, index)

    def _check_bounds(self, base: Expr, index: Expr, span: Span) -> None:
        known = fold_integer(index)
        if known is None or not isinstance(base.type, ArrayType):
            return
        length = base.type.length
        if isinstance(length, int) and length > 1 and not 0 <= known <= length:
            self.checker.warn(
                "array-bounds", f"subscript {known} is outside an array of {length}", span
            )

    def _member(self, node: c_ast.StructRef) -> Expr:
        base = self.operand(node.name)
        if node.type == "->":
            base = decay(base)
            if not isinstance(base.type, PointerType):
                self.checker.error(f"'->' on a value of type '{base.type}', no pointer", node)
            base = Dereference(base.type.target, span_of(node), base)
        if not isinstance(base.type, RecordType):
            hint = None
            if isinstance(base.type, PointerType) and isinstance(base.type.target, RecordType):
                hint = "use '->' on a pointer"
            self.checker.error(
                f"member '{node.field.name}' of '{base.type}', no struct or union", node, hint
            )
        record = base.type.record
        if record.members is None:
            self.checker.error(f"'{base.type}' is incomplete", node)
        member = record.find(node.field.name)
        if member is None:
            names = [m.name for m in record.members if m.name]
            self.checker.error(
                f"'{unqualified(base.type)}' has no member '{node.field.name}'",
                node.field,
                did_you_mean(node.field.name, names),
            )
        type = ct.qualified(member.type, const=base.type.const, volatile=base.type.volatile)
        return MemberOf(type, span_of(node), base, member)

    def _call(self, node: c_ast.FuncCall) -> Expr:
        return check_call(self.checker, node)

    # Unary expressions

    def _unary(self, node: c_ast.UnaryOp) -> Expr:
        match node.op:
            case "sizeof":
                return self._sizeof(node)
            case "_Alignof":
                return self._alignof(node)
            case "&":
                return self._address(node)
            case "*":
                return self.dereference(self.value(node.expr), span_of(node))
            case "++" | "--" | "p++" | "p--":
                return self._increment(node)
            case "!":
                operand = self.scalar(node.expr, "operand of '!'")
                return Unary(ct.INT, span_of(node), "!", operand)
            case "__real__" | "__imag__":
                return self._part(node)
            case _:
                return self._sign(node)

    def _alignof(self, node: c_ast.UnaryOp) -> Expr:
        """Of a type, or in GNU C of an expression: what is known of where it lies."""
        if isinstance(node.expr, c_ast.Typename):
            type = self.checker.types.read(node.expr)
        else:
            operand = self.operand(node.expr)
            type = operand.type
            if isinstance(operand, Variable) and operand.symbol.alignment:
                return IntConst(ct.ULONG, span_of(node), operand.symbol.alignment)
        if not isinstance(type, VoidType | FunctionType) and not ct.is_complete(type):
            incomplete = not isinstance(type, ArrayType)
            if incomplete:
                self.checker.error(f"alignment of '{type}', which is incomplete", node)
        return IntConst(ct.ULONG, span_of(node), ct.align_of(type))

    def _part(self, node: c_ast.UnaryOp) -> Expr:
        """`__real__` and `__imag__`: of an lvalue that is complex, an lvalue."""
        operand, span = self.operand(node.expr), span_of(node)
        is_imaginary = node.op == "__imag__"
        type = operand.type
        if isinstance(operand, Lvalue) and _is_place(operand):
            if isinstance(type, ComplexType):
                mark_modified(operand)
                position = IntConst(ct.INT, span, int(is_imaginary))
                return Subscript(ct.part_of(type), span, operand, position)
            if ct.is_real(type) and not is_imaginary:
                return operand
        return part_of_complex(self.checker, decay(operand), span, is_imaginary=is_imaginary)

    def _sign(self, node: c_ast.UnaryOp) -> Expr:
        operand = self.value(node.expr)
        integral = node.op == "~"
        allowed = ct.is_integer(operand.type) if integral else ct.is_arithmetic(operand.type)
        allowed = allowed or isinstance(operand.type, ComplexType)
        if not allowed:
            self.checker.error(f"operand of unary '{node.op}' has type '{operand.type}'", node)
        operand = convert(operand, promote(operand.type))
        if node.op == "+":
            return operand
        match operand:
            case FloatConst(value=value) if node.op == "-":
                return FloatConst(operand.type, span_of(node), -value)
            case ComplexConst(real=real, imaginary=imaginary):
                real = -real if node.op == "-" else real
                return ComplexConst(operand.type, span_of(node), real, -imaginary)
            case IntConst(value=value, type=IntType() as type):
                folded = type.wrap(-value if node.op == "-" else ~value)
                return IntConst(type, span_of(node), folded)
            case _:
                return Unary(operand.type, span_of(node), node.op, operand)

    def dereference(self, pointer: Expr, span: Span) -> Expr:
        if not isinstance(pointer.type, PointerType):
            self.checker.error(f"'*' needs a pointer, not a value of type '{pointer.type}'", span)
        return Dereference(pointer.type.target, span, pointer)

    def _address(self, node: c_ast.UnaryOp) -> Expr:
        place = self.operand(node.expr)
        span = span_of(node)
        if isinstance(place, Dereference):
            return convert(place.pointer, PointerType(place.type))
        if not isinstance(place, Lvalue) or not _is_place(place):
            self.checker.error("'&' needs something that lies in memory", node)
        if isinstance(place, MemberOf) and place.member.bits is not None:
            self.checker.error(f"'&' of bit-field '{place.member.name}'", node)
        mark_modified(place)
        return AddressOf(PointerType(place.type), span, place)

    def _sizeof(self, node: c_ast.UnaryOp) -> Expr:
        span = span_of(node)
        operand = None
        if isinstance(node.expr, c_ast.Typename):
            measured = self.checker.types.read(node.expr)
        else:
            operand = self.operand(node.expr)
            measured = operand.type
            if isinstance(operand, MemberOf) and operand.member.bits is not None:
                self.checker.error(f"sizeof of bit-field '{operand.member.name}'", node)
        if isinstance(measured, VoidType | FunctionType):
            # GNU C counts them as bytes.
            return IntConst(ct.ULONG, span, 1)
        if not ct.is_complete(measured):
            self.checker.error(f"sizeof of '{measured}', which has no size", node)
        if ct.is_variable_length(measured):
            return SizeOf(ct.ULONG, span, measured, operand)
        return IntConst(ct.ULONG, span, ct.size_of(measured))

    def _increment(self, node: c_ast.UnaryOp) -> Expr:
        place = self.modifiable(node.expr)
        one = IntConst(ct.INT, span_of(node), 1)
        operator = node.op[-1]
        return self.update(place, operator, one, span_of(node), node.op.startswith("p"))

    def _cast(self, node: c_ast.Cast) -> Expr:
        to = self.checker.types.read(node.to_type)
        value = self.value(node.expr)
        source = value.type
        if isinstance(to, VoidType):
            return Convert(ct.VOID, span_of(node), value)
        if isinstance(to, RecordType) and isinstance(source, RecordType):
            if to.record is source.record:
                return value
        if not ct.is_scalar(to):
            self.checker.error(f"cast to type '{to}', no scalar", node)
        if not ct.is_scalar(source):
            self.checker.error(f"cast of a value of type '{source}', no scalar", node)
        floating = ct.FloatType | ComplexType
        floats = isinstance(to, floating) or isinstance(source, floating)
        if floats and (isinstance(to, PointerType) or isinstance(source, PointerType)):
            self.checker.error(f"cast of '{source}' to '{to}'", node)
        doubt_cast(self.checker, source, to, span_of(node))
        result = convert(value, to)
        result.span = span_of(node)
        return result

    # Binary expressions

    def _binary(self, node: c_ast.BinaryOp) -> Expr:
        """From the innermost left operand outwards: sums and chains of `&&` may be long."""
        chain = [node]
        while isinstance(chain[-1].left, c_ast.BinaryOp):
            chain.append(chain[-1].left)
        left = self.operand(chain[-1].left)
        for one in reversed(chain):
            left = self._binary_of(one, left)
        return left

    def _binary_of(self, node: c_ast.BinaryOp, left: Expr) -> Expr:
        span = span_of(node)
        if node.op in ("&&", "||"):
            left = self._scalar_of(node.left, left, f"operand of '{node.op}'")
            right = self.scalar(node.right, f"operand of '{node.op}'")
            return Logical(ct.INT, span, node.op, left, right)
        left, right = self._value_of(node.left, left), self.value(node.right)
        return self.operators.binary(node.op, left, right, span)

    # Conditional, assignment

    def _conditional(self, node: c_ast.TernaryOp) -> Expr:
        if node.iftrue is None:
            return self._first_or(node)
        tested = len(self.checker.compared_with_null)
        condition = self.scalar(node.cond, "condition of '?:'")
        behind = len(self.checker.compared_with_null)
        left, right = self.value(node.iftrue), self.value(node.iffalse)
        if _never_returns(left) or _never_returns(right):
            # An assertion says that it is not null.
            del self.checker.compared_with_null[tested:behind]
        type = self.operators.conditional_type(left, right, span_of(node))
        if ct.is_scalar(type):
            left, right = convert(left, type), convert(right, type)
        return Conditional(type, span_of(node), condition, left, right)

    def _first_or(self, node: c_ast.TernaryOp) -> Expr:
        """`a ?: b`: a where it is not zero, evaluated once."""
        span = span_of(node)
        value = self.scalar(node.cond, "condition of '?:'")
        held = Held(value.type, value.span)
        right = self.value(node.iffalse)
        type = self.operators.conditional_type(held, right, span)
        choice = Conditional(type, span, held, convert(held, type), convert(right, type))
        return Let(type, span, held, value, choice)

    def _assignment(self, node: c_ast.Assignment) -> Expr:
        place = self.modifiable(node.lvalue)
        span = span_of(node)
        value = self.value(node.rvalue)
        if node.op == "=":
            field = place.member if isinstance(place, MemberOf) else None
            value = assign_conversion(self.checker, value, place.type, span, "assignment", field)
            if place.type.atomic:
                return atomic_store(place, value, span)
            return Assign(unqualified(place.type), span, place, value)
        return self.update(place, node.op[:-1], value, span, is_postfix=False)

    def update(
        self,
        place: Expr,
        op: str,
        value: Expr,
        span: Span,
        is_postfix: bool,
        *,
        swapped: bool = False,
    ) -> Expr:
        """`place op= value`; where `swapped`, the new value is `value op place`."""
        type = unqualified(place.type)
        if place.type.atomic and not swapped and is_exact(op, type, value.type):
            return update_atomic(place, op, value, span, is_postfix=is_postfix)
        old = Held(promoted_bits(place), place.span)
        operand = right = None
        known = fold_integer(value)
        if known is not None:
            value = IntConst(value.type, value.span, known)
        if not isinstance(value, IntConst | FloatConst | ComplexConst):
            operand, right = value, Held(value.type, value.span)
        left, second = (right or value, old) if swapped else (old, right or value)
        result = self.operators.binary(op, left, second, span)
        if isinstance(type, PointerType) != isinstance(result.type, PointerType):
            self.operators.bad_operands(f"{op}=", place, value, span)
        if not ct.is_scalar(type):
            self.operators.bad_operands(f"{op}=", place, value, span)
        if ct.is_arithmetic(result.type) and ct.is_arithmetic(type):
            doubt_conversion(self.checker, result, type, span)
        result = convert(result, type)
        update = Update(type, span, place, old, operand, right, result, is_postfix)
        return update_in_turns(update) if place.type.atomic else update

    def modifiable(self, node: c_ast.Node) -> Expr:
        """An lvalue that may be stored to (C 6.3.2.1)."""
        place = self.operand(node)
        if not isinstance(place, Lvalue) or not _is_place(place):
            self.checker.error("expression is not assignable", node)
        match place.type:
            case ArrayType():
                self.checker.error(
                    "an array cannot be assigned", node, "assign to its elements, or use memcpy"
                )
            case FunctionType():
                self.checker.error("a function cannot be assigned", node)
            case type if type.const or _has_const_member(type):
                name = f" '{place.symbol.name}'" if isinstance(place, Variable) else ""
                self.checker.error(f"assignment to const object{name}", node)
            case type if not ct.is_complete(type):
                self.checker.error(f"assignment to incomplete type '{type}'", node)
            case _:
                pass
        mark_modified(place)
        return place


def _is_place(place: Expr) -> bool:
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


def _never_returns(expr: Expr) -> bool:
    callee = expr.callee if isinstance(expr, Call) else None
    return isinstance(callee, Variable) and callee.symbol.is_noreturn
