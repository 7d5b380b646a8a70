"""Variables of a loop that always are equal are one.

    for (i = 0, j = 0; i < n; i++, j += 1)      i and j

Value numbering by what values are in each iteration, not by how they are computed.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument
from xdsl.passes import ModulePass

from polyopt.ir.branches import drop_passed, incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Counter, Expr
from polyopt.ir.functions import functions_near_loops
from polyopt.passes.prepare.values.clean_values import clean_values
from polyopt.support.record import record


@record
class MergeCountersPass(ModulePass):
    """Of the integer variables of a loop that have the same chain of recurrences one is left.

    Requires: variables are values (promote-scalars). Ensures: no block or edge changes.

        ^head(%i: i32, %j: i32):                      ^head(%i: i32):
          …                                             …
          cf.br ^head(%i_1, %j_1)             ->        cf.br ^head(%i_1)
    """

    name = "merge-counters"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            flow = ControlFlow(function.body)
            if _merge(flow):
                clean_values(flow)


def _merge(flow: ControlFlow) -> bool:
    headers = [loop.header for loop in flow.loops.all_loops() if _has_several(loop.header)]
    if not headers:
        return False
    evolution = Evolution(flow)
    equal = [pair for header in headers for pair in _equal(header, evolution)]
    for kept, gone in equal:
        gone.replace_all_uses_with(kept)
    for _, gone in reversed(equal):
        header = gone.owner
        for source in {edge.source: None for edge in incoming(header)}:
            drop_passed(source, header, gone.index)
        header.erase_arg(gone)
    return bool(equal)


def _has_several(header: Block) -> bool:
    types = [argument.type for argument in header.args if _counts(argument)]
    return len(types) > len(set(types))


def _counts(argument: BlockArgument) -> bool:
    return isinstance(argument.type, IntegerType | IndexType)


def _equal(header: Block, evolution: Evolution) -> list[tuple[BlockArgument, BlockArgument]]:
    """Pairs of an argument and a later one that always has its value."""
    known: dict[tuple[Attribute, Expr], BlockArgument] = {}
    pairs: list[tuple[BlockArgument, BlockArgument]] = []
    for argument in header.args:
        if not _counts(argument):
            continue
        expr = evolution.signed(argument, header)
        if not any(isinstance(atom, Counter) for atom in expr.all_atoms()):
            continue
        first = known.setdefault((argument.type, expr), argument)
        if first is not argument:
            pairs.append((first, argument))
    return pairs
