"""Loops of tiles whose diagonal blocks feed the rest, as steps that threads take together.

    for t in tiles {                  for t in tiles {
      for i = t to n { … }              the block:          i = t to t + 64, j to t + 64
      for i, j, k { … }         =>      columns behind it:  i = t to t + 64, j from t + 64
    }                                   rows below it:      i = t + 64 to n
                                        for i, j, k { … } }

The rows are those of `tail.py`, the columns those of `columns_behind.py`: both depend on the block
only, and are shared out; the block is one member's, in one region for all tiles. Blocks are bounded
by the tile, whatever the size of the problem, so that it does not matter how deep their loops are.
"""

from __future__ import annotations

from xdsl.dialects import affine

from polyopt.dialects.loop_facts import facts_of
from polyopt.passes.parallel.columns_behind import split_columns
from polyopt.passes.parallel.left_serial import Attempts
from polyopt.passes.parallel.steps import Steps, find_steps
from polyopt.passes.parallel.tail import split_tail


def split_in_tiles(loop: affine.ForOp) -> tuple[affine.ForOp, affine.ForOp] | None:
    """A loop within tiles in two, if that makes the second one doall."""
    around = loop.parent_op()
    if not isinstance(around, affine.ForOp) or "tile" not in facts_of(around).marks:
        return None
    if facts_of(loop).carried == "parallel" or "contract" in facts_of(loop).marks or loop.inits:
        return None
    has_loops = any(isinstance(op, affine.ForOp) for op in loop.body.block.ops)
    return split_tail(loop) if has_loops else None


def find_steps_of_tiles(tiles: affine.ForOp, nest: Attempts) -> Steps | None:
    """The steps of a loop of tiles, whose loops are split for it, steps or not."""
    if "tile" not in facts_of(tiles).marks:
        return None
    inside = [op for op in tiles.body.block.ops if isinstance(op, affine.ForOp)]
    if any(one in nest.kept for loop in inside for one in loop.walk()):
        return None
    splits = [split for loop in inside if (split := split_in_tiles(loop)) is not None]
    nest.heads.update(head for head, _ in splits)
    if not splits:
        return None
    behind = [split_columns(head) for head, _ in splits]
    return find_steps(tiles, {found.nest: found.row for found in behind if found is not None})
