"""Which arrays are cut at the same places."""

import islpy as isl
import pytest

from polyopt.poly.notation import parse_scop
from polyopt.poly.placement.grid import Axis
from polyopt.poly.placement.ownership import Placement, place_by_writes


def placed(first: str, second: str, read: str) -> Placement:
    """Of two arrays of these sizes, the second made of what is `read`."""
    text = f"""
    [n]
    for i : 0 <= i < {first}
      S0: A[i] = X[i]
    for i : 0 <= i < {second}
      S1: B[i] = {read}[i]
    """
    return place_by_writes(parse_scop(text), [Axis(None, 0)])


def parts(first: str, second: str) -> tuple[object, object]:
    """Those that two arrays of these sizes belong to."""
    placement = placed(first, second, "A")
    return placement.parts["A"], placement.parts["B"]


@pytest.mark.parametrize(
    ("first", "second"), [("1000", "1000"), ("1000", "998"), ("n", "n - 2"), ("16", "18")]
)
def test_neighbours_in_two_arrays_are_together(first: str, second: str):
    one, other = parts(first, second)
    assert one == other


@pytest.mark.parametrize(
    ("first", "second"), [("1000", "10"), ("147", "600000"), ("n", "1000"), ("1200", "1400")]
)
def test_a_short_array_is_cut_by_itself(first: str, second: str):
    """All of it would be at the first processor, or the last one would have little to do."""
    one, other = parts(first, second)
    assert one != other


def test_ranges_of_sizes_that_exclude_each_other_are_cut_apart():
    text = """
    [n]
    for i : 0 <= i < n and n <= 5
      S0: A[i] = X[i]
    for i : 0 <= i < n and n >= 9
      S1: B[i] = X[i]
    """
    placement = place_by_writes(parse_scop(text), [Axis(None, 0)])
    assert placement.parts["A"] != placement.parts["B"]


def test_something_is_written_where_there_is_something_to_write():
    """What each has its part of is there, whether anything is written or not."""
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = X[i]")
    nobody = place_by_writes(scop, [Axis(None, 0)])
    assert nobody.written.is_equal(isl.Set("[n] -> { : n >= 1 }"))
    size = isl.PwAff("[n] -> { [(n)] }")
    everybody = place_by_writes(scop, [Axis(None, 0)], {"A": [size]})
    assert everybody.written.is_equal(isl.Set("[n] -> { : }"))


@pytest.mark.parametrize(("low", "high"), [(0, 2), (2, 0), (1, 1)])
def test_a_part_begins_with_the_first_of_its_arrays(low: int, high: int):
    text = f"""
    [n]
    for i : {low} <= i < n
      S0: A[i] = X[i]
    for i : {high} <= i < n
      S1: B[i] = X[i]
    """
    placement = place_by_writes(parse_scop(text), [Axis(None, 0)])
    (part,) = {*placement.parts["A"], *placement.parts["B"]}
    assert part is not None
    assert placement.ranges[part].first.min_val().to_python() == min(low, high)


@pytest.mark.parametrize(
    ("first", "second", "last"), [("n", "n + 1", "n"), ("n", "n - 1", "n - 1"), ("n", "n", "n - 1")]
)
def test_a_part_ends_with_the_last_of_its_arrays(first: str, second: str, last: str):
    placement = placed(first, second, "X")
    (part,) = {*placement.parts["A"], *placement.parts["B"]}
    assert part is not None
    found = isl.Set.from_pw_aff(placement.ranges[part].last)
    many = isl.Set("[n] -> { [last] : n > 2 }")
    assert found.intersect(many).is_equal(isl.Set(f"[n] -> {{ [{last}] : n > 2 }}"))


@pytest.mark.parametrize(
    ("first", "second"), [("0 <= i < n", "m <= i < n"), ("0 <= i < n", "0 <= i < m")]
)
def test_ranges_that_differ_by_no_number_are_cut_apart(first: str, second: str):
    text = f"""
    [n, m]
    for i : {first}
      S0: A[i] = X[i]
    for i : {second}
      S1: B[i] = X[i]
    """
    placement = place_by_writes(parse_scop(text), [Axis(None, 0)])
    assert placement.parts["A"] != placement.parts["B"]


@pytest.mark.parametrize(
    ("owned", "written", "is_one"),
    [
        ({"A": "n", "B": "n"}, "n", True),
        ({"A": "n", "B": "n - 2"}, "n - 2", False),
        ({"A": "n"}, "n - 2", True),
        ({"A": "n - 2"}, "n", True),
    ],
)
def test_what_is_declared_stays_as_it_is(owned: dict[str, str], written: str, is_one: bool):
    """What is only written joins it; another one that is declared has that part or its own."""
    text = f"""
    [n]
    for i : 0 <= i < n - 2
      S0: A[i] = X[i]
    for i : 0 <= i < {written}
      S1: B[i] = X[i]
    """
    sizes = {name: [isl.PwAff(f"[n] -> {{ [({size})] }}")] for name, size in owned.items()}
    placement = place_by_writes(parse_scop(text), [Axis(None, 0)], sizes)
    (first,), (second,) = placement.parts["A"], placement.parts["B"]
    assert (first == second) == is_one
    for name, part in (("A", first), ("B", second)):
        if name in owned:
            assert part is not None
            last = placement.ranges[part].last
            assert last.is_equal(isl.PwAff(f"[n] -> {{ [({owned[name]} - 1)] }}"))
