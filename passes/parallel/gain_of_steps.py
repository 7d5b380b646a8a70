"""Whether steps that threads take together are worth the meetings between them."""

from __future__ import annotations

from xdsl.dialects import affine

from polyopt.passes.parallel.code import Amount, Index
from polyopt.passes.parallel.gain import Condition, Gain, moving, saved_by
from polyopt.passes.parallel.slices import keeps_slices
from polyopt.passes.parallel.steps import Steps
from polyopt.passes.parallel.traffic import at_memory_speed, crossing, lines_touched
from polyopt.passes.parallel.work import Work
from polyopt.support.core_model import CORE


def gain_of_steps(loop: affine.ForOp, steps: Steps, work: Work, least: int, threads: Index) -> Gain:
    """What the shared loops take less by `threads`, against the meetings; arithmetic goes to
    `work.code`."""
    code = work.code
    nests = steps.nests
    each = work.of_loops_within(loop, nests)
    most = code.product(each, work.steps_of(loop)), float(least)
    if least and not keeps_slices(steps.shared):
        for nest in nests:
            lines = lines_touched(work.at(loop), loop, nest)
            each = code.difference(each, moving(code, lines, threads))
    total = code.product(each, work.steps_of(loop))
    if not least:
        return Gain(total, ((total, float(least)),), most)
    touched: Amount = 0.0
    for nest in nests:
        touched = code.greatest_of(touched, lines_touched(work.at(loop), loop, nest))
    lost = crossing(work, loop, steps.shared, code.as_amount(threads), touched)
    if lost != 0.0:
        afar: Amount = 0.0
        for nest in nests:
            afar = code.sum(afar, at_memory_speed(work.at(loop), loop, nest))
        each = code.greatest_of(each, afar)
    saved = code.difference(code.product(each, saved_by(code, threads)), lost)
    costs = CORE.threads
    meeting = code.sum(code.product(code.as_amount(threads), costs.meeting_each), costs.meeting)
    meetings = code.product(meeting, float(len(steps.meetings)))
    conditions: list[Condition] = [
        (total, float(least)),
        (code.ratio(saved, meetings), costs.worth_meeting),
    ]
    return Gain(total, tuple(conditions), most)
