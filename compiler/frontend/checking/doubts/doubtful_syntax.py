"""What can be doubted of how a function is written, whatever its types are: operators whose order
people get wrong, empty bodies, indentation that says something else than the braces, cases that go
on into the next one, declarations behind statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pycparser import c_ast
from pycparser.c_ast import Node

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.parsing.gnu_syntax import InBrackets
from polyopt.support.diagnostics import Span

IDS = (
    "parentheses",
    "logical-not-parentheses",
    "empty-body",
    "misleading-indentation",
    "multistatement-macros",
    "implicit-fallthrough",
    "switch-default",
    "declaration-after-statement",
)
_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
_ARITHMETIC = ("+", "-")
_FALLS = re.compile(r"fall(s|ing)?[ \t\-_]*(thr(ough|u)|out)", re.I)


def doubt_syntax(checker: Checker, body: c_ast.Compound) -> None:
    """Look at the body of a function that is right."""
    if not checker.warnings.may_tell(IDS):
        return
    waiting: list[Node] = [body]
    while waiting:
        node = waiting.pop()
        match node:
            case c_ast.BinaryOp():
                _doubt_order(checker, node)
            case c_ast.If():
                _doubt_if(checker, node)
            case c_ast.Switch():
                _doubt_switch(checker, node)
            case c_ast.Compound():
                _doubt_block(checker, node.block_items or [])
            case c_ast.Case() | c_ast.Default():
                _doubt_indentation(checker, node.stmts or [])
            case _:
                pass
        waiting += [child for _, child in node.children()]


# Operators


def _doubt_order(checker: Checker, node: c_ast.BinaryOp) -> None:
    for side in (node.left, node.right):
        if isinstance(side, c_ast.BinaryOp) and not isinstance(side.coord, InBrackets):
            message = _order_doubt(node.op, side.op)
            if message:
                checker.warn("parentheses", message, node, f"write ({side.op} …) in brackets")
    left = node.left
    is_not = isinstance(left, c_ast.UnaryOp) and left.op == "!"
    if is_not and not isinstance(left.coord, InBrackets):
        if node.op in _COMPARISONS and not _is_truth(node.right):
            message = f"'!' holds for the left side of '{node.op}' only"
            hint = "put the comparison, or the '!' with its operand, in brackets"
            checker.warn("logical-not-parentheses", message, node, hint)
        elif node.op in ("&", "|") and not _is_truth(node.right):
            message = f"'!' holds for the left side of '{node.op}' only"
            checker.warn("parentheses", message, node, f"did you mean '{node.op * 2}'?")


def _order_doubt(outer: str, inner: str) -> str | None:
    """Why an operation in another one without brackets is doubtful."""
    if outer == "||" and inner == "&&":
        return "'&&' within '||' without brackets"
    if outer in ("<<", ">>") and inner in _ARITHMETIC:
        return f"'{inner}' within '{outer}' is done first"
    if outer in ("&", "|", "^") and inner in _COMPARISONS:
        return f"'{inner}' within '{outer}' is done first"
    if outer in ("&", "|", "^") and inner in _ARITHMETIC:
        return f"'{inner}' within '{outer}' is done first"
    if (outer == "|" and inner in ("&", "^")) or (outer == "^" and inner == "&"):
        return f"'{inner}' within '{outer}' without brackets"
    if outer in ("<", ">", "<=", ">=") and inner in ("<", ">", "<=", ">="):
        return "a comparison of a comparison: 'x < y < z' does not mean what it does in mathematics"
    if outer in ("==", "!=") and inner in _COMPARISONS:
        return f"'{inner}' within '{outer}' without brackets"
    return None


def _is_truth(node: Node) -> bool:
    return (isinstance(node, c_ast.UnaryOp) and node.op == "!") or (
        isinstance(node, c_ast.BinaryOp) and node.op in (*_COMPARISONS, "&&", "||")
    )


# Statements


def _doubt_if(checker: Checker, node: c_ast.If) -> None:
    last, what = (node.iftrue, "if") if node.iffalse is None else (node.iffalse, "else")
    if isinstance(last, c_ast.EmptyStatement):
        hint = "braces say that it is meant: {}"
        checker.warn("empty-body", f"the body of '{what}' is empty", last, hint)
    inner = node.iftrue
    if node.iffalse is None and isinstance(inner, c_ast.If) and inner.iffalse is not None:
        message = "'else' belongs to the inner 'if'"
        checker.warn("parentheses", message, inner, "braces say to which one it belongs")


def _doubt_block(checker: Checker, items: Sequence[Node]) -> None:
    _doubt_indentation(checker, items)
    _doubt_macros(checker, items)
    behind = False
    for item in items:
        is_declaration = isinstance(item, c_ast.Decl | c_ast.Typedef | c_ast.StaticAssert)
        if is_declaration and behind:
            message = "declaration behind a statement, which C90 does not have"
            checker.warn("declaration-after-statement", message, item)
        behind = behind or not (is_declaration or isinstance(item, c_ast.Pragma))


def _doubt_indentation(checker: Checker, items: Sequence[Node]) -> None:
    """A statement that stands under the body of an `if` or a loop as if it belonged to it."""
    for guard, after in pairwise(items):
        match guard:
            case c_ast.If(iftrue=body, iffalse=None):
                word = "if"
            case c_ast.While(stmt=body):
                word = "while"
            case c_ast.For(stmt=body):
                word = "for"
            case _:
                continue
        if isinstance(body, c_ast.Compound | c_ast.EmptyStatement | c_ast.If):
            continue
        head, inner, behind = span_of(guard), _start(body), _start(after)
        if not head.file == inner.file == behind.file:
            continue
        same = [checker.warnings.indentation(one) for one in (head, inner, behind)]
        if head.line < inner.line < behind.line:
            is_meant = same[1] is not None and same[1] == same[2] and same[0] != same[1]
            is_first = inner.column - 1 == len(same[1] or "") and behind.column == inner.column
        else:
            is_meant = head.line == inner.line == behind.line and same[0] is not None
            apart = head.column < inner.column < span_of(after).column
            is_first = head.column - 1 == len(same[0] or "") and apart
        if is_meant and is_first:
            what = "after its statement" if head.line == behind.line else f"on line {behind.line}"
            message = f"this '{word}' does not guard what stands {what}"
            hint = "braces, or the indentation, say what is meant"
            checker.warn("misleading-indentation", message, head, hint)


def _doubt_macros(checker: Checker, items: Sequence[Node]) -> None:
    """What one macro stands for, which is in one place, has more statements than are guarded."""
    for guard, after in pairwise(items):
        match guard:
            case c_ast.If(iffalse=Node() as body):
                word = "else"
            case c_ast.If(iftrue=body):
                word = "if"
            case c_ast.While(stmt=body):
                word = "while"
            case c_ast.For(stmt=body):
                word = "for"
            case _:
                continue
        place = _start(body)
        if isinstance(body, c_ast.Compound) or place != _start(after) or place == span_of(guard):
            continue
        message = f"a macro of several statements, of which '{word}' guards the first"
        hint = "do { ... } while (0) in the macro makes one of them"
        checker.warn("multistatement-macros", message, place, hint)


def _start(node: Node) -> Span:
    """Where its text begins, as far as that is known: of an operation, with its left operand."""
    span = span_of(node)
    match node:
        case c_ast.Assignment():
            return min(span, _start(node.lvalue))
        case c_ast.BinaryOp():
            return min(span, _start(node.left))
        case c_ast.UnaryOp() if node.op.startswith("p"):
            return min(span, _start(node.expr))
        case c_ast.FuncCall() | c_ast.ArrayRef() | c_ast.StructRef():
            return min(span, _start(node.name))
        case c_ast.Decl() | c_ast.Typedef():
            return Span(span.file, span.line, 0)
        case _:
            return span


# Switches


def _doubt_switch(checker: Checker, node: c_ast.Switch) -> None:
    body = node.stmt
    items = (body.block_items or []) if isinstance(body, c_ast.Compound) else []
    cases = [item for item in items if isinstance(item, c_ast.Case | c_ast.Default)]
    if cases and not any(isinstance(item, c_ast.Default) for item in _labels(cases)):
        checker.warn("switch-default", "switch without a default", node)
    for before, label in pairwise(items):
        if not isinstance(label, c_ast.Case | c_ast.Default):
            continue
        last = _last(before)
        if last is None or not _goes_on(checker, last):
            continue
        if not checker.warnings.says_between(span_of(last), span_of(label), _FALLS):
            message = "this statement goes on into the next case"
            hint = "write 'break;', or '__attribute__((fallthrough));' where it is meant"
            checker.warn("implicit-fallthrough", message, last, hint)


def _labels(cases: Sequence[Node]) -> list[Node]:
    found: list[Node] = []
    waiting = list(cases)
    while waiting:
        one = waiting.pop()
        found.append(one)
        if isinstance(one, c_ast.Case | c_ast.Default):
            waiting += [s for s in one.stmts or [] if isinstance(s, c_ast.Case | c_ast.Default)]
    return found


def _last(node: Node) -> Node | None:
    """The last statement behind a label; None where there is none."""
    while True:
        match node:
            case c_ast.Case() | c_ast.Default():
                inner = node.stmts
            case c_ast.Compound():
                inner = node.block_items
            case _:
                return node
        if not inner:
            return None
        node = _end(inner)


def _end(statements: Sequence[Node]) -> Node:
    """The last of them, but for semicolons that follow a macro's braces."""
    told = [one for one in statements if not isinstance(one, c_ast.EmptyStatement)]
    return told[-1] if told else statements[-1]


def _goes_on(checker: Checker, node: Node | None) -> bool:
    """May what stands behind this statement be reached through it?"""
    match node:
        case None:
            return True
        case c_ast.Return() | c_ast.Break() | c_ast.Continue() | c_ast.Goto():
            return False
        case c_ast.AttributeDeclaration() | c_ast.AttributedStatement():
            return False
        case c_ast.Compound():
            items = node.block_items or []
            return _goes_on(checker, _end(items)) if items else True
        case c_ast.If():
            return node.iffalse is None or any(
                _goes_on(checker, arm) for arm in (node.iftrue, node.iffalse)
            )
        case c_ast.For(cond=None) | c_ast.While(cond=c_ast.Constant()):
            return _has_break(node.stmt)
        case c_ast.DoWhile():
            return _goes_on(checker, node.stmt) or _has_break(node.stmt)
        case c_ast.Label():
            return _goes_on(checker, node.stmt)
        case c_ast.Switch():
            body = node.stmt
            items = (body.block_items or []) if isinstance(body, c_ast.Compound) else []
            has_default = any(isinstance(one, c_ast.Default) for one in _labels(items))
            return not has_default or _has_break(body) or _goes_on(checker, _last(items[-1]))
        case c_ast.FuncCall(name=c_ast.ID(name=name)):
            known = checker.scopes.stack[0].names.get(name)
            ends = name in ("__builtin_unreachable", "__builtin_trap", "__builtin_abort")
            return not (ends or (known is not None and known.is_noreturn))
        case _:
            return True


def _has_break(node: Node) -> bool:
    """Is there a `break` that leaves the loop or switch of this body?"""
    if isinstance(node, c_ast.Break):
        return True
    if isinstance(node, c_ast.For | c_ast.While | c_ast.DoWhile | c_ast.Switch):
        return False
    return any(_has_break(child) for _, child in node.children())
