"""affine-tile-registers: results stay in registers while serial loops run."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.affine_nest import only_child_loop
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.registers.nests_beside import take_in_neighbours
from polyopt.passes.loops.registers.register_nest import (
    RegisterNest,
    find_register_nest,
)
from polyopt.passes.loops.registers.register_writer import RegisterTileWriter
from polyopt.passes.loops.registers.sums_inside import with_sums_inside
from polyopt.passes.loops.registers.tiled_nest import accepted_plan
from polyopt.passes.loops.replacement import replace_op, tell
from polyopt.support.record import record
from polyopt.support.remarks import how_many
from polyopt.support.target import Target


@record
class AffineTileRegistersPass(ModulePass):
    """Of a nest around serial loops, one parallel loop becomes the lanes of vectors and another one
    runs several iterations together, inside of everything (`register_nest.py`): direct
    convolutions, products of small or odd sizes, sums of products of more than two arrays.

    Nests beside it that visit each of its iterations once go in (`nests_beside.py`). Serial loops
    that stand around rows short enough for one tile go inside (`sums_inside.py`).

    Requires: nothing; that loops are parallel is proved again, variables of an iteration apart.
    Ensures: each element sees the same operations in the same order, but for sums that may have any
    and would wait for themselves (`partial_sums.py`); memory beyond what the nest touches is not
    touched, where no serial loop runs nothing is.

        affine.for %i { affine.for %j {           affine.for %i step 4 { affine.for %j step 16 {
          affine.for %k {                           4 x 2 vectors of C
            C[i, j] += A[i, k] * B[k, j] } } }  =>  affine.for %k { each += A[…, k] * B[k, …] }
                                                    4 x 2 vectors of C } }
    """

    name = "affine-tile-registers"

    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        roots = [loop for loop in operations_in(op, affine.ForOp) if _is_root(loop)]
        # What only begins or takes the results of serial loops goes in with them.
        for serial in (True, False):
            for root in roots:
                if not op.is_ancestor(root):
                    continue
                nest = find_register_nest(root, serial=serial)
                if nest is None and serial:
                    nest = with_sums_inside(root, target)
                if nest is not None:
                    self._tile(nest, target)

    def _tile(self, nest: RegisterNest, target: Target) -> None:
        plan = accepted_plan(nest, target)
        if plan is None:
            return
        nest, plan = take_in_neighbours(nest, plan, lambda one: accepted_plan(one, target))
        root = nest.root
        builder = AffineBuilder(Block(), root)
        RegisterTileWriter(builder, nest, plan).write()
        rows, vectors = how_many(plan.rows, "row"), how_many(plan.vectors, "vector")
        what = f"{rows} of {vectors} of {plan.lanes} kept in registers"
        tell(self.name, root, what, plan.lanes)
        replace_op(root, builder.block)


def _is_root(op: affine.ForOp) -> bool:
    around = op.parent_op()
    return not (isinstance(around, affine.ForOp) and only_child_loop(around) is op)
