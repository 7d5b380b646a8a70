"""Whether threads are worth it: what loops would have to exceed, in cycles, as far as is known.

for i < n { … }   100 n cycles   ->   [(100 n - moving, 60000)]           doall
rows of tiles                    ->   [(…, 60000), (a step, 2000)]        pipeline
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith
from xdsl.ir import SSAValue

from polyopt.passes.parallel.code import Amount, Code, Index
from polyopt.passes.parallel.fresh_memory import fresh_arrays
from polyopt.passes.parallel.neighbours import left_elsewhere
from polyopt.passes.parallel.scattered import among_scattered
from polyopt.passes.parallel.traffic import (
    at_memory_speed,
    crossing,
    goes_along_rows,
    lines_touched,
)
from polyopt.passes.parallel.work import Work
from polyopt.support.core_model import CORE
from polyopt.support.record import record

Condition = tuple[Amount, float]
"""So many cycles have to be more than that."""


Available = Callable[[Code], Index]
"""How many threads there are, by code that is written at the end."""


@record
class Gain:
    """Of neighbouring loops: `total` cycles; `conditions`, of which all have to hold; `most`: what
    has to be more than so much, whatever else there is, and is quick to compute."""

    total: Amount
    conditions: tuple[Condition, ...]
    most: Condition

    def why_not(self) -> str | None:
        """Why they stay in one thread, where that is known now."""
        for cycles, least in self.conditions:
            if not isinstance(cycles, SSAValue) and cycles < least:
                is_enough = isinstance(self.total, SSAValue) or self.total >= least
                takes = cycles if is_enough or isinstance(self.total, SSAValue) else self.total
                return _too_little(takes, least)
        return None

    @property
    def is_open(self) -> bool:
        """Whether sizes decide that are known when the loops run."""
        return any(isinstance(cycles, SSAValue) for cycles, _ in self.conditions)

    def may_hold(self, code: Code) -> SSAValue | None:
        """What has to hold for any of it, by little arithmetic; None where that is known."""
        cycles, least = self.most
        return code.exceeds(cycles, least) if isinstance(cycles, SSAValue) else None

    def holds(self, code: Code) -> SSAValue | None:
        """Whether there is as much to do as asked for; None where that is known to be so."""
        tests = [
            code.exceeds(cycles, least)
            for cycles, least in self.conditions
            if isinstance(cycles, SSAValue)
        ]
        if not tests:
            return None
        test = tests[0]
        for other in tests[1:]:
            test = code.insert(arith.AndIOp(test, other))
        return test


WHATEVER_IT_IS = Gain(0.0, (), (0.0, 0.0))
"""Of loops that a person wants in threads."""


def too_little(most: float, least: int) -> Gain:
    """Of loops that take at most so many cycles, which is less than threads pay from."""
    return Gain(most, ((most, float(least)),), (most, float(least)))


@record
class Kind:
    """What is asked of loops in threads: `steps` of a pipeline, or the loops within that are
    `shared` out; `met`: arrays that nests beside them share out otherwise."""

    steps: affine.ForOp | None = None
    shared: tuple[affine.ForOp, ...] = ()
    met: frozenset[SSAValue] = frozenset()

    def shared_of(self, outermost: affine.ForOp) -> tuple[affine.ForOp, ...]:
        """The loops of the nest that are shared out."""
        return self.shared or (outermost,)


def gain_of(
    loops: Sequence[affine.ForOp], kind: Kind, work: Work, least: int, available: Available
) -> Gain:
    """Of loops in the threads that are available; arithmetic goes to `work.code`."""
    code, outermost = work.code, loops[0]
    total: Amount = 0.0
    fresh = fresh_arrays(loops) if least else frozenset[SSAValue]()
    for loop in loops:
        cycles = work.at(loop).of_loop(loop)
        if fresh:
            cycles = code.greatest_of(cycles, at_memory_speed(work.at(loop), None, loop, fresh))
        total = code.sum(total, cycles)
    if kind.steps is not None:
        gain = total
        if least:
            lines = code.product(_lines_gone_through(loops, work), 1.0 / outermost.step.value.data)
            gain = _while_two_run(work, total, outermost, kind.steps)
            gain = code.difference(gain, _moving_rows(work, lines, outermost))
        step = work.of_step(outermost, kind.steps)
        least_step = min(CORE.threads.least_step, float(least))
        return Gain(total, ((gain, float(least)), (step, least_step)), (total, float(least)))
    enough = float(least)
    most, crosses = total, least and any(goes_along_rows(one, kind.shared_of(one)) for one in loops)
    if crosses:
        afar: Amount = 0.0
        for loop in loops:
            afar = code.sum(afar, at_memory_speed(work.at(loop), None, loop))
        most = code.greatest_of(most, afar)
    if not least or (not isinstance(most, SSAValue) and most < least):
        return Gain(total, ((most, enough),), (most, enough))
    gain = code.difference(most, _moved_by(loops, kind, work, available))
    if crosses:
        lost = _lost_between(loops, kind, work, code.as_amount(available(code)))
        gain = code.difference(gain, code.ratio(lost, saved_by(code, available(code))))
    return Gain(total, ((gain, enough),), (most, enough))


def saved_by(code: Code, threads: Index) -> Amount:
    """Which part of the time of one thread several ones save, where they do not wait."""
    size = code.at_least(code.as_amount(threads), 2.0)
    return code.difference(1.0, code.ratio(1.0, size))


def _lost_between(loops: Sequence[affine.ForOp], kind: Kind, work: Work, threads: Amount) -> Amount:
    code = work.code
    lost: Amount = 0.0
    for loop in loops:
        here = work.at(loop)
        touched = lines_touched(here, None, loop)
        each = crossing(here, loop, kind.shared_of(loop), threads, touched)
        lost = code.sum(lost, code.product(each, here.steps_of(loop)) if kind.shared else each)
    return lost


def _moved_by(
    loops: Sequence[affine.ForOp], kind: Kind, work: Work, available: Available
) -> Amount:
    """What nests beside them share out otherwise, and what else happens in the loop around to what
    they work on, is in any core's caches. Of all else nobody knows where it is, nor how often the
    loops run."""
    code, is_inner = work.code, isinstance(loops[0].parent_op(), affine.ForOp)
    anywhere: Amount = 0.0
    if not is_inner:
        anywhere = moving(code, _lines_gone_through(loops, work), 1)
        for loop in loops:
            scattered = among_scattered(work.at(loop), loop)
            anywhere = anywhere if scattered == 0.0 else code.greatest_of(anywhere, scattered)
    arrays = left_elsewhere(loops) if is_inner else kind.met
    if not arrays:
        return anywhere
    lines, moved = (_lines_of(loops, work, one) for one in (None, arrays))
    return code.greatest_of(anywhere, moving(code, moved, available(code), among=lines))


def _lines_of(
    loops: Sequence[affine.ForOp], work: Work, arrays: frozenset[SSAValue] | None
) -> Amount:
    lines: Amount = 0.0
    for loop in loops:
        lines = work.code.sum(lines, lines_touched(work.at(loop), None, loop, arrays))
    return lines


def _lines_gone_through(loops: Sequence[affine.ForOp], work: Work) -> Amount:
    lines: Amount = 0.0
    for loop in loops:
        lines = work.code.sum(lines, work.at(loop, lines=True).of_loop(loop))
    return lines


def moving(code: Code, lines: Amount, cores: Index, *, among: Amount | None = None) -> Amount:
    """Cycles that it takes to get lines (`among` others that are touched) from one core's cache to
    another one's. What the caches of so many cores do not hold comes from memory in any case, to
    whichever core."""
    cycles = code.product(lines, CORE.threads.moved_line)
    held = code.product(code.as_amount(cores), float(CORE.threads.own_lines))
    return code.where_less(lines if among is None else among, held, cycles, 0.0)


def _moving_rows(work: Work, lines: Amount, rows: affine.ForOp) -> Amount:
    """The same of a pipeline: what a row of tiles works on, another core has just written; in the
    tiles it stays. `lines`: of all rows."""
    count = _at_least_one(work, rows)
    each = moving(work.code, work.code.ratio(lines, count), 1)
    return work.code.product(each, count)


def _at_least_one(work: Work, loop: affine.ForOp) -> Amount:
    return work.code.at_least(work.steps_of(loop), 1.0)


def _while_two_run(work: Work, total: Amount, rows: affine.ForOp, steps: affine.ForOp) -> Amount:
    """Of a pipeline's cycles, those that may run while others do: there is a row less than there
    are rows for it, and a step less than there are steps."""
    code = work.code
    for loop in (rows, steps):
        count = _at_least_one(work, loop)
        total = code.product(total, code.difference(1.0, code.ratio(1.0, count)))
    return total


def _too_little(cycles: float, least: float) -> str:
    if cycles <= 0:
        return "its data would go from core to core, which takes longer"
    return f"it takes some {cycles:.0f} cycles, and threads pay from {least:.0f} on"
