"""affine-unroll: the loops of register tiles become straight-line code.

Where a tile may be partial, its full and its partial form are kept apart, in front of and not
inside the loop around it. Conditions that this loop's iterator does not enter are tested before
it; the others cut its range:

    for j                                 for j before the first cut { partial tile }
      partial tile               =>       for j between the cuts     { full tile, unrolled }
                                          for j from the second cut  { partial tile }

so that the loop around a full tile holds nothing but the unrolled code.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.dialects.loop_facts import facts_of, set_facts
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.unroll.copies import unroll
from polyopt.passes.loops.unroll.cuts import find_cuts
from polyopt.passes.loops.unroll.full_tiles import UNROLL, find_full_tile, is_marked
from polyopt.passes.loops.unroll.jam import jam_marked
from polyopt.passes.loops.unroll.separation import choose, separate
from polyopt.passes.loops.unroll.windows import mark_windows
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class AffineUnrollPass(ModulePass):
    """Unroll every loop with the mark "unroll", and first move one with the mark "jam" too into
    the loop that is all its body; so are windows along a row (`windows.py`).

    Requires: loops marked "jam" may be interchanged with the loops in them.
    Ensures: the iterations run in the same order ("jam" apart). A full tile, one in which every
    marked loop has its whole constant range, runs without any bound or test; a partial tile keeps
    its loops. A nest of which a full tile would be more than `max_copies` copies keeps its loops.

        affine.for %j … {                                   affine.if (n - i - 2 >= 0) {
          affine.for %ii = %i to min(%i + 2, %n) {   =>       affine.for %j … { S(i) S(i + 1) }
            S(ii)                                           } else {
          } {poly.loop = #poly.loop<unroll>} }                affine.for %j … { affine.for … } }
    """

    name = "affine-unroll"

    max_copies: int = CORE.code.copies

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        mark_windows(op)
        jam_marked(op)
        # Inner blocks first: a block with marked loops may lie in a loop around others.
        for block in reversed(_blocks_with_heads(op)):
            self._unroll_in(block)

    def _unroll_in(self, block: Block) -> None:
        conditions: dict[Linear, None] = {}
        heads: list[affine.ForOp] = []
        for head in _heads(block):
            tile = find_full_tile(head)
            if tile is None or tile.copies > self.max_copies:
                continue
            if not tile.conditions:
                unroll(head, tile.ranges)
            elif not head.inits:
                heads.append(head)
                conditions.update(dict.fromkeys(tile.conditions))
        if not heads:
            return
        around = block.parent_op()
        if isinstance(around, affine.ForOp):
            places = [k for k, op in enumerate(block.ops) if op in heads]
            cuts = find_cuts(AffineLoop(around), tuple(conditions))
            if cuts and separate(around, cuts, lambda copy: _unroll_at(copy, places), _unmark):
                return
        for head in heads:
            tile = find_full_tile(head)
            assert tile is not None
            choose(head, tile.conditions, _unroll_full, _unmark)


def _blocks_with_heads(module: ModuleOp) -> list[Block]:
    """The blocks of marked loops that are not directly in a marked loop; outer before inner, also
    where a marked loop of the outer block stands behind the inner block."""
    return [
        block
        for op in module.walk()
        if not is_marked(op)
        for region in op.regions
        for block in region.blocks
        if _heads(block)
    ]


def _heads(block: Block) -> list[affine.ForOp]:
    return [op for op in block.ops if isinstance(op, affine.ForOp) and is_marked(op)]


def _unroll_at(loop: affine.ForOp, places: list[int]) -> None:
    """Unroll the full tiles that stand at `places` in the body of `loop`."""
    operations = list(loop.body.block.ops)
    for place in places:
        head = operations[place]
        assert isinstance(head, affine.ForOp)
        _unroll_full(head)


def _unroll_full(head: affine.ForOp) -> None:
    tile = find_full_tile(head)
    assert tile is not None
    unroll(head, tile.ranges)


def _unmark(loop: affine.ForOp) -> None:
    """What is left of a partial tile is an ordinary loop."""
    for op in loop.walk():
        if isinstance(op, affine.ForOp) and is_marked(op):
            set_facts(op, facts_of(op).without_marks(UNROLL))
