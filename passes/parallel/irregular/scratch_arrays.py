"""Local arrays that each iteration of a loop fills before it looks at them.

    double row[256];
    for (i = 0; i < n; i++) {
      for (j = 0; j < 256; j++) row[j] = 0;         all of it, in each iteration
      for (k = ptr[i]; k < ptr[i + 1]; k++)
        row[at[k]] += v[k];                         at places that data say
      y[i] = best of row;
    }

Iterations meet in such an array, but no value goes from one to another: with an array for each
thread they are independent. (Privatisation; P. Tu, D. Padua, Automatic array privatization, LCPC
1993, on whole arrays: what is read of a part that is filled, bounds would have to say.)
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Block, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import ONE, ZERO, Counter, Expr
from polyopt.ir.objects.bases import BaseKind, base_kind
from polyopt.ir.references.memory_references import Reference
from polyopt.support.core_model import CORE


def scratch_arrays(
    loop: NaturalLoop, flow: ControlFlow, evolution: Evolution, references: Sequence[Reference]
) -> tuple[SSAValue, ...]:
    """Arrays of one dimension and of a size that is known, which no more than a thread's stack
    should hold. Nothing but the loop reads them, and in each of its iterations all that does comes
    behind a loop that writes every element."""
    written = dict.fromkeys(one.base for one in references if one.is_write)
    found = list[SSAValue]()
    for base in written:
        own = [one for one in references if one.base is base]
        if _is_small_array(base) and _is_read_in(loop, base):
            extent = memref_type(base).get_shape()[0]
            if any(_comes_first(one, own, extent, loop, flow, evolution) for one in own):
                found.append(base)
    return tuple(found)


def _is_small_array(base: SSAValue) -> bool:
    """A local one; all that is done with it is to load and to store elements."""
    if base_kind(base) is not BaseKind.LOCAL:
        return False
    shape = memref_type(base).get_shape()
    if len(shape) != 1 or DYNAMIC_INDEX in shape:
        return False
    accesses = [use.operation for use in base.uses]
    return shape[0] <= CORE.threads.scratch_elements and all(
        isinstance(op, memref.LoadOp) or (isinstance(op, memref.StoreOp) and op.memref is base)
        for op in accesses
    )


def _is_read_in(loop: NaturalLoop, base: SSAValue) -> bool:
    """And nowhere else."""
    return all(
        enclosing_block(use.operation) in loop
        for use in base.uses
        if isinstance(use.operation, memref.LoadOp)
    )


def _comes_first(
    store: Reference,
    own: Sequence[Reference],
    extent: int,
    loop: NaturalLoop,
    flow: ControlFlow,
    evolution: Evolution,
) -> bool:
    """Whether the store fills the array in each iteration before all else is done with it."""
    block = enclosing_block(store.op)
    filling = flow.loops.innermost(block)
    if not store.is_write or filling not in loop.children or store.op.parent is not block:
        return False
    if not _runs_through(filling, block, extent, flow, evolution):
        return False
    return _goes_through(store, filling, extent) and all(
        _is_behind(enclosing_block(one.op), filling, flow) for one in own if one is not store
    )


def _runs_through(
    filling: NaturalLoop, block: Block, extent: int, flow: ControlFlow, evolution: Evolution
) -> bool:
    """The block runs `extent` times, whatever happens, whenever the loop does."""
    exits = filling.exits()
    if len(exits) != 1 or exits[0].source is not filling.header:
        return False
    count = evolution.trip_count(filling)
    if count is None or count.assumptions or count.taken != Expr.constant(extent):
        return False
    return all(flow.dominators.dominates(block, latch) for latch in filling.latches)


def _goes_through(store: Reference, filling: NaturalLoop, extent: int) -> bool:
    """It is to elements 0, 1, … or to the last one, the one before it, …"""
    parts = store.indices[0].split(Counter(filling))
    if store.offset != ZERO or parts is None:
        return False
    first, step = parts
    return (first, step) in ((ZERO, ONE), (Expr.constant(extent - 1), -ONE))


def _is_behind(block: Block, filling: NaturalLoop, flow: ControlFlow) -> bool:
    """It runs after the loop has come to its end: this is the only way there."""
    return block not in filling and flow.dominators.dominates(filling.header, block)
