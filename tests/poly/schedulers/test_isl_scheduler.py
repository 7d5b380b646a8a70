"""isl's scheduler, and what happens where it gives no schedule."""

from time import process_time

import pytest

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import is_legal
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import bands, read_tree
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.isl_scheduler import schedule_with_feautrier, schedule_with_isl
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


# What a type holds bounds a size wherever loops run, and the inner loop is as long as that may be.
BOUNDED_BY_A_TYPE = (
    """
[n, m] : n <= 4294967295 or m <= 0
for j : 0 <= j < m
  S: b[0] = b[0] y[j]
  for i : 0 <= i < n
    T: b[j] = y[j]
""",
    """
[n, m] : n <= 2147483647 or m <= 0
for j : 0 <= j < m
  S: b[j] = b[j] b[0]
  for i : 0 <= i < n
    T: b[2j] = y[j]
""",
    """
[n, m] : n <= 18446744073709551615 or m <= 1
for j : 0 <= j < m
  S: s[] = s[] y[j]
  for i : 0 <= i < n
    T: z[j] = s[]
""",
)


@pytest.mark.parametrize("text", BOUNDED_BY_A_TYPE)
def test_no_loop_goes_by_what_a_type_holds(text: str):
    """Of a loop in steps of 2^32 nobody sees the end."""
    scop = parse_scop(text)
    dependences = compute_dependences(scop)
    for scheduler in (schedule_with_isl, schedule_with_feautrier):
        schedule = scheduler(scop, dependences, SchedulerOptions())
        assert is_legal(scop, dependences, schedule)
        found = [member for band in bands(read_tree(schedule)) for member in band.members]
        factors = [f for one in found for name in "ST" for f in one.factors(name) or ()]
        assert max(map(abs, factors)) <= 1


# The least of three sums above each place; that `y * w + x` does not wrap bounds both sizes.
LEAST_ABOVE = """
[w, h]{bounds}
for x : 0 <= x < w
  S0: a[x] = e[0, x]
for y : 1 <= y < h
  for x : 0 <= x < w
    S1: m[x] = a[x]
  for x : 1 <= x < w
    S2: m[x] = m[x] a[x - 1]
  for x : 0 <= x < w
    S3: k[x] = m[x] a[x]
  for x : 0 <= x <= w - 2
    S4: k[x] = m[x] a[x + 1]
  for x : 0 <= x < w
    S5: a[x] = k[x] e[y, x]
"""


def test_the_most_that_a_size_can_be_costs_no_time_and_changes_no_order():
    orders = list[list[tuple[int, ...] | None]]()
    began = process_time()
    for bounds in ("", " : w <= 46340 and h <= 46341 or h <= 1 or w <= 0"):
        scop = parse_scop(LEAST_ABOVE.format(bounds=bounds))
        dependences = compute_dependences(scop)
        schedule = schedule_with_isl(scop, dependences, SchedulerOptions(fuse="min"))
        assert is_legal(scop, dependences, schedule)
        found = [member for band in bands(read_tree(schedule)) for member in band.members]
        orders.append([one.factors(f"S{k}") for one in found for k in range(6)])
    assert orders[0] == orders[1]
    assert process_time() - began < 5


def test_loops_with_numbers_for_bounds_may_go_in_large_steps():
    """Where the loop between is as long as one step, hardly any iteration runs nothing."""
    text = BOUNDED_BY_A_TYPE[0].replace("n <= 4294967295 or m <= 0", "n = 40 and m = 50")
    scop = parse_scop(text)
    dependences = compute_dependences(scop)
    schedule = schedule_with_feautrier(scop, dependences, SchedulerOptions())
    assert is_legal(scop, dependences, schedule)
    [outer, *_] = bands(read_tree(schedule))
    assert outer.members[0].factors("S") == (41,)


VITERBI = """
[]
for t : 1 <= t < 200
  for s : 0 <= s < 48
    A: b[s] = c[t - 1, 0] a[0, s]
    B: w[s] = x[s]
    for p : 1 <= p < 48
      C: b[s], w[s] = b[s] w[s] c[t - 1, p] a[p, s]
    D: c[t, s] = b[s]
    E: d[t, s] = w[s]
"""


def test_two_loops_between_numbers_do_not_become_one():
    """46 t + p is as good an order as t, p, but of each of its iterations somebody has to find out
    what t and p are."""
    scop = parse_scop(VITERBI)
    dependences = compute_dependences(scop)
    options = SchedulerOptions(fuse="min", outer_coincidence=True)
    schedule = schedule_with_isl(scop, dependences, options)
    assert is_legal(scop, dependences, schedule)
    found = [member for band in bands(read_tree(schedule)) for member in band.members]
    factors = [f for one in found for name in "ABCDE" for f in one.factors(name) or ()]
    assert max(map(abs, factors)) <= 16
