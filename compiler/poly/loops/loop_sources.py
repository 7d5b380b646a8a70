"""Which C loop does a generated loop run over? For remarks, dumps and schedule scripts.

A loop runs over the C loop `i` if an argument of an instance inside it is the loop's iterator
and a constant where the statement has `i`; failing that, if it has the iterator in it with the
factor 1 or -1 (a skewed loop). A loop whose iterator is in no argument is a tile of the innermost
loop whose bounds speak of it, and runs over the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from polyopt.poly.loops.expressions import names_in
from polyopt.poly.loops.loop_tree import (
    Branch,
    Const,
    Expr,
    Instance,
    Loop,
    Name,
    Node,
    Product,
    Sum,
)
from polyopt.poly.scop import Scop


def name_sources(scop: Scop, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The same loops, each with its `source` where it has one."""
    iterators = {s.name: s.iterators for s in scop.statements}
    return tuple(_named(node, iterators) for node in nodes)


def _named(node: Node, iterators: dict[str, tuple[str, ...]]) -> Node:
    match node:
        case Instance():
            return node
        case Branch():
            return replace(
                node,
                then=tuple(_named(child, iterators) for child in node.then),
                orelse=tuple(_named(child, iterators) for child in node.orelse),
            )
        case Loop():
            body = tuple(_named(child, iterators) for child in node.body)
            source = (
                _argument(body, iterators, lambda term: _is_shift(term, node.iterator))
                or _argument(body, iterators, lambda term: _is_skew(term, node.iterator))
                or _tiled_by(node.iterator, body)
            )
            return replace(node, body=body, source=source)


def _argument(
    nodes: Sequence[Node], iterators: dict[str, tuple[str, ...]], matches: Callable[[Expr], bool]
) -> str | None:
    """The C name of the first argument that matches."""
    for node in nodes:
        found = None
        match node:
            case Instance(statement, arguments):
                pairs = zip(arguments, iterators[statement], strict=False)
                found = next((name for term, name in pairs if matches(term)), None)
            case Branch():
                found = _argument(node.then + node.orelse, iterators, matches)
            case Loop():
                found = _argument(node.body, iterators, matches)
        if found:
            return found
    return None


def _tiled_by(iterator: str, nodes: Sequence[Node]) -> str | None:
    """The `source` of the innermost loop inside whose bounds speak of `iterator`."""
    for node in nodes:
        found = None
        match node:
            case Loop():
                found = _tiled_by(iterator, node.body)
                if not found and iterator in names_in(node.lower) | names_in(node.upper):
                    found = node.source
            case Branch():
                found = _tiled_by(iterator, node.then + node.orelse)
            case Instance():
                pass
        if found:
            return found
    return None


def _is_shift(term: Expr, iterator: str) -> bool:
    varying = [one for one in _terms(term) if not isinstance(one, Const)]
    return len(varying) == 1 and _is_skew(varying[0], iterator)


def _is_skew(term: Expr, iterator: str) -> bool:
    name = Name(iterator)
    return any(one in (name, Product(-1, name)) for one in _terms(term))


def _terms(term: Expr) -> tuple[Expr, ...]:
    return term.terms if isinstance(term, Sum) else (term,)
