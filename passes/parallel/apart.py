"""A serial loop whose phases feed only phases behind them: a loop for each, which is doall.

    for i {                                          for i { for j = i to n { c[i, j] /= x } }
      for j = i to n { c[i, j] /= x }          =>
      for j = 0 to i { c[i, j] = c[j, i] } }         for i { for j = 0 to i { c[i, j] = c[j, i] } }

Row i needs elements that rows before it have made, so that the loop is serial; but no row's first
phase needs what another row's second one makes. By the exact dependences: whatever the loop carries
goes from a phase to one behind it, and the loops that are made of it carry nothing (K. Kennedy and
K. S. McKinley, Loop distribution with arbitrary control flow, SC 1990, without its control flow).
Threads meet once, between two loops, and not in each iteration. Phases stay together as far as
nothing goes between their iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.ir import Operation

from polyopt.dialects.loop_facts import LoopFacts, facts_of, set_facts
from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.control.cfg import part_of

OPERATIONS = 1_000_000
"""isl operations that the dependences may take."""


def split_apart(loop: affine.ForOp) -> list[affine.ForOp] | None:
    """The doall loops that are in its place now; None where there are none, and nothing is
    changed."""
    groups = _groups(loop, _phases(loop)) if has_phases(loop) else None
    return None if groups is None or len(groups) < 2 else _write(loop, groups)


def has_phases(loop: affine.ForOp) -> bool:
    """Whether it is serial, and there is anything to be taken apart."""
    phases = _phases(loop)
    is_serial = facts_of(loop).carried in (None, "serial") and not loop.inits
    return is_serial and len(phases) > 1 and all(map(_is_loop, phases))


def _phases(loop: affine.ForOp) -> list[Operation]:
    return [op for op in loop.body.block.ops if not isinstance(op, affine.YieldOp)]


def _is_loop(op: Operation) -> bool:
    return isinstance(op, affine.ForOp) and not op.inits


def _groups(loop: affine.ForOp, phases: Sequence[Operation]) -> list[list[int]] | None:
    """Numbers of phases that stay together; None where something goes from an iteration to a phase
    of a later one that is not behind it."""
    found = dependences_below(loop, OPERATIONS)
    if not found.is_complete:
        return None
    block, number = loop.body.block, {op: place for place, op in enumerate(phases)}
    carried = set[tuple[int, int]]()
    for one in found.carried_by(AffineLoop(loop)):
        source, sink = (number[part_of(block, end.op)] for end in (one.source, one.sink))
        if source >= sink:
            return None
        carried.add((source, sink))
    groups = [[0]]
    for place in range(1, len(phases)):
        if any((before, place) in carried for before in groups[-1]):
            groups.append([place])
        else:
            groups[-1].append(place)
    return groups


def _write(loop: affine.ForOp, groups: Sequence[Sequence[int]]) -> list[affine.ForOp]:
    parent, facts = loop.parent, facts_of(loop)
    assert parent is not None
    loops = list[affine.ForOp]()
    for group in groups:
        one = loop.clone()
        for place, op in enumerate(list(one.body.block.ops)):
            if place not in group and not isinstance(op, affine.YieldOp):
                op.detach()
                op.erase()
        set_facts(one, LoopFacts("parallel", (), facts.iterator, facts.marks))
        parent.insert_op_before(one, loop)
        loops.append(one)
    loop.detach()
    loop.erase()
    return loops
