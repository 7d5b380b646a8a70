"""print-dependence-tests: what the classic tests say of each pair of accesses, as text before the
module.

For people and for tests; the module is not changed, and nothing is decided by it: schedulers go by
isl's dependences (`poly-print-dependences`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.objects.iteration_variables import is_variable
from polyopt.ir.references.loop_directions import vectors_of_pairs
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.loop_references import NotProved, references_of
from polyopt.ir.references.loop_view import LoopView
from polyopt.ir.references.memory_references import Reference
from polyopt.poly.classic.conflicts import Chrec
from polyopt.poly.classic.scop_pairs import Pair, pairs_of
from polyopt.poly.linear.dependence_vectors import vector_text
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.poly.scop import Access, Statement
from polyopt.support.record import record


@record
class PrintDependenceTestsPass(ModulePass):
    """Print, for each pair of accesses of a SCoP to one array of which one writes, how many loops
    its subscripts vary in (ziv: none, siv: one, miv: several), and the verdict: independent, with
    the test that proved it; dependent; or unknown, which counts as dependent. Then the distances
    or directions in the loops around both, and the conflicting iterations of each such loop as
    chains of recurrences in the number of the conflict, as far as there are such.

    // f: A[] of S0 and A[] of S1, siv: independent (siv)
    // f: A[] of S0 and A[] of S0, siv: dependent, by (2); i: {0, +, 1} and {2, +, 1}

    Of loops that are none of a SCoP the distances or directions are printed, in the loops each of
    which is directly and alone in the one before: what passes on such loops go by.

    // f, loop k: x read and x written: by (0)
    """

    name = "print-dependence-tests"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for one in op.walk():
            if isinstance(one, func.FuncOp) and one.body.blocks:
                for line in _of_blocks(one):
                    print(f"// {one.sym_name.data}, {line}")
            if not isinstance(one, ScopOp):
                continue
            scop = read_scop(one)
            try:
                for pair in pairs_of(scop):
                    print(f"// {scop.name}: {_text(pair)}")
            except UnsupportedTree as error:
                print(f"// {scop.name}: {error}")


def _of_blocks(function: func.FuncOp) -> Iterator[str]:
    """Of the outermost loops of its control flow."""
    flow = ControlFlow(function.body)
    for loop in flow.loops.top_level:
        view = LoopView(loop, flow)
        try:
            references = [one for one in references_of(view) if not is_variable(one.base)]
        except NotProved as why:
            yield f"loop {loop.name}: {why.message}"
            continue
        nest = _nest(view, references)
        names = ", ".join(one.name for one in nest.loops)
        for base in dict.fromkeys(one.base for one in references):
            there = [one for one in references if one.base is base]
            for line in _meetings(nest, base.name_hint or "an array", there):
                yield f"loop {names}: {line}"


def _nest(view: LoopView, references: Sequence[Reference]) -> NaturalNest:
    """The loops around all that is touched."""
    loops = [view.loop]
    innermost = [view.flow.loops.innermost(enclosing_block(one.op)) for one in references]
    while len(loops[-1].children) == 1 and all(map(loops[-1].children[0].encloses, innermost)):
        loops += loops[-1].children
    return NaturalNest(tuple(loops), view.flow, view.ranges, view.is_fixed)


def _meetings(nest: NaturalNest, name: str, references: Sequence[Reference]) -> Iterator[str]:
    for source, sink, vectors in vectors_of_pairs(nest, references):
        one, other = ("written" if each.is_write else "read" for each in (source, sink))
        told = f"by {' or '.join(map(vector_text, vectors))}" if vectors else "independent"
        yield f"{name} {one} and {name} {other}: {told}"


def _text(pair: Pair) -> str:
    verdict = pair.verdict
    kinds = ", ".join(pair.kinds) or "ziv"
    told = f"{_access(*pair.source)} and {_access(*pair.sink)}, {kinds}: {verdict.kind}"
    if verdict.decided_by:
        return f"{told} ({verdict.decided_by})"
    if pair.common:
        told += f", by {' or '.join(map(vector_text, verdict.vectors))}"
    chains = zip(pair.common, verdict.conflicts, strict=False)
    return told + "".join(f"; {name}: {_chains(one)}" for name, one in chains if one)


def _access(statement: Statement, access: Access) -> str:
    verb = "written" if access.is_write else "read"
    return f"{access.array} {verb} in {statement.name}"


def _chains(chains: tuple[Chrec, ...]) -> str:
    return " and ".join(map(str, chains))
