"""Loops that load a window of a row, most of whose elements lie across two lines.

    for (i…) b[i] = min(a[i - 1], a[i], a[i + 1])       of three vectors as wide as a line
                                                        two at least lie across two lines

Where a core does with a line what it does with two halves (`Target.halves_lines`), a line that lies
across two takes four loads, two halves take three, one of which lies across two: loops that wait
for such loads alone are better in halves (Zen 4: nine bytes' minimum of rows of 515, 0.88 of the
time; the equation of state of Livermore's loops, 0.67).
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import affine
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.cmem import element_type
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.fast_math import is_fused
from polyopt.passes.loops.divider import DIVISIONS
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.core_model import CORE

Row = tuple[SSAValue, tuple[Linear, ...]]


def is_window(found: VectorLoop) -> bool:
    """Does it wait for loads of rows that it loads at several places each, and for nothing else?"""
    rows = _places(found)
    if rows is None:
        return False
    beside = sum(len(places) - 1 for places in rows.values())
    if beside < CORE.strided.window_places * len(rows):
        return False
    computed = sum(map(_cycles, found.operations))
    return len(rows) + 2 * beside > CORE.strided.window_slack * computed


def _cycles(op: Operation) -> float:
    """Of an operation on a line; those on integers have twice the units."""
    if not op.operands or not has_lanes(op) or is_fused(op):
        return 0.0
    return 1.0 if isa(op.results[0].type, AnyFloat) else 0.5


def _places(found: VectorLoop) -> dict[Row, set[int]] | None:
    """Where each row is loaded. None where something else is done than to go over elements of one
    size side by side, and to compute what needs no divider."""
    if found.accumulations or found.lookups or found.scans or found.streamed is not None:
        return None
    if len(found.everything) != len(found.operations):
        return None
    if any(isinstance(op, DIVISIONS) for op in found.operations):
        return None
    moving: list[affine.LoadOp] = []
    for op in (*found.loads, *found.stores):
        stride, forms = stride_of(op, found.loop), subscripts_of(op)
        if element_bytes(element_type(op.memref)) != found.element_bytes:
            return None
        if stride not in (0, 1) or not forms:
            return None
        if stride and isinstance(op, affine.LoadOp):
            moving.append(op)
    return places_in_rows(moving)


def places_in_rows(loads: Iterable[affine.LoadOp]) -> dict[Row, set[int]]:
    """How far the loads of each row lie from one place of it."""
    rows: dict[Row, set[int]] = {}
    for op in loads:
        if forms := subscripts_of(op):
            *outer, last = forms
            row = (op.memref, (*outer, last - last.constant))
            rows.setdefault(row, set()).add(last.constant)
    return rows


def loads_again(loop: AffineLoop) -> bool:
    """Does it load what a later iteration loads again? LLVM hands that on in a register, and makes
    no vectors then of loops that call functions of the C library (seven weights exp(-d * d) of a
    row of 4000: 88 us, in vectors 16)."""
    steps = [(op, stride_of(op, loop)) for op in loop.block.ops if isinstance(op, affine.LoadOp)]
    for step in {abs(step) for _, step in steps if step}:
        rows = places_in_rows(op for op, by in steps if by and abs(by) == step)
        for offsets in rows.values():
            if len({offset % step for offset in offsets}) < len(offsets):
                return True
    return False
