"""`#pragma omp atomic` (OpenMP 4.5, 2.13.6): which one statement, or two, it makes one access."""

from __future__ import annotations

from typing import NoReturn

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.expressions.check_updates import update
from polyopt.frontend.checking.operands.check_conversions import assign_conversion, decay
from polyopt.frontend.checking.operands.check_places import modifiable
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.parsing.openmp_syntax import Directive
from polyopt.frontend.tree.openmp_tree import AtomicRead, AtomicUpdate, AtomicWrite
from polyopt.frontend.tree.typed_statements import Statement
from polyopt.frontend.tree.typed_tree import Assign, Expr, Held, Load, MemberOf, Update

_OPERATORS = frozenset("+ - * / & | ^ << >>".split())
_FORMS = {
    "read": "'v = x;'",
    "write": "'x = expression;'",
    "update": "'x++;', 'x += expression;' or 'x = x + expression;'",
    "capture": "'v = x++;', 'v = x += expression;', or two statements in brackets that read and "
    "change one place",
    "compare": "'if (x == e) x = d;', 'if (x < e) x = e;', 'x = x == e ? d : x;' or, with "
    "'capture', one that keeps what was there or whether it was that",
}
_KINDS = ("read", "write", "update", "capture")


def check_atomic(checker: Checker, directive: Directive, node: c_ast.Node) -> Statement:
    for name in ("fail", "weak"):
        if directive.has(name):
            checker.error(f"'{name}' goes with 'compare' only", directive.span)
    kinds = [name for name in _KINDS if directive.has(name)]
    if len(kinds) > 1:
        checker.error(f"'{kinds[1]}' goes not with '{kinds[0]}'", directive.span)
    kind = kinds[0] if kinds else "update"
    reader = AtomicReader(checker, directive, kind)
    return getattr(reader, kind)(node)


class AtomicReader:
    def __init__(self, checker: Checker, directive: Directive, kind: str):
        self.checker = checker
        self.span = directive.span
        self.kind = kind

    def read(self, node: c_ast.Node) -> Statement:
        if not (isinstance(node, c_ast.Assignment) and node.op == "="):
            self.refuse(node)
        place = self._place(node.rvalue)
        value = Held(ct.unqualified(place.type), place.span)
        return AtomicRead(self.span, place, value, self.keep(node.lvalue, value))

    def write(self, node: c_ast.Node) -> Statement:
        if not (isinstance(node, c_ast.Assignment) and node.op == "="):
            self.refuse(node)
        expressions = self.checker.expressions
        place = modifiable(self.checker, node.lvalue)
        self.require_scalar(place)
        value = expressions.value(node.rvalue)
        value = assign_conversion(self.checker, value, place.type, span_of(node), "assignment")
        return AtomicWrite(self.span, place, value)

    def update(self, node: c_ast.Node) -> Statement:
        return AtomicUpdate(self.span, self._change(node))

    def capture(self, node: c_ast.Node) -> Statement:
        items = node.block_items or [] if isinstance(node, c_ast.Compound) else []
        if len(items) == 2:
            return self._pair(*items)
        if isinstance(node, c_ast.Compound) and len(items) == 1:
            node = items[0]
        if not (isinstance(node, c_ast.Assignment) and node.op == "="):
            self.refuse(node)
        update = self._change(node.rvalue)
        return self._captured(update, node.lvalue, captures_new=not update.is_postfix)

    def _pair(self, first: c_ast.Node, second: c_ast.Node) -> Statement:
        """{ v = x; x = …; } or { x = …; v = x; }"""
        if isinstance(first, c_ast.Assignment) and first.op == "=" and is_place(first.rvalue):
            changed = _changed_place(second)
            if changed is not None and same(first.rvalue, changed):
                return self._captured(self._change(second, plain=True), first.lvalue, False)
        if isinstance(second, c_ast.Assignment) and second.op == "=":
            changed = _changed_place(first)
            if changed is not None and same(second.rvalue, changed):
                return self._captured(self._change(first), second.lvalue, True)
        self.refuse(first)

    def _captured(self, update: Update, target: c_ast.Node, captures_new: bool) -> Statement:
        value = Held(update.type, update.span)
        then = self.keep(target, value)
        return AtomicUpdate(self.span, update, value, then, captures_new)

    def keep(self, target: c_ast.Node, value: Expr) -> Expr:
        """`target = value`"""
        place = modifiable(self.checker, target)
        at = span_of(target)
        converted = assign_conversion(self.checker, value, place.type, at, "assignment")
        return Assign(ct.unqualified(place.type), at, place, converted)

    def _change(self, node: c_ast.Node, *, plain: bool = False) -> Update:
        """The node as a change of what was there; `plain`: or as a store of something else."""
        expressions = self.checker.expressions
        update: Expr | None = None
        match node:
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                update = expressions.value(node)
            case c_ast.Assignment(op=op) if op != "=" and op[:-1] in _OPERATORS:
                update = expressions.value(node)
            case c_ast.Assignment(op="=", lvalue=place, rvalue=c_ast.BinaryOp() as sum):
                update = self._spelt_out(node, place, sum)
            case _:
                pass
        if update is None and plain and isinstance(node, c_ast.Assignment) and node.op == "=":
            update = self._exchange(node)
        if not isinstance(update, Update):
            self.refuse(node)
        self.require_scalar(update.place)
        return update

    def _spelt_out(self, node: c_ast.Node, place: c_ast.Node, sum: c_ast.BinaryOp) -> Expr | None:
        """x = x + e, x = e - x."""
        expressions = self.checker.expressions
        if sum.op not in _OPERATORS:
            return None
        span = span_of(node)
        if same(sum.left, place):
            target = modifiable(self.checker, place)
            value = expressions.value(sum.right)
            return update(self.checker, target, sum.op, value, span, is_postfix=False)
        if same(sum.right, place):
            target = modifiable(self.checker, place)
            value = expressions.value(sum.left)
            return update(self.checker, target, sum.op, value, span, is_postfix=False, swapped=True)
        return None

    def _exchange(self, node: c_ast.Assignment) -> Update:
        """x = e: what was there is not asked for."""
        expressions = self.checker.expressions
        place = modifiable(self.checker, node.lvalue)
        span = span_of(node)
        value = expressions.value(node.rvalue)
        value = assign_conversion(self.checker, value, place.type, span, "assignment")
        type = ct.unqualified(place.type)
        right = Held(type, span)
        return Update(type, span, place, Held(type, span), value, right, right)

    def _place(self, node: c_ast.Node) -> Expr:
        value = decay(self.checker.expressions.operand(node))
        if not isinstance(value, Load):
            self.refuse(node)
        self.require_scalar(value.place)
        return value.place

    def require_scalar(self, place: Expr) -> None:
        if isinstance(place, MemberOf) and place.member.bits is not None:
            self.checker.error("a bit-field is not accessed at once", place.span)
        if not ct.is_single(place.type):
            self.checker.error(
                f"a place of type '{place.type}' is not accessed at once", place.span
            )

    def refuse(self, node: c_ast.Node) -> NoReturn:
        at = node if node.coord is not None else self.span
        self.checker.error(
            f"'#pragma omp atomic {self.kind}' needs {_FORMS[self.kind]} behind it", at
        )


def _changed_place(node: c_ast.Node) -> c_ast.Node | None:
    if isinstance(node, c_ast.Assignment):
        return node.lvalue
    return node.expr if isinstance(node, c_ast.UnaryOp) else None


def is_place(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.ID | c_ast.ArrayRef | c_ast.StructRef | c_ast.UnaryOp)


def same(left: c_ast.Node, right: c_ast.Node) -> bool:
    """Are these the same expression, word for word?"""
    if type(left) is not type(right):
        return False
    if any(getattr(left, name) != getattr(right, name) for name in left.attr_names):
        return False
    first, second = left.children(), right.children()
    if len(first) != len(second):
        return False
    return all(a[0] == b[0] and same(a[1], b[1]) for a, b in zip(first, second, strict=True))
