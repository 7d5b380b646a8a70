"""Loops that can be counted before they run (OpenMP 4.5, 2.6): `for (i = a; i < b; i += c)`, of
integers or pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.openmp.openmp_counters import keep
from polyopt.frontend.checking.operands.check_conversions import assign_conversion, convert
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import IntType, PointerType
from polyopt.frontend.language.conversions import are_compatible, common_type, promote
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.openmp_tree import CountedLoop
from polyopt.frontend.tree.typed_statements import Declare, Statement
from polyopt.frontend.tree.typed_tree import Compare, Conditional, Expr, IntConst, Symbol, Unary

if TYPE_CHECKING:
    from polyopt.frontend.checking.statements.check_statements import StatementChecker

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


def single_loop(node: c_ast.Node) -> c_ast.For | None:
    """The loop that a statement is, in brackets or not."""
    while isinstance(node, c_ast.Compound):
        items = node.block_items or []
        if len(items) != 1:
            return None
        node = items[0]
    return node if isinstance(node, c_ast.For) else None


class LoopReader:
    """Reads the heads of loops; their variables are declared in the current scope."""

    loop: c_ast.For

    def __init__(self, checker: Checker, statements: StatementChecker):
        self.checker = checker
        self.statements = statements

    def head(self, node: c_ast.For) -> CountedLoop:
        self.loop = node
        symbol, lower = self._start(node)
        is_pointer = isinstance(symbol.type, PointerType)
        is_integer = isinstance(symbol.type, IntType) and not symbol.type.is_bool
        if not is_integer and not is_pointer:
            what = f"'{symbol.name}' has type '{symbol.type}', and is to be an integer or a pointer"
            self._refuse(node, what)
        operator, bound = self._condition(node, symbol)
        step, down = self._step(node, symbol)
        if operator == "!=":
            if fold_integer(step) != 1:
                self._refuse(node.cond, "with '!=' the step has to be 1 or -1")
            operator = ">" if down else "<"
        if fold_integer(step) is None and down != operator.startswith(">"):
            step = convert(step, promote(step.type))
            step, down = Unary(step.type, step.span, "-", step), not down
        if down != operator.startswith(">") or fold_integer(step) == 0:
            self._refuse(node.next, "the step leads away from the end")
        symbol.is_modified = symbol.is_used = True
        is_closed = operator.endswith("=")
        if is_pointer:
            return self._walk(symbol, lower, bound, step, down, is_closed)
        type, upper = self._common(symbol, lower, bound, down)
        return CountedLoop(
            symbol,
            type,
            convert(lower, type),
            upper,
            convert(step, type),
            down,
            is_closed,
        )

    def _walk(
        self, symbol: Symbol, lower: Expr, bound: Expr, step: Expr, down: bool, is_closed: bool
    ) -> CountedLoop:
        """Along the elements from `lower` on, which are numbered."""
        front: list[Statement] = []
        origin = keep(front, symbol.name, lower)
        upper = self.checker.expressions.operators.binary("-", bound, origin, bound.span)
        zero = IntConst(ct.LONG, lower.span, 0)
        step = convert(step, ct.LONG)
        return CountedLoop(
            symbol, ct.LONG, zero, upper, step, down, is_closed, origin=origin, front=front
        )

    def counter_outside(self, node: c_ast.For) -> list[Symbol]:
        """What the loop counts with, where that is declared in front of it."""
        init = node.init
        if isinstance(init, c_ast.Assignment) and isinstance(init.lvalue, c_ast.ID):
            symbol = self.checker.scopes.find(init.lvalue.name)
            return [] if symbol is None else [symbol]
        return []

    def _start(self, node: c_ast.For) -> tuple[Symbol, Expr]:
        init = node.init
        if isinstance(init, c_ast.DeclList) and len(init.decls) == 1:
            for statement in self.statements.declare(init.decls[0]):
                if isinstance(statement, Declare) and statement.initial is not None:
                    if statement.initial.is_scalar:
                        return statement.symbol, statement.initial.items[0].value
        if isinstance(init, c_ast.Assignment) and init.op == "=":
            name = init.lvalue
            if isinstance(name, c_ast.ID):
                symbol = self.checker.scopes.find(name.name)
                if symbol is not None and symbol.kind in ("local", "parameter", "global"):
                    symbol.is_used = True
                    value = self.checker.expressions.value(init.rvalue)
                    at = span_of(init)
                    return symbol, assign_conversion(
                        self.checker, value, symbol.type, at, "assignment"
                    )
        self._refuse(init, "it has to start with 'i = …'")

    def _condition(self, node: c_ast.For, symbol: Symbol) -> tuple[str, Expr]:
        test = node.cond
        if isinstance(test, c_ast.BinaryOp) and test.op in _MIRRORED:
            if _is_name(test.left, symbol):
                return test.op, self._end(test.right, symbol)
            if _is_name(test.right, symbol):
                return _MIRRORED[test.op], self._end(test.left, symbol)
        self._refuse(test, f"its condition has to compare '{symbol.name}' with its end")

    def _step(self, node: c_ast.For, symbol: Symbol) -> tuple[Expr, bool]:
        """What is added, or taken off."""
        step = node.next
        one = IntConst(ct.INT, span_of(step or node), 1)
        match step:
            case c_ast.UnaryOp(op="++" | "p++" | "--" | "p--", expr=place):
                if _is_name(place, symbol):
                    return one, step.op.endswith("--")
            case c_ast.Assignment(op="+=" | "-=", lvalue=place, rvalue=value):
                if _is_name(place, symbol):
                    return self._upwards(self._integer(value), step.op == "-=")
            case c_ast.Assignment(
                op="=", lvalue=place, rvalue=c_ast.BinaryOp(op="+" | "-") as sum
            ) if _is_name(place, symbol):
                if _is_name(sum.left, symbol):
                    return self._upwards(self._integer(sum.right), sum.op == "-")
                if sum.op == "+" and _is_name(sum.right, symbol):
                    return self._upwards(self._integer(sum.left), False)
            case _:
                pass
        self._refuse(step, f"its step has to add to '{symbol.name}' what stays the same")

    def _upwards(self, step: Expr, down: bool) -> tuple[Expr, bool]:
        known = fold_integer(step)
        if known is not None and known < 0:
            return IntConst(ct.LONG, step.span, -known), not down
        return step, down

    def _end(self, node: c_ast.Node, symbol: Symbol) -> Expr:
        if not isinstance(symbol.type, PointerType):
            return self._integer(node)
        value = self.checker.expressions.value(node)
        if not isinstance(value.type, PointerType):
            self._refuse(node, f"a value of type '{value.type}' is no pointer")
        here, there = (ct.unqualified(one.target) for one in (symbol.type, value.type))
        if not are_compatible(here, there):
            what = f"'{symbol.name}' has type '{symbol.type}', and its end '{value.type}'"
            self._refuse(node, what)
        return value

    def _integer(self, node: c_ast.Node) -> Expr:
        value = self.checker.expressions.value(node)
        if not isinstance(value.type, IntType):
            self._refuse(node, f"a value of type '{value.type}' is no integer")
        return value

    def _common(self, symbol: Symbol, lower: Expr, bound: Expr, down: bool) -> tuple[IntType, Expr]:
        """The type that the loop counts in, and its end in it. The counter's own, where the end
        can be brought to it: no iteration lies beyond what the counter can hold."""
        assert isinstance(bound.type, IntType)
        own = promote(symbol.type)
        wide = common_type(own, promote(bound.type))
        assert isinstance(own, IntType)
        assert isinstance(wide, IntType)
        if wide.size == own.size:
            return wide, convert(bound, wide)
        start = fold_integer(lower)
        if not own.signed or not (wide.signed or (start is not None and start >= 0)) or down:
            return wide, convert(bound, wide)
        most = IntConst(wide, bound.span, own.maximum)
        if wide.signed:
            least = IntConst(wide, bound.span, own.minimum)
            bound = _least_or_most("<", convert(bound, wide), least)
        return own, convert(_least_or_most(">", convert(bound, wide), most), own)

    def _refuse(self, at: c_ast.Node | None, reason: str) -> NoReturn:
        message = f"this loop cannot be counted before it runs: {reason}"
        self.checker.error(message, at or self.loop)


def _least_or_most(operator: str, value: Expr, limit: Expr) -> Expr:
    known = fold_integer(value)
    if known is not None:
        return value
    test = Compare(ct.INT, value.span, operator, value, limit)
    return Conditional(value.type, value.span, test, limit, value)


def _is_name(node: c_ast.Node, symbol: Symbol) -> bool:
    return isinstance(node, c_ast.ID) and node.name == symbol.name


def names_in(node: c_ast.Node | None) -> set[str]:
    """The names in an expression."""
    if node is None:
        return set()
    names = {node.name} if isinstance(node, c_ast.ID) else set[str]()
    return names.union(*(names_in(child) for _, child in node.children()))
