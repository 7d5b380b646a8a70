"""From where to where loops go: typical bounds, whether LLVM knows them, and how they change."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import affine, arith, scf
from xdsl.ir import Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.judge.index_values import IndexValues, Typical
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import entity


@entity
class LoopEnds:
    """`counted` are the parameters and iterators that LLVM knows once it has unrolled the loops
    around; `as_written`: the loops are the source's."""

    values: IndexValues
    counted: set[SSAValue]
    core: CoreCosts
    as_written: bool = False

    def bounds(self, op: affine.ForOp | scf.ForOp) -> tuple[Typical, Typical, int]:
        of = self.values
        if isinstance(op, affine.ForOp):
            lower = of.results(op.lowerBoundMap.data, op.lowerBoundOperands)
            upper = of.results(op.upperBoundMap.data, op.upperBoundOperands)
            return (
                max(lower, key=lambda one: one.number),
                min(upper, key=lambda one: one.number),
                op.step.value.data,
            )
        return of.of(op.lb), of.of(op.ub), max(1, int(of.of(op.step).number))

    def is_constant(self, op: affine.ForOp | scf.ForOp) -> bool:
        """Whether LLVM knows how often it runs, or would if it unrolled the short loops around."""
        return isinstance(op, affine.ForOp) and (
            all(
                operand in self.counted or (self.as_written and self._is_number(op, operand))
                for operand in (*op.lowerBoundOperands, *op.upperBoundOperands)
            )
            or has_constant_extent(op)
        )

    def _is_number(self, loop: affine.ForOp, bound: SSAValue) -> bool:
        """Of the source's loops, which go from the first to the last that any of its statements
        does: is the one that counts in a typical iteration a number?"""
        op = bound.owner
        if isinstance(op, (arith.MinSIOp, arith.MaxSIOp)) and _stand_together(loop, op):
            end, ends = self.values.of(bound).number, op.operands
            return any(self.values.of(o).number == end and self._is_number(loop, o) for o in ends)
        return isinstance(op, arith.ConstantOp)

    def start(
        self, op: affine.ForOp | scf.ForOp, trips: float, depth: int, *, is_known: bool
    ) -> float:
        """Where a loop ends is foreseen if it is short, and as long each time that it starts in the
        loops around."""
        core = self.core
        is_foreseen = trips <= core.foreseen and self._is_as_long(op, depth)
        if trips >= core.short or is_known or is_foreseen:
            return core.start
        return core.start + core.mispredicted

    def _is_as_long(self, op: affine.ForOp | scf.ForOp, depth: int) -> bool:
        """Is it inside of other loops, none of which its bounds depend on?"""
        bounds = op.operands[:3] if isinstance(op, scf.ForOp) else op.operands
        return depth > 1 and not any(self.values.of(one).moves for one in bounds)

    def lengths(
        self,
        op: affine.ForOp | scf.ForOp,
        trips: float,
        trips_at: Mapping[int, float],
    ) -> list[float]:
        """How often it runs each time that it starts: where its bounds go along with the loops
        around, some of the numbers that it goes through."""
        lower, upper, step = self.bounds(op)
        extent = upper + lower * -1
        reach = sum(
            abs(by) * (trips_at[depth] - 1) / (2 * step)
            for depth, by in extent.moves
            if depth in trips_at
        )
        reach = min(reach, trips)
        if reach < 1.0:
            return [trips]
        count = self.core.lengths
        return [
            max(0.0, float(round(trips + reach * ((2 * k + 1) / count - 1)))) for k in range(count)
        ]


def _stand_together(loop: affine.ForOp, op: Operation) -> bool:
    """What is computed in front of all of the source's loops is a size that their SCoP is given in
    the place of another (`scop/declared_sizes`): LLVM sees the other."""
    return loop.get_toplevel_object() is op.get_toplevel_object()


def has_constant_extent(op: affine.ForOp) -> bool:
    """Does it run as often wherever it begins?

    for (j = i; j < i + 8; j++)
    """
    loop = AffineLoop(op)
    if loop.lowers is None or loop.uppers is None:
        return False
    return not any((upper - low).terms for low in loop.lowers for upper in loop.uppers)


def cuts_tiles(op: affine.ForOp | scf.ForOp) -> bool:
    """Are there loops inside that end with the step of this one or with all of it, whichever comes
    first? Then its last iteration is a part of one."""
    iterator = op.body.block.args[0]
    return any(
        isinstance(use.operation, affine.ForOp)
        and max(
            len(use.operation.lowerBoundMap.data.results),
            len(use.operation.upperBoundMap.data.results),
        )
        > 1
        for use in iterator.uses
    )
