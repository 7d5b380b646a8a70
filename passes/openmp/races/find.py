"""Which accesses of one object meet, though nothing keeps the threads or lanes that do them apart.

Asked about are accesses whose place is affine and which are done for sure where control is (others
are silent), within one static control part. Two of them race

    in a shared loop     in different iterations (chunks, where the schedule names a size)
    between constructs   in one run of the parallel region, with no barrier between, where different
                         threads may have them: an equal static schedule gives equal numbers to one,
                         and of what each thread does, all have to come to it
    among lanes          in different iterations, if lanes that do each statement together do the
                         second one's before the first one's

A race is spoken of where it happens whatever the parameters are, as long as loops are long: of a
parameter that no loop's length depends on nobody knows what values it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl
from xdsl.dialects import memref
from xdsl.ir import Block, SSAValue

from polyopt.ir.branches import outgoing
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.regions import FlowRegion, sequence
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_conditions import condition_flags
from polyopt.ir.expressions.integer_expr import Condition, condition_terms
from polyopt.passes.openmp.races.constructs import Construct, SerialView
from polyopt.passes.openmp.races.iteration_numbers import different_threads, given_later
from polyopt.passes.openmp.races.part import Part
from polyopt.passes.openmp.races.reaches import (
    Race,
    Reach,
    is_one_update,
    locks,
    loop_of,
    pairs,
    undoes,
    up_to,
)
from polyopt.passes.openmp.races.sharing import Sharing
from polyopt.passes.openmp.races.touches import Touches
from polyopt.passes.scop.candidate import MemoryOp
from polyopt.passes.scop.detection import Findings, search
from polyopt.passes.scop.plan import ScopPlan
from polyopt.poly.analysis.races import (
    Instances,
    alike,
    earlier,
    is_certain,
    long_loops,
    meeting,
    reasonable,
    separated,
)
from polyopt.poly.example import example
from polyopt.poly.isl.budget import BudgetExceeded, budget

_OPERATIONS = 400_000
"""Some tenth of a second of isl, for each object."""
_MOST_TRIES = 24
"""Of sequences of loops that may be static control parts, for each outermost construct."""
_MOST_ACCESSES = 24
"""Of one object; of more, the first ones are looked at."""


def find_races(view: SerialView) -> Iterator[Race]:
    """At most one for each object in each construct, or two of them."""
    flow = ControlFlow(view.function.body)
    places = _places(view)
    for root in view.roots:
        if root.kind not in ("parallel", "loop", "simd") or not _is_there(root):
            continue
        findings = Findings(
            is_wanted=lambda parts: any(block in part for block in places for part in parts),
            needs_loops=False,
            tries=_MOST_TRIES,
        )
        search(flow, _parts(flow, root), findings)
        for plan in findings.plans:
            yield from _Races(view, flow, plan).find()


def _places(view: SerialView) -> set[Block]:
    """Where loops are shared, and where a thread writes outside of them: of what stands within a
    shared loop that is not understood nothing can be said."""
    found: set[Block] = set()
    for op, construct in view.under.items():
        for one in construct.around():
            found.update(one.headers)
        if isinstance(op, memref.StoreOp) and construct.find("loop", "simd") is None:
            if op.parent is not None:
                found.add(enclosing_block(op))
    return found


def _is_there(construct: Construct) -> bool:
    """Whether control reaches its start and its end."""
    marks = [mark for mark in (construct.begin, construct.end) if mark is not None]
    return all(mark.parent is not None for mark in marks)


def _parts(flow: ControlFlow, root: Construct) -> list[FlowRegion]:
    assert root.begin is not None
    last = root.headers[0] if root.end is None else enclosing_block(root.end)
    parts: list[FlowRegion] = []
    for part in sequence(flow, enclosing_block(root.begin)):
        parts.append(part)
        if last in part:
            break
    return parts


class _Races:
    def __init__(self, view: SerialView, flow: ControlFlow, plan: ScopPlan):
        self.view = view
        self.flow = flow
        self.plan = plan
        self.part = Part(view, plan)
        self.touches = Touches(self.part)
        self.sharing = Sharing(self.part)

    def find(self) -> Iterator[Race]:
        for array in self.part.candidate.arrays:
            ops = [ref.op for ref in array.references if ref.op in self.view.under]
            if not any(isinstance(op, memref.StoreOp) for op in ops):
                continue
            yield from self._within_budget(array.base, ops)

    def _within_budget(self, base: SSAValue, ops: Sequence[MemoryOp]) -> list[Race]:
        """What was found before it was spent."""
        found: list[Race] = []
        try:
            with budget("races", _OPERATIONS):
                for race in self._of_object(base, ops):
                    found.append(race)
        except BudgetExceeded:
            pass
        shared = {race.around for race in found}
        return [one for one in found if one.around is None or loop_of(one.around) not in shared]

    def _of_object(self, base: SSAValue, ops: Sequence[MemoryOp]) -> Iterator[Race]:
        touches = [touch for op in ops if (touch := self.touches.of(op, base)) is not None]
        found: set[tuple[Construct | None, ...]] = set()
        for x, y in pairs(touches[:_MOST_ACCESSES]):
            for around, key, race in self._races(x, y):
                if key in found:
                    continue
                if not is_certain(race, self._expected(x, y)):
                    continue
                shown = example(race, x.instances.relation)
                if shown is not None:
                    found.add(key)
                    complete = len(touches) == len(ops)
                    yield Race(x, y, around, race, shown, self.plan, touches, complete)

    # Pairs

    def _races(
        self, x: Reach, y: Reach
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        """(the loop, what to tell races apart by, the pairs)"""
        yield from self._among_lanes(x, y)
        region = x.construct.find("parallel")
        if y.construct.find("parallel") is not region:
            return
        if region is not None and (region.has_tasks or not self._is_parallel(region)):
            return
        for one in (x, y):
            if not self.sharing.is_shared(one.base, region, one.construct):
                return
            if not self.sharing.is_uniform(one, region):
                return
        if locks(x) & locks(y):
            return
        if x.maker is y.maker and x.maker is not None and x.maker.kind == "loop":
            yield from self._in_loop(x, y, x.maker, region)
        elif region is not None and not region.has_calls:
            yield from self._between(x, y, region)

    def _in_loop(
        self, x: Reach, y: Reach, loop: Construct, region: Construct | None
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        if not self.part.is_held(loop) or loop.chunk is None:
            return
        if loop.nowait and (region is None or region.has_calls):
            return  # a lock may be held around it
        different = given_later(self.part, x, y, loop, is_exact=False)
        if different is None:
            return
        run = alike(x.instances, y.instances, self.part.outside(loop))
        race = meeting(x.instances, y.instances).intersect(run).intersect(different)
        yield loop, (loop,), race
        if region is None or region.has_calls or not loop.nowait or not self.part.is_held(region):
            return
        if self.part.outside(loop) > self.part.outside(region):
            runs = self._between_pairs(x, y, region).subtract(run)
            yield None, (loop, loop), runs.intersect(different_threads(self.part, x, y))

    def _between(
        self, x: Reach, y: Reach, region: Construct
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        a, b = x.maker, y.maker
        kinds = {one.kind if one is not None else "each" for one in (a, b)}
        if "unknown" in kinds or kinds == {"master"}:
            return
        if kinds == {"each"} and not (is_one_update(x, y) or undoes(x, y)):
            return
        if kinds <= {"each", "master"} and not self._is_run_by_all(region):
            return
        race = self._between_pairs(x, y, region)
        if a is b and a is not None:
            if not self.part.is_held(a):
                return
            race = race.subtract(alike(x.instances, y.instances, self.part.outside(a)))
        elif kinds in ({"loop"}, {"loop", "master"}):
            race = race.intersect(different_threads(self.part, x, y))
        elif kinds == {"section"} and a is not None and b is not None and a.parent is b.parent:
            if not self.part.is_held(a):
                return
        yield None, (a, b), race

    def _is_run_by_all(self, region: Construct) -> bool:
        """Whether each thread comes to the static control part: where a question is in front of it,
        the threads may have different answers."""
        if self.part.is_held(region):
            return True
        assert region.begin is not None
        entry = self.plan.candidate.region.entry
        return self.flow.onward.dominates(entry, enclosing_block(region.begin))

    def _between_pairs(self, x: Reach, y: Reach, region: Construct) -> isl.Map:
        waits = [
            Instances(named.domain(), named.relation("W", [], []), self.part.time(op, named.block))
            for op, construct in self.view.waits.items()
            if region in construct.around()
            for named in self.part.named(op)
        ]
        count = self.part.outside(region) if self.part.is_held(region) else 0
        a, b = x.instances, y.instances
        race = meeting(a, b).intersect(earlier(a, b)).intersect(alike(a, b, count))
        return race.subtract(separated(a, b, waits))

    def _among_lanes(
        self, x: Reach, y: Reach
    ) -> Iterator[tuple[Construct | None, tuple[Construct | None, ...], isl.Map]]:
        lanes = x.construct.find("simd")
        if lanes is None or y.construct.find("simd") is not lanes or lanes.has_calls:
            return
        if not self.part.is_held(lanes) or any(
            not self._is_lanes_own(one, lanes) for one in (x, y)
        ):
            return
        later = given_later(self.part, x, y, lanes, is_exact=True)
        if later is None:
            return
        a, b = x.instances, y.instances
        dimensions = frozenset(x.loops.index(self.part.headers[one]) for one in lanes.headers)
        race = meeting(a, b).intersect(alike(a, b, self.part.outside(lanes))).intersect(later)
        race = race.intersect(earlier(b, a, dimensions).reverse())
        yield lanes, (lanes,), race

    def _is_lanes_own(self, touch: Reach, lanes: Construct) -> bool:
        return not any(touch.base in one.own for one in up_to(touch.construct, lanes.parent))

    # Loops

    def _expected(self, x: Reach, y: Reach) -> isl.Set:
        """The parameters for which the race has to happen."""
        loops = dict.fromkeys((*x.loops, *y.loops))
        domains = (self.plan.domains.of[loop.latches[0]] for loop in loops)
        context = reasonable(self.plan.context)
        enough = long_loops(domains) if loops else context
        return context.subtract(context) if enough is None else context.intersect(enough)

    def _is_parallel(self, region: Construct) -> bool:
        """Whether what makes the region one of many threads is known: sizes of its own loops."""
        for op in region.conditions:
            if op.parent is None:
                return False
            evolution = self.part.candidate.evolution
            condition = edge_condition(next(iter(outgoing(enclosing_block(op)))), evolution)
            if not self._is_known(condition):
                return False
        return True

    def _is_known(self, condition: Condition) -> bool:
        return not any(condition_flags(condition)) and all(
            not monomial or monomial in self.part.space.parameters
            for term in condition_terms(condition)
            for monomial in term.terms
        )
