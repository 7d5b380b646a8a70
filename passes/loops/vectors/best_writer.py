"""What lanes begin with that keep the best of their iterations, and what is made of it behind them.

    L, F = l, f in all lanes; the loop; of each two lanes the better one, or the earlier one

Lanes that have found nothing hold what was there before, which is not better than itself. The last
two are compared as numbers: of vectors of which only the first lane is asked LLVM compares, on
AVX-512, that lane with itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects import pvec
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lane_shuffles import looked_up
from polyopt.passes.loops.vectors.bests import Best
from polyopt.support.record import record


@record
class BestWriter:
    builder: AffineBuilder
    bests: tuple[Best, ...]
    lanes: int

    def enter(self) -> list[SSAValue]:
        b = self.builder
        return [
            b.broadcast(b.load(one.store.memref, []), self.lanes)
            for best in self.bests
            for one in best.kept
        ]

    def leave(self, results: Sequence[SSAValue]) -> None:
        """To where it was kept: the lanes meet by halves, until one has the best."""
        b, rest = self.builder, list(results)
        for best in self.bests:
            own, rest = rest[: len(best.kept)], rest[len(best.kept) :]
            left = self.lanes
            while left > 2:
                left //= 2
                halves = [range(left), range(left, 2 * left)]
                old, new = ([looked_up(b, one, half) for one in own] for half in halves)
                own = self._better(best, new, old)
            if left == 2:
                old, new = ([self._lane(one, lane) for one in own] for lane in (0, 1))
                own = self._better(best, new, old)
            for one, value in zip(best.kept, own, strict=True):
                b.store(value, one.store.memref, []).location = one.store.location

    def _lane(self, value: SSAValue, lane: int) -> SSAValue:
        type_ = cast("VectorType[Attribute]", value.type).element_type
        return self.builder.insert(vector.ExtractOp(value, [lane], type_)).result

    def _better(
        self, best: Best, new: Sequence[SSAValue], old: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """In each lane, or of two numbers."""
        b = self.builder
        wins = self._is_better(best, new[0], old[0])
        if best.place is not None:
            number = best.kept.index(best.place)
            earlier = self._compare("slt", new[number], old[number])
            loses = self._is_better(best, old[0], new[0])
            # Where both are alike neither wins.
            wins = self._select(loses, wins, b.insert(arith.OrIOp(wins, earlier)).result)
        return [self._select(wins, one, other) for one, other in zip(new, old, strict=True)]

    def _is_better(self, best: Best, one: SSAValue, other: SSAValue) -> SSAValue:
        return self._compare(best.order, one, other)

    def _compare(self, order: str, one: SSAValue, other: SSAValue) -> SSAValue:
        match one.type:
            case VectorType(element_type=IntegerType()):
                op = pvec.CmpiOp(order, one, other)
            case VectorType():
                op = pvec.CmpfOp(order, one, other)
            case IntegerType():
                op = arith.CmpiOp(one, other, order)
            case _:
                op = arith.CmpfOp(one, other, order)
        return self.builder.insert(op).results[0]

    def _select(self, wins: SSAValue, one: SSAValue, other: SSAValue) -> SSAValue:
        selects = pvec.SelectOp if isinstance(one.type, VectorType) else arith.SelectOp
        return self.builder.insert(selects(wins, one, other)).result
