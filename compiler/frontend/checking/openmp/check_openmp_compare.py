"""`#pragma omp atomic compare` (OpenMP 5.1, 2.19.7): a place that changes where a comparison holds.

    if (x == e) x = d;      x becomes  x == e ? d : x,  at once as seen by all; e and d are
    if (x < e) x = e;       evaluated before

With `capture`, `v = x` keeps what was there before or after, `else v = x` only where it was
something else, and `r = x == e` whether it was that.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.openmp.check_openmp_atomic import AtomicReader, is_place, same
from polyopt.frontend.checking.operands.check_conversions import assign_conversion
from polyopt.frontend.checking.operands.check_places import modifiable
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.parsing.openmp_syntax import Directive
from polyopt.frontend.tree.openmp_tree import AtomicUpdate
from polyopt.frontend.tree.typed_statements import Statement
from polyopt.frontend.tree.typed_tree import Assign, Comma, Conditional, Expr, Held, Load, Update


def check_atomic_compare(checker: Checker, directive: Directive, node: c_ast.Node) -> Statement:
    return _CompareReader(checker, directive, "compare").compared(node, directive)


_Change = tuple[AtomicUpdate, c_ast.Node, Callable[[Expr], Expr]]
"""The update, its place, and the comparison of what is there with the rest."""


class _CompareReader(AtomicReader):
    """A place that is changed where a comparison with it holds."""

    def compared(self, node: c_ast.Node, directive: Directive) -> Statement:
        for name in ("read", "write", "update"):
            if directive.has(name):
                self.checker.error(f"'{name}' goes not with 'compare'", directive.span)
        items = _items(node)
        if not directive.has("capture"):
            if len(items) != 1:
                self.refuse(node)
            return self._chosen(items[0])[0]
        match items:
            case [c_ast.If(iffalse=kept) as choice] if kept is not None:
                return self._kept_otherwise(choice, choice.cond, None)
            case [
                c_ast.Assignment(op="=", lvalue=flag, rvalue=c_ast.BinaryOp(op="==") as test),
                last,
            ]:
                return self._told(flag, test, last)
            case [c_ast.Assignment(op="=", lvalue=kept, rvalue=place), last] if is_place(place):
                found, place_there, _ = self._chosen(last)
                if not same(place, place_there):
                    self.refuse(node)
                return self._keeps(found, kept, captures_new=False)
            case [first, c_ast.Assignment(op="=", lvalue=kept, rvalue=place)]:
                found, place_there, _ = self._chosen(first)
                if not same(place, place_there):
                    self.refuse(node)
                return self._keeps(found, kept, captures_new=True)
            case _:
                self.refuse(node)

    def _keeps(self, found: AtomicUpdate, kept: c_ast.Node, *, captures_new: bool) -> AtomicUpdate:
        value = Held(found.update.type, self.span)
        found.value, found.then = value, self.keep(kept, value)
        found.captures_new = captures_new
        return found

    def _told(self, flag: c_ast.Node, test: c_ast.Node, last: c_ast.Node) -> Statement:
        """{ r = x == e; if (r) x = d; }, with or without else v = x;"""
        if not (isinstance(last, c_ast.If) and same(last.cond, flag)):
            self.refuse(last)
        if last.iffalse is not None:
            return self._kept_otherwise(last, test, flag)
        found, _, test_of = self._change_where(last, test, last.iftrue)
        value = Held(found.update.type, self.span)
        found.value, found.then = value, self.keep(flag, test_of(value))
        return found

    def _kept_otherwise(
        self, choice: c_ast.If, test: c_ast.Node, flag: c_ast.Node | None
    ) -> Statement:
        """if (x == e) x = d; else v = x;"""
        found, place, test_of = self._change_where(choice, test, choice.iftrue)
        kept, source = self._assignment(choice, choice.iffalse)
        if not same(source, place):
            self.refuse(choice)
        value = Held(found.update.type, self.span)
        target = modifiable(self.checker, kept)
        type, at = ct.unqualified(target.type), span_of(kept)
        seen = assign_conversion(self.checker, value, target.type, at, "assignment")
        chosen = Conditional(type, at, test_of(value), Load(type, at, target), seen)
        then: Expr = Assign(type, at, target, chosen)
        if flag is not None:
            then = Comma(ct.INT, at, [then, self.keep(flag, test_of(value))])
        found.value, found.then = value, then
        return found

    def _chosen(self, node: c_ast.Node) -> _Change:
        """if (x == e) x = d;  or  x = x == e ? d : x;"""
        match _items(node):
            case [c_ast.If(cond=test, iftrue=inner, iffalse=None) as choice]:
                return self._change_where(choice, test, inner)
            case [c_ast.Assignment(op="=", lvalue=place, rvalue=c_ast.TernaryOp() as value)]:
                if value.iftrue is None or not same(place, value.iffalse):
                    self.refuse(node)
                return self._changed(node, value.cond, place, value.iftrue)
            case _:
                self.refuse(node)

    def _change_where(
        self, choice: c_ast.Node, test: c_ast.Node, inner: c_ast.Node | None
    ) -> _Change:
        return self._changed(choice, test, *self._assignment(choice, inner))

    def _assignment(
        self, choice: c_ast.Node, inner: c_ast.Node | None
    ) -> tuple[c_ast.Node, c_ast.Node]:
        match [] if inner is None else _items(inner):
            case [c_ast.Assignment(op="=", lvalue=place, rvalue=new)]:
                return place, new
            case _:
                self.refuse(choice)

    def _changed(
        self, node: c_ast.Node, test: c_ast.Node, place: c_ast.Node, new: c_ast.Node
    ) -> _Change:
        """`place = new` where the test holds, which compares it with something else."""
        if not isinstance(test, c_ast.BinaryOp) or test.op not in ("==", "<", ">"):
            self.refuse(node)
        is_swapped = not same(test.left, place)
        if is_swapped and not same(test.right, place):
            self.refuse(node)
        other = test.left if is_swapped else test.right
        if test.op != "==" and not same(other, new):
            self.refuse(node)
        expressions, operator = self.checker.expressions, test.op
        target = modifiable(self.checker, place)
        self.require_scalar(target)
        type, span = ct.unqualified(target.type), span_of(node)
        compared = expressions.value(other)
        held = Held(compared.type, span)
        stored = expressions.value(new)
        stored = assign_conversion(self.checker, stored, target.type, span, "assignment")
        right, old = Held(type, span), Held(type, span)

        def test_of(seen: Expr) -> Expr:
            pair = (held, seen) if is_swapped else (seen, held)
            return expressions.operators.binary(operator, *pair, span)

        value = Conditional(type, span, test_of(old), right, old)
        update = Update(type, span, target, old, stored, right, value)
        return AtomicUpdate(self.span, update, given=[(held, compared)]), place, test_of


def _items(node: c_ast.Node) -> list[c_ast.Node]:
    """The statements of a block, or the one."""
    return list(node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
