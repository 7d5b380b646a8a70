"""What the pass takes and what schedulers are asked: one list, written down twice."""

from dataclasses import fields

from polyopt.passes.schedule.reschedule import PolySchedulePass
from polyopt.poly.schedulers.interface import SchedulerOptions


def test_the_pass_takes_what_schedulers_are_asked():
    """xDSL reads a pass's options off its own fields; what they start with is the same."""
    taken = [(one.name, one.type, one.default) for one in fields(PolySchedulePass)]
    asked = [(one.name, one.type, one.default) for one in fields(SchedulerOptions)]
    assert taken == [("scheduler", "str", "isl"), *asked]
