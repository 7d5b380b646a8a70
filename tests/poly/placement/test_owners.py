"""Arrays that nobody has whole, on virtual processors: every value comes from its owner, and goes
there."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.polyhedral import Point, Sizes, accesses_of, coordinates
from oracles.virtual_processors import Cell, Processors, least_traffic, part_of, serial_run

from polyopt.poly.notation import parse_scop
from polyopt.poly.placement.grid import ITS, OWN, Axis
from polyopt.poly.placement.overlap import overlapped
from polyopt.poly.placement.owners import with_owners
from polyopt.poly.placement.ownership import Unplaceable, place_by_writes
from polyopt.poly.placement.steps import (
    Exchange,
    ProcessStep,
    Repeat,
    last_exchange,
    steps_of,
)
from polyopt.poly.placement.traffic import check_exact, traffic_of
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.scop import Access, Scop

BLOCK = Axis(None)
SIZES: Sizes = {"n": 7, "m": 6, "ni": 5, "nj": 6, "nk": 4, "nx": 5, "ny": 4, "tsteps": 3, "tmax": 3}
SHAPES = {
    "gemm": "C ni nj; A ni nk; B nk nj",
    "jacobi-1d": "A n; B n",
    "jacobi-2d": "A n n; B n n",
    "seidel-2d": "A n n",
    "lu": "A n n",
    "mvt": "A n n; x1 n; x2 n; y1 n; y2 n",
    "trisolv": "L n n; x n; b n",
    "floyd-warshall": "path n n",
    "atax": "A m n; x n; y n",
}
STAGGERED = """
[n, tsteps]
for t : 0 <= t < tsteps
  for i : 0 <= i < n
    S: E[t, i] = E[t, i] H[i] H[i + 1]
  for i : 1 <= i < n
    T: H[i] = H[i] E[t, i - 1] E[t, i]
"""


def extents_of(text: str, shapes: str) -> dict[str, list[isl.PwAff]]:
    names = ", ".join(text.strip().splitlines()[0].strip("[]").split(", "))
    found = dict[str, list[isl.PwAff]]()
    for one in shapes.split(";"):
        array, *extents = one.split()
        found[array] = [isl.PwAff(f"[{names}] -> {{ [({extent})] }}") for extent in extents]
    return found


def owner(element: Point, shapes: str, counts: tuple[int, ...]) -> Cell:
    """By definition: of n rows, processor c of p has those from floor(c n / p) on."""
    array, subscripts = element
    extents = next(one.split()[1:] for one in shapes.split(";") if one.split()[0] == array)
    cell = list[int]()
    for axis, count in enumerate(counts):
        if axis < len(subscripts):
            rows = eval(extents[axis], {}, dict(SIZES))
            starts = [c * rows // count for c in range(count)]
            cell.append(max(c for c in range(count) if starts[c] <= subscripts[axis]))
        else:
            cell.append(0)
    return tuple(cell)


def check(text: str, shapes: str, counts: tuple[int, ...]) -> Processors:
    """Run the SCoP on virtual processors: every read finds what it finds in serial, those of the
    owners at the end among them, and what goes over is the least there can be."""
    plain, axes = parse_scop(text), [BLOCK] * len(counts)
    owned = {name: one[: len(axes)] for name, one in extents_of(text, shapes).items()}
    scop = with_owners(plain, owned)
    check_exact(scop, owned)
    traffic = traffic_of(place_by_writes(scop, axes, owned))
    steps = overlapped(traffic, steps_of(traffic, read_tree(scop.schedule)))
    processors = Processors(traffic.placement, counts, SIZES)
    processors.run(steps)
    reads, memory = serial_run(scop, SIZES)
    assert processors.reads == reads
    home: dict[Point, Cell] = {instance: cell for cell, instance in processors.ran}
    assert len(home) == len(processors.ran)
    assert processors.sent == least_traffic(scop, SIZES, home)

    accesses, old = accesses_of(plain, SIZES), serial_run(plain, SIZES)
    first = {accesses[i][k][1] for (i, k), maker in old[0].items() if maker is None}
    for kind, elements in (("in", first), ("out", set(old[1]))):
        wanted = {one: owner(one, shapes, counts) for one in elements if one[0] in owned}
        found = {
            (name.removeprefix(f"{kind}_"), at): cell
            for (name, at), cell in home.items()
            if name.startswith(f"{kind}_")
        }
        assert found == wanted

    processors.run([last_exchange(traffic)])
    local = {array.name for array in plain.arrays if array.is_local}
    for element, maker in memory.items():
        if element[0] not in owned and element[0] not in local:
            assert all(held[element] == maker for held in processors.memories.values())
    return processors


@pytest.mark.parametrize("name", ["gemm", "jacobi-2d", "seidel-2d", "lu", "trisolv", "atax"])
def test_rows_come_from_their_owners_and_go_back(name: str):
    check(KERNELS[name], SHAPES[name], (3,))


@pytest.mark.parametrize("name", ["gemm", "mvt", "jacobi-1d"])
def test_a_grid_of_owners(name: str):
    check(KERNELS[name], SHAPES[name], (2, 2))


def test_arrays_of_other_lengths_are_cut_by_their_own():
    check(STAGGERED, "E tsteps n; H n+1", (3,))


def test_more_owners_than_rows():
    check(KERNELS["jacobi-1d"], SHAPES["jacobi-1d"], (9,))


def test_only_what_neighbours_need_comes_at_the_start():
    """Of each edge between two of three processors one element goes each way."""
    text = KERNELS["jacobi-1d"]
    owned = extents_of(text, SHAPES["jacobi-1d"])
    scop = with_owners(parse_scop(text), owned)
    traffic = traffic_of(place_by_writes(scop, [BLOCK], owned))
    steps = steps_of(traffic, read_tree(scop.schedule))
    ends = next(k for k, step in enumerate(steps) if isinstance(step, Exchange))
    processors = Processors(traffic.placement, (3,), SIZES)
    processors.run(steps[: ends + 1])
    # A's halo, and what B has at the borders is read by nobody else
    assert dict(processors.sent) == {
        ((0,), (1,)): 1,
        ((1,), (0,)): 1,
        ((1,), (2,)): 1,
        ((2,), (1,)): 1,
    }


def chosen(text: str, array: str, *, writes: bool = False) -> Scop:
    """The SCoP with any element in the place of those of an array."""

    def open_(access: Access) -> Access:
        if access.array != array or access.is_write != writes:
            return access
        relation = access.relation
        anywhere = isl.Map.from_domain_and_range(
            isl.Set.universe(relation.get_space().domain()),
            isl.Set.universe(relation.get_space().range()),
        )
        return replace(access, relation=anywhere, is_must=False)

    scop = parse_scop(text)
    statements = (replace(one, accesses=tuple(map(open_, one.accesses))) for one in scop.statements)
    return replace(scop, statements=tuple(statements))


LOOKED_UP = """
[n, steps]
for t : 0 <= t < steps
  for i : 0 <= i < n
    S: y[i] = x[i]
  for i : 0 <= i < n
    T: x[i] = y[i]
"""


def test_all_comes_that_data_may_choose():
    """Each processor needs the other ones' parts of x in each step, and the one of nothing else."""
    scop, owned = chosen(LOOKED_UP, "x"), extents_of(LOOKED_UP, "x n; y n")
    check_exact(scop, owned)
    scop = with_owners(scop, owned)
    placement = place_by_writes(scop, [BLOCK], owned)
    traffic = traffic_of(placement)
    steps = list(within(steps_of(traffic, read_tree(scop.schedule))))
    sent = [one.elements for one in steps if isinstance(one, Exchange)]
    assert [set(one) for one in sent] == [{"x"}] * len(sent)
    assert sent
    for own, its in ((0, 1), (2, 0)):
        sizes: Sizes = {
            "n": 8,
            "steps": 4,
            "step_0": 1,
            **part_of(placement, (3,), (own,), OWN, {"n": 8, "steps": 4}),
            **part_of(placement, (3,), (its,), ITS, {"n": 8, "steps": 4}),
        }
        rows = range(own * 8 // 3, (own + 1) * 8 // 3)
        for elements in sent:
            assert coordinates(elements["x"], sizes) in ([(row,) for row in rows], [])


def within(steps: Iterable[ProcessStep]) -> Iterator[ProcessStep]:
    for step in steps:
        yield step
        if isinstance(step, Repeat):
            yield from within(step.body)


def test_what_data_choose_is_refused():
    check_exact(chosen("[n]\nfor i : 0 <= i < n\n  S: A[i] = B[i]", "B"))
    with pytest.raises(Unplaceable, match="which element of 'A' is written depends on data"):
        check_exact(chosen("[n]\nfor i : 0 <= i < n\n  S: A[i] = B[i]", "A", writes=True), {"A"})
    with pytest.raises(Unplaceable, match="which element of 'x' is read depends on data"):
        check_exact(chosen(LOOKED_UP, "x"), {"y"})
    with pytest.raises(Unplaceable, match="how many it has is no sum of parameters and numbers"):
        with_owners(chosen(LOOKED_UP, "x"), {"x": ()})
