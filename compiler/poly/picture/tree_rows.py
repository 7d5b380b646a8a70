"""A schedule tree row by row: loops, sequences and statements, and what each loop carries.

One row for each node of the tree of single loops, from the root down, indented by its depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import islpy as isl

from polyopt.poly.analysis.parallelism import LoopParallelism, judge_tree
from polyopt.poly.dependences import Dependences
from polyopt.poly.linear.linear_forms import linear_text
from polyopt.poly.picture.running_order import divisors
from polyopt.poly.schedule_tree import LEAF, Band, Sequence, Tree, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.names import TILE_SUFFIX, Names
from polyopt.poly.transform.places import Path, SingleLoop, as_loop, single_loops
from polyopt.support.record import record


@record
class TreeRow:
    """`statements` are those below. Of a loop: `names` by statement, as steps of a script call it
    (None where it makes one iteration); `functions` by statement, what it counts, where that is
    more than an iterator; `size`, the iterations in a tile, of a loop over tiles."""

    kind: Literal["loop", "sequence", "statement"]
    depth: int
    statements: tuple[str, ...]
    names: tuple[tuple[str, str | None], ...] = ()
    functions: tuple[tuple[str, str], ...] = ()
    size: int | None = None
    marks: tuple[str, ...] = ()
    parallelism: LoopParallelism = LoopParallelism()

    @property
    def name(self) -> str | None:
        """The first name that there is."""
        return next((name for _, name in self.names if name is not None), None)


def tree_rows(scop: Scop, dependences: Dependences, schedule: isl.Schedule) -> tuple[TreeRow, ...]:
    """Raises UnsupportedTree."""
    tree = single_loops(read_tree(schedule))
    judged = iter(judge_tree(scop, dependences, tree))
    names = Names.of(scop, tree)
    return tuple(_rows(scop, names, tree, (), 0, (one.parallelism for one in judged)))


def _rows(
    scop: Scop,
    names: Names,
    tree: Tree,
    path: Path,
    depth: int,
    judged: Iterator[LoopParallelism],
) -> Iterator[TreeRow]:
    parts = [part for part in names.parts if part.path[: len(path)] == path]
    below = tuple(dict.fromkeys(part.statement for part in parts))
    loop = as_loop(tree)
    if loop is not None:
        found = {
            part.statement: next((one.name for one in part.loops if one.path == path), None)
            for part in parts
        }
        yield TreeRow(
            "loop",
            depth,
            below,
            tuple(found.items()),
            tuple(_functions(scop, loop, below)),
            _size(loop) if any(name and TILE_SUFFIX in name for name in found.values()) else None,
            loop.marks,
            next(judged),
        )
        yield from _rows(scop, names, loop.body, (*path, 0), depth + 1, judged)
    elif isinstance(tree, Sequence):
        yield TreeRow("sequence", depth, below)
        for k, (_, child) in enumerate(tree.children):
            yield from _rows(scop, names, child, (*path, k), depth + 1, judged)
    else:
        for part in parts:
            yield TreeRow("statement", depth, (part.statement,))


def _size(loop: SingleLoop) -> int | None:
    return max(divisors(Band((loop.member,), LEAF)), default=None)


def _functions(
    scop: Scop, loop: SingleLoop, statements: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for name in statements:
        factors = loop.member.factors(name)
        if factors is not None and (sum(map(abs, factors)) != 1 or min(factors) < 0):
            yield name, linear_text(factors, scop.statement(name).iterators)
