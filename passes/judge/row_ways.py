"""What LLVM makes of a row: vectors that run together, narrower ones for what these leave, and one
iteration after the other for what those leave.

    cycles(length) = together * whole + narrow * rest + alone * last
"""

from __future__ import annotations

from polyopt.passes.judge.body_cost import BodyCost
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import record


@record
class RowWays:
    """`together` iterations are in the vectors that run together, `narrow` in one of those behind
    them (0: there are none); what an iteration takes in each (`whole`, `rest`), and `alone`."""

    together: int
    narrow: int
    whole: float
    rest: float
    alone: float

    @staticmethod
    def of(cost: BodyCost, core: CoreCosts, lanes: int, chains: int, wait: float) -> RowWays:
        """LLVM writes vectors for what is left over where `vector_rests` iterations and more are
        together; each of these waits for the one before."""
        together = lanes * chains
        alone = max(cost.ports(1, cost.target.vector_bits).cycles(core), wait)
        narrow = 0
        if together >= core.vector_rests:
            narrow = max(lanes // 2, min(lanes, core.narrow_lanes))
        rest = alone
        if narrow:
            bits = core.llvm_bits * narrow // lanes
            rest = max(cost.ports(narrow, bits).cycles(core), wait) / narrow
        whole = max(cost.ports(lanes, core.llvm_bits).cycles(core), wait / chains) / lanes
        return RowWays(together, narrow, whole, rest, alone)

    def has_vectors(self, length: float) -> bool:
        return length >= (self.narrow or self.together)

    def cycles(self, length: float) -> float:
        whole = length // self.together * self.together
        last = length - whole
        rest = last // self.narrow * self.narrow if self.narrow else 0.0
        return whole * self.whole + rest * self.rest + (last - rest) * self.alone


def chains_of(trips: float, lanes: int, chains: int) -> int:
    """Of a known number of iterations: as many as leave two steps, or one where no more is left
    over then (LLVM's own rule)."""
    most = least = chains
    while most > 1 and most * lanes > trips:
        most //= 2
    while least > 1 and 2 * least * lanes > trips:
        least //= 2
    return most if trips % (most * lanes) == trips % (least * lanes) else least
