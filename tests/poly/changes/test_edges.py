"""Ends of loops at which subscripts bend run by themselves, and everything in its order."""

from dataclasses import replace

import islpy as isl
import pytest
from oracles.polyhedral import execution_order

from polyopt.poly.changes.edges import isolate_edges, may_have_edges
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Member, Sequence, Tree, build_schedule, read_tree
from polyopt.poly.scop import Scop

ROW = "[n]\nfor i : 0 <= i < n\n  S: B[i] = A[i]"
DOWN = "[n]\nfor i down : 0 <= i < n\n  S: B[i] = A[i]"
TWO = "[n]\nfor i : 0 <= i < n\n  S: B[i] = A[i]\n  T: C[i] = A[i]"
INNER = "[n]\nfor j : 0 <= j < 3\n  for i : j <= i < n\n    S: B[i] = A[i]"

LEFT = "S[i] -> A[n - 1] : i <= 0; S[i] -> A[i - 1] : i > 0"
RIGHT = "S[i] -> A[0] : i >= n - 1; S[i] -> A[i + 1] : i < n - 1"
SECOND = "S[i] -> A[i + n - 2] : i <= 1; S[i] -> A[i - 2] : i > 1"
LAST_TWO = "S[i] -> A[i + 2 - n] : i >= n - 2; S[i] -> A[i + 2] : i < n - 2"
CLAMPED_SEVEN = "S[i] -> A[0] : i <= 6; S[i] -> A[i - 7] : i > 6"
CLAMPED_TEN = "S[i] -> A[0] : i <= 9; S[i] -> A[i - 10] : i > 9"
MIDDLE = "S[i] -> A[0] : 2i < n; S[i] -> A[i] : 2i >= n"
DIAGONAL = "S[j, i] -> A[0] : i <= j; S[j, i] -> A[i - 1] : i > j"
ALONG_J = "S[j, i] -> A[i] : j <= 0; S[j, i] -> A[i + 1] : j > 0"


def bent(text: str, *relations: str) -> Scop:
    """With these relations for the reads of S."""
    scop = parse_scop(text)
    first, *others = scop.statements
    (read, write) = sorted(first.accesses, key=lambda one: one.is_write)
    reads = tuple(
        replace(read, relation=isl.Map(f"[n] -> {{ {one} }}"), position=k)
        for k, one in enumerate(relations)
    )
    accesses = (*reads, replace(write, position=len(reads)))
    return replace(scop, statements=(replace(first, accesses=accesses), *others))


def parts(tree: Tree) -> int:
    match tree:
        case Band(_, child) if isinstance(child, Sequence):
            return parts(child)
        case Sequence(children) if any(isinstance(child, Band) for _, child in children):
            return len(children)
        case _:
            return 1


@pytest.mark.parametrize(
    ("text", "relations", "count"),
    [
        (ROW, (LEFT,), 2),
        (ROW, (RIGHT,), 2),
        (ROW, (LEFT, RIGHT), 3),
        (ROW, (SECOND,), 2),
        (ROW, (LAST_TWO,), 2),
        (ROW, (SECOND, RIGHT), 3),
        (ROW, (CLAMPED_SEVEN, LEFT), 3),
        (ROW, (CLAMPED_TEN,), 1),
        (ROW, (MIDDLE,), 1),
        (DOWN, (LEFT,), 2),
        (DOWN, (LEFT, RIGHT), 3),
        (TWO, (LEFT,), 2),
        (INNER, (DIAGONAL,), 2),
        (INNER, (ALONG_J,), 1),
    ],
)
def test_ends_run_in_their_order(text: str, relations: tuple[str, ...], count: int):
    scop = bent(text, *relations)
    tree = read_tree(scop.schedule)
    assert may_have_edges(scop)
    split = isolate_edges(scop, tree)
    assert parts(split) == count
    assert (split is tree) == (count == 1)
    schedule = build_schedule(scop.domain, split)
    for n in (0, 1, 2, 3, 4, 7):
        order = execution_order(scop.schedule, {"n": n})
        assert execution_order(schedule, {"n": n}) == order


def test_sizes_that_cannot_be_have_no_say():
    """For rows of twenty elements at most the middle would bend, too."""
    far = "S[i] -> A[i - 1] : i > 0 and (n > 20 or 2i < n); S[i] -> A[0] : i > 0 and 2i >= n <= 20"
    scop = bent(ROW.replace("[n]", "[n] : n > 20", 1), f"S[i] -> A[n - 1] : i <= 0; {far}")
    split = isolate_edges(scop, read_tree(scop.schedule))
    assert parts(split) == 2
    order = execution_order(build_schedule(scop.domain, split), {"n": 22})
    assert order == execution_order(scop.schedule, {"n": 22})


def test_statements_that_run_in_other_iterations_stay_together():
    """Each iteration runs T for the row before that of S: their ends are two iterations."""
    scop = bent(TWO, LEFT)
    tree = read_tree(scop.schedule)
    assert isinstance(tree, Band)
    shifted = isl.UnionPwAff("[n] -> { S[i] -> [(i)]; T[i] -> [(i + 1)] }")
    members = (Member(shifted.intersect_domain(scop.domain)),)
    late = replace(tree, members=members)
    assert isolate_edges(scop, late) is late


def test_rows_without_bends_have_no_edges():
    scop = parse_scop(ROW)
    tree = read_tree(scop.schedule)
    assert not may_have_edges(scop)
    assert isolate_edges(scop, tree) is tree
