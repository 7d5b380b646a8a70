"""What lanes begin with that keep the best of their iterations, and what is made of it behind them.

    L, F = l, f in all lanes; the loop; of each two lanes the better one, or the earlier one

Lanes that have found nothing hold what was there before, which is not better than itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from polyopt.dialects import pvec
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lane_shuffles import picked
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
        """To where it was kept: the lanes meet by halves, until the first one has the best."""
        b, rest = self.builder, list(results)
        for best in self.bests:
            own, rest = rest[: len(best.kept)], rest[len(best.kept) :]
            distance = self.lanes // 2
            while distance:
                wanted = [(lane + distance) % self.lanes for lane in range(self.lanes)]
                own = self._better(best, [picked(b, [one], [0], wanted) for one in own], own)
                distance //= 2
            for one, lanes in zip(best.kept, own, strict=True):
                value = b.insert(vector.ExtractOp(lanes, [0], one.type)).result
                b.store(value, one.store.memref, []).location = one.store.location

    def _better(
        self, best: Best, new: Sequence[SSAValue], old: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """In each lane."""
        b = self.builder
        wins = self._is_better(best, new[0], old[0])
        if best.place is not None:
            number = best.kept.index(best.place)
            earlier = b.insert(pvec.CmpiOp("slt", new[number], old[number])).mask
            loses = self._is_better(best, old[0], new[0])
            # Where both are alike neither wins.
            wins = b.insert(pvec.SelectOp(loses, wins, b.insert(arith.OrIOp(wins, earlier)))).result
        return [
            b.insert(pvec.SelectOp(wins, one, other)).result
            for one, other in zip(new, old, strict=True)
        ]

    def _is_better(self, best: Best, one: SSAValue, other: SSAValue) -> SSAValue:
        compares = pvec.CmpiOp if isinstance(best.value.type, IntegerType) else pvec.CmpfOp
        return self.builder.insert(compares(best.order, one, other)).mask
