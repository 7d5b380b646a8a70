"""affine-tile-registers: results stay in registers while serial loops run."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.ir.affine_nest import only_child_loop
from polyopt.ir.elementwise import has_lanes
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
    element_bytes,
    find_register_nest,
)
from polyopt.passes.loops.registers.register_plan import Plan, best_plan, cycles_along, extent_of
from polyopt.passes.loops.registers.register_writer import RegisterTileWriter
from polyopt.passes.loops.replacement import replace_loop, tell
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target

_BY_HAND = {"unroll", "jam", "no_vector"}


@record
class AffineTileRegistersPass(ModulePass):
    """Of a nest around serial loops, one parallel loop becomes the lanes of vectors and another one
    runs several iterations together, inside of everything (`register_nest.py`): direct
    convolutions, products of small or odd sizes, sums of products of more than two arrays.

    Requires: nothing; that loops are parallel is proved again, variables of an iteration apart.
    Ensures: each element sees the same operations in the same order; memory beyond what the nest
    touches is not touched, where no serial loop runs nothing is.

        affine.for %i { affine.for %j {           affine.for %i step 4 { affine.for %j step 16 {
          affine.for %k {                           4 x 2 vectors of C
            C[i, j] += A[i, k] * B[k, j] } } }  =>  affine.for %k { each += A[…, k] * B[k, …] }
                                                    4 x 2 vectors of C } }
    """

    name = "affine-tile-registers"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        done: list[Operation] = []
        for root in [loop for loop in operations_in(op, affine.ForOp) if _is_root(loop)]:
            if not any(one.is_ancestor(root) for one in done):
                if self._tile(root, target):
                    done.append(root)

    def _tile(self, root: affine.ForOp, target: Target) -> bool:
        nest = find_register_nest(root)
        if nest is None or any(_BY_HAND & {*loop.facts.marks} for loop in nest.loops):
            return False
        plan = best_plan(nest, target)
        if plan is None or not _is_for_tiles(nest, plan, target):
            return False
        builder = AffineBuilder(Block(), root)
        RegisterTileWriter(builder, nest, plan).write()
        tell(
            self.name,
            root,
            f"{plan.rows} rows of {plan.vectors} vectors of {plan.lanes} stay in registers",
        )
        replace_loop(root, builder.block)
        return True


def _is_root(op: affine.ForOp) -> bool:
    around = op.parent_op()
    return not (isinstance(around, affine.ForOp) and only_child_loop(around) is op)


def _is_for_tiles(nest: RegisterNest, plan: Plan, target: Target) -> bool:
    """Without serial loops rows of vectors are as good, but where a row is no longer than one; sums
    of stretches of memory may be better off in vectors along them. What only moves data is left to
    the back end: it keeps a small array in registers if nothing takes it as a vector."""
    along = cycles_along(nest, target)
    if along is not None and along < plan.steady:
        return False
    known = extent_of(plan.columns)
    widest = target.lanes(element_bytes(nest))
    if not any(group.loops for group in nest.groups):
        is_computed = any(op.operands and has_lanes(op) for op in nest.loops[0].op.walk())
        if not is_computed or known is None or known > widest:
            return False
    is_whole = known is not None and known % plan.lanes == 0
    sizes = {element_bytes(nest)}
    return (
        is_whole
        or target.vector_bits >= CORE.strided.wide_bits
        or sizes <= {*CORE.strided.masked_bytes}
    )
