"""isl's scheduler, and what happens where it gives no schedule."""

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.isl_scheduler import schedule_with_isl
from polyopt.support.remarks import collect_remarks

# isl says "unable to carry dependences", whatever its options.
NOT_CARRIED = """
[n, m]
for i : 0 <= i < n
  for j : 1 <= j < i + 2
    S: x[j] = s[]
for k : 0 <= k and 2k <= m - 3
  for l : m - 1 - 2k <= l <= m - 2k
    T: s[] = y[l]
"""


def test_the_original_order_stays_where_isl_fails():
    scop = parse_scop(NOT_CARRIED)
    with collect_remarks() as remarks:
        schedule = schedule_with_isl(scop, compute_dependences(scop), SchedulerOptions())
    assert schedule.plain_is_equal(scop.schedule)
    assert [item.id for item in remarks.items] == ["isl-refused", "schedule-failed"]
