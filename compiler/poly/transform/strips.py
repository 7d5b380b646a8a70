"""Strip-mining, tiling, and the shape of unroll-and-jam: a loop over strips, and one in a strip.

    strip_mine  for i                      =>   for i_tile step s { for i in the strip }
                                                { [i] -> [s floor(i / s), i] }
    tile        for i { for j }            =>   for i_tile { for j_tile { for i { for j } } }
    unroll      for i { for j { S } }      =>   for i_tile { for j { for i in the strip { S } } }

A tile band holds the loops over strips, the point band what runs in a tile (F. Irigoin,
R. Triolet, Supernode partitioning, POPL 1988). Unroll-and-jam is strip-mining with the strip
moved inside everything (isl's band_sink), where its loop, marked "unroll", becomes straight-line
code later on; for an innermost loop that is unrolling. Strip-mining is always legal; the other two
if no dependence goes backward in the new order.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from polyopt.poly.schedule_tree import (
    POINT,
    TILE,
    Leaf,
    Member,
    Sequence,
    Tree,
    on_statements_of,
)
from polyopt.poly.transform.ordering import perfect_nest
from polyopt.poly.transform.places import (
    CannotTransform,
    Path,
    SingleLoop,
    as_loop,
    loop_at,
    replace_at,
    replace_loop,
)
from polyopt.poly.transform.tiling import UNROLL, tile_function

LARGEST_UNROLLING = 64
"""Copies of a body: more than the registers of any machine hold."""


def strip_mine(tree: Tree, loop: Path, size: int) -> Tree:
    """The loop over strips of `size` iterations, right outside the loop in a strip."""
    return tile(tree, (loop,), (size,))


def tile(tree: Tree, loops: Seq[Path], sizes: Seq[int]) -> Tree:
    """Tiles of `sizes[k]` iterations of `loops[k]`: the loops over strips, in the order in which
    they are listed, outside the outermost of `loops`; the loops in a tile where they were."""
    if any(size < 2 for size in sizes):
        raise CannotTransform("a tile of fewer than 2 iterations is none")
    over = [_strips(loop_at(tree, path), size) for path, size in zip(loops, sizes, strict=True)]
    places = perfect_nest(tree, loops)
    for path in places:
        tree = replace_loop(
            tree, path, lambda one: replace(one, marks=one.marks or (POINT,)).tree()
        )

    def around(node: Tree) -> Tree:
        for one in reversed(over):
            node = replace(one, body=node).tree()
        return node

    return replace_at(tree, places[0], around)


def unroll(tree: Tree, loop: Path, count: int) -> Tree:
    """The loop over strips of `count` iterations where the loop was, that in a strip innermost
    and marked for unrolling."""
    if not 2 <= count <= LARGEST_UNROLLING:
        raise CannotTransform(f"unrolling makes 2 to {LARGEST_UNROLLING} copies")

    def change(one: SingleLoop) -> Tree:
        return replace(_strips(one, count), body=_sunk(one.member, one.body)).tree()

    return replace_loop(tree, loop, change)


def _strips(loop: SingleLoop, size: int) -> SingleLoop:
    return SingleLoop(Member(tile_function(loop.function, size)), loop.body, (TILE,))


def _sunk(member: Member, tree: Tree) -> Tree:
    """The tree with the loop of `member` around each leaf."""
    if isinstance(tree, Leaf):
        return SingleLoop(Member(member.function), tree, (UNROLL,)).tree()
    if isinstance(tree, Sequence):
        children = tuple(
            (one, _sunk(Member(on_statements_of(member.function, one)), child))
            for one, child in tree.children
        )
        return replace(tree, children=children)
    loop = as_loop(tree)
    assert loop is not None
    return replace(loop, body=_sunk(member, loop.body)).tree()
