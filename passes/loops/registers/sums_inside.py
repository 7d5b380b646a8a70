"""Nests whose sums stand around short rows: the same with the sums inside.

    for k: for j = 0 to 24:                     for j = 0 to 24:
      C[j] += A[k] * B[k, j]             =>       for k: C[j] += A[k] * B[k, j]

As it is written, each step of the sum loads the row of results and stores it again, and the next
step waits for that. Where all of the row fits in the registers of one tile, this goes along the
same places in the same order, and the results stay. Legal where no dependence goes from one
element of the row to another: each sees its updates in the same order.
"""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.builtin import FixedBitwidthType

from polyopt.ir.affine.affine_dependence import NestDependences, dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop, AffineNest, perfect_nest
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
    find_register_nest,
    moves_with,
)
from polyopt.passes.loops.registers.register_plan import Plan, extent_of
from polyopt.passes.loops.registers.tiled_nest import accepted_plan
from polyopt.passes.loops.reordered_nest import nest_in_order
from polyopt.support.core_model import CORE
from polyopt.support.target import Target


def with_sums_inside(root: affine.ForOp, target: Target) -> RegisterNest | None:
    """The nest in the new order, which has taken the place of `root`, where all of its rows stay in
    registers then; None, and nothing is changed, where it does not, or this is its order."""
    nest = perfect_nest(root)
    split = _sums_and_rows(nest)
    if split is None:
        return None
    sums, rows = split
    if any(moves_with(row, one) for row in rows for one in sums):
        return None
    if not _may_be_held(nest, rows, target):
        return None
    others = [loop for loop in nest.loops if loop not in sums]
    new = nest_in_order(nest, [*others, *sums])
    assert root.parent is not None
    root.parent.insert_op_before(new, root)
    found = find_register_nest(new, serial=True)
    plan = None if found is None else accepted_plan(found, target)
    is_held = (
        found is not None
        and plan is not None
        and len(found.outer) == len(others)
        and all(_holds(plan, found.outer[others.index(row)]) for row in rows)
        and not _go_from_row_to_row(dependences_below(root), nest, sums[0], rows)
    )
    gone = root if is_held else new
    gone.detach()
    gone.erase()
    return found if is_held else None


def _sums_and_rows(nest: AffineNest) -> tuple[list[AffineLoop], list[AffineLoop]] | None:
    """The loops on which nothing depends that is stored, and the others inside of the first of
    these; None where there are not both, or it is no such nest."""
    if any(loop.lowers is None or loop.uppers is None or loop.op.inits for loop in nest.loops):
        return None
    stores = [op for op in nest.operations if isinstance(op, affine.StoreOp)]
    places = [subscripts_of(op) for op in stores]
    used = {value for forms in places for form in forms or () for value in form.values}
    if not stores or None in places:
        return None
    sums = [loop for loop in nest.loops if loop.iv not in used]
    first = nest.loops.index(sums[0]) if sums else len(nest.loops)
    rows = [loop for loop in nest.loops[first:] if loop not in sums]
    return (sums, rows) if rows else None


def _may_be_held(nest: AffineNest, rows: list[AffineLoop], target: Target) -> bool:
    """As many elements as one tile has, of the narrowest that are stored."""
    sizes = [
        type_.size
        for op in nest.operations
        if isinstance(op, affine.StoreOp) and isinstance(type_ := op.value.type, FixedBitwidthType)
    ]
    if not sizes:
        return False
    most = CORE.registers.vectors[-1] * target.lanes(min(sizes))
    extents = [extent_of(loop) for loop in rows]
    return all(extent is not None and 0 < extent <= most for extent in extents)


def _holds(plan: Plan, loop: AffineLoop) -> bool:
    """Are all iterations of the loop in one tile?"""
    extent = extent_of(loop) or 0
    if loop is plan.columns:
        return extent <= plan.vectors * plan.lanes
    return loop is plan.row_loop and extent <= plan.rows


def _go_from_row_to_row(
    dependences: NestDependences, nest: AffineNest, first: AffineLoop, rows: list[AffineLoop]
) -> bool:
    """Does any, from the loop `first` on, go from one iteration of a row to another one?"""
    if not dependences.is_complete:
        return True
    same = [f"d{level} = 0" for level in range(nest.loops.index(first))]
    return any(
        dependence.has_distance(" and ".join([*same, f"d{nest.loops.index(row)} != 0"]))
        for dependence in dependences.dependences
        for row in rows
    )
