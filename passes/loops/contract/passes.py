"""The passes on operations of `contract`: what each requires and ensures.

What does the work is loaded only where there is work: compiling is mostly of code without
contractions.
"""

from __future__ import annotations

import sys

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


def _may_be_there() -> bool:
    """Nobody has made operations of a dialect that is not loaded."""
    return "polyopt.dialects.contract" in sys.modules


@record
class ContractPlanPass(ModulePass):
    """Say of each `contract.nest` in which sizes it is to be cut (`blocking`).

    Requires: nothing. A nest that has sizes keeps them.
    Ensures: the same values. Sizes that are zero here are chosen by the model (`block_sizes.py`)
    for the machine `march`; factors of products of narrow integers are written as such
    (`groups.py`). A nest whose column panels a loop around it does not change (`kept_panels.py`) is
    `kept`. One that has nothing to pack gets no sizes.
    """

    name = "contract-plan"

    march: str = "native"
    rows: int = 0
    vectors: int = 0
    depth: int = 0
    row_block: int = 0
    column_block: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if _may_be_there():
            from polyopt.passes.loops.contract.plan import plan
            from polyopt.support.target import Target

            names = ("rows", "vectors", "depth", "row_block", "column_block")
            given = {name: value for name in names if (value := getattr(self, name))}
            for name, value in given.items():
                if value < 0:
                    raise CompileError(f"{self.name}: {name} is a size, or 0, not {value}")
            plan(op, Target.named(self.march), given)


@record
class ContractFusePass(ModulePass):
    """Take nests beside a `contract.nest` into it that visit each of its elements once
    (`pointwise.py`).

    Requires: nothing; a nest that reads what a `finish` writes needs to have its sizes
    (`contract-plan`), since that is legal in one block of columns only.
    Ensures: the same values in the same places. Where the contraction is one side of a test
    whether it is worthwhile, the nests go to the other side as they are.

        affine.for %i, %j { X[i, j] = 0 }
        contract.nest … updates (%X …)        =>    contract.nest … updates (%X …) {
        affine.for %i, %j { Y[i, j] = X[i, j] }       contract.begin …  contract.finish … }
    """

    name = "contract-fuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if _may_be_there():
            from polyopt.passes.loops.contract.fuse import fuse

            fuse(op)


@record
class ContractBlockPass(ModulePass):
    """Replace every `contract.nest` that has sizes by affine loops over blocks of these sizes, with
    `contract.pack` and `contract.tile` in them (`block_writer.py`).

    Requires: nothing. Ensures: the updates of each element in the order of depth. A nest whose
    blocks are not the points of loops (a bound would need a quotient) stays as it is.

        contract.nest … blocking <…>    =>    affine.for %kb, %jb { contract.pack … affine.for %ib {
                                                contract.pack … affine.for %jt, %it {
                                                  contract.tile … } } }
    """

    name = "contract-block"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if _may_be_there():
            from polyopt.passes.loops.contract.block import cut

            cut(op)


@record
class ContractPlacePass(ModulePass):
    """Give every `contract.panel` memory: on the stack where it is known to be small, else from its
    place on until behind the last operation that uses it.

    Requires: nothing. Ensures: each run of the code, by whatever thread, has memory of its own; a
    panel that is `kept` has it in front of the loop around, for all of its iterations, one that is
    `shared` in front of the region that a team runs, for all of its threads.

        %p = contract.panel … : !contract.panel<4, f64>     %p = memref.alloc … : memref<?x?x4xf64>
        … contract.pack %p … contract.tile …          =>    … contract.pack %p … contract.tile …
                                                            memref.dealloc %p
    """

    name = "contract-place"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if _may_be_there():
            from polyopt.passes.loops.contract.place import place

            place(op)


@record
class ContractToAffinePass(ModulePass):
    """Replace every operation of `contract` by loops: a pack by one that copies (`pack_writer.py`),
    a tile by masked vector code with the tile in registers (`tile_writer.py`), a nest by the loops
    that it stands for.

    Requires: nothing; panels that have no place get one first, as by `contract-place`.
    Ensures: nothing of the dialect is left; each element sees its updates in the order of depth.

        contract.tile … {                        affine.for %k iter_args(vectors) {
          %t = %p * %q; yield %x + %t }    =>      vector += broadcast(row panel) * column panel }
    """

    name = "contract-to-affine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if _may_be_there():
            from polyopt.passes.loops.contract.to_affine import to_affine

            to_affine(op)
