"""Index-set splitting: which loops are split, where, and that nothing changes place."""

import islpy as isl
import pytest
from oracles.kernels import KERNELS
from oracles.polyhedral import execution_order

from polyopt.poly.analysis.parallelism import judge_tree
from polyopt.poly.analysis.permutability import TreePosition, merge_bands
from polyopt.poly.changes.carriers import isolate_carriers
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import build_schedule, read_tree

PIVOT = """
[n]
for k : 0 <= k < n
  for i : 0 <= i < n
    for j : 0 <= j < n
      S: P[i, j] = P[i, j] P[i, k] P[k, j]
"""
MIDDLE = """
[n, m]
for i : 0 <= i < n
  S: a[i] = a[m] b[i]
"""
DOWN = """
[n, m]
for i : 0 <= i < n
  S: a[n - 1 - i] = a[m] b[i]
"""
OVERWRITTEN = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    S: a[2*i - 1] = a[j]
"""
BACKWARD = """
[n, m]
for i down : 0 <= i < n
  S: a[i] = a[m] b[i]
"""
MIRRORED = """
[n]
for i : 0 <= i <= 2*n
  S: a[i] = a[2*n - i] b[i]
"""
CROSSING = """
[n, m]
for r : 0 <= r < m
  for i down : 0 <= i < n
    S: a[r, i] = a[r, n - 1 - i] a[r, i]
"""
HALVES = {"mirrored": MIRRORED, "crossing": CROSSING}
SPLIT = {"pivot": PIVOT, "middle": MIDDLE, "down": DOWN, "backward": BACKWARD}
KEPT = {
    "a distance": "[n]\nfor i : 0 <= i < n\n  S: a[i + 1] = a[i]\n",
    "an accumulation": "[n]\nfor i : 0 <= i < n\n  S: s[] += a[i]\n",
    "two carriers": "[n, m, l]\nfor i : 0 <= i < n\n  S: a[i] = a[m] a[l]\n",
    "every iteration": OVERWRITTEN,
    "halves and a distance": "[n]\nfor i : 0 <= i <= 2*n\n  S: a[i] = a[2*n - i] a[i - 1]\n",
    "other halves": "[n]\nfor i : 0 <= i <= 2*n\n  S: a[i] = a[2*n - i] a[n - i]\n",
    "nothing carried": "[n]\nfor i : 0 <= i < n\n  S: a[i] = b[i]\n",
    "two iterations": """
[n]
for j : 0 <= j < n
  for i : 0 <= i < 2
    S: a[j] += b[i, j] b[0, j]
""",
    "an iteration of another loop": """
[n]
for j : 0 <= j < n
  for i : 1 <= i < n
    S: a[i, j] = a[i - 1, 0] a[0, j]
""",
    "every second iteration": """
[n]
for i : 1 <= i < n
  S: a[i] = a[2*floor((i - 1)/2)] a[0]
""",
}


def split(text: str):
    scop = parse_scop(text)
    dependences = compute_dependences(scop)
    tree = read_tree(scop.schedule)
    return scop, dependences, tree, isolate_carriers(scop, dependences, tree)


@pytest.mark.parametrize("name", SPLIT)
def test_the_others_are_parallel(name: str):
    scop, dependences, tree, changed = split(SPLIT[name])
    assert changed is not tree
    innermost = [one.parallelism.is_parallel for one in judge_tree(scop, dependences, changed)]
    assert innermost[-3:] == [True, True, True]


@pytest.mark.parametrize("name", HALVES)
def test_both_halves_are_parallel(name: str):
    scop, dependences, tree, changed = split(HALVES[name])
    assert changed is not tree
    innermost = [one.parallelism.is_parallel for one in judge_tree(scop, dependences, changed)]
    assert innermost[-2:] == [True, True]


@pytest.mark.parametrize("name", [*SPLIT, *HALVES])
def test_nothing_changes_place(name: str):
    scop, _, _, changed = split((SPLIT | HALVES)[name])
    sizes = {"n": 5, "m": 2}
    schedule = build_schedule(scop.domain, changed)
    assert execution_order(schedule, sizes) == execution_order(scop.schedule, sizes)


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept(name: str):
    _, _, tree, changed = split(KEPT[name])
    assert changed is tree


def test_which_kernels_are_split():
    changed: set[str] = set()
    for name, text in KERNELS.items():
        _, _, before, after = split(text)
        if after is not before:
            changed.add(name)
    assert changed == {"floyd-warshall"}


@pytest.mark.parametrize(("function", "is_split"), [("i", True), ("-i", True), ("2i", False)])
def test_only_loops_over_an_iterator_are_split(function: str, is_split: bool):
    scop = parse_scop(MIDDLE)
    order = str(scop.schedule).replace("[(i)]", f"[({function})]")
    scop = scop.with_schedule(isl.Schedule(order))
    dependences = compute_dependences(scop)
    tree = read_tree(scop.schedule)
    assert (isolate_carriers(scop, dependences, tree) is not tree) == is_split


TRIANGLE = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < i
    S: x[i] = x[i] x[j] L[i, j]
"""


def test_for_threads_no_loop_is_split_where_an_inner_one_is():
    """Row i reads what all rows before have written: `i = j` is no row."""
    scop = parse_scop(TRIANGLE)
    dependences = compute_dependences(scop)
    tree = merge_bands(read_tree(scop.schedule), TreePosition((), dependences.validity))
    assert isolate_carriers(scop, dependences, tree, for_threads=True) is tree


def test_for_threads_no_loop_in_a_parallel_one_is_split():
    text = """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j < n
    S: a[i, j] = a[m, j] b[i]
"""
    inside = text.replace("for", "  for").replace("    S", "      S").replace("a[", "a[p, ")
    inside = inside.replace("[n, m]", "[n, m]\nfor p : 0 <= p < n")
    for nest, is_split in (text, True), (inside, False):
        scop = parse_scop(nest)
        dependences = compute_dependences(scop)
        place = TreePosition((), dependences.validity)
        tree = merge_bands(read_tree(scop.schedule), place)
        changed = isolate_carriers(scop, dependences, tree, for_threads=True)
        assert (changed is not tree) == is_split
