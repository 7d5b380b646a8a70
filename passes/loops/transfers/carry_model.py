"""Which vectors of a row to read, and which to put together of others: a model of a step.

A load that begins in one line of the cache and ends in the next takes two turns. Where vectors are
as wide as lines, so does each that is not aligned: loads are what the loop waits for then, and
lanes that are moved in registers are cheaper. Vectors of half a line gain nothing (measured: nine
points beyond L1, 0.75 of the time with vectors of a line, 1.0 with halves).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.vector import BroadcastOp
from xdsl.ir import Operation

from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.fast_math import is_fused
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

    @property
    def made(self) -> list[int]:
        """The places whose reads are not needed any more."""
        return [one for one in self.row.reads if one <= self.base]

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


_Plan = Mapping[ReadRow, Chain]


def choose_chains(reads: RowReads, target: Target) -> list[Chain]:
    """Those that make a step cheapest, found row by row."""
    most = target.vector_registers // CORE.carried.registers_part
    work = sum(1 for op in reads.loop.block.ops if _is_work(op))
    rows = [row for row in reads.rows if row.bytes == target.line_bytes and _is_movable(row)]
    chosen: dict[ReadRow, Chain] = {}
    cost = _cost(reads, {}, work)
    for row in rows:
        plans = [{**chosen, row: chain} for chain in _chains(row, reads.loop.step)]
        plans = [plan for plan in plans if _registers(plan.values()) <= most]
        if not plans:
            continue
        best = min(plans, key=lambda plan: _cost(reads, plan, work))
        saved = cost - _cost(reads, best, work)
        if saved * _steps(reads) > CORE.carried.start * best[row].carried:
            chosen, cost = best, cost - saved
    return list(chosen.values())


def _chains(row: ReadRow, step: int) -> Iterator[Chain]:
    """One for each place that may be the base."""
    count, rest = divmod(step, row.lanes)
    if rest or not count:
        return
    offsets = sorted(row.reads)
    for base in offsets[1:]:
        chain = Chain(row, base, count)
        if chain.is_dense and chain.carried and chain.moves:
            yield chain


def _is_movable(row: ReadRow) -> bool:
    """Are there two reads, and lanes that one operation moves from two vectors to one?"""
    return len(row.reads) > 1 and row.bytes // row.lanes >= CORE.carried.least_bytes


def _registers(chains: Iterable[Chain]) -> int:
    return sum(chain.carried for chain in chains)


def _cost(reads: RowReads, plan: _Plan, work: int) -> float:
    """Cycles of a step: loads and arithmetic overlap in part. Lanes move on one of the two ports
    that wide vectors have."""
    turns = sum(2 for op in reads.transfers if isinstance(op, ReadOp))
    for row in reads.rows:
        turns -= sum(1 for one in row.reads if reads.is_aligned(row, one))
    for row, chain in plan.items():
        turns -= sum(_turns(reads, row, one) for one in chain.made)
        places = (chain.base - number * row.lanes for number in range(chain.count))
        turns += sum(_turns(reads, row, one) for one in places)
    moves = sum(chain.moves for chain in plan.values())
    loading = CORE.carried.waiting * turns / CORE.nests.loads
    computing = max(moves, (work + moves) / CORE.nests.arithmetic)
    most, other = max(loading, computing), min(loading, computing)
    return most + (1 - CORE.carried.overlap) * other


def _turns(reads: RowReads, row: ReadRow, offset: int) -> int:
    return 1 if reads.is_aligned(row, offset) else 2


def _steps(reads: RowReads) -> float:
    extent, most = reads.high - reads.low, reads.loop.facts.at_most
    if not extent.terms:
        return extent.constant / reads.loop.step
    return most or CORE.carried.assumed


def _is_work(op: Operation) -> bool:
    """Does it compute with vectors? A product that only a sum takes up is computed with it."""
    if isinstance(op, (ReadOp, WriteOp, BroadcastOp)) or not op.operands or is_fused(op):
        return False
    return any(isinstance(result.type, VectorType) for result in op.results)
