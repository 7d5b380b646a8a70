"""Arrays in other layouts: dependences stay, and exactly what has to be is copied."""

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.polyhedral import (
    Point,
    Sizes,
    accesses_of,
    conflicts,
    coordinates,
    execution_order,
    instances_of,
)

from polyopt.poly.changes.extents import Extent, forms_of
from polyopt.poly.changes.layouts import Layout, NoLayout, Relaid, relaid
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Scop

SIZES: Sizes = {"n": 5, "m": 4, "nx": 4, "ny": 5, "tmax": 2, "tsteps": 2}
CHOSEN = ["cholesky", "covariance", "fdtd-2d", "gemver", "jacobi-2d", "lu", "mvt", "symm"]

RECORDS = """
[n]
for i : 0 <= i < n
  S0: v[3i + 2] = v[3i] w[i]
for i : 1 <= i < n
  S1: w[i] = v[3i - 1] v[3i]
"""


def layouts_of(rank: int) -> list[Layout]:
    reverse = tuple(reversed(range(rank)))
    padded = [Layout("pad", number=3)] if rank > 1 else []
    turned = [Layout("transpose", order=reverse)] if rank > 1 else []
    return [*padded, *turned, Layout("split", number=3)]


def cases() -> list[tuple[Scop, str, Layout]]:
    scops = [parse_scop(KERNELS[name]) for name in CHOSEN] + [parse_scop(RECORDS)]
    return [
        (scop, array.name, layout)
        for scop in scops
        for array in scop.arrays
        if array.extents
        for layout in layouts_of(len(array.extents))
    ]


def moves_of(scop: Scop, array: str) -> tuple[set[Point], set[Point]]:
    """The elements that are read before they are written, and those that are written."""
    accesses = accesses_of(scop, SIZES)
    written, coming = set[Point](), set[Point]()
    for instance in execution_order(scop.schedule, SIZES):
        of_array = [one for one in accesses[instance] if one[0].array == array]
        coming |= {place for one, place in of_array if not one.is_write} - written
        written |= {place for one, place in of_array if one.is_write}
    return coming, written


def source_of(copy: object, made: Relaid, *, writes: bool) -> set[Point]:
    """The elements of the source that the copy takes, or brings back."""
    name = getattr(copy, "name", None)
    found = set[Point]()
    for instance, pairs in accesses_of(made.scop, SIZES).items():
        if instance[0] == name:
            found |= {
                place
                for one, place in pairs
                if one.array == made.source.name and one.is_write == writes
            }
    return found


@pytest.mark.parametrize("number", range(len(cases())))
def test_copies_are_exact_and_dependences_stay(number: int):
    scop, array, layout = cases()[number]
    made = relaid(scop, scop.array(array), layout)
    coming, written = moves_of(scop, array)
    assert source_of(made.into, made, writes=False) == coming
    assert source_of(made.out, made, writes=True) == written
    order = execution_order(made.scop.schedule, SIZES)
    names = {one.name for one in made.copies}
    old = execution_order(scop.schedule, SIZES)
    assert [one for one in order if one[0] not in names] == old
    if made.into is not None:
        count = len(coordinates(made.into.domain, SIZES))
        assert {one[0] for one in order[:count]} <= {made.into.name}
    if made.out is not None:
        count = len(coordinates(made.out.domain, SIZES))
        assert {one[0] for one in order[len(order) - count :]} <= {made.out.name}
    kept = {
        pair for pair in conflicts(made.scop, order, SIZES) if not names & {one[0] for one in pair}
    }
    assert kept == conflicts(scop, old, SIZES)


@pytest.mark.parametrize("number", range(0, len(cases()), 3))
def test_places_are_in_the_new_array(number: int):
    scop, array, layout = cases()[number]
    made = relaid(scop, scop.array(array), layout)
    name = made.move.array.name
    extents = [at_sizes(extent) for extent in made.extents]
    for pairs in accesses_of(made.scop, SIZES).values():
        for one, (_, place) in pairs:
            if one.array == name:
                assert all(0 <= k < size for k, size in zip(place, extents, strict=True))


def at_sizes(extent: Extent) -> int:
    """The greatest of its forms, which is not below 0."""
    known = " and ".join(f"{name} = {size}" for name, size in SIZES.items())
    context = isl.Set(f"[{', '.join(SIZES)}] -> {{ : {known} }}")
    values = list[int]()
    for form in forms_of(extent):
        here = isl.Set.from_pw_aff(isl.PwAff.from_aff(form)).intersect_params(context)
        values.append(here.sample_point().get_coordinate_val(isl.dim_type.set, 0).to_python())
    return max(0, *values)


TWO_ENDS = """
[n, m]
for i : 0 <= i < n
  S0: x[i] = P[i, 3]
for i : 0 <= i < m
  S1: y[i] = P[i, 1]
"""


@pytest.mark.parametrize("layout", layouts_of(2), ids=lambda one: one.kind)
def test_what_ends_at_the_greater_one_of_two(layout: Layout):
    scop = parse_scop(TWO_ENDS)
    made = relaid(scop, scop.array("P"), layout)
    rows = {"pad": 0, "transpose": 1, "split": 1}[layout.kind]
    assert at_sizes(made.extents[rows]) == max(SIZES["n"], SIZES["m"])
    coming, _ = moves_of(scop, "P")
    assert source_of(made.into, made, writes=False) == coming


def test_what_begins_in_front_of_the_first_element():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S0: x[i] = v[i - 1]")
    with pytest.raises(NoLayout, match="does not begin at 0"):
        relaid(scop, scop.array("v"), Layout("split", number=2))


def test_what_is_made_and_used_up_inside_has_no_copies():
    text = """
    [n]
    for i : 0 <= i < n
      for j : 0 <= j < n
        S0: T[i, j] = A[j]
    for j : 0 <= j < n
      for i : 0 <= i < n
        S1: A[j] += T[i, j]
    """
    scop = parse_scop(text, local=("T",))
    made = relaid(scop, scop.array("T"), Layout("transpose", order=(1, 0)))
    assert made.copies == ()
    assert len(instances_of(made.scop.domain, SIZES)) == 2 * 25


def test_members_are_rows():
    scop = parse_scop(RECORDS)
    made = relaid(scop, scop.array("v"), Layout("split", number=3))
    assert made.into is not None
    assert made.out is not None
    places = {
        place
        for pairs in accesses_of(made.scop, SIZES).values()
        for one, (_, place) in pairs
        if one.array == "v_layout"
    }
    assert {row for row, _ in places} == {0, 2}
    assert [at_sizes(extent) for extent in made.extents] == [3, 5]


def test_what_data_decide_on_of_others_does_not_matter():
    text = "[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: {} = {}"
    for left, right, is_possible in [
        ("A[i, j]", "A[i, j] ?C[i]", True),
        ("?C[i]", "A[i, j]", True),
        ("?A[i, j]", "C[i]", False),
    ]:
        scop = parse_scop(text.format(left, right))
        layout = Layout("transpose", order=(1, 0))
        if is_possible:
            assert relaid(scop, scop.array("A"), layout)
            continue
        with pytest.raises(NoLayout, match="data decide on what is written of A"):
            relaid(scop, scop.array("A"), layout)


def test_copies_run_along_memory():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = A[i, j]")
    made = relaid(scop, scop.array("A"), Layout("transpose", order=(1, 0)))
    order = execution_order(made.scop.schedule, {"n": 3})
    for copy in made.copies:
        mine = [point for name, point in order if name == copy.name]
        assert len(mine) == 9
        assert mine == sorted(mine)
