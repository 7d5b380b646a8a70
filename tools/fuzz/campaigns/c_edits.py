"""Ways to make a C program smaller: edits of its syntax tree, each of which can be taken back.

    for edit in edits(tree): edit.do(); … edit.undo()

Parts are left out, loops and conditionals become what is in them, expressions become one of their
operands, parameters go together with their arguments, constants become smaller. Most of what comes
of it is no C any more or has undefined behaviour: whoever uses this asks a compiler.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from pycparser import c_ast, c_generator, c_parser
from pycparser.c_parser import ParseError

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

Node = Any
"""A node of pycparser's tree; its classes say nothing of their fields."""


@record
class Edit:
    do: Callable[[], None]
    undo: Callable[[], None]


_ATTRIBUTE = re.compile(r"__attribute__\s*\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)")
_STAND_IN = re.compile(r"_Alignas\(attribute_(\d+)\)")


class Syntax:
    """A C program without macros: the lines of its preprocessor, and a tree of the rest.

    GNU's attributes are in the tree as `_Alignas(attribute_0)`, a specifier that the parser knows.
    CompileError where the text is none that it can read."""

    def __init__(self, text: str):
        lines = text.splitlines()
        self.head = [line for line in lines if line.startswith("#")]
        rest = "\n".join(line for line in lines if not line.startswith(("#", "//")))
        self._attributes = list(dict.fromkeys(_ATTRIBUTE.findall(rest)))
        try:
            self.tree: Node = c_parser.CParser().parse(_ATTRIBUTE.sub(self._stand_in, rest))
        except ParseError as error:
            raise CompileError(f"no tree of the program: {error}") from error

    def _stand_in(self, attribute: re.Match[str]) -> str:
        return f"_Alignas(attribute_{self._attributes.index(attribute[0])})"

    def text(self) -> str:
        body = c_generator.CGenerator().visit(self.tree)
        body = _STAND_IN.sub(lambda found: self._attributes[int(found[1])], body)
        return "\n".join([*self.head, body, ""])


def edits(tree: Node) -> Iterator[Iterator[Edit]]:
    """Groups of edits, those that may take away most first. The tree may be changed for good by
    an edit while the iteration goes on; what does not fit any more then is left out."""
    yield _deletions(tree, (c_ast.FileAST,), "ext")
    yield _deletions(tree, (c_ast.Compound,), "block_items")
    yield _unwrapped(tree)
    yield _parameters(tree)
    yield _deletions(tree, (c_ast.Struct,), "decls")
    yield _expressions(tree)
    yield _constants(tree)


def nodes(tree: Node) -> list[Node]:
    found = [tree]
    for node in found:
        found += [child for _, child in node.children()]
    return found


def _deletions(tree: Node, kinds: tuple[type, ...], name: str) -> Iterator[Edit]:
    """Runs of the items of a list, long ones first."""
    for node in nodes(tree):
        items: list[Node] | None = getattr(node, name, None) if isinstance(node, kinds) else None
        if not items:
            continue
        size = len(items)
        while size:
            place = len(items) - size
            while place >= 0:
                before = list(items)
                yield _list_edit(items, before, before[:place] + before[place + size :])
                place = place - size if place >= size or place == 0 else 0
            size //= 2


def _list_edit(items: list[Node], before: list[Node], after: list[Node]) -> Edit:
    def put(content: list[Node]) -> Callable[[], None]:
        return lambda: items.__setitem__(slice(None), content)

    return Edit(put(after), put(before))


def _slots(tree: Node) -> Iterator[tuple[Node, str, int | None, Node]]:
    """Each child with the place where it hangs."""
    for node in nodes(tree):
        for name in node.__slots__:
            value = getattr(node, name, None)
            if isinstance(value, c_ast.Node):
                yield node, name, None, value
            elif isinstance(value, list):
                for number, child in enumerate(cast(list[Node], value)):
                    if isinstance(child, c_ast.Node):
                        yield node, name, number, child


def _put(parent: Node, name: str, number: int | None, child: Node) -> None:
    if number is None:
        setattr(parent, name, child)
    elif number < len(getattr(parent, name)):
        getattr(parent, name)[number] = child


def _replacement(parent: Node, name: str, number: int | None, old: Node, new: Node) -> Edit:
    return Edit(lambda: _put(parent, name, number, new), lambda: _put(parent, name, number, old))


def _unwrapped(tree: Node) -> Iterator[Edit]:
    """Loops and conditionals become what is in them."""
    for parent, name, number, child in list(_slots(tree)):
        for new in _insides(child):
            yield _replacement(parent, name, number, child, new)


def _insides(node: Node) -> list[Node]:
    match node:
        case c_ast.If():
            return [one for one in (node.iftrue, node.iffalse) if one is not None]
        case c_ast.For() if isinstance(node.init, c_ast.DeclList):
            first: list[Node] = list(node.init.decls)
            return [c_ast.Compound([*first, node.stmt])]
        case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.Switch() | c_ast.Label():
            return [node.stmt]
        case c_ast.Case() | c_ast.Default():
            return list(node.stmts or [])
        case c_ast.Compound() if node.block_items and len(node.block_items) == 1:
            return [] if isinstance(node.block_items[0], c_ast.Decl) else [node.block_items[0]]
        case _:
            return []


def _parameters(tree: Node) -> Iterator[Edit]:
    """A parameter of a function goes, and its argument of each call."""
    for function in list(tree.ext):
        if not isinstance(function, c_ast.FuncDef):
            continue
        declared: Node = function.decl
        if declared.type.args is None:
            continue
        parameters: list[Node] = declared.type.args.params
        for place in reversed(range(len(parameters))):
            lists = [parameters]
            for node in nodes(tree):
                if isinstance(node, c_ast.FuncCall) and node.args is not None:
                    is_call = isinstance(node.name, c_ast.ID) and node.name.name == declared.name
                    if is_call and len(node.args.exprs) == len(parameters):
                        lists.append(node.args.exprs)
            if place < len(parameters) and len(parameters) > 1:
                yield _shorter(lists, place)


def _shorter(lists: list[list[Node]], place: int) -> Edit:
    removed = [items[place] for items in lists]

    def do() -> None:
        for items in lists:
            del items[place]

    def undo() -> None:
        for items, item in zip(lists, removed, strict=True):
            items.insert(place, item)

    return Edit(do, undo)


def _expressions(tree: Node) -> Iterator[Edit]:
    """Expressions become one of their operands."""
    for parent, name, number, child in list(_slots(tree)):
        for new in _operands(child):
            yield _replacement(parent, name, number, child, new)
        if isinstance(child, c_ast.Decl) and child.init is not None and number is not None:
            bare = copy.copy(child)
            bare.init = None
            yield _replacement(parent, name, number, child, bare)


def _operands(node: Node) -> list[Node]:
    match node:
        case c_ast.BinaryOp():
            return [node.left, node.right]
        case c_ast.TernaryOp():
            return [node.iftrue, node.iffalse, node.cond]
        case c_ast.UnaryOp() if node.op in ("-", "~", "!", "+"):
            return [node.expr]
        case c_ast.Cast():
            return [node.expr]
        case c_ast.FuncCall() if node.args is not None:
            return list(node.args.exprs)
        case c_ast.ArrayRef() | c_ast.StructRef():
            return [c_ast.Constant("int", "1")]
        case _:
            return []


def _constants(tree: Node) -> Iterator[Edit]:
    """Numbers become smaller, and names of sizes become numbers."""
    for parent, name, number, child in list(_slots(tree)):
        if isinstance(child, c_ast.Constant) and child.value.isdecimal():
            value = int(child.value)
            for less in sorted({0, 1, 2, 8, value // 2, value - 1}):
                if 0 <= less < value:
                    new = c_ast.Constant("int", str(less))
                    yield _replacement(parent, name, number, child, new)
        if isinstance(child, c_ast.ID) and child.name in ("n", "m", "l"):
            yield _replacement(parent, name, number, child, c_ast.Constant("int", "8"))
