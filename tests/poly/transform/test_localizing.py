"""Tiles that work on copies: the SCoP is run, instance by instance, and its memory compared with
that of the one before; what is copied is told by brute force."""

from __future__ import annotations

from functools import cache

import islpy as isl
import pytest
from oracles.copied_memory import Terms, memory_after
from oracles.polyhedral import Point, coordinates, execution_order, pairs_of

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import check_schedule
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Sequence, build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.poly.transform.localizing import Localized, localize
from polyopt.poly.transform.names import Names
from polyopt.poly.transform.places import CannotTransform, single_loops

PRODUCT = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    for k : 0 <= k < n
      S: C[i, j] = C[i, j] A[i, k] B[k, j]
"""
SWEEPS = """
[n]
for t : 0 <= t < n
  for i : 1 <= i < n - 1
    S: B[i] = A[i - 1] A[i] A[i + 1]
  for i : 1 <= i < n - 1
    T: A[i] = B[i]
"""
IN_PLACE = """
[n]
for t : 0 <= t < n
  for i : 1 <= i < n - 1
    S: A[i] = A[i - 1] A[i] A[i + 1]
"""
SOLVE = """
[n]
for i : 0 <= i < n
  S: x[i] = b[i]
  for j : 0 <= j < i
    T: x[i] = x[i] L[i, j] x[j]
  U: x[i] = x[i] L[i, i]
"""
STAR = """
[n]
for i : 1 <= i < n - 1
  for j : 1 <= j <= i
    S: B[i, j] = A[i - 1, j] A[i, j - 1] A[i, j] A[i, j + 1] A[i + 1, j]
"""
HOLES = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < 3
    S: B[i] = B[i] A[2i + 3j]
"""
SOMETIMES = """
[n]
for i : 0 <= i < n
  S: ?A[i] = B[i]
  T: C[i] = A[i] A[0]
"""

CASES = [
    (PRODUCT, "tile S.i S.j S.k 2 3 2", "S.k_tile", ()),
    (PRODUCT, "tile S.i S.k S.j 2 3 2", "S.k_tile", ("A",)),
    (PRODUCT, "tile S.i S.j 2 2", "S.j_tile", ()),
    (PRODUCT, "", "S.j", ("B", "C")),
    (SWEEPS, "tile S.i 3", "S.i_tile", ()),
    (SWEEPS, "fuse S T; shift T.i 1\nskew S.i S.t 2; tile S.t S.i 2 3", "S.t", ()),
    (SWEEPS, "", "S.t", ()),
    (IN_PLACE, "skew S.i S.t; tile S.t S.i 2 3", "S.i_tile", ()),
    (IN_PLACE, "strip S.i 3", "S.i_tile", ("A",)),
    (SOLVE, "strip T.j 3", "T.j_tile", ()),
    (SOLVE, "strip S.i 2", "S.i_tile", ("x", "L")),
    (STAR, "hexagons S.i S.j 2 1", "S.j_tile", ()),
    (STAR, "lattice S.i S.j 3 0 1 2", "S.j_tile", ()),
    (HOLES, "tile S.i 2", "S.i_tile", ("A",)),
    (SOMETIMES, "tile S.i 3", "S.i_tile", ()),
]
IDS = [f"{case[0].split('S:')[1].split()[0]} {case[1] or 'as it is'} {case[3]}" for case in CASES]


@cache
def localized(
    text: str, steps: str, loop: str, arrays: tuple[str, ...], operations: int = 200_000
) -> tuple[Scop, Localized]:
    scop = parse_scop(text)
    schedule = schedule_by_hand(scop, None, steps) if steps else scop.schedule
    scop = scop.with_schedule(schedule)
    tree = single_loops(read_tree(schedule))
    statement, _, name = loop.partition(".")
    place = Names.of(scop, tree).loop(statement, name)
    return scop, localize(scop, tree, place, arrays, operations)


@pytest.mark.parametrize(("text", "steps", "loop", "arrays"), CASES, ids=IDS)
@pytest.mark.parametrize("n", [1, 3, 7])
def test_memory_is_the_same(text: str, steps: str, loop: str, arrays: tuple[str, ...], n: int):
    scop, made = localized(text, steps, loop, arrays)
    terms = Terms()
    buffers = {one.array.name for one in made.buffers}
    after = memory_after(made.scop, {"n": n}, terms, made.leading)
    found = {place: value for place, value in after.items() if place[0] not in buffers}
    unchanged = {place for place, value in found.items() if value == terms.before(place)}
    before = memory_after(scop, {"n": n}, terms)
    assert {place: value for place, value in found.items() if place not in unchanged} == before


@pytest.mark.parametrize(("text", "steps", "loop", "arrays"), CASES, ids=IDS)
def test_the_dependences_that_are_given_order_whatever_meets(
    text: str, steps: str, loop: str, arrays: tuple[str, ...]
):
    """Of two instances that touch one element, one writing it, a path leads to the later."""
    sizes = {"n": 4}
    scop, made = localized(text, steps, loop, arrays)
    given = made.dependences(compute_dependences(scop))
    assert check_schedule(made.scop, given, made.scop.schedule) == []
    domain = made.scop.domain
    pairs = given.validity.intersect_domain(domain).intersect_range(domain)
    order = execution_order(made.scop.schedule, sizes)
    at = {instance: k for k, instance in enumerate(order)}
    after = [0] * len(order)
    by_source = dict[int, list[int]]()
    for source, target in pairs_of(pairs, sizes):
        assert at[source] < at[target]
        by_source.setdefault(at[source], []).append(at[target])
    for k in reversed(range(len(order))):
        for target in by_source.get(k, ()):
            after[k] |= after[target] | 1 << target
    users = dict[Point, list[tuple[int, bool]]]()
    for one in made.scop.statements:
        for access in one.accesses:
            relation = isl.UnionMap.from_map(access.relation.intersect_domain(one.domain))
            for source, place in pairs_of(relation, sizes):
                users.setdefault(place, []).append((at[source], access.is_write))
    for touching in users.values():
        for first, one_writes in touching:
            for second, other_writes in touching:
                if first < second and (one_writes or other_writes):
                    assert after[first] >> second & 1, (order[first], order[second])


@pytest.mark.parametrize(("text", "steps", "loop", "arrays"), CASES, ids=IDS)
def test_what_is_copied(text: str, steps: str, loop: str, arrays: tuple[str, ...]):
    """In: what the tile reads and has not written; out: what it writes; each element once."""
    n = 7
    scop, made = localized(text, steps, loop, arrays)
    for buffer in made.buffers:
        if buffer.how != "exact":
            continue
        name = buffer.source.name
        needed, written = set[tuple[int, ...]](), set[tuple[int, ...]]()
        done = set[tuple[int, ...]]()
        numbers = _numbers(made.numbers, made.scop, n)
        before = dict[tuple[str, int], dict[tuple[int, ...], Point]]()
        for one in scop.statements:
            for access in (a for a in one.accesses if a.array == name):
                relation = isl.UnionMap.from_map(access.relation.intersect_domain(one.domain))
                before[one.name, access.position] = {
                    source[1]: target for source, target in pairs_of(relation, {"n": n})
                }
        for statement, iteration in execution_order(made.scop.schedule, {"n": n}):
            if (statement, iteration) not in numbers or statement.endswith(("_in", "_out")):
                continue
            tile = numbers[statement, iteration]
            old = iteration[made.leading.get(statement, 0) :]
            own = [a for a in scop.statement(statement).accesses if a.array == name]
            for access in sorted(own, key=lambda one: one.is_write):
                element = (*tile, *before[statement, access.position][old][1])
                if access.is_write:
                    written.add(element)
                    if access.is_must:
                        done.add(element)
                    else:
                        needed.add(element)
                elif element not in done:
                    needed.add(element)
        for copy, expected in ((buffer.into, needed), (buffer.out, written)):
            found = coordinates(copy.domain, {"n": n}) if copy is not None else []
            assert len(found) == len(set(found))
            assert set(found) == expected


def _numbers(
    functions: tuple[isl.UnionPwAff, ...], scop: Scop, n: int
) -> dict[Point, tuple[int, ...]]:
    joint = isl.MultiUnionPwAff.from_union_pw_aff(functions[0])
    for one in functions[1:]:
        joint = joint.flat_range_product(isl.MultiUnionPwAff.from_union_pw_aff(one))
    pairs = isl.UnionMap.from_multi_union_pw_aff(joint).intersect_domain(scop.domain)
    return {source: target[1] for source, target in pairs_of(pairs, {"n": n})}


@pytest.mark.parametrize(("text", "steps", "loop", "arrays"), CASES[:2], ids=IDS[:2])
def test_places_in_the_buffer_are_relative_to_the_tile(
    text: str, steps: str, loop: str, arrays: tuple[str, ...]
):
    _, made = localized(text, steps, loop, arrays)
    for buffer in made.buffers:
        sizes = [one.get_constant_val().to_python() for one in buffer.extents]
        assert sorted(sizes) in ([2, 2], [2, 3])
        for one in made.scop.statements:
            for access in (a for a in one.accesses if a.array == buffer.array.name):
                touched = access.relation.intersect_domain(one.domain).range()
                for place in coordinates(touched, {"n": 7}):
                    assert all(0 <= at < size for at, size in zip(place, sizes, strict=True))


def test_a_box_where_the_image_is_too_dear():
    text = HOLES.replace("[n]", "[n] : n <= 20", 1)
    _, made = localized(text, "tile S.i 2", "S.i_tile", ("A",), operations=1)
    (buffer,) = made.buffers
    assert buffer.how == "box"
    assert "all of a box" in buffer.told
    assert buffer.into is not None
    # 2i + 3j for i in 2, 3 and j in 0, 1, 2: from 4 to 12
    elements = {at[1] for at in coordinates(buffer.into.domain, {"n": 8}) if at[0] == 1}
    assert elements == set(range(4, 13))


REFUSED = [
    (PRODUCT, "", "S.i", ("Q",), "no array 'Q'"),
    (SWEEPS, "", "S.t", ("C",), "no array 'C'"),
    ("[n]\nfor i : 0 <= i < n\n  S: x[] = A[i]\n", "", "S.i", ("x",), "x is a single variable"),
    ("[n]\nfor i : 0 <= i < n\n  S: B[i] = A[*]\n", "", "S.i", ("A",), "data decide"),
    (
        "[n]\nfor i : 0 <= i < n\n  S: B[i] =\n  T: C[i] =\n",
        "distribute S.i",
        "S.i",
        ("C",),
        "nothing",
    ),
    (IN_PLACE, "peel S.i first 1\n", "S:2.i", (), "stands in the loop and elsewhere"),
]


@pytest.mark.parametrize(("text", "steps", "loop", "arrays", "reason"), REFUSED)
def test_refused(text: str, steps: str, loop: str, arrays: tuple[str, ...], reason: str):
    scop = parse_scop(text)
    if steps:
        scop = scop.with_schedule(schedule_by_hand(scop, None, steps))
    tree = single_loops(read_tree(scop.schedule))
    statement, _, name = loop.partition(".")
    head, _, part = statement.partition(":")
    place = Names.of(scop, tree).loop(head, name, int(part) if part else None)
    with pytest.raises(CannotTransform) as raised:
        localize(scop, tree, place, arrays)
    assert reason in raised.value.reason


def test_a_buffer_that_is_too_large():
    scop = parse_scop(PRODUCT)
    tree = single_loops(read_tree(schedule_by_hand(scop, None, "tile S.i S.j S.k 64 64 64")))
    place = Names.of(scop, tree).loop("S", "k_tile")
    with pytest.raises(CannotTransform) as raised:
        localize(scop, tree, place, ("A",), limit=1000)
    assert raised.value.reason == "a buffer for A takes 32768 bytes, more than 1000"
    assert build_schedule(scop.domain, tree).get_domain().is_equal(scop.domain)


NEVER = """
[n, m] : m <= 0
for i : 0 <= i < n
  for k : 0 <= k < n
    S: B[i] = B[i] A[k]
for j : 0 <= j < m
  T: B[j] = A[j]
"""


@pytest.mark.parametrize("n", [1, 3, 7])
def test_statements_that_never_run_need_no_place(n: int):
    """Under what is known of the parameters; the order of a version for it lacks them."""
    scop = parse_scop(NEVER)
    tree = read_tree(scop.schedule)
    assert isinstance(tree, Sequence)
    (order,) = (child for instances, child in tree.children if "S[" in str(instances))
    runs = scop.domain.intersect_params(scop.known)
    scop = scop.with_schedule(build_schedule(runs, order))
    tree = single_loops(read_tree(scop.schedule))
    made = localize(scop, tree, Names.of(scop, tree).loop("S", "i"), ("A",))
    assert "T" not in str(made.scop.schedule)
    terms = Terms()
    after = memory_after(made.scop, {"n": n, "m": 0}, terms, made.leading)
    before = memory_after(scop, {"n": n, "m": 0}, terms)
    assert {place: value for place, value in after.items() if place in before} == before
    assert {place[0] for place in after} - {place[0] for place in before} == {
        one.array.name for one in made.buffers
    }
