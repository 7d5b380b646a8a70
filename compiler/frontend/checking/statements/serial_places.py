"""`#pragma polyopt serial`: the loop or the function behind it is to run in one thread.

The parser sees nothing of the line. Its place says what is behind it: of all nodes of the tree, the
one that begins first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from polyopt.dialects.serial_places import SerialPlace
from polyopt.frontend.checking.checker import span_of
from polyopt.frontend.messages.warnings import Warnings
from polyopt.support.diagnostics import Span

Extent = tuple[c_ast.Node, Span, Span]
"""A node, with the first and the last place in it."""

_LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.FuncDef)


def serial_places(
    tree: c_ast.FileAST, pragmas: Sequence[Span], warnings: Warnings
) -> list[SerialPlace]:
    """Where what the pragmas are about begins and ends."""
    if not pragmas:
        return []
    extents = list(places_in(tree))
    found: list[SerialPlace] = []
    for pragma in pragmas:
        behind = loop_behind(extents, pragma)
        if behind is not None:
            node, start, end = behind
            found.append(SerialPlace(start, end, _counters(node)))
        else:
            message = "'#pragma polyopt serial' has no loop and no function behind it"
            warnings.add("polyopt-pragmas", message, pragma)
    return found


def loop_behind(extents: Sequence[Extent], pragma: Span) -> Extent | None:
    """The loop or the function that is the first thing behind the pragma."""
    behind = [one for one in extents if one[1].file == pragma.file and one[1] > pragma]
    first = min((one[1] for one in behind), default=None)
    loops = [one for one in behind if one[1] == first and isinstance(one[0], _LOOPS)]
    return max(loops, key=lambda one: one[2]) if loops else None


def counter_of(node: c_ast.Node) -> str | None:
    """The variable that a loop begins with setting."""
    return _counter(node.init) if isinstance(node, c_ast.For) else None


def _counters(node: c_ast.Node) -> tuple[str, ...]:
    """The variables that the loops in it begin with setting; none of a function, and none where
    some loop sets none: then any loop may be meant."""
    if isinstance(node, c_ast.FuncDef):
        return ()
    names: dict[str, None] = {}
    pending = [node]
    while pending:
        one = pending.pop()
        pending += [child for _, child in one.children()]
        if isinstance(one, c_ast.For):
            name = _counter(one.init)
            if name is None:
                return ()
            names[name] = None
        elif isinstance(one, c_ast.While | c_ast.DoWhile):
            return ()
    return tuple(names)


def _counter(init: c_ast.Node | None) -> str | None:
    if isinstance(init, c_ast.DeclList):
        first = init.decls[0]
        return first.name if isinstance(first, c_ast.Decl) else None
    if isinstance(init, c_ast.Assignment) and isinstance(init.lvalue, c_ast.ID):
        return init.lvalue.name
    return None


def places_in(tree: c_ast.FileAST) -> Iterator[Extent]:
    """Each node with the first and the last place in it, of the file that it begins in."""
    pending: list[tuple[c_ast.Node, bool]] = [(tree, False)]
    known: dict[c_ast.Node, tuple[Span, Span]] = {}
    while pending:
        node, is_seen = pending.pop()
        if not is_seen:
            pending.append((node, True))
            pending += [(child, False) for _, child in node.children()]
            continue
        places = [known[child] for _, child in node.children() if child in known]
        ends = [place for pair in places for place in pair]
        if node.coord is not None and not isinstance(node, c_ast.FileAST):
            ends.append(span_of(node))
        if ends and not isinstance(node, c_ast.FileAST):
            start = min(ends)
            end = max(place for place in ends if place.file == start.file)
            known[node] = start, end
            yield node, start, end
