"""Expressions: from syntax to the typed tree (C 6.5).

`operand` gives an expression as it is, maybe an lvalue; `value` its value, with arrays and
functions turned to addresses. Every implicit conversion becomes a node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pycparser import c_ast

from polyopt.frontend.checking.calls.check_calls import check_call
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.doubts.doubtful_conversions import doubt_choice
from polyopt.frontend.checking.doubts.doubtful_values import doubt_address, doubt_cast
from polyopt.frontend.checking.expressions.check_generic import read_generic
from polyopt.frontend.checking.expressions.check_operators import OperatorChecker
from polyopt.frontend.checking.expressions.check_sizes import (
    cast_value,
    chosen_value,
    read_alignof,
    read_sizeof,
)
from polyopt.frontend.checking.expressions.check_updates import read_assignment, read_increment
from polyopt.frontend.checking.operands.check_conversions import (
    convert,
    decay,
    mark_modified,
    part_of_complex,
)
from polyopt.frontend.checking.operands.check_names import read_constant, read_name
from polyopt.frontend.checking.operands.check_places import (
    dereference,
    is_place,
    read_address,
    read_member,
    read_subscript,
)
from polyopt.frontend.checking.operands.union_values import union_of
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    FunctionType,
    IntType,
    Member,
    PointerType,
    RecordType,
    VoidType,
)
from polyopt.frontend.language.conversions import are_compatible, promote
from polyopt.frontend.parsing.gnu_nodes import BlockExpression, LabelAddress
from polyopt.frontend.parsing.gnu_syntax import InBrackets
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Assign,
    Call,
    Comma,
    ComplexConst,
    CompoundLiteral,
    Conditional,
    Convert,
    Expr,
    FloatConst,
    Held,
    IntConst,
    Let,
    Logical,
    Lvalue,
    Subscript,
    Symbol,
    Unary,
    Variable,
    variable_of,
)


class ExpressionChecker:
    def __init__(self, checker: Checker):
        self.checker = checker
        self.operators = OperatorChecker(checker)
        self.readers: dict[type[c_ast.Node], Callable[..., Expr]] = {
            c_ast.Constant: partial(read_constant, checker),
            c_ast.ID: partial(read_name, checker),
            c_ast.BinaryOp: self._binary,
            c_ast.UnaryOp: self._unary,
            c_ast.Assignment: partial(read_assignment, checker),
            c_ast.ArrayRef: partial(read_subscript, checker),
            c_ast.StructRef: partial(read_member, checker),
            c_ast.FuncCall: partial(check_call, checker),
            c_ast.Cast: self._cast,
            c_ast.TernaryOp: self._conditional,
            c_ast.ExprList: self._comma,
            c_ast.CompoundLiteral: self._compound_literal,
            c_ast.GenericSelection: partial(read_generic, checker),
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
        with self.checker.constants_only():
            value = fold_integer(self.value(node))
        if value is None:
            self.checker.error("expression is not an integer constant", node)
        return value

    # Primary expressions

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

    # Unary expressions

    def _unary(self, node: c_ast.UnaryOp) -> Expr:
        match node.op:
            case "sizeof":
                return read_sizeof(self.checker, node)
            case "_Alignof":
                return read_alignof(self.checker, node)
            case "&":
                return read_address(self.checker, node)
            case "*":
                return dereference(self.checker, self.value(node.expr), span_of(node))
            case "++" | "--" | "p++" | "p--":
                return read_increment(self.checker, node)
            case "!":
                operand = self.scalar(node.expr, "operand of '!'")
                return Unary(ct.INT, span_of(node), "!", operand)
            case "__real__" | "__imag__":
                return self._part(node)
            case _:
                return self._sign(node)

    def _part(self, node: c_ast.UnaryOp) -> Expr:
        """`__real__` and `__imag__`: of an lvalue that is complex, an lvalue."""
        operand, span = self.operand(node.expr), span_of(node)
        is_imaginary = node.op == "__imag__"
        type = operand.type
        if isinstance(operand, Lvalue) and is_place(operand):
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

    def _cast(self, node: c_ast.Cast) -> Expr:
        to = self.checker.types.read(node.to_type)
        value = self.value(node.expr)
        source = value.type
        if isinstance(to, VoidType):
            return Convert(ct.VOID, span_of(node), value)
        if isinstance(to, RecordType):
            if isinstance(source, RecordType) and to.record is source.record:
                return value
            if to.record.kind == "union":
                return self._cast_to_union(node, to, to.record.members or (), value)
        if not ct.is_scalar(to):
            self.checker.error(f"cast to type '{to}', no scalar", node)
        if not ct.is_scalar(source):
            self.checker.error(f"cast of a value of type '{source}', no scalar", node)
        kinds = {type(to), type(source)}
        if PointerType in kinds and kinds & {ct.FloatType, ComplexType}:
            self.checker.error(f"cast of '{source}' to '{to}'", node)
        doubt_cast(self.checker, source, to, span_of(node))
        return cast_value(convert(value, to), span_of(node))

    def _cast_to_union(
        self, node: c_ast.Cast, to: CType, members: Sequence[Member], value: Expr
    ) -> Expr:
        """GNU C: the union whose first member of the value's type holds it."""
        source, span = ct.unqualified(value.type), span_of(node)
        fits = (are_compatible(ct.unqualified(one.type), source) for one in members)
        member = next((one for one, has in zip(members, fits, strict=True) if has), None)
        if member is None or member.bits is not None:
            self.checker.error(f"cast to '{to}', which has no member of type '{source}'", node)
        return union_of(to, member, value, span)

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
            with self.checker.only_where(left, holds=node.op == "&&"):
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
        with self.checker.only_where(condition, holds=True):
            left = chosen_value(self.value(node.iftrue))
        with self.checker.only_where(condition, holds=False):
            right = chosen_value(self.value(node.iffalse))
        if _never_returns(left) or _never_returns(right):
            # An assertion says that it is not null.
            del self.checker.compared_with_null[tested:behind]
        type = self.operators.conditional_type(left, right, span_of(node))
        if self.checker.warnings.may_tell(("sign-compare",)):
            doubt_choice(self.checker, left, right)
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


def _never_returns(expr: Expr) -> bool:
    callee = expr.callee if isinstance(expr, Call) else None
    return isinstance(callee, Variable) and callee.symbol.is_noreturn
