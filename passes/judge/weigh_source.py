"""poly-weigh: what the code that each SCoP was made from costs."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, f64, i64
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import BY_HAND, PaysOp, ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.fast_math import may_reassociate
from polyopt.passes.codegen.loop_builder import Site, build_loops
from polyopt.passes.codegen.statement_body import StatementBodies
from polyopt.passes.judge.index_values import Typical
from polyopt.passes.judge.nest_reader import read_parts
from polyopt.passes.judge.short_counters import short_counters
from polyopt.poly.cost.nest_cost import Estimate, estimate
from polyopt.poly.cost.work import likely_parameters
from polyopt.poly.generation.source_nest import source_nest
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.scanning.bounds import Unbounded
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class PolyWeighPass(ModulePass):
    """Say of each SCoP on trial (`poly.pays`) what its loops cost in the order of the source, and
    for which values of the parameters; nothing where its loops cannot be written.

    Requires: SCoPs are as they were detected. Ensures: nothing but that is changed.

        %p = poly.pays "f" params(%n)
      =>
        %p = poly.pays "f" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0e6, 0.0>}
    """

    name = "poly-weigh"

    march: str = "native"
    operations: int = 1_000_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        on_trial = {inner.scop_name.data: inner for inner in operations_in(op, PaysOp)}
        if not on_trial:
            return
        for scop_op in operations_in(op, ScopOp):
            pays = on_trial.get(scop_op.scop_name.data)
            if pays is None or BY_HAND in scop_op.attributes:
                continue
            scop = read_scop(scop_op)
            try:
                with budget("weighing the source", self.operations):
                    self._weigh(pays, scop_op, scop, target)
            except (BudgetExceeded, UnsupportedTree, Unbounded):
                continue

    def _weigh(self, pays: PaysOp, op: ScopOp, scop: Scop, target: Target) -> None:
        costs, core = set[float](), CoreCosts.of(target)
        counters = short_counters(op.params, core.short)
        for rank in (0, 1, -1):
            expected = likely_parameters(scop, rank)
            named = zip(op.params, op.param_names, strict=True)
            numbers = [counters.get(value, expected[name.data]) for value, name in named]
            known = dict(zip(op.params, numbers, strict=True))
            found = _cost(op, scop, known, counters, target)
            costs.add(found.cycles)
            if found.cycles >= core.least_expected:
                break
        else:
            # Loops that take as little whatever the parameters are do run.
            if len(costs) > 1 or 0.0 in costs:
                return
        pays.expected = DenseArrayBase.from_list(i64, numbers)
        # Six digits: xDSL writes longer numbers in a form that it cannot read in an array.
        cycles = [float(f"{number:.5e}") for number in (found.core, found.memory)]
        pays.source = DenseArrayBase.from_list(f64, cycles)


def _cost(
    op: ScopOp,
    scop: Scop,
    expected: dict[SSAValue, int],
    counters: Collection[SSAValue],
    target: Target,
) -> Estimate:
    """Of the loops of the source, which are made for this and go again."""
    block = Block()
    parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
    bodies = StatementBodies(scop, {one.stmt_name.data: one for one in op.statements()})
    build_loops(
        source_nest(scop, scop.schedule),
        Site(block, parameters, frozenset(op.params)),
        bodies.build,
    )
    parent = op.parent
    assert parent is not None
    known = {value: Typical(float(expected[value])) for value in op.params}
    core = CoreCosts.of(target)
    try:
        any_order = may_reassociate(op)
        parts = read_parts(block.ops, known, target, core, any_order=any_order, counted=counters)
        return estimate(parts, target, core)
    finally:
        for inner in reversed(list(block.ops)):
            inner.detach()
            inner.erase(safe_erase=False)
