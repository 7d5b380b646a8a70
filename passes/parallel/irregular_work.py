"""How many cycles a loop takes whose iterations take as long as data say: a guess, as arithmetic.

Each operation counts as often as the loops around it run; where that is known only inside, some
number is taken for it. It is to tell microseconds from milliseconds (`work`).
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block

from polyopt.ir.integer_expr import ZERO, Expr
from polyopt.ir.loops import NaturalLoop
from polyopt.passes.parallel.irregular_loops import IrregularLoop, LoopView
from polyopt.passes.parallel.work import cycles_of
from polyopt.support.core_model import CORE


def cycles_of_loop(found: IrregularLoop, view: LoopView) -> Expr:
    """All iterations; the same in all of them."""
    per_block = {block: sum(map(cycles_of, block.walk())) for block in view.blocks}
    return found.rounds * _once(view.loop, view, per_block)


def _once(loop: NaturalLoop, view: LoopView, per_block: dict[Block, float]) -> Expr:
    """One iteration."""
    inner: set[Block] = {block for child in loop.children for block in child.blocks}
    own = sum(per_block[block] for block in _reached(loop, view) if block not in inner)
    total = Expr.constant(max(1, round(own)))
    for child in loop.children:
        total += _rounds(child, view) * _once(child, view, per_block)
    return total


def _reached(loop: NaturalLoop, view: LoopView) -> Iterable[Block]:
    return (block for block in loop.blocks if block in view.flow.cfg)


def _rounds(loop: NaturalLoop, view: LoopView) -> Expr:
    count = view.evolution.trip_count(loop)
    if count is None or count.taken == ZERO or not view.is_fixed(count.taken):
        return Expr.constant(CORE.threads.unknown_trips)
    return count.taken
