"""How many cycles a loop takes whose iterations take as long as data say: a guess, as arithmetic.

Each operation counts as often as the loops around it run; where that is known only inside, some
number is taken for it. It is to tell microseconds from milliseconds (`work`).

    for (i = 0; i < n; i++)                    what an iteration of the loop inside takes, times
      for (j = ptr[i]; j < ptr[i + 1]; j++)    ptr[n] - ptr[0]: two loads in front of the loop
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import memref
from xdsl.ir import Block, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_conditions import negated
from polyopt.ir.expressions.integer_expr import ONE, ZERO, Compare, Counter, Expr, Unknown
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import reference
from polyopt.passes.parallel.irregular.irregular_loops import IrregularLoop
from polyopt.passes.parallel.operation_costs import cycles_of
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record(eq=False)
class WorkSpan:
    """`cycles` times `array[last] - array[first]`, where there are iterations: all of them together
    go from one to the other."""

    array: SSAValue
    first: Expr
    last: Expr
    cycles: Expr


@record
class IrregularWork:
    """All iterations, in cycles; the same in all of them."""

    cycles: Expr
    spans: tuple[WorkSpan, ...]

    @property
    def as_constant(self) -> int | None:
        return None if self.spans else self.cycles.as_constant


def work_of_loop(found: IrregularLoop, view: LoopView) -> IrregularWork:
    per_block = {block: sum(map(cycles_of, block.walk())) for block in view.blocks}
    inner: set[Block] = {block for child in view.loop.children for block in child.blocks}
    own = sum(per_block[block] for block in _reached(view.loop, view) if block not in inner)
    once, spans = Expr.constant(max(1, round(own))), list[WorkSpan]()
    for child in view.loop.children:
        cycles = _once(child, view, per_block)
        span = _span(child, cycles, found, view)
        if span is None:
            once += _rounds(child, view) * cycles
        else:
            spans.append(span)
    return IrregularWork(found.rounds * once, tuple(spans))


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


def _span(
    child: NaturalLoop, cycles: Expr, found: IrregularLoop, view: LoopView
) -> WorkSpan | None:
    """Where it runs from what one element of an array says to what another one says, which an
    iteration later is the first one: all runs are in a row."""
    ends = _ends(child, view)
    if ends is None:
        return None
    last, first = (reference(op, view.evolution) for op in ends)
    if last is None or first is None or last.base is not first.base:
        return None
    array = ends[0].memref
    if view.is_inside(array) or array is not ends[1].memref or len(last.indices) != 1:
        return None
    if memref_type(array).get_num_dims() != 1 or not _always_read(ends, view):
        return None
    parts = first.indices[0].split(Counter(view.loop))
    if parts is None or not all(map(view.is_fixed, parts)):
        return None
    start, step = parts
    at_end = start + step * (found.rounds - ONE)
    distance = last.indices[0] - first.indices[0]
    if distance == step:
        return WorkSpan(array, start, at_end + step, cycles)
    if distance == -step:
        return WorkSpan(array, at_end, start - step, cycles)
    return None


def _ends(child: NaturalLoop, view: LoopView) -> tuple[memref.LoadOp, memref.LoadOp] | None:
    """What it goes on to, and what it starts from, if both are loaded and it goes by one."""
    exits = child.exits()
    if len(exits) != 1 or exits[0].source is not child.header:
        return None
    stay = negated(edge_condition(exits[0], view.evolution))
    if not isinstance(stay, Compare) or stay.relation not in ("<", "<="):
        return None
    parts = stay.term.split(Counter(child))
    if parts is None or parts[1] != ONE:
        return None
    loads: dict[int, memref.LoadOp] = {}
    for monomial, factor in parts[0].terms.items():
        atom = monomial[0] if len(monomial) == 1 else None
        if monomial and isinstance(atom, Unknown) and isinstance(atom.value.owner, memref.LoadOp):
            loads[factor] = atom.value.owner
        elif monomial:
            return None
    return (loads[-1], loads[1]) if loads.keys() == {1, -1} else None


def _always_read(loads: Iterable[memref.LoadOp], view: LoopView) -> bool:
    """In each iteration: so what the last one reads may be read before."""
    tree = view.flow.dominators
    blocks = [enclosing_block(op) for op in loads if op.parent is enclosing_block(op)]
    return len(blocks) == 2 and all(
        tree.dominates(block, latch) for block in blocks for latch in view.loop.latches
    )
