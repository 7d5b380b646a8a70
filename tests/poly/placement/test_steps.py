"""SCoPs on virtual processors: every value arrives, and nothing is sent that is not needed."""

from collections.abc import Sequence

import pytest
from oracles.kernels import KERNELS, LOCAL
from oracles.polyhedral import Sizes
from oracles.virtual_processors import Processors, least_traffic, serial_run

from polyopt.poly.notation import parse_scop
from polyopt.poly.placement.grid import Axis, lattice_axes
from polyopt.poly.placement.overlap import overlapped
from polyopt.poly.placement.ownership import Unplaceable, place_by_writes
from polyopt.poly.placement.steps import (
    Compute,
    Exchange,
    ProcessStep,
    Repeat,
    last_exchange,
    steps_of,
)
from polyopt.poly.placement.traffic import Traffic, check_exact, traffic_of
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.scop import Scop

_VALUES = {
    6: "n nj m",
    5: "ni nx nl",
    4: "nk ny nm w",
    3: "tsteps tmax np h nq nr",
}
SIZES: Sizes = {name: value for value, names in _VALUES.items() for name in names.split()}

BLOCK = Axis(None)


def kernel(name: str) -> Scop:
    return parse_scop(KERNELS[name], local=LOCAL.get(name, ()))


def cut(scop: Scop, *axes: Axis) -> tuple[Traffic, tuple[ProcessStep, ...]]:
    traffic = traffic_of(place_by_writes(scop, axes))
    return traffic, overlapped(traffic, steps_of(traffic, read_tree(scop.schedule)))


def check(name: str, counts: tuple[int, ...], *axes: Axis, sizes: Sizes = SIZES) -> Processors:
    """Run the kernel on virtual processors: as in serial, with the least traffic there can be."""
    scop = kernel(name)
    traffic, steps = cut(scop, *axes)
    processors = Processors(traffic.placement, counts, sizes)
    processors.run(steps)
    reads, memory = serial_run(scop, sizes)
    assert processors.reads == reads
    home = {instance: cell for cell, instance in processors.ran}
    assert len(home) == len(processors.ran)
    assert processors.sent == least_traffic(scop, sizes, home)

    processors.run([last_exchange(traffic)])
    local = {array.name for array in scop.arrays if array.is_local}
    lasting = {element: maker for element, maker in memory.items() if element[0] not in local}
    for held in processors.memories.values():
        assert lasting.items() <= held.items()
    return processors


QUICK = ("2mm", "atax", "cholesky", "jacobi-2d", "lu", "mvt", "seidel-2d", "trisolv")


@pytest.mark.parametrize("name", QUICK)
def test_rows_in_blocks(name: str):
    check(name, (3,), BLOCK)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in KERNELS if name not in QUICK])
def test_rows_of_every_other_kernel(name: str):
    check(name, (3,), BLOCK)


@pytest.mark.parametrize("name", ["gemm", "lu"])
def test_a_grid_of_blocks(name: str):
    check(name, (2, 2), BLOCK, BLOCK)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["jacobi-2d", "seidel-2d", "covariance"])
def test_a_grid_of_blocks_where_values_go_both_ways(name: str):
    check(name, (2, 2), BLOCK, BLOCK)


@pytest.mark.parametrize("name", ["2mm", "lu", "jacobi-1d"])
def test_rows_in_turns(name: str):
    check(name, (3,), Axis(3, 1))


def test_blocks_in_turns_and_columns_in_blocks():
    check("fdtd-2d", (2, 2), Axis(2, 2), BLOCK)


@pytest.mark.parametrize("name", ["lu", "jacobi-2d", "atax"])
def test_blocks_along_diagonals(name: str):
    """Of atax, only the matrix has two subscripts."""
    (axis,) = lattice_axes(((1, 1), (0, 3)), 2)
    check(name, (3,), axis)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gemm", "seidel-2d", "floyd-warshall", "fdtd-2d"])
def test_elements_along_a_lattice_of_two_axes(name: str):
    axes = lattice_axes(((2, 0), (0, 2)), 1)
    assert len(axes) == 2
    check(name, (2, 2), *axes)


def test_an_array_of_fewer_dimensions_is_on_the_first_processors():
    processors = check("atax", (2, 2), BLOCK, BLOCK)
    assert {cell[1] for cell, _ in processors.ran} == {0}


def test_more_processors_than_rows():
    processors = check("jacobi-1d", (7,), BLOCK, sizes={"n": 6, "tsteps": 2})
    assert len({cell for cell, _ in processors.ran}) == 4


def shape(steps: Sequence[ProcessStep]) -> list[object]:
    """Loops as lists, computations as "c", exchanges as the names of arrays, "+c" where something
    is computed meanwhile."""
    result = list[object]()
    for step in steps:
        match step:
            case Repeat():
                result.append(shape(step.body))
            case Exchange():
                meanwhile = "" if step.meanwhile is None else " +c"
                result.append(" ".join(sorted(step.elements)) + meanwhile)
            case Compute():
                result.append("c")
    return result


@pytest.mark.parametrize(
    ("name", "axes", "expected"),
    [
        ("gemm", (BLOCK, BLOCK), ["c"]),
        ("2mm", (BLOCK,), ["c"]),
        ("2mm", (BLOCK, BLOCK), ["c", "tmp", "c"]),
        ("jacobi-2d", (BLOCK,), [["c", "B +c", "c", "A +c"]]),
        ("seidel-2d", (BLOCK,), [[["c", "A"], "A"]]),
        ("floyd-warshall", (BLOCK,), [[["c", "path"], "path"]]),
    ],
)
def test_communication_is_outside_of_loops_that_carry_none(
    name: str, axes: tuple[Axis, ...], expected: list[object]
):
    _, steps = cut(kernel(name), *axes)
    assert shape(steps) == expected


def test_what_data_decide_on_has_no_owner_that_is_known():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: ?A[*] = B[i]\n")
    with pytest.raises(Unplaceable, match="which element of 'A' is written depends on data"):
        check_exact(scop)


def test_any_element_may_be_read_of_what_is_not_written():
    scop = parse_scop("[n]\nfor t : 0 <= t < 3\n  for i : 0 <= i < n\n    S: A[i] = ?B[*] A[i]\n")
    check_exact(scop)
    _, steps = cut(scop, BLOCK)
    assert shape(steps) == ["c"]


def test_names_that_are_taken():
    scop = parse_scop("[own_n]\nfor i : 0 <= i < own_n\n  S: A[i] = B[i]\n")
    with pytest.raises(Unplaceable, match="'own_n'"):
        place_by_writes(scop, (BLOCK,))
