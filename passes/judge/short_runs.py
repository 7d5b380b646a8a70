"""How short the loops of a SCoP that runs over and over may be, and still pay.

    for (len = 1; len < n; len *= 2)
        for (i = 0; i < n; i += 2 * len)
            for (j = i; j < i + len; j++)           span: len, whatever i is
                …

The two loops around are no part of the SCoP, which begins anew for each of their iterations: nine
runs in ten are of at most eight iterations. `ladder` are the parameters for shorter and shorter
spans; where the loops that were made cost more than those of the source on the lowest rungs, they
run only above those (`least_span`), if that is worth two versions (`pays_in_all`). Windows around
each element (`span_of_window`) are short as a rule, and asked the same wherever they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import mul

from xdsl.dialects import affine, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from polyopt.dialects.inside import operations_in
from polyopt.ir.control.cfg import Cycles, enclosing_block
from polyopt.poly.cost.nest_cost import Estimate
from polyopt.support.core_model import CORE
from polyopt.support.record import record


def run_again(module: ModuleOp) -> set[func.FuncOp]:
    """The functions that loops, or they themselves, call."""
    functions = {one.sym_name.data: one for one in module.ops if isinstance(one, func.FuncOp)}
    found: set[func.FuncOp] = set()
    cycles = Cycles()
    for function in functions.values():
        for call in operations_in(function, func.CallOp):
            callee = functions.get(call.callee.string_value())
            if callee is None:
                continue
            if callee is function or enclosing_block(call) in cycles:
                found.add(callee)
    return found


def is_nest(block: Block) -> bool:
    """Whether loops are inside of others, which start more often than the SCoP does."""
    return any(isinstance(op, affine.ForOp) for one in _loops(block) for op in one.body.walk())


def span_of_loops(block: Block, parameters: Sequence[SSAValue]) -> AffineMap | None:
    """From the first number to behind the last one of the first innermost loop, of the parameters
    in their order; None where that is not one expression of them, or is a number, and where
    innermost loops of a nest go further than others."""
    loops = _loops(block)
    if is_nest(block):
        inner = [op for one in loops for op in one.walk() if isinstance(op, affine.ForOp)]
        loops = [
            one for one in inner if not any(isinstance(op, affine.ForOp) for op in one.body.walk())
        ]
        spans = {_span(one, parameters) for one in loops}
        return spans.pop() if len(spans) == 1 else None
    return _span(loops[0], parameters) if loops else None


def span_of_window(block: Block, parameters: Sequence[SSAValue]) -> AffineMap | None:
    """How far innermost loops go whose ends both move with a loop around, `x - r` to `x + r`: an
    expression of the parameters; None where there is no such loop, or several go to different
    lengths."""
    inner = [op for one in _loops(block) for op in one.body.walk() if isinstance(op, affine.ForOp)]
    spans = {
        span
        for one in inner
        if not any(isinstance(op, affine.ForOp) for op in one.body.walk())
        for span in _window_spans(one, parameters)
    }
    return spans.pop() if len(spans) == 1 else None


def _window_spans(loop: affine.ForOp, parameters: Sequence[SSAValue]) -> Iterator[AffineMap]:
    counted = [one for one in loop.operands if one not in parameters]
    place = {value: k for k, value in enumerate([*parameters, *dict.fromkeys(counted)])}
    lowers = _ends(loop.lowerBoundMap.data, loop.lowerBoundOperands, place)
    uppers = _ends(loop.upperBoundMap.data, loop.upperBoundOperands, place)
    own = set(range(len(parameters)))
    for lower in lowers:
        for upper in uppers:
            span = (upper - lower).simplify(len(place), 0)
            moves = bool(lower.used_dims() - own)
            if moves and span.used_dims() and span.used_dims() <= own:
                yield AffineMap(len(parameters), 0, (span,))


def _ends(
    bound: AffineMap, operands: Sequence[SSAValue], place: Mapping[SSAValue, int]
) -> list[AffineExpr]:
    values = [AffineExpr.dimension(place[one]) for one in operands]
    dims = bound.num_dims
    return [one.replace_dims_and_symbols(values[:dims], values[dims:]) for one in bound.results]


def _loops(block: Block) -> list[affine.ForOp]:
    return [op for op in block.ops if isinstance(op, affine.ForOp)]


def _span(loop: affine.ForOp, parameters: Sequence[SSAValue]) -> AffineMap | None:
    lower = _bound(loop.lowerBoundMap.data, loop.lowerBoundOperands, parameters)
    upper = _bound(loop.upperBoundMap.data, loop.upperBoundOperands, parameters)
    if lower is None or upper is None:
        return None
    span = (upper - lower).simplify(len(parameters), 0)
    return AffineMap(len(parameters), 0, (span,)) if span.used_dims() else None


def _bound(
    bound: AffineMap, operands: Sequence[SSAValue], parameters: Sequence[SSAValue]
) -> AffineExpr | None:
    place = {value: k for k, value in enumerate(parameters)}
    if len(bound.results) != 1 or any(one not in place for one in operands):
        return None
    values = [AffineExpr.dimension(place[one]) for one in operands]
    dims = bound.num_dims
    return bound.results[0].replace_dims_and_symbols(values[:dims], values[dims:])


def ladder(span: AffineMap, expected: Sequence[int]) -> list[list[int]]:
    """The expected parameters, but one of them so that the span is each of a few short ones; none
    where it cannot be, or is as short as they are."""
    length = span_at(span, expected)
    rungs = [rung for rung in CORE.nests.rungs if rung < length]
    shorter = [_with_span(span, expected, rung, length - rung) for rung in rungs]
    return [one for one in shorter if one is not None]


def _with_span(
    span: AffineMap, expected: Sequence[int], wanted: int, less: int
) -> list[int] | None:
    """Parameters count once, are halved, as a number of pairs is, or doubled: of a window, which
    has a middle, to one more."""
    for place in sorted(span.results[0].used_dims()):
        for by in (-less, less, -2 * less, 2 * less, -(less // 2), less // 2):
            moved = [one + by * (k == place) for k, one in enumerate(expected)]
            if span_at(span, moved) in (wanted, wanted + 1):
                return moved
    return None


def span_at(span: AffineMap, numbers: Sequence[int]) -> int:
    (result,) = span.eval(numbers, ())
    return result


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
    many times each takes, for any length may be the usual one. Loops that are expected not to run
    at all take a cycle."""
    source = [max(1.0, one.source.cycles) for one in rungs]
    both = [
        max(1.0, one.made.cycles) if least is None or one.span >= least else theirs + check
        for one, theirs in zip(rungs, source, strict=True)
    ]
    if shares is not None:
        return sum(map(mul, shares, both)) <= gain * sum(map(mul, shares, source))
    from statistics import geometric_mean

    return geometric_mean(ours / theirs for ours, theirs in zip(both, source, strict=True)) <= gain
