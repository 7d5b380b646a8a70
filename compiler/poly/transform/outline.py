"""A schedule tree as a person reads it: loops, statements, and the names to address them by.

for i             S0.i, S1.i
  S0              gemm.c:26:13
  for k           S1.k
    S1            gemm.c:29:17
"""

from __future__ import annotations

from collections.abc import Iterator

from polyopt.poly.schedule_tree import Leaf, Sequence, Tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.names import Names, Part
from polyopt.poly.transform.places import Path, as_loop

COLUMN = 28


def outline(scop: Scop, tree: Tree) -> str:
    """One line for each loop and each statement; a tree of single loops."""
    names = Names.of(scop, tree)
    lines = _lines(scop, names, tree, (), 0)
    return "\n".join(f"{left:<{COLUMN}}{right}".rstrip() for left, right in lines)


def _lines(
    scop: Scop, names: Names, tree: Tree, path: Path, depth: int
) -> Iterator[tuple[str, str]]:
    indent = "  " * depth
    loop = as_loop(tree)
    if loop is not None:
        around = [part for part in names.parts if part.path[: len(path)] == path]
        addresses = [address_of(names, part, path) for part in around]
        known = [address for address in addresses if address is not None]
        head = known[0].rpartition(".")[2] if known else "(one iteration)"
        marks = f" [{', '.join(loop.marks)}]" if loop.marks else ""
        yield f"{indent}for {head}{marks}", ", ".join(dict.fromkeys(known))
        yield from _lines(scop, names, loop.body, (*path, 0), depth + 1)
    elif isinstance(tree, Sequence):
        for k, (_, child) in enumerate(tree.children):
            yield from _lines(scop, names, child, (*path, k), depth)
    else:
        assert isinstance(tree, Leaf)
        for part in names.parts:
            if part.path == path:
                span = scop.statement(part.statement).span
                yield f"{indent}{_place(names, part)}", str(span or "")


def address_of(names: Names, part: Part, path: Path) -> str | None:
    """What steps call the loop at `path` around the part; None if it has no name."""
    name = next((loop.name for loop in part.loops if loop.path == path), None)
    return f"{_place(names, part)}.{name}" if name is not None else None


def _place(names: Names, part: Part) -> str:
    """The statement, with its number where it stands in several places."""
    same = [one for one in names.parts if one.statement == part.statement]
    number = next(k for k, one in enumerate(same, 1) if one is part)
    return f"{part.statement}:{number}" if len(same) > 1 else part.statement
