"""Temporaries in other places: the values must not notice."""

from dataclasses import replace
from typing import NoReturn

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.polyhedral import Sizes, coordinates, execution_order, value_flow

from polyopt.poly.changes.expansion import add_statement, find_expansion, move_over
from polyopt.poly.changes.storage import (
    Move,
    apply_moves,
    dataflow,
    find_webs,
    is_same_dataflow,
    move_to_results,
)
from polyopt.poly.isl.budget import budget
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Array, Scop

SIZES: Sizes = {"n": 5, "m": 4, "nr": 3, "nq": 3, "np": 4}

SUM_OF_ROW = """
[n, m]
for i : 0 <= i < n
  S0: s[] = A[i, i]
  for j : 0 <= j < m
    S1: s[] += A[i, j] B[j]
  S2: C[i] = s[]
"""


def kernel(name: str, *local: str) -> Scop:
    return parse_scop(KERNELS[name], local=local)


def sources(scop: Scop) -> set[tuple[object, object]]:
    """From which instance each instance takes values, by running the SCoP."""
    return set(value_flow(scop, execution_order(scop.schedule, SIZES), SIZES))


def test_webs_of_a_scalar_used_again_and_again():
    scop = kernel("ludcmp", "w")
    webs = find_webs(scop, scop.array("w"))
    found = {(tuple(s.name for s in web.statements), web.depth) for web in webs}
    assert found == {
        (("S0", "S1", "S2"), 2),
        (("S3", "S4", "S5"), 2),
        (("S6", "S7", "S8"), 1),
        (("S9", "S10", "S11"), 1),
    }


@pytest.mark.parametrize("name", KERNELS)
def test_no_webs_only_where_the_dataflow_says_so(name: str):
    """What is read and never written is asked first, and is no other answer."""
    scop = kernel(name)
    for array in scop.arrays:
        comes_in = not dataflow(scop, [array.name])[1].is_empty()
        is_touched = any(a.array == array.name for s in scop.statements for a in s.accesses)
        assert bool(find_webs(scop, array)) == (is_touched and not comes_in)


def test_no_webs_where_a_value_comes_in():
    scop = parse_scop("""
[n]
for i : 0 <= i < n
  S0: s[] += A[i]
S1: C[0] = s[]
""")
    assert find_webs(scop, scop.array("s")) == []


def test_a_value_that_lives_on_has_a_shallow_zone():
    scop = parse_scop("""
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S0: s[] = A[i, j]
  S1: C[i] = s[]
""")
    (web,) = find_webs(scop, scop.array("s"))
    assert web.depth == 1


@pytest.mark.parametrize(
    ("name", "array", "target"), [("ludcmp", "w", {"A", "x", "y"}), ("row", "s", {"C"})]
)
def test_values_kept_where_they_end(name: str, array: str, target: set[str]):
    text = SUM_OF_ROW if name == "row" else KERNELS[name]
    scop = parse_scop(text, local=(array,))
    moves = move_to_results(scop, find_webs(scop, scop.array(array)))
    assert {move.array.name for move in moves} == target
    moved = apply_moves(scop, moves)
    assert all(a.array != array for s in moved.statements for a in s.accesses)
    assert sources(moved) == sources(scop)


def test_not_where_the_place_is_still_read():
    """C[i] is wanted after s has begun to be summed up."""
    scop = parse_scop(
        """
[n, m]
for i : 0 <= i < n
  S0: s[] =
  for j : 0 <= j < m
    S1: s[] += A[i, j] C[i]
  S2: C[i] = s[]
""",
        local=("s",),
    )
    assert move_to_results(scop, find_webs(scop, scop.array("s"))) == []


def test_not_where_the_temporary_is_read_afterwards():
    scop = parse_scop(SUM_OF_ROW)
    assert move_to_results(scop, find_webs(scop, scop.array("s"))) == []


def test_legality_is_asked_where_a_move_is_worth_it(monkeypatch: pytest.MonkeyPatch):
    """It takes the dataflow of both SCoPs, and once is enough for one web."""
    asked: list[list[Move]] = []

    def refused(scop: Scop, moves: list[Move]) -> bool:
        asked.append(moves)
        return False

    monkeypatch.setattr("polyopt.poly.changes.storage.is_same_dataflow", refused)
    scop = parse_scop(SUM_OF_ROW, local=("s",))
    webs = find_webs(scop, scop.array("s"))
    assert move_to_results(scop, webs, lambda move: False) == []
    assert asked == []
    assert move_to_results(scop, webs, lambda move: move.array.name == "C") == []
    assert len(asked) == 1
    assert move_to_results(scop, [*webs, *webs]) == []
    assert [len(moves) for moves in asked[1:]] == [2, 1, 1]


def test_a_move_that_mixes_values_is_refused():
    scop = parse_scop(SUM_OF_ROW, local=("s",))
    places = [(s.name, a.position) for s in scop.statements for a in s.accesses if a.array == "s"]
    spaces = {s.name: s.domain.get_space() for s in scop.statements}
    target = isl.Set("{ C[0] }")
    move = Move(
        scop.array("C"),
        {p: isl.Map.from_domain_and_range(isl.Set.universe(spaces[p[0]]), target) for p in places},
    )
    assert not is_same_dataflow(scop, [move])


@pytest.mark.parametrize(("name", "array", "rank"), [("symm", "sum", 2), ("doitgen", "sum", 2)])
@pytest.mark.parametrize("is_local", [True, False])
def test_expansion_over_what_is_needed(name: str, array: str, rank: int, is_local: bool):
    scop = kernel(name, *([array] if is_local else []))
    found = find_expansion(scop, scop.array(array))
    assert found is not None
    assert len(found.extents) == rank
    assert (found.copy is None) == is_local
    moved = apply_moves(scop, [found.moves])
    assert sources(moved) == sources(scop)
    if found.copy is None:
        return
    with_copy = add_statement(moved, found.copy)
    order = execution_order(with_copy.schedule, SIZES)
    assert order[: len(order) - len(coordinates(found.copy.domain, SIZES))] == execution_order(
        scop.schedule, SIZES
    )
    last_writers = {
        source
        for source, target in value_flow(with_copy, order, SIZES)
        if target[0] == found.copy.name
    }
    assert last_writers == _last_writers(scop, array)


def _last_writers(scop: Scop, array: str) -> set[object]:
    """Who writes each element of `array` last, by running the SCoP."""
    last: dict[tuple[int, ...], object] = {}
    for name, point in execution_order(scop.schedule, SIZES):
        for access in scop.statement(name).accesses:
            if access.array == array and access.is_write:
                here = access.relation.intersect_domain(
                    isl.Set(f"{{ {name}[{', '.join(map(str, point))}] }}")
                )
                (element,) = coordinates(here.range(), SIZES)
                last[element] = (name, point)
    return set(last.values())


@pytest.mark.parametrize("name", ["gemm", "gramschmidt", "2mm", "atax"])
def test_nothing_is_expanded_where_no_contraction_is_hidden(name: str):
    scop = kernel(name)
    scop = replace(scop, arrays=tuple(replace(a, is_local=True) for a in scop.arrays))
    assert all(find_expansion(scop, array) is None for array in scop.arrays)


def test_what_sets_no_contraction_free_is_not_asked_where_its_values_go(
    monkeypatch: pytest.MonkeyPatch,
):
    """A count of what three loops with many ends run through: its dataflow is a matter of seconds,
    and no product stands in it."""
    text = """
    [n]
    for i : 0 <= i < n
      Z: c[] = 0
      for j : 0 <= j < n
        for k : 0 <= k < n
          S: c[] = c[] + A[i + j + k, k]
    """
    asked: list[str] = []

    def find_webs(_: Scop, array: Array) -> None:
        asked.append(array.name)

    monkeypatch.setattr("polyopt.poly.changes.expansion.find_webs", find_webs)
    scop = parse_scop(text, local=("c",))
    assert find_expansion(scop, scop.array("c")) is None
    assert not asked
    hidden = kernel("symm", "sum")
    find_expansion(hidden, hidden.array("sum"))
    assert asked == ["sum"]


def test_extents_cover_every_place():
    scop = kernel("symm", "sum")
    found = find_expansion(scop, scop.array("sum"))
    assert found is not None
    assert [str(extent) for extent in found.extents] == [
        "[m, n] -> { [(m)] }",
        "[m, n] -> { [(n)] }",
    ]


@pytest.mark.parametrize(
    ("row", "is_known"), [("j mod 3", True), ("i mod 64, (i + 3j) mod 64, j mod 32", False)]
)
def test_no_webs_where_subscripts_have_too_many_quotients(row: str, is_known: bool):
    scop = parse_scop(f"""
[n, m]
for i : 0 <= i < n
  for j : 0 <= j < m
    S0: t[{row}] = A[i, j]
    S1: C[i, j] = t[{row}]
""")
    assert bool(find_webs(scop, scop.array("t"))) == is_known


@pytest.mark.parametrize(
    ("first", "is_known"), [("t[] = A[i]", True), ("t[] = t[]", False), ("t[] += A[i]", False)]
)
def test_no_webs_where_each_instance_reads_first(first: str, is_known: bool):
    """What the first of them reads comes from before, whatever the subscripts: no dataflow is
    asked for."""
    scop = parse_scop(f"[n]\nfor i : 0 <= i < n\n  S0: {first}\n  S1: t[] = t[] B[i]")
    assert bool(find_webs(scop, scop.array("t"))) == is_known


def test_an_instance_that_reads_first_costs_nothing():
    scop = parse_scop("""
[n, m, x]
for i : 0 <= i < n
  for j : 0 <= j < m
    if 3*floor((i + j - x) / 3) < i + j - x
      S: t[(i + 5 j) mod 64] += B[j]
""")
    with budget("webs", 20_000):
        assert not find_webs(scop, scop.array("t"))


def test_what_is_never_written_is_told_without_a_dataflow(monkeypatch: pytest.MonkeyPatch):
    """It reads what the array held before, whatever runs when."""

    def refused(scop: Scop, arrays: object) -> NoReturn:
        raise AssertionError("the dataflow is asked for")

    monkeypatch.setattr("polyopt.poly.changes.storage.dataflow", refused)
    scop = parse_scop("[n]\nfor i : 0 <= i < 5\n  S: t[i] = A[i]\nT: B[0] = t[5]", local=("t",))
    assert find_webs(scop, scop.array("t")) == []


def test_a_new_array_has_a_name_and_a_rank_of_its_own():
    text = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S: t[j] = A[i, j]
    T: t_x[i, j] = t[j]
"""
    scop = parse_scop(text, local=("t",))
    move = move_over(scop, find_webs(scop, scop.array("t")), (0,))
    assert move.array.name == "t_xx"
    assert len(move.array.extents) == 2
    for (statement, _), relation in move.relations.items():
        assert relation.is_equal(isl.Map(f"[n] -> {{ {statement}[i, j] -> t_xx[i, j] }}"))


def test_what_is_known_of_sizes_says_that_nothing_comes_in():
    text = "[n]{}\nfor i : 0 <= i < n\n  S: t[i] = A[i]\nT: B[0] = t[5]"
    for known, is_web in (" : n > 5", True), ("", False):
        scop = parse_scop(text.format(known), local=("t",))
        assert bool(find_webs(scop, scop.array("t"))) == is_web


NESTED = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    for k : 0 <= k < n
      S: t[] = A[i, j, k]
      T: B[i, j, k] = t[]
"""


@pytest.mark.parametrize("dims", [(0,), (1,), (2,), (0, 2), (1, 2)])
def test_places_of_their_own_along_some_loops(dims: tuple[int, ...]):
    """Values are those that they were, and places are numbered by these loops alone."""
    scop = parse_scop(NESTED, local=("t",))
    move = move_over(scop, find_webs(scop, scop.array("t")), dims)
    moved = apply_moves(scop, [move])
    for statement in moved.statements:
        (access,) = (one for one in statement.accesses if one.array == move.array.name)
        names = [statement.iterators[dim] for dim in dims]
        wanted = f"{{ {statement.name}[i, j, k] -> {access.array}[{', '.join(names)}] }}"
        assert access.relation.intersect_domain(statement.domain).is_equal(
            isl.Map(wanted).intersect_domain(statement.domain)
        )
    assert is_same_dataflow(scop, [move])
