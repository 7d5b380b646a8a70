"""All ways to break one line of a file: small changes of its syntax tree, inside of functions.

A mutant is found by its number in a walk that is the same every time, so the tree that is changed
is parsed anew for each. What decides nothing is left as it is: annotations, assertions, texts,
the words of messages and remarks, default values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

Apply = Callable[[], None]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
DROPPED = ("union", "intersect", "subtract", "intersect_params", "intersect_domain", "reversed")
"""Calls that are left out: `x.union(y)` becomes `x`, `reversed(x)` too."""
EMPTY = {"tuple": "()", "list": "[]", "dict": "{}", "set": "set()", "frozenset": "frozenset()"}
WORDS = ("remark", "count", "CompileError", "PassFailedException", "Diagnostic")
"""What is called with words for people; no mutants among its arguments."""


@dataclass(frozen=True)
class Mutant:
    """`number` is its place among all of its file; `line` and `end` are the lines, one of which
    a test has to run to notice, `text` is the first of them; `function` is its qualified name."""

    file: str
    number: int
    line: int
    end: int
    function: str
    kind: str
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}: {self.function}: {self.kind}: {self.before} => {self.after}"
        )

    @property
    def key(self) -> tuple[str, ...]:
        """What it is called in the list of equivalent ones: lines move."""
        return self.file, self.function, self.text, self.before, self.after


def mutants_of(file: str, source: str) -> list[Mutant]:
    return [mutant for mutant, _ in _Walk(file, source, ast.parse(source)).found]


def mutated(file: str, source: str, number: int) -> ast.Module:
    """The tree of the file with one mutant in it."""
    tree = ast.parse(source)
    _, apply = _Walk(file, source, tree).found[number]
    apply()
    return ast.fix_missing_locations(tree)


class _Walk:
    def __init__(self, file: str, source: str, tree: ast.Module):
        self.file = file
        self.lines = source.splitlines()
        self.found = list[tuple[Mutant, Apply]]()
        self.function = list[str]()
        self.returns = list[str]()
        self._body(tree.body, inside=False)

    def _add(self, node: ast.AST, kind: str, before: ast.AST, after: str, apply: Apply) -> None:
        line, end = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        text = " ".join(ast.unparse(before).split())
        mutant = Mutant(
            self.file,
            len(self.found),
            line,
            end,
            ".".join(self.function),
            kind,
            text,
            after,
            self.lines[line - 1].strip(),
        )
        self.found.append((mutant, apply))

    # Statements

    def _body(self, body: list[ast.stmt], *, inside: bool) -> None:
        for k, statement in enumerate(body):
            self._statement(body, k, statement, inside=inside)

    def _statement(self, body: list[ast.stmt], k: int, node: ast.stmt, *, inside: bool) -> None:
        match node:
            case ast.FunctionDef():
                self.function.append(node.name)
                self.returns.append(ast.unparse(node.returns) if node.returns else "")
                self._body(node.body, inside=True)
                self.returns.pop()
                self.function.pop()
                return
            case ast.ClassDef():
                self.function.append(node.name)
                self._body(node.body, inside=inside)
                self.function.pop()
                return
            case ast.Assert() | ast.Raise() | ast.Import() | ast.ImportFrom():
                return
            case _ if not inside:
                return
            case _:
                pass
        if _may_be_left_out(node):
            self._add(node, "left out", node, "", lambda: body.__setitem__(k, ast.Pass()))
        if isinstance(node, ast.Return) and node.value is not None:
            self._return(node, node.value)
        if isinstance(node, ast.If | ast.While):
            self._condition(node, "test")
        for name, child in ast.iter_fields(node):
            if name == "annotation":
                continue
            if isinstance(child, list):
                self._list(node, cast("list[object]", child))
            elif isinstance(child, ast.expr):
                self._expression(node, name, None, child)

    def _list(self, node: ast.AST, children: list[object]) -> None:
        for k, child in enumerate(children):
            match child:
                case ast.stmt():
                    self._statement(cast("list[ast.stmt]", children), k, child, inside=True)
                case ast.expr():
                    self._expression(node, None, (children, k), child)
                case ast.match_case():
                    if child.guard is not None:
                        self._condition(child, "guard")
                        self._expression(child, "guard", None, child.guard)
                    self._body(child.body, inside=True)
                case ast.ExceptHandler():
                    self._body(child.body, inside=True)
                case ast.withitem():
                    self._expression(child, "context_expr", None, child.context_expr)
                case _:
                    pass

    def _return(self, node: ast.Return, value: ast.expr) -> None:
        if isinstance(value, ast.Constant) and value.value is None:
            return
        kind = self.returns[-1].partition("[")[0]
        if kind == "bool":
            self._replace(node, "value", None, "returned", value, f"not ({ast.unparse(value)})")
        else:
            after = EMPTY.get(kind, "None")
            if ast.unparse(value) != after:
                self._replace(node, "value", None, "returned", value, after)

    def _condition(self, node: ast.AST, name: str) -> None:
        test: ast.expr = getattr(node, name)
        self._replace(node, name, None, "condition", test, _negated(test))

    def _replace(
        self,
        node: ast.AST,
        name: str | None,
        at: tuple[list[object], int] | None,
        kind: str,
        old: ast.expr,
        after: str,
        shown: ast.AST | None = None,
    ) -> None:
        def apply() -> None:
            new = ast.copy_location(ast.parse(after, mode="eval").body, old)
            for inner in ast.walk(new):
                ast.copy_location(inner, old)
            if at is not None:
                at[0][at[1]] = new
            else:
                assert name is not None
                setattr(node, name, new)

        self._add(old, kind, shown or old, after, apply)

    # Expressions

    def _expression(
        self,
        parent: ast.AST,
        name: str | None,
        at: tuple[list[object], int] | None,
        node: ast.expr,
    ) -> None:
        def to(kind: str, after: str) -> None:
            self._replace(parent, name, at, kind, node, after)

        match node:
            case ast.JoinedStr():
                return
            case ast.Call(func=ast.Name(id=called)) if called in WORDS:
                return
            case ast.Constant(value=value):
                if isinstance(value, bool):
                    to("constant", str(not value))
                elif isinstance(value, int):
                    to("constant", str(value + 1))
                    if value > 0:
                        to("constant", str(value - 1))
            case ast.Compare(ops=ops):
                for k, op in enumerate(ops):
                    self._operator(node, ops, k, COMPARISONS[type(op)]())
            case ast.BoolOp(op=op, values=values):
                other = ast.Or() if isinstance(op, ast.And) else ast.And()
                to("and, or", ast.unparse(ast.BoolOp(other, values)))
                for k in range(len(values)):
                    rest = values[:k] + values[k + 1 :]
                    kept = rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
                    to("operand left out", ast.unparse(kept))
            case ast.BinOp(left=left, op=op, right=right):
                texts = any(_is_text(one) for one in (left, right))
                if type(op) in OPERATORS and not texts:
                    to("operator", ast.unparse(ast.BinOp(left, OPERATORS[type(op)](), right)))
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                to("sign", ast.unparse(operand))
            case ast.IfExp():
                self._condition(node, "test")
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                empty = {"ListComp": "[]", "SetComp": "set()", "DictComp": "{}"}
                to("emptied", empty.get(type(node).__name__, "()"))
            case ast.Call(func=func, args=args):
                self._call(node, func, args, to)
            case _:
                pass
        for field, child in ast.iter_fields(node):
            if isinstance(child, list):
                self._parts(node, cast("list[object]", child))
            elif isinstance(child, ast.expr):
                self._expression(node, field, None, child)

    def _parts(self, node: ast.expr, parts: list[object]) -> None:
        for k, one in enumerate(parts):
            match one:
                case ast.expr():
                    self._expression(node, None, (parts, k), one)
                case ast.comprehension():
                    self._expression(one, "iter", None, one.iter)
                    for j, test in enumerate(one.ifs):
                        self._test_at(one.ifs, j, test)
                        self._expression(one, None, (cast("list[object]", one.ifs), j), test)
                case ast.keyword(arg="strict"):
                    pass  # an assertion: that the sequences have one length
                case ast.keyword():
                    self._expression(one, "value", None, one.value)
                case _:
                    pass

    def _test_at(self, tests: list[ast.expr], k: int, test: ast.expr) -> None:
        at = cast("list[object]", tests), k
        self._replace(test, None, at, "condition", test, _negated(test))

    def _operator(self, node: ast.Compare, ops: list[ast.cmpop], k: int, new: ast.cmpop) -> None:
        changed = ast.Compare(node.left, [*ops[:k], new, *ops[k + 1 :]], node.comparators)
        after = ast.unparse(changed)
        self._add(node, "comparison", node, after, lambda: ops.__setitem__(k, new))

    def _call(
        self,
        node: ast.Call,
        func: ast.expr,
        args: Sequence[ast.expr],
        to: Callable[[str, str], None],
    ) -> None:
        match func:
            case ast.Name(id=called) if called in FUNCTIONS:
                to(
                    "function",
                    ast.unparse(ast.Call(ast.Name(FUNCTIONS[called]), [*args], node.keywords)),
                )
            case ast.Name(id=called) if called in DROPPED and len(args) == 1:
                to("call left out", ast.unparse(args[0]))
            case ast.Attribute(value=receiver, attr=called) if called in DROPPED:
                to("call left out", ast.unparse(receiver))
            case _:
                pass
        if len(args) >= 2 and ast.unparse(args[0]) != ast.unparse(args[1]):
            called = func.id if isinstance(func, ast.Name) else ""
            plain = not any(isinstance(one, ast.Starred) for one in args[:2])
            if plain and called not in (*FUNCTIONS, "isinstance", "zip", "range", "getattr"):
                swapped = ast.Call(func, [args[1], args[0], *args[2:]], node.keywords)
                to("arguments swapped", ast.unparse(swapped))


def _negated(test: ast.expr) -> str:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return ast.unparse(test.operand)
    return f"not ({ast.unparse(test)})"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _may_be_left_out(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=called))):
            return called not in WORDS
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
        case ast.AugAssign() | ast.Continue() | ast.Break():
            return True
        case _:
            return False


def sources(root: str, files: Sequence[str]) -> Iterator[tuple[str, str]]:
    for file in files:
        with open(f"{root}/{file}", encoding="utf-8") as stream:
            yield file, stream.read()
