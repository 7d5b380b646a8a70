"""isl's scheduler, and what happens where it gives no schedule."""

from time import process_time

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import is_legal
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


def quarter(column: int, step: int) -> str:
    """The four statements of a quarter round on words `column`, `column + step`, … of sixteen."""
    words = [f"x[{(column + k * step) % 16}]" for k in range(4)]
    return "".join(
        f"  S{column}_{step}_{k}: {words[k]} = {words[k]} {words[k - 1]} {words[k - 2]}\n"
        for k in (1, 2, 3, 0)
    )


def test_many_statements_that_all_hang_together_between_numbers_take_no_time():
    columns = "".join(quarter(5 * k % 16, 4) for k in range(4))
    rows = "".join(quarter(5 * k % 16, 1) for k in range(4))
    scop = parse_scop(f"[]\nfor i : 0 <= i < 10\n{columns}{rows}")
    dependences = compute_dependences(scop)
    began = process_time()
    schedule = schedule_with_isl(scop, dependences, SchedulerOptions(fuse="min"))
    assert process_time() - began < 5
    assert is_legal(scop, dependences, schedule)
