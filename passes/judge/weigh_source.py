"""poly-weigh: what the code that each SCoP was made from costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase, Float64Type, ModuleOp, f64, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.poly import BY_HAND, PaysOp, ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.ir.control.cfg import Cycles
from polyopt.ir.fast_math import FASTMATH, may_reassociate, permits
from polyopt.ir.problem import effort_around
from polyopt.passes.codegen.loop_builder import Site, build_loops
from polyopt.passes.codegen.statement_body import StatementBodies
from polyopt.passes.judge.callers import calls_in, is_part_of_callers
from polyopt.passes.judge.doubled_spans import shares_of_spans
from polyopt.passes.judge.in_vain import NESTS_TRIAL
from polyopt.passes.judge.index_values import Typical
from polyopt.passes.judge.nest_reader import read_parts
from polyopt.passes.judge.passed_numbers import PassedNumbers
from polyopt.passes.judge.short_counters import short_counters
from polyopt.passes.judge.short_runs import (
    is_nest,
    ladder,
    run_again,
    span_at,
    span_of_loops,
    span_of_window,
)
from polyopt.passes.judge.whole_elements import forget_parts
from polyopt.poly.cost.cost_models import LINES, CostModel, cost_model_named
from polyopt.poly.cost.nest_cost import Estimate
from polyopt.poly.cost.work import likely_parameters
from polyopt.poly.generation.source_nest import source_nest
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.scanning.bounds import Unbounded
from polyopt.poly.schedule_tree import UnsupportedTree
from polyopt.poly.scop import Scop
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import entity, record
from polyopt.support.remarks import begin_trial
from polyopt.support.target import Target


@record
class PolyWeighPass(ModulePass):
    """Say of each SCoP on trial (`poly.pays`) what its loops cost in the order of the source, and
    for which values of the parameters; nothing where its loops cannot be written. Of one that runs
    over and over, that is said for shorter and shorter loops, too. Where arrays have to be asked
    whether they are apart, elements that the source writes over and over stay in memory, but that
    LLVM makes small functions part of callers that know. `threads`: functions become too large for
    that.

    Requires: SCoPs are as they were detected. Ensures: nothing but that is changed.

        %p = poly.pays "f" params(%n)
      =>
        %p = poly.pays "f" params(%n) {expected = array<i64: 1000>, source = array<f64: 1.0e6, 0.0>}
    """

    name = "poly-weigh"

    march: str = "native"
    operations: int = 4_000_000
    cost_model: str = LINES
    threads: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        begin_trial(NESTS_TRIAL)
        on_trial = {inner.scop_name.data: inner for inner in operations_in(op, PaysOp)}
        if not on_trial:
            return
        target, model = Target.named(self.march), cost_model_named(self.cost_model)
        again, cycles = run_again(op), Cycles()
        calls = calls_in(op)
        passed = PassedNumbers(op, calls)
        for function in [one for one in op.ops if isinstance(one, func.FuncOp)]:
            for scop_op in operations_in(function, ScopOp):
                pays = on_trial.get(scop_op.scop_name.data)
                if pays is None or BY_HAND in scop_op.attributes:
                    continue
                block = pays.parent
                assert block is not None
                is_again = function in again or block in cycles
                may_meet = pays.apart is not None and (
                    self.threads or not is_part_of_callers(function, calls)
                )
                try:
                    with effort_around(scop_op), budget("weighing the source", self.operations):
                        said = passed.of(pays.params)
                        source = _Source.of(
                            scop_op,
                            *(target, model, said),
                            may_meet=may_meet,
                            may_wrap=pays.unwrapped is not None,
                        )
                        _weigh(pays, source, is_again)
                except (BudgetExceeded, UnsupportedTree, Unbounded):
                    continue


def _weigh(pays: PaysOp, source: _Source, is_again: bool) -> None:
    try:
        expected = _write_expected(pays, source)
        if expected is not None and (is_again or _window(pays, source) is not None):
            _write_shorter(pays, source, expected)
    finally:
        source.forget()


def _write_expected(pays: PaysOp, source: _Source) -> Mapping[SSAValue, int] | None:
    """None where nothing could be said, as of what only numbers greater than any would run, or
    where the question is asked of values that the SCoP does not have."""
    costs = set[float]()
    for rank in (0, 1, -1):
        numbers = source.expected(rank)
        found = source.cost(numbers)
        costs.add(found.cycles)
        if found.cycles >= source.core.least_expected:
            break
    else:
        # Loops that take as little whatever the parameters are do run.
        if len(costs) > 1 or 0.0 in costs:
            return None
    likely = [numbers[one] for one in pays.params if one in numbers]
    if len(likely) < len(pays.params) or any(not -(2**63) <= one < 2**63 for one in likely):
        return None
    pays.expected = DenseArrayBase.from_list(i64, likely)
    pays.source = _cycles([found])
    return numbers


def _write_shorter(pays: PaysOp, source: _Source, expected: Mapping[SSAValue, int]) -> None:
    """Of a nest only where it is seen that the span is short, or that of a window, which is short
    as a rule: loops around a SCoP are many, and what runs below it is written twice."""
    window = _window(pays, source)
    span = span_of_loops(source.block, pays.params) if window is None else window
    if span is None:
        return
    moving = [pays.params[k] for k in sorted(span.results[0].used_dims())]
    likely = [expected[one] for one in pays.params]
    shorter = ladder(span, likely)
    if not shorter or any(one in source.counters for one in moving):
        return
    block = pays.parent
    assert block is not None
    spans = [span_at(span, one) for one in (*shorter, likely)]
    others = [one for one in pays.params if one not in moving]
    shares = shares_of_spans(block, moving, others, spans)
    if shares is None and window is None and is_nest(source.block):
        return
    pays.span = AffineMapAttr(span)
    pays.shorter = DenseArrayBase.from_list(i64, [one for rung in shorter for one in rung])
    rungs = (dict(zip(pays.params, rung, strict=True)) for rung in shorter)
    pays.shorter_source = _cycles(map(source.cost, rungs))
    if shares is not None:
        pays.shares = DenseArrayBase.from_list(f64, [float(f"{one:.5e}") for one in shares])


def _window(pays: PaysOp, source: _Source) -> AffineMap | None:
    return span_of_window(source.block, pays.params)


def _cycles(estimates: Iterable[Estimate]) -> DenseArrayBase[Float64Type]:
    """Six digits: xDSL writes longer numbers in a form that it cannot read in an array."""
    numbers = [number for one in estimates for number in (one.core, one.memory)]
    return DenseArrayBase.from_list(f64, [float(f"{number:.5e}") for number in numbers])


@entity
class _Source:
    """The loops of a SCoP's source, which are made to be read and go again."""

    op: ScopOp
    scop: Scop
    target: Target
    core: CoreCosts
    block: Block
    counters: dict[SSAValue, int]
    model: CostModel
    said: Mapping[SSAValue, int]
    may_meet: bool
    may_wrap: bool

    @staticmethod
    def of(
        op: ScopOp,
        target: Target,
        model: CostModel,
        said: Mapping[SSAValue, int],
        *,
        may_meet: bool,
        may_wrap: bool,
    ) -> _Source:
        core = CoreCosts.of(target, fuses=permits(op, FastMathFlag.ALLOW_CONTRACT))
        scop, block = read_scop(op), _block_like(op)
        parameters = dict(zip((name.data for name in op.param_names), op.params, strict=True))
        bodies = StatementBodies(scop, {one.stmt_name.data: one for one in op.statements()})
        build_loops(
            source_nest(scop, scop.schedule),
            Site(block, parameters, frozenset(op.params)),
            bodies.build,
        )
        forget_parts(block)
        counters = short_counters(op.params, core.short)
        return _Source(op, scop, target, core, block, counters, model, said, may_meet, may_wrap)

    def expected(self, rank: int) -> dict[SSAValue, int]:
        """Of the parameters: what the program says that they are; those that count, around the
        SCoP, are in the middle. What no set names decides nothing, and any number does."""
        named = list(zip(self.op.params, self.op.param_names, strict=True))
        said = {name.data: self.said[value] for value, name in named if value in self.said}
        likely = likely_parameters(self.scop, rank, said)
        return {value: self.counters.get(value, likely.get(name.data, 0)) for value, name in named}

    def cost(self, expected: Mapping[SSAValue, int]) -> Estimate:
        known = {value: Typical(float(number)) for value, number in expected.items()}
        any_order = may_reassociate(self.op)
        parts = read_parts(
            self.block.ops,
            known,
            self.target,
            self.core,
            any_order=any_order,
            counted=self.counters,
            may_meet=self.may_meet,
            may_wrap=self.may_wrap,
            as_written=True,
        )
        return self.model(parts, self.target, self.core)

    def forget(self) -> None:
        for inner in reversed(list(self.block.ops)):
            inner.detach()
            inner.erase(safe_erase=False)


def _block_like(op: Operation) -> Block:
    """Of a module of its own, which permits of floating-point arithmetic what that of `op` does."""
    module, top = ModuleOp([]), op
    while (parent := top.parent_op()) is not None:
        top = parent
    if FASTMATH in top.attributes:
        module.attributes[FASTMATH] = top.attributes[FASTMATH]
    return module.body.block
