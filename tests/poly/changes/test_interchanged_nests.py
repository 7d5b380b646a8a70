"""Another loop outermost: each order is legal, and its inner band commutes, by enumeration."""

import pytest
from oracles.nests import NESTS
from oracles.polyhedral import conflicts, execution_order

from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.changes.interchanged_nests import interchanged_nests
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.linear.linear_forms import function_of
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Tree, bands, build_schedule, read_tree
from polyopt.poly.scop import Scop

INTERVALS = """[n]
for l : 1 <= l < n
  for i : 0 <= i < n - l
    for k : 0 <= k < l
      S: m[i, i + l] = m[i, i + l] + m[i, i + k] + m[i + k + 1, i + l]"""
SIZES = {"n": 5, "m": 4, "k": 3}


def turned(scop: Scop) -> list[Tree]:
    place = TreePosition((), compute_dependences(scop).validity)
    return list(interchanged_nests(read_tree(scop.schedule), place))


def functions(tree: Tree) -> list[tuple[int, ...] | None]:
    members = [member for band in bands(tree) for member in band.members]
    return [function_of(member.function, "S") for member in members]


def test_intervals_go_up_by_their_first_ends():
    """The first end outermost, down: only the elements of its own row are waited for, by a length
    that another length is added to. So both loops inside commute."""
    found = turned(parse_scop(INTERVALS))
    down = [tree for tree in found if functions(tree)[0] == (0, -1, 0)]
    assert down
    inner = bands(down[0])[-1]
    assert [function_of(one.function, "S") for one in inner.members] == [(1, 0, 0), (0, 0, 1)]
    assert inner.permutable
    assert all(functions(tree)[0] != (0, 1, 0) for tree in found)


@pytest.mark.parametrize("text", [INTERVALS, NESTS["seidel"]])
def test_orders_keep_conflicts_whichever_inner_loop_is_last(text: str):
    scop = parse_scop(text)
    pairs = list(conflicts(scop, execution_order(scop.schedule, SIZES), SIZES))
    found = turned(scop)
    assert pairs
    assert found
    for tree in found:
        for order in (tree, with_inner_reversed(tree)):
            when = execution_order(build_schedule(scop.domain, order), SIZES)
            place = {instance: time for time, instance in enumerate(when)}
            assert all(place[first] < place[then] for first, then in pairs)


def with_inner_reversed(tree: Tree) -> Tree:
    assert isinstance(tree, Band)
    if not bands(tree.child):
        return Band(tree.members[::-1], tree.child, tree.permutable)
    return Band(tree.members, with_inner_reversed(tree.child), tree.permutable)


def test_two_loops_and_sequences_stay():
    assert not turned(
        parse_scop("[n]\nfor i : 0 <= i < n\n  for j : 0 <= j < n\n    S: A[i, j] = 1")
    )
