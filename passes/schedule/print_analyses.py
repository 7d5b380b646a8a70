"""poly-print-dependences, poly-print-loops: what is known of each SCoP, as text before the module.

For people and for tests; the module is not changed.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.schedule.problem import problems_in
from polyopt.poly.ast_generation import generate_loops
from polyopt.poly.isl_lists import maps
from polyopt.poly.loop_text import loop_text


@dataclass(frozen=True)
class PolyPrintDependencesPass(ModulePass):
    """Print each kind of dependence, one relation for each pair of statements.

    // gemm: flow
    //   [n] -> { S[i] -> T[i] : 0 <= i < n }
    """

    name = "poly-print-dependences"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            dependences = problem.dependences
            kinds = dependences.kinds() | {
                "reduction": dependences.reduction,
                "live-in": dependences.live_in,
            }
            for kind, relation in kinds.items():
                if not relation.is_empty():
                    print(f"// {problem.scop.name}: {kind}")
                for part in maps(relation.coalesce()):
                    print(f"//   {part}")


@dataclass(frozen=True)
class PolyPrintLoopsPass(ModulePass):
    """Print the loops that run each SCoP's schedule, in the manner of C, with what is known of
    them: marks, parallelism, reductions."""

    name = "poly-print-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            scop = problem.scop
            nodes = generate_loops(scop, problem.dependences, scop.schedule)
            print(f"// {scop.name}:")
            print(loop_text(nodes or (), "//   "), end="")
