"""Nests beside one whose results stay in registers, which visit each of its iterations once.

    for i: for j: C[i, j] = 0                      for i: for j:
    for i: for j:                                    C[i, j] = 0
      for k: C[i, j] += A[i, k] * B[k, j]     =>     for k: C[i, j] += A[i, k] * B[k, j]
    for i: for j: D[i, j] = max(C[i, j], 0)          D[i, j] = max(C[i, j], 0)

By itself such a nest is a pass over memory, and what it stores is loaded again. Two nests of the
same iterations, one behind the other, are one nest if that carries no dependence: then no iteration
of it touches what another one does, so the order of iterations is free, and within each the first
nest's statements still run before the second one's.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

from xdsl.dialects import affine
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, AffineNest, ElementAccess, perfect_nest
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear
from polyopt.ir.effects import is_pure
from polyopt.passes.loops.registers.register_nest import RegisterNest, find_register_nest
from polyopt.passes.loops.registers.register_plan import Plan

Planner = Callable[[RegisterNest], Plan | None]


def take_in_neighbours(
    nest: RegisterNest, plan: Plan, plan_for: Planner
) -> tuple[RegisterNest, Plan]:
    """The nest with those beside it that may go in and that leave a nest for which there is a plan;
    it stands where all of them were."""
    for is_before in (True, False):
        beside = _neighbour(nest.root, is_before)
        while beside is not None:
            joined = _joined(nest, beside, is_before, plan_for)
            if joined is None:
                break
            nest, plan = joined
            beside = _neighbour(nest.root, is_before)
    return nest, plan


def _neighbour(root: Operation, is_before: bool) -> affine.ForOp | None:
    """The next loop, if all between touches no memory."""
    op = root.prev_op if is_before else root.next_op
    while op is not None and not op.regions and is_pure(op):
        op = op.prev_op if is_before else op.next_op
    return op if isinstance(op, affine.ForOp) and not op.results else None


def _joined(
    nest: RegisterNest, beside: affine.ForOp, is_before: bool, plan_for: Planner
) -> tuple[RegisterNest, Plan] | None:
    other = perfect_nest(beside)
    order = _same_iterations(nest.outer, other) if _touches_held(nest, other) else None
    if order is None:
        return None
    root, later = nest.root, nest.root if is_before else beside
    parent, both = later.parent, _nest_of_both(nest, other, order, is_before)
    assert parent is not None
    parent.insert_op_after(both, later)
    found = find_register_nest(both)
    plan = plan_for(found) if found is not None and _is_legal(found, other) else None
    for op in (root, beside) if plan is not None else (both,):
        op.detach()
        op.erase()
    return (found, plan) if found is not None and plan is not None else None


def _touches_held(nest: RegisterNest, other: AffineNest) -> bool:
    """Else they have nothing to do with each other."""
    held = {array for array, _ in nest.held}
    accesses = [op for op in other.operations if isinstance(op, ElementAccess)]
    return any(op.memref in held for op in accesses)


def _same_iterations(
    outer: tuple[AffineLoop, ...], other: AffineNest
) -> dict[SSAValue, SSAValue] | None:
    """Which iterator of `outer` stands for each of the other nest's; None where it has other
    iterations."""
    wanted, own = Constraints.of_loops(outer), Constraints.of_loops(other.loops)
    if wanted is None or own is None or len(outer) != len(other.loops):
        return None
    if any(loop.step != 1 for loop in (*outer, *other.loops)):
        return None
    for order in permutations(outer):
        names = {mine.iv: its.iv for mine, its in zip(other.loops, order, strict=True)}
        here = own.substitute({mine: Linear.of(its) for mine, its in names.items()})
        if all(here.implies(form) for form in wanted.forms) and all(
            wanted.implies(form) for form in here.forms
        ):
            return {mine: its for mine, its in names.items()}
    return None


def _nest_of_both(
    nest: RegisterNest, other: AffineNest, order: dict[SSAValue, SSAValue], is_before: bool
) -> affine.ForOp:
    values: dict[SSAValue, SSAValue] = {}
    both = nest.root.clone(values)
    body = values[nest.outer[-1].iv].owner
    assert isinstance(body, Block)
    here = {mine: values[its] for mine, its in order.items()}
    anchor = body.first_op if is_before else body.last_op
    assert anchor is not None
    for op in other.operations:
        body.insert_op_before(op.clone(here), anchor)
    return both


def _is_legal(both: RegisterNest, other: AffineNest) -> bool:
    """The law above; no variable of an iteration was one of all iterations of the other nest."""
    inside = (op for one in other.operations for op in one.walk())
    touched = {op.memref for op in inside if isinstance(op, ElementAccess)}
    private = {array for (array, _), is_private in both.held.items() if is_private}
    return not touched & private and len(both.parallel) == len(both.outer)
