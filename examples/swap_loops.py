"""A pass that is not polyopt's own: the two outermost loops of each SCoP in each other's place.

    python examples/swap_loops.py examples/transposed.c -p 'promote-scalars,…,swap-loops'

docs/a-pass.md walks through it.
"""

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import Problem, problems_in
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.transform.ordering import interchange
from polyopt.poly.transform.places import CannotTransform, single_loops
from polyopt.support.remarks import remark
from polyopt.tools.opt_command import PolyoptOptMain


@dataclass(frozen=True)
class SwapLoopsPass(ModulePass):
    """for i { for j { S(i, j) } }      =>      for j { for i { S(i, j) } }

    Requires: nothing. Ensures: every dependence is kept; where it would not be, or where there
    are no two loops right inside each other, the SCoP stays as it is and a remark says why.
    """

    name = "swap-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            refused = _swap(problem)
            if refused is not None:
                remark("missed", "not-swapped", f"loops not swapped: {refused}", problem.span)


def _swap(problem: Problem) -> object | None:
    """None, or what stands against it."""
    tree = single_loops(read_tree(problem.scop.schedule))
    try:
        swapped = interchange(tree, (), (0,))
    except CannotTransform as reason:
        return reason
    schedule = build_schedule(problem.scop.domain, swapped)
    for violation in problem.violations(schedule):
        return violation
    problem.accept(schedule)
    return None


class Main(PolyoptOptMain):
    def register_all_passes(self) -> None:
        super().register_all_passes()
        self.register_pass("swap-loops", lambda: SwapLoopsPass)


if __name__ == "__main__":
    Main(sys.argv[1:]).run()
