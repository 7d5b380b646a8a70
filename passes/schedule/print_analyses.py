"""poly-print-dependences, -parallelism, -loops, -strides: what is known of each SCoP, as text
before the module.

For people and for tests; the module is not changed.
"""

from __future__ import annotations

from typing import Literal

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import problems_in
from polyopt.poly.analysis.loop_strides import strides_in
from polyopt.poly.analysis.parallelism import judge_tree
from polyopt.poly.analysis.strides import AccessMatrices
from polyopt.poly.dependences import certain_flow, compute_dependences, final_writes
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.isl.lists import maps, pw_affs
from polyopt.poly.linear.linear_forms import function_of, linear_text
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.schedule_tree import Member, UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.record import record

NO_LOOPS = "//   not known: there are no loops that run it in this order\n"


@record
class PolyPrintDependencesPass(ModulePass):
    """Print each kind of dependence, one relation for each pair of statements; then live-in, the
    reads that no write of the SCoP is the source of, with what they read, and live-out, the writes
    whose values may be there at the end.

    `form`: "reduced" is what schedulers work with, the flow of values and the conflicts with no
    write between; "minimal" leaves out what a path of others implies; "full" is all pairs that
    touch one element. Flow that a write of unknown place may disturb is listed as "may-flow".

    // gemm: flow
    //   [n] -> { S[i] -> T[i] : 0 <= i < n }
    """

    name = "poly-print-dependences"

    form: Literal["minimal", "reduced", "full"] = "reduced"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            dependences, scop = problem.dependences, problem.scop
            if self.form != "reduced":
                dependences = compute_dependences(scop, reassociate=True, form=self.form)
            flow = dependences.flow
            if self.form != "full" and any(
                not a.is_must for s in scop.statements for a in s.accesses
            ):
                flow = flow.intersect(certain_flow(scop))
            kinds = {
                "flow": flow,
                "may-flow": dependences.flow.subtract(flow),
                "anti": dependences.anti,
                "output": dependences.output,
                "reduction": dependences.reduction,
                "live-in": dependences.live_in,
                "live-out": final_writes(scop),
            }
            for kind, relation in kinds.items():
                if not relation.is_empty():
                    print(f"// {scop.name}: {kind}")
                for part in maps(relation.coalesce()):
                    print(f"//   {part}")


@record
class PolyPrintParallelismPass(ModulePass):
    """Print what each loop of the schedule carries, by its function of each statement: doall,
    reduction, pipeline, both, or serial. Loops are judged before any are generated; what is
    generated may be several loops for one, some with less to carry (`poly-print-loops`).

    // sweep: schedule
    //   t of S: serial
    //     i of S: pipeline
    //       j of S: serial
    """

    name = "poly-print-parallelism"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            scop = problem.scop
            print(f"// {scop.name}: schedule")
            try:
                tree = read_tree(scop.schedule)
            except UnsupportedTree as error:
                print(f"//   {error}")
                continue
            for one in judge_tree(scop, problem.dependences, tree):
                indent = "  " * (one.depth + 1)
                print(f"//{indent} {_functions(scop, one.member)}: {one.parallelism.kind}")


def _functions(scop: Scop, member: Member) -> str:
    """ "t + i of S, T; t of U": the iterators that a member runs along, without constants."""
    statements: dict[str, list[str]] = {}
    for part in pw_affs(member.function):
        name = part.get_domain_space().get_tuple_name(isl.dim_type.set) or ""
        row = function_of(member.function, name)
        iterators = scop.statement(name).iterators
        text = "?" if row is None else linear_text(row, iterators)
        statements.setdefault(text, []).append(name)
    return "; ".join(f"{text} of {', '.join(names)}" for text, names in statements.items())


@record
class PolyPrintLoopsPass(ModulePass):
    """Print the loops that run each SCoP's schedule, in the manner of C, with what is known of
    them: marks, parallelism, reductions."""

    name = "poly-print-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            scop = problem.scop
            nodes = generate_loops(scop, problem.dependences, scop.schedule)
            print(f"// {scop.name}:")
            print(NO_LOOPS if nodes is None else loop_text(nodes, "//   "), end="")


@record
class PolyPrintStridesPass(ModulePass):
    """Print, for each statement in each innermost loop, how many elements each of its accesses
    moves from one iteration to the next: 0 stays, 1 walks along a row, "far" goes to another row.

    // product:
    //   S(c0, c1, c2) along c2: C 1, A 0, B 1
    """

    name = "poly-print-strides"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for problem in problems_in(op):
            scop = problem.scop
            nodes = generate_loops(scop, problem.dependences, scop.schedule)
            print(f"// {scop.name}:")
            if nodes is None:
                print(NO_LOOPS, end="")
                continue
            for one in strides_in(nodes, AccessMatrices(scop)):
                moves = dict.fromkeys(f"{access.array} {by}" for access, by in one.strides)
                where = loop_text([one.instance]).removesuffix(";\n")
                print(f"//   {where} along {one.loop.iterator}: {', '.join(moves)}")
