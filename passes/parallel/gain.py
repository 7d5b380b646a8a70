"""Whether threads are worth it: what loops would have to exceed, in cycles, as far as is known.

for i < n { … }   100 n cycles   ->   [(100 n - moving, 60000)]           doall
rows of tiles                    ->   [(…, 60000), (a step, 2000)]        pipeline
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith
from xdsl.ir import SSAValue

from polyopt.passes.parallel.code import Amount, Code
from polyopt.passes.parallel.work import Work
from polyopt.support.core_model import CORE
from polyopt.support.record import record

Condition = tuple[Amount, float]
"""So many cycles have to be more than that."""


@record
class Gain:
    """Of neighbouring loops: `total` cycles; `conditions`, of which all have to hold."""

    total: Amount
    conditions: tuple[Condition, ...]

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


def gain_of(
    loops: Sequence[affine.ForOp], steps: affine.ForOp | None, work: Work, least: int
) -> Gain:
    """Of loops in threads, a pipeline where they have `steps`; arithmetic goes to `work.code`."""
    code, outermost = work.code, loops[0]
    total: Amount = 0.0
    moved: Amount = 0.0
    for loop in loops:
        total = code.sum(total, work.at(loop).of_loop(loop))
        moved = code.sum(moved, work.at(loop, lines=True).of_loop(loop))
    if not least:
        gain = total
    elif steps is None:
        gain = code.difference(total, moving(code, moved))
    else:
        once = code.product(moved, 1.0 / outermost.step.value.data)
        gain = _while_two_run(work, total, outermost, steps)
        gain = code.difference(gain, _moving_rows(work, once, outermost))
    conditions: list[Condition] = [(gain, float(least))]
    if steps is not None:
        least_step = min(CORE.threads.least_step, float(least))
        conditions.append((work.of_step(outermost, steps), least_step))
    return Gain(total, tuple(conditions))


def moving(code: Code, lines: Amount) -> Amount:
    """Cycles that it takes to get lines from one core's cache to another one's. What no cache of a
    core's own holds comes from memory in any case, to whichever core."""
    cycles = code.product(lines, CORE.threads.moved_line)
    if isinstance(lines, SSAValue):
        held = code.insert(arith.CmpfOp(lines, code.amount(float(CORE.threads.own_lines)), "olt"))
        return code.insert(arith.SelectOp(held, code.amount(cycles), code.amount(0.0)))
    return cycles if lines < CORE.threads.own_lines else 0.0


def _moving_rows(work: Work, lines: Amount, rows: affine.ForOp) -> Amount:
    """The same of a pipeline: what a row of tiles works on, another core has just written; in the
    tiles it stays. `lines`: of all rows."""
    count = _at_least_one(work, rows)
    return work.code.product(moving(work.code, work.code.ratio(lines, count)), count)


def _at_least_one(work: Work, loop: affine.ForOp) -> Amount:
    count = work.steps_of(loop)
    if isinstance(count, SSAValue):
        return work.code.insert(arith.MaximumfOp(count, work.code.amount(1.0)))
    return max(count, 1.0)


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
