"""Is a variable changed and used in one expression without an order between the two (C 6.5p2)?

Of each operand it is asked which variables it reads and which it changes. Operands that nothing
orders must not share one that either of them changes. `&&`, `||`, `?:`, `,` and calls order what
stands in them: what is changed before their value is known (`settled`) may be changed again by
what takes the value, as in `i = f(i++)`, but not by what stands beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast
from pycparser.c_ast import Node

from polyopt.frontend.checking.checker import Checker
from polyopt.support.record import record

ID = "sequence-point"
_ORDERED = ("&&", "||")
_CHANGING = ("++", "--", "p++", "p--")
_UNEVALUATED = ("sizeof", "_Alignof")
_EXPRESSIONS = (
    c_ast.ArrayRef,
    c_ast.Assignment,
    c_ast.BinaryOp,
    c_ast.Cast,
    c_ast.ExprList,
    c_ast.FuncCall,
    c_ast.StructRef,
    c_ast.TernaryOp,
    c_ast.UnaryOp,
)

_Names = frozenset[str]


@record
class _Uses:
    """The variables that are read, changed, and of those the ones changed in time."""

    read: _Names = frozenset()
    changed: _Names = frozenset()
    settled: _Names = frozenset()


def doubt_sequence(checker: Checker, body: c_ast.Compound) -> None:
    """Look at each full expression of a function that is right."""
    if not checker.warnings.may_tell((ID,)):
        return
    waiting: list[Node] = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _EXPRESSIONS):
            _Expression(checker).uses(node)
        else:
            waiting += [child for _, child in node.children()]


class _Expression:
    """One full expression; each variable is told once."""

    def __init__(self, checker: Checker):
        self.checker = checker
        self.told: set[str] = set()

    def uses(self, node: Node | None) -> _Uses:
        match node:
            case c_ast.ID():
                return _Uses(frozenset((node.name,)))
            case c_ast.Assignment():
                return self._assignment(node)
            case c_ast.UnaryOp() if node.op in _UNEVALUATED:
                return _Uses()
            case c_ast.UnaryOp() if node.op in _CHANGING and isinstance(node.expr, c_ast.ID):
                name = frozenset((node.expr.name,))
                return _Uses(name, name)
            case c_ast.BinaryOp() if node.op in _ORDERED:
                return self._in_order((node.left, node.right))
            case c_ast.BinaryOp():
                return self._beside(node, (node.left, node.right))
            case c_ast.ArrayRef():
                return self._beside(node, (node.name, node.subscript))
            case c_ast.TernaryOp():
                condition = self.uses(node.cond)
                arms = _either(self.uses(node.iftrue), self.uses(node.iffalse))
                return _then(condition, arms)
            case c_ast.ExprList():
                return self._in_order(node.exprs)
            case c_ast.FuncCall():
                return self._call(node)
            case c_ast.UnaryOp() | c_ast.Cast():
                return self.uses(node.expr)
            case c_ast.StructRef():
                return self.uses(node.name)
            case _:
                return _Uses()

    def _assignment(self, node: c_ast.Assignment) -> _Uses:
        if not isinstance(node.lvalue, c_ast.ID):
            return self._beside(node, (node.lvalue, node.rvalue))
        value, target = self.uses(node.rvalue), frozenset((node.lvalue.name,))
        self._tell(node, target & (value.changed - value.settled))
        read = value.read if node.op == "=" else value.read | target
        return _Uses(read, value.changed | target, value.settled - target)

    def _call(self, node: c_ast.FuncCall) -> _Uses:
        arguments: list[Node] = node.args.exprs if node.args else []
        all_of_it = self._beside(node, (node.name, *arguments))
        return _Uses(all_of_it.read, all_of_it.changed, all_of_it.changed)

    def _beside(self, node: Node, operands: Sequence[Node]) -> _Uses:
        """Nothing says which operand comes first."""
        together = _Uses()
        for operand in operands:
            one = self.uses(operand)
            self._tell(node, one.changed & (together.read | together.changed))
            self._tell(node, together.changed & one.read)
            together = _either(together, one)
        return together

    def _in_order(self, nodes: Sequence[Node]) -> _Uses:
        together = _Uses()
        for node in nodes:
            together = _then(together, self.uses(node))
        return together

    def _tell(self, node: Node, names: _Names) -> None:
        for name in sorted(names - self.told):
            self.told.add(name)
            message = f"'{name}' is changed and used in one expression, in no order"
            self.checker.warn(ID, message, node, "make two statements of it")


def _either(one: _Uses, other: _Uses) -> _Uses:
    unsettled = (one.changed - one.settled) | (other.changed - other.settled)
    changed = one.changed | other.changed
    return _Uses(one.read | other.read, changed, changed - unsettled)


def _then(first: _Uses, second: _Uses) -> _Uses:
    changed = first.changed | second.changed
    settled = changed - (second.changed - second.settled)
    return _Uses(first.read | second.read, changed, settled)
