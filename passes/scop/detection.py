"""Find the maximal static control parts of a function.

Consecutive regions are tried together, from the outermost sequence inwards. Where a region in
the middle is rejected, what stands before it is one static control part, what stands behind it
begins another, and what is inside the rejected region is tried for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import field
from itertools import accumulate

from xdsl.dialects import memref
from xdsl.ir import Block, Operation

from polyopt.dialects.locations import span_of
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.control.regions import FlowRegion, inner_sequences, joined, loops_in, sequence
from polyopt.passes.scop.candidate import obstacles
from polyopt.passes.scop.counting_loops import only_counts
from polyopt.passes.scop.iterators import primary_variable
from polyopt.passes.scop.plan import ScopPlan, plan_scop
from polyopt.passes.scop.rejection import Reason, Rejected, Rejection
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.support.record import entity, record

_OPERATIONS = 2_000_000
"""Some half a second of isl; the largest kernel of PolyBench takes 64,000."""

MOST_BLOCKS = 150
MOST_STORES = 150
"""What has more of either is taken apart before anything is asked about it: each block has a
domain, which may have a piece for each way to it, and each two statements may depend on each
other. Of seven large kernels of PolyBench the largest function has 36 blocks and 34 stores."""

MOST_DEPTH = 8
"""So many loops around one another are understood together, and the inner ones of more: what is
gained is gained there, and sets of so many dimensions take isl too long (eleven: all of its budget,
15 s, for nothing)."""


@record
class Loss:
    """The loops of a region that was rejected; `region` is None where `why` is all there is."""

    loops: list[NaturalLoop]
    why: Rejection
    region: FlowRegion | None = None


@entity
class Findings:
    """`losses` are those of regions that were rejected, outer regions first. `is_wanted`:
    whether to look at a sequence at all; `needs_loops`: what runs no loop is not worth finding;
    `tries`: how many sequences may be looked at yet, None for any number; `stores`: how many there
    are in blocks that were looked at, none of which changes meanwhile."""

    plans: list[ScopPlan] = field(default_factory=list[ScopPlan])
    losses: list[Loss] = field(default_factory=list[Loss])
    is_wanted: Callable[[list[FlowRegion]], bool] = lambda _: True
    needs_loops: bool = True
    tries: int | None = None
    stores: dict[Block, int] = field(default_factory=dict[Block, int])

    def rejections(self, flow: ControlFlow) -> list[Rejection]:
        """Why loops are in no static control part: of each loop the reason of the smallest region
        around it and whatever else stands there against it, and none of a loop that has been taken
        after all."""
        taken = {loop for plan in self.plans for loop in plan.candidate.loops}
        smallest: dict[NaturalLoop, Loss] = {}
        for loss in self.losses:
            smallest.update(dict.fromkeys((one for one in loss.loops if one not in taken), loss))
        told = set(map(id, smallest.values()))
        found = [one for one in self.losses if id(one) in told or not one.loops]
        return [why for loss in found for why in _all_of(flow, loss)]

    def may_try(self) -> bool:
        if self.tries is None:
            return True
        self.tries -= 1
        return self.tries >= 0


def _all_of(flow: ControlFlow, loss: Loss) -> list[Rejection]:
    """The reason that was found first, and after it the others, each message once."""
    told = {loss.why.message: loss.why}
    if loss.region is not None and len(loss.region.blocks) <= MOST_BLOCKS:
        with suppress(BudgetExceeded), budget("obstacles", _OPERATIONS):
            for why in obstacles(flow, loss.region):
                told.setdefault(why.message, why)
    return list(told.values())


def find_scops(flow: ControlFlow) -> Findings:
    """The function's entry block, which ends before the first access, is in none."""
    findings = Findings()
    for start in dict.fromkeys(flow.cfg.successors[0]):
        search(flow, list(sequence(flow, flow.cfg.blocks[start])), findings)
    return findings


def search(flow: ControlFlow, parts: list[FlowRegion], findings: Findings) -> None:
    """Look at consecutive regions. Only the last one may have no exit; it is never part of a
    longer region."""
    if len(parts) > 1 and parts[-1].exit is None:
        search(flow, parts[:-1], findings)
        parts = parts[-1:]
    row = _Row(flow, parts, findings)
    start, end = row.trimmed(0, len(parts))
    most = len(parts)
    while start < end and findings.is_wanted(parts[start:end]):
        try:
            result, stop = row.longest(start, end, most)
            if isinstance(result, ScopPlan):
                result, stop = row.apart(start, stop, result)
        except _NoMoreTries:
            return
        if isinstance(result, Rejection):
            _descend(flow, parts[start], result, findings)
            stop = start + 1
        elif result is not None and (result.candidate.is_worthwhile or not findings.needs_loops):
            findings.plans.append(row.unchecked(start, stop, result))
        elif result is not None:
            _note_that_nothing_is_stored(result, findings)
        if stop < end:
            most = 1
        start, end = row.trimmed(stop, end)


class _NoMoreTries(Exception):
    """As many sequences have been looked at as may be."""


class _Row:
    """Consecutive regions, of each of which is known what it has of blocks and stores."""

    def __init__(self, flow: ControlFlow, parts: list[FlowRegion], findings: Findings):
        self._flow = flow
        self._parts = parts
        self._findings = findings
        stores = [_count_stores(part, findings.stores) for part in parts]
        self._stores = [0, *accumulate(stores)]
        self._blocks = [0, *accumulate(len(part.blocks) for part in parts)]
        self._is_silent = [
            count == 0 and (len(part.blocks) == 1 or only_counts(flow, part))
            for count, part in zip(stores, parts, strict=True)
        ]

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Without the blocks at either side that store nothing, and loops there that only count:
        what is loaded in front of a static control part is a parameter of it."""
        while start < end and self._is_silent[start]:
            start += 1
        while start < end and self._is_silent[end - 1]:
            end -= 1
        return start, end

    def longest(self, start: int, end: int, most: int) -> tuple[ScopPlan | Rejection | None, int]:
        """The longest static control part from `start` on, and where it ends: what goes on up to
        `most` regions, then twice as many, and so on, so that a row in which many are rejected is
        not asked about again from each of them on. None: what is looked for comes later."""
        found: ScopPlan | None = None
        why: Rejection | None = None
        reached = start
        while reached < end:
            _, stop = self.trimmed(start, min(end, start + most))
            if stop <= reached:
                if start + most >= end:
                    break
                most *= 2
                continue
            if not self._findings.is_wanted(self._parts[start:stop]):
                return found, stop
            if not self._findings.may_try():
                raise _NoMoreTries
            result = self._try(start, stop)
            if isinstance(result, Rejection):
                why, end = result, self._end_before(result, start, stop)
                most = stop - start
            else:
                found, reached = result, stop
                most *= 2
        return (why, start) if found is None else (found, reached)

    def apart(self, start: int, end: int, plan: ScopPlan) -> tuple[ScopPlan | Rejection, int]:
        """Without what is in one row only because of its neighbours: `for (k < n) x[k]` beside
        `x[s*p + q]` would ask that one row be as long as all of them, which no program keeps to.
        Each is a static control part of its own where it asks for nothing alone; a loop around
        both is none."""
        if end - start > 1:
            return self._parted(start, end, plan.one_row) or (plan, end)
        part = self._parts[start]
        if not plan.one_row or not self._is_parted_inside(part, plan.one_row):
            return plan, end
        block = next(iter(plan.one_row))
        message = "an array of rows is also run over as if it were one: index it in one way"
        span = None if block.first_op is None else span_of(block.first_op)
        return Rejection(Reason.SUBSCRIPT, block, span, "all in one row", message), start

    def _parted(self, start: int, end: int, one_row: set[Block]) -> tuple[ScopPlan, int] | None:
        asking = next((p for p in range(start, end) if self._has(p, one_row)), None)
        if asking is None or max(asking, start + 1) >= end:
            return None
        cut = max(asking, start + 1)
        found: ScopPlan | Rejection | None = None
        for place in dict.fromkeys(((asking, asking + 1), self.trimmed(start, cut))):
            found = self._try(*place)
            if isinstance(found, Rejection) or found.one_row or not found.candidate.is_worthwhile:
                return None
        assert isinstance(found, ScopPlan)
        return found, cut

    def _is_parted_inside(self, part: FlowRegion, one_row: set[Block]) -> bool:
        for parts in _inner(self._flow, part):
            row = _Row(self._flow, parts, self._findings)
            if row._parted(*row.trimmed(0, len(parts)), one_row) is not None:
                return True
            if any(self._is_parted_inside(inner, one_row) for inner in parts):
                return True
        return False

    def _has(self, place: int, blocks: set[Block]) -> bool:
        return any(block in self._parts[place] for block in blocks)

    def unchecked(self, start: int, end: int, plan: ScopPlan) -> ScopPlan:
        """Without what stands beside the loops, if that is all for which arrays have to be found
        apart and if a loop around would ask for it again and again: the result of a sum that is
        stored behind it, which may be an element of what is added up next."""
        around = self._flow.loops.innermost(self._parts[start].entry)
        if not plan.overlaps or around is None:
            return plan
        first, last = start, end
        while first < last and not loops_in(self._flow, self._parts[first]):
            first += 1
        if first == end:
            return plan
        while first < last and not loops_in(self._flow, self._parts[last - 1]):
            last -= 1
        for place in dict.fromkeys(((start, last), (first, last))):
            found = self._try(*place) if place != (start, end) else plan
            if isinstance(found, Rejection) or not found.candidate.is_worthwhile:
                continue
            if not found.overlaps and found.assumed is None:
                return found
        return plan

    def _try(self, start: int, end: int) -> ScopPlan | Rejection:
        if self._is_large(start, end):
            message = "these loops have too many statements and branches to be understood together"
            developer = f"more than {MOST_BLOCKS} blocks or {MOST_STORES} stores"
            entry = self._parts[start].entry
            return Rejection(Reason.COMPLEXITY, entry, None, developer, message)
        depth = self._depth(start, end)
        if depth > MOST_DEPTH:
            message = f"loops nested {depth} deep are too many to be understood together"
            developer = f"loops nested more than {MOST_DEPTH} deep"
            entry = self._parts[start].entry
            span = None if entry.last_op is None else span_of(entry.last_op)
            return Rejection(Reason.COMPLEXITY, entry, span, developer, message)
        region = joined(self._parts[start:end])
        try:
            with budget("static control part", _OPERATIONS):
                return plan_scop(self._flow, region)
        except Rejected as rejected:
            return rejected.rejection
        except BudgetExceeded as exceeded:
            message = "the conditions of these loops are too many to be understood together"
            return Rejection(Reason.COMPLEXITY, region.entry, None, str(exceeded), message)

    def _is_large(self, start: int, end: int) -> bool:
        blocks = self._blocks[end] - self._blocks[start]
        return blocks > MOST_BLOCKS or self._stores[end] - self._stores[start] > MOST_STORES

    def _depth(self, start: int, end: int) -> int:
        """How many loops of the regions are around one another at most."""
        depth, parts = self._flow.loops.depth, self._parts[start:end]
        first = parts[0].entry
        loop = self._flow.loops.innermost(first)
        outside = depth(first) - (loop is not None and loop.header is first)
        return max(depth(block) for part in parts for block in part.blocks) - outside

    def _end_before(self, rejection: Rejection, start: int, end: int) -> int:
        """Where to stop so that the reason is left out; of what is too complex, take half."""
        if rejection.reason is Reason.COMPLEXITY:
            return (start + end) // 2
        return next(p for p in range(start, end) if rejection.block in self._parts[p])


def _count_stores(part: FlowRegion, known: dict[Block, int]) -> int:
    """How many stores there are, or more than there may be; `known`: in each block."""
    total = 0
    for block in part.blocks:
        if block not in known:
            known[block] = sum(1 for op in block.walk() if _is_store(op))
        total += known[block]
        if total > MOST_STORES:
            break
    return total


def _is_store(op: Operation) -> bool:
    return isinstance(op, memref.StoreOp)


def _descend(
    flow: ControlFlow, region: FlowRegion, rejection: Rejection, findings: Findings
) -> None:
    """Keep the reason if a loop is lost to it, and try what is inside. Branches without a loop in
    them are not looked at: an if in an else in an else would be asked about on every level."""
    loops = loops_in(flow, region)
    if loops or rejection.reason is Reason.IRREDUCIBLE:
        findings.losses.append(Loss(loops, rejection, region))
    elif not flow.loops.irreducible:
        return
    for inner in _inner(flow, region):
        search(flow, inner, findings)


def _note_that_nothing_is_stored(plan: ScopPlan, findings: Findings) -> None:
    """Of loops that compute something all the same: each has a variable besides its counter."""
    loops = [one for one in plan.candidate.loops if len(one.header.args) > 1]
    if loops:
        header = loops[0].header
        counter = primary_variable(loops[0], plan.candidate.evolution)
        others = [one for one in header.args if counter is None or one is not counter.argument]
        names = dict.fromkeys(one.name_hint for one in others if one.name_hint is not None)
        message = "nothing is stored: what is computed stays in registers"
        if names:
            message += f", and an iteration needs {' and '.join(names)} of the one before"
        span = None if header.last_op is None else span_of(header.last_op)
        why = Rejection(Reason.NOTHING_STORED, header, span, "no store", message)
        findings.losses.append(Loss(loops, why))


def _inner(flow: ControlFlow, region: FlowRegion) -> Iterator[list[FlowRegion]]:
    if len(region.blocks) > 1:
        yield from inner_sequences(flow, region)
