"""What is computed while messages travel: interiors, and nothing that what is sent depends on."""

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.polyhedral import Sizes
from oracles.virtual_processors import Processors, serial_run

from polyopt.poly.notation import parse_scop
from polyopt.poly.placement import overlap
from polyopt.poly.placement.grid import Axis
from polyopt.poly.placement.overlap import overlapped
from polyopt.poly.placement.ownership import place_by_writes
from polyopt.poly.placement.steps import Compute, Exchange, ProcessStep, Repeat, steps_of
from polyopt.poly.placement.traffic import traffic_of
from polyopt.poly.schedule_tree import read_tree

BLOCK = Axis(None)


def overlap_in(text: str, *axes: Axis) -> list[Compute | None]:
    """What is computed in each exchange, in order."""
    scop = parse_scop(text)
    traffic = traffic_of(place_by_writes(scop, axes))
    found = list[Compute | None]()

    def collect(steps: tuple[ProcessStep, ...]) -> None:
        for step in steps:
            if isinstance(step, Repeat):
                collect(step.body)
            elif isinstance(step, Exchange):
                found.append(step.meanwhile)

    collect(overlapped(traffic, steps_of(traffic, read_tree(scop.schedule))))
    return found


def test_between_the_rows_that_neighbours_read():
    for meanwhile in overlap_in(KERNELS["jacobi-1d"], BLOCK):
        assert meanwhile is not None
        domain = meanwhile.instances
        at = isl.Set(
            "[n, tsteps, own_first0_0, own_end0_0, step_0] -> "
            "{ : n = 30 and tsteps = 9 and own_first0_0 = 10 and own_end0_0 = 15 and step_0 = 2 }"
        )
        places = domain.intersect_params(at).apply(
            isl.UnionMap("{ S0[t, i] -> [i]; S1[t, i] -> [i] }")
        )
        assert places.project_out_all_params().is_equal(isl.UnionSet("{ [i] : 11 <= i <= 13 }"))


IN_PLACE = """
[n, steps]
for t : 0 <= t < steps
  for i : 0 <= i < n
    S: A[i] = A[i] A[i + 1]
  for i : 1 <= i < n
    T: B[i] = A[i - 1]
"""


def test_what_the_interior_reads_first_is_not_written_ahead_of_it():
    """The last element is sent for T; the one before reads what was in it. The first one, for S of
    the next step, may go ahead."""
    scop = parse_scop(IN_PLACE)
    traffic = traffic_of(place_by_writes(scop, [BLOCK]))
    steps = overlapped(traffic, steps_of(traffic, read_tree(scop.schedule)))
    sizes: Sizes = {"n": 8, "steps": 3}
    processors = Processors(traffic.placement, (2,), sizes)
    processors.run(steps)
    assert processors.reads == serial_run(scop, sizes)[0]
    assert overlap_in(IN_PLACE, BLOCK)[0] is None


@pytest.mark.parametrize("name", ["jacobi-1d", "jacobi-2d"])
def test_rows_in_turns_have_no_interior(name: str):
    assert overlap_in(KERNELS[name], Axis(3, 1)) == [None, None]


def test_a_row_at_a_time_has_no_interior():
    assert overlap_in(KERNELS["seidel-2d"], BLOCK) == [None, None]


def test_where_it_costs_too_much_messages_are_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(overlap, "OPERATIONS", 10)
    assert overlap_in(KERNELS["jacobi-2d"], BLOCK) == [None, None]


@pytest.mark.parametrize(("most", "is_found"), [(3, True), (2, False)])
def test_no_more_pieces_than_allowed(monkeypatch: pytest.MonkeyPatch, most: int, is_found: bool):
    """Of a row two ends and the middle."""
    monkeypatch.setattr(overlap, "MOST_PIECES", most)
    assert all((one is not None) == is_found for one in overlap_in(KERNELS["jacobi-1d"], BLOCK))
