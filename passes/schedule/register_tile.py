"""poly-register-tile: what the two innermost loops load is used for several iterations at once."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import open_problems_in
from polyopt.passes.schedule.tree_changes import change_tree
from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.changes.factors import read_factors
from polyopt.poly.changes.register_tiles import RegisterTiles
from polyopt.poly.transform.places import single_loops
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.target import Target

_OPERATIONS = 4_000_000


@record
class PolyRegisterTilePass(ModulePass):
    """Run several iterations of the two innermost loops of each nest together, where they commute.

    Requires: nothing. Ensures: the loops are marked "unroll", for `affine-unroll`; the order is
    legal. `factors`: iterations of the second loop from inside, and of the innermost one (of which
    copies are made where it runs in no vectors), each 1, 2, 4, 6 or 8; none: those that load the
    least, as far as the registers of `march` hold what is loaded.

        for i, for j { S }
      =>
        for i step 4, for j, unroll for i in the strip { S }
    """

    name = "poly-register-tile"

    factors: tuple[int, ...] = ()
    march: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        try:
            factors = read_factors(self.factors)
        except ValueError as error:
            raise CompileError(f"{self.name}: {error}") from None
        registers = Target.named(self.march).vector_registers
        for problem in open_problems_in(op):
            tiles = RegisterTiles(problem.scop, registers, factors)
            place = TreePosition((), problem.dependences.validity)
            domain = problem.scop.schedule.get_domain()
            with problem.effort():
                change_tree(
                    problem, lambda tree: tiles.of(single_loops(tree), place, domain), _OPERATIONS
                )
