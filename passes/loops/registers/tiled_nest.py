"""Which nests become tiles of registers: those of the kind for which a model finds it worth it."""

from __future__ import annotations

from xdsl.dialects import affine

from polyopt.ir.elementwise import has_lanes
from polyopt.passes.loops.awaited_rows import is_read_again
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
    element_bytes,
    find_register_nest,
    is_scattered,
)
from polyopt.passes.loops.registers.register_plan import Plan, best_plan, cycles_along, extent_of
from polyopt.support.core_model import CORE
from polyopt.support.target import Target

_BY_HAND = {"unroll", "jam", "no_vector"}


def tiled_nest(root: affine.ForOp, target: Target) -> RegisterNest | None:
    """The nest below `root`, if it becomes tiles that read vectors: columns that would have to be
    gathered are better off in panels."""
    nest = find_register_nest(root)
    plan = None if nest is None else accepted_plan(nest, target)
    if nest is None or plan is None:
        return None
    touched = [element for group in nest.groups for element in group.elements.values()]
    return None if any(is_scattered(one, plan.columns) for one in touched) else nest


def runs_along_sums(root: affine.ForOp, target: Target) -> bool:
    """Is the nest below `root` of the kind, but better off in vectors along its sums, if those are
    long?"""
    nest = find_register_nest(root)
    plan = None if nest is None else best_plan(nest, target)
    return nest is not None and plan is not None and _is_better_along(nest, plan, target)


def accepted_plan(nest: RegisterNest, target: Target) -> Plan | None:
    """The best one, if it is worth it and nobody has asked for another one."""
    if any(_BY_HAND & {*loop.facts.marks} for loop in nest.loops):
        return None
    plan = best_plan(nest, target)
    return plan if plan is not None and _is_for_tiles(nest, plan, target) else None


def _is_for_tiles(nest: RegisterNest, plan: Plan, target: Target) -> bool:
    """Without serial loops rows of vectors are as good, but where a row is no longer than one; sums
    of stretches of memory may be better off in vectors along them. What only moves data is left to
    the back end: it keeps a small array in registers if nothing takes it as a vector."""
    if _is_better_along(nest, plan, target):
        return False
    known = extent_of(plan.columns)
    widest = target.lanes(element_bytes(nest))
    if not any(group.loops for group in nest.groups):
        is_computed = any(op.operands and has_lanes(op) for op in nest.loops[0].op.walk())
        if not is_computed or known is None or known > _longest_row(plan, widest, target):
            return False
    is_whole = known is not None and known % plan.lanes == 0
    if not is_whole and not any(group.loops for group in nest.groups) and _comes_back(nest):
        return False
    sizes = {element_bytes(nest)}
    return (
        is_whole
        or target.vector_bits >= CORE.strided.wide_bits
        or sizes <= {*CORE.strided.masked_bytes}
    )


def _is_better_along(nest: RegisterNest, plan: Plan, target: Target) -> bool:
    along = cycles_along(nest, target)
    return along is not None and along < plan.steady


def _longest_row(plan: Plan, widest: int, target: Target) -> int:
    """Of a vector, or of all of a tile's where no operation puts an element into all lanes by
    itself: LLVM would load those of all rows ahead of a row of vectors, and spill them."""
    return widest if target.has_mask_registers else max(widest, plan.vectors * plan.lanes)


def _comes_back(nest: RegisterNest) -> bool:
    """Does an iteration of a loop around read what the one before has stored?"""
    around = [loop.iv for loop in nest.outer if loop not in nest.parallel]
    if isinstance(op := nest.root.parent_op(), affine.ForOp):
        around.append(op.body.block.args[0])
    loaded = {
        element
        for group in nest.groups
        for op, element in group.elements.items()
        if isinstance(op, affine.LoadOp)
    }
    stored = [element for element, is_private in nest.held.items() if not is_private]
    return is_read_again(stored, loaded, around)
