"""Which vectors of a row to read, and which to put together of others: a model of a step.

A load that begins in one line of the cache and ends in the next takes two turns. Where vectors are
as wide as lines, so does each that is not aligned: loads are what the loop waits for then, and
lanes that are moved in registers are cheaper (Zen 4, five points of doubles in turns, 64 x 64: 5.3
us, 3.8 with a row carried; of floats from one array to another, 200 x 200: 34 and 27). Vectors of
half a line gain nothing by such moves (measured: nine points beyond L1, 0.75 of the time with
vectors of a line, 1.0 with halves; seven neighbours on Zen 4: 1.5), but by vectors that a
step before has read as they are (an equation of state of seven neighbours in f64, AVX2: 1.35 ns an
iteration of four, 1.97 with all its loads).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from xdsl.dialects.builtin import FixedBitwidthType

from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.dialects.shaped_types import is_vector
from polyopt.passes.loops.transfers.read_rows import ReadRow, RowReads
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class Chain:
    """A row is read at `base` and at the `count - 1` vectors in front of it in each step; what lies
    up to there is taken from those, and from those of the steps before."""

    row: ReadRow
    base: int
    count: int
    moves_lanes: bool
    """Or is a vector only what has been read as it is?"""

    @property
    def made(self) -> list[int]:
        """The places whose reads are not needed any more."""
        places = [one for one in self.row.reads if one <= self.base]
        if self.moves_lanes:
            return places
        return [one for one in places if (self.base - one) % self.row.lanes == 0]

    @property
    def is_dense(self) -> bool:
        """Is there no element between two of them that the step does not read?"""
        return all(b - a <= self.row.lanes for a, b in pairwise(sorted(self.made)))

    @property
    def vectors(self) -> int:
        """How many there are at a time, those of the steps before included."""
        reach = self.base - min(self.made)
        return max(self.count, 1 - (-reach // self.row.lanes))

    @property
    def carried(self) -> int:
        return self.vectors - self.count

    @property
    def moves(self) -> int:
        """How many are put together of two."""
        return sum(1 for one in self.made if (self.base - one) % self.row.lanes)


def choose_chains(reads: RowReads, target: Target) -> list[Chain]:
    """Those that make a step cheapest, found one after the other: of a row of vectors as wide as a
    line one, of others one for each place in a vector."""
    most = target.vector_registers // CORE.carried.registers_part
    chosen: list[Chain] = []
    cost = _cost(reads, chosen, target)
    for choices in _choices(reads, target):
        plans = [[*chosen, chain] for chain in choices]
        plans = [plan for plan in plans if _registers(plan) <= most]
        if not plans:
            continue
        best = min(plans, key=lambda plan: _cost(reads, plan, target))
        if _is_crowded(reads, best, target):
            continue
        saved = cost - _cost(reads, best, target)
        if saved * _steps(reads) > _start(reads, best[-1]):
            chosen, cost = best, cost - saved
    return chosen


def _choices(reads: RowReads, target: Target) -> Iterator[list[Chain]]:
    """Of each list one at most."""
    for row in reads.rows:
        count, rest = divmod(reads.loop.step, row.lanes)
        if len(row.reads) < 2 or rest or not count:
            continue
        offsets = sorted(row.reads)
        if row.bytes < target.line_bytes:
            for place in range(row.lanes):
                bases = [one for one in offsets if one % row.lanes == place]
                yield _chains(row, bases, count, moves_lanes=False)
        elif _is_movable(row):
            yield _chains(row, offsets, count, moves_lanes=True)


def _chains(row: ReadRow, bases: list[int], count: int, *, moves_lanes: bool) -> list[Chain]:
    """One for each place that may be the base."""
    chains = [Chain(row, base, count, moves_lanes) for base in bases[1:]]
    return [one for one in chains if one.is_dense and one.carried and one.moves_lanes <= one.moves]


def _is_movable(row: ReadRow) -> bool:
    """Are there lanes that one operation moves from two vectors to one?"""
    return row.bytes // row.lanes >= CORE.carried.least_bytes


def _registers(chains: Iterable[Chain]) -> int:
    return sum(chain.carried for chain in chains)


def _is_crowded(reads: RowReads, plan: Sequence[Chain], target: Target) -> bool:
    """Does the arithmetic with all the moves, where one port does both, take longer than all loads
    would? These go on beside it (Intel, an equation of state of seven neighbours in f64, without
    fused products: 0.57 us with six moves, 0.46 with loads across lines; where products are fused
    0.40 and 0.43)."""
    moves = sum(chain.moves for chain in plan)
    if not target.moves_by_arithmetic or not moves:
        return False
    computing = (reads.work + moves) / CORE.nests.arithmetic
    return computing > CORE.carried.crowded * _loading(reads, (), target)


def _cost(reads: RowReads, plan: Sequence[Chain], target: Target) -> float:
    """Cycles of a step: loads and arithmetic overlap in part. Lanes move on one of the two ports
    that wide vectors have, or two of the four that halves have."""
    loading = _loading(reads, plan, target)
    moves = sum(chain.moves for chain in plan)
    computing = max(moves, (reads.work + moves) / CORE.nests.arithmetic)
    if target.halves_lines and all(row.bytes < target.line_bytes for row in reads.rows):
        computing /= 2
    most, other = max(loading, computing), min(loading, computing)
    return most + (1 - CORE.carried.overlap) * other


def _loading(reads: RowReads, plan: Sequence[Chain], target: Target) -> float:
    loading = 0.0
    for op in reads.transfers:
        if isinstance(op, ReadOp):
            loading += _load(_bytes(op), target, is_aligned=False)
    for row in reads.rows:
        for one in row.reads:
            loading += _read(reads, row, one, target) - _load(row.bytes, target, is_aligned=False)
    for chain in plan:
        loading -= sum(_read(reads, chain.row, one, target) for one in chain.made)
        places = (chain.base - number * chain.row.lanes for number in range(chain.count))
        loading += sum(_read(reads, chain.row, one, target) for one in places)
    return loading


def _start(reads: RowReads, chain: Chain) -> float:
    """Cycles in front of the loop."""
    model = CORE.carried
    is_stored = reads.is_stored_nearby(chain.row)
    return chain.carried * (model.start if is_stored else model.unstored_start)


def _read(reads: RowReads, row: ReadRow, offset: int, target: Target) -> float:
    return _load(row.bytes, target, is_aligned=reads.is_aligned(row, offset))


def _load(size: int, target: Target, *, is_aligned: bool) -> float:
    """Cycles of one load; those that begin anywhere go across lines the more often, the wider they
    are."""
    model = CORE.carried
    across = 0.0 if is_aligned else min(1.0, size / target.line_bytes)
    if target.halves_lines:
        whole = max(model.narrow_load, size / target.line_bytes)
        return whole + model.split_line * across
    return model.waiting * (1 + across) / CORE.nests.loads


def _bytes(op: ReadOp) -> int:
    """Of the vector that it reads."""
    assert is_vector(op.result.type)
    element = op.result.type.element_type
    assert isinstance(element, FixedBitwidthType)
    return lanes_of(op.result) * element.size


def _steps(reads: RowReads) -> float:
    extent, most = reads.high - reads.low, reads.loop.facts.at_most
    if not extent.terms:
        return extent.constant / reads.loop.step
    return most or CORE.carried.assumed
