"""How short the loops of a SCoP that runs over and over may be, and still pay.

    for (len = 1; len < n; len *= 2)
        for (i = 0; i < n; i += 2 * len)
            for (j = i; j < i + len; j++)           span: len, whatever i is
                …

The two loops around are no part of the SCoP, which begins anew for each of their iterations: nine
runs in ten are of at most eight iterations. `ladder` are the parameters for shorter and shorter
spans; where the loops that were made cost more than those of the source on the lowest rungs, they
run only above those (`least_span`), if that is worth two versions (`pays_in_all`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import mul, truediv
from statistics import geometric_mean

from xdsl.dialects import affine, func
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from polyopt.dialects.inside import operations_in
from polyopt.ir.affine_nest import AffineLoop
from polyopt.ir.cfg import comes_back, enclosing_block
from polyopt.ir.linear import Linear
from polyopt.poly.cost.nest_cost import Estimate
from polyopt.support.core_model import CORE
from polyopt.support.record import record


def run_again(module: ModuleOp) -> set[func.FuncOp]:
    """The functions that loops, or they themselves, call."""
    functions = {one.sym_name.data: one for one in module.ops if isinstance(one, func.FuncOp)}
    found: set[func.FuncOp] = set()
    for function in functions.values():
        for call in operations_in(function, func.CallOp):
            callee = functions.get(call.callee.string_value())
            if callee is None:
                continue
            if callee is function or comes_back(enclosing_block(call)):
                found.add(callee)
    return found


def span_of_loops(block: Block, parameters: Iterable[SSAValue]) -> Linear | None:
    """From the first number to behind the last one of the innermost loop; None where that is not
    one sum of the parameters, or is a number."""
    known = set(parameters)
    deepest, depth = None, 0
    for loop, around in _loops(block.ops, 1):
        if around > depth:
            deepest, depth = AffineLoop(loop), around
    if deepest is None or deepest.lowers is None or deepest.uppers is None:
        return None
    if len(deepest.lowers) != 1 or len(deepest.uppers) != 1:
        return None
    span = deepest.uppers[0] - deepest.lowers[0]
    return span if span.terms and known.issuperset(span.values) else None


def _loops(ops: Iterable[Operation], depth: int) -> Iterable[tuple[affine.ForOp, int]]:
    for op in ops:
        if isinstance(op, affine.ForOp):
            yield op, depth
        for region in op.regions:
            for block in region.blocks:
                yield from _loops(block.ops, depth + isinstance(op, affine.ForOp))


def ladder(span: Linear, expected: Mapping[SSAValue, int]) -> list[dict[SSAValue, int]]:
    """The expected parameters, but one of them so that the span is each of a few short ones; none
    where it cannot be, or is as short as they are."""
    length = span_at(span, expected)
    moving = next((one for one in span.terms if abs(one[1]) == 1), None)
    if moving is None:
        return []
    value, by = moving
    return [
        {**expected, value: expected[value] - by * (length - rung)}
        for rung in CORE.nests.rungs
        if rung < length
    ]


def span_at(span: Linear, numbers: Mapping[SSAValue, int]) -> int:
    return span.constant + sum(by * numbers[value] for value, by in span.terms)


def as_map(span: Linear, parameters: Sequence[SSAValue]) -> AffineMapAttr:
    """The span of the parameters in their order."""
    place = {value: k for k, value in enumerate(parameters)}
    result = AffineExpr.constant(span.constant)
    for value, by in span.terms:
        result = result + AffineExpr.dimension(place[value]) * by
    return AffineMapAttr(AffineMap(len(parameters), 0, (result,)))


@record
class Rung:
    """What is expected of loops that go as far as `span`, and of those they were made from."""

    span: int
    made: Estimate
    source: Estimate

    @property
    def is_worse(self) -> bool:
        return self.made.cycles > self.source.cycles


def least_span(rungs: Sequence[Rung]) -> int | None:
    """From where on the loops that were made take no longer than the source's; None if that is
    everywhere. A span between two rungs is taken to be as the shorter one."""
    spans = [one.span for one in rungs]
    longer = [*spans[1:], 2 * spans[-1]]
    worse = (above for above, rung in zip(longer, rungs, strict=True) if rung.is_worse)
    return max(worse, default=None)


def pays_in_all(
    rungs: Sequence[Rung],
    shares: Sequence[float] | None,
    least: int | None,
    check: float,
    gain: float,
) -> bool:
    """Whether runs take at most `gain` of the source's time if short ones are the source's, behind
    a check: all together where it is known how often each comes up, else on the average of how
    many times each takes, for any length may be the usual one."""
    source = [one.source.cycles for one in rungs]
    both = [
        one.made.cycles if least is None or one.span >= least else one.source.cycles + check
        for one in rungs
    ]
    if shares is not None:
        return sum(map(mul, shares, both)) <= gain * sum(map(mul, shares, source))
    return geometric_mean(map(truediv, both, source)) <= gain
