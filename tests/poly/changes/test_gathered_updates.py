"""Left-looking orders: they are legal, by enumeration, and runs what there was."""

import pytest
from oracles.polyhedral import conflicts, execution_order

from polyopt.poly.analysis.permutability import TreePosition, merge_bands
from polyopt.poly.changes.gathered_updates import gathering_nest
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Tree, bands, build_schedule, read_tree
from polyopt.poly.scop import Scop

FORWARD = """[n]
for j : 0 <= j < n
  D: x[j] = x[j] l[j, j]
  for i : j < i < n
    U: x[i] = x[i] x[j] l[i, j]"""
BACKWARD = """[n]
for j : 0 <= j < n
  D: x[n - 1 - j] = x[n - 1 - j] l[n - 1 - j, n - 1 - j]
  for i : 0 <= i < n - 1 - j
    U: x[i] = x[i] x[n - 1 - j] l[i, n - 1 - j]"""
BESIDE = """[n]
for j : 0 <= j < n
  for i : 0 <= i < n
    U: y[i] = y[i] a[i, j]
  D: z[j] = b[j]"""
EVERYWHERE = """[n]
for j : 0 <= j < n
  D: x[j] = x[j] l[j, j]
  for i : 0 <= i < n
    U: x[i] = x[i] x[j] l[i, j]"""
ALONE = """[n]
for j : 0 <= j < n
  for i : 0 <= i < n
    U: y[i] = y[i] a[i, j]"""
SIZES = {"n": 6}


def gathered(scop: Scop) -> Tree | None:
    place = TreePosition((), compute_dependences(scop).validity)
    tree = merge_bands(read_tree(scop.schedule), place)
    return gathering_nest(tree, scop.domain, place)


@pytest.mark.parametrize(("text", "goes_down"), [(FORWARD, False), (BACKWARD, True)])
def test_substitution_goes_along_rows(text: str, goes_down: bool):
    scop = parse_scop(text)
    before = execution_order(scop.schedule, SIZES)
    pairs = list(conflicts(scop, before, SIZES))
    tree = gathered(scop)
    assert tree is not None
    after = execution_order(build_schedule(scop.domain, tree), SIZES)
    assert sorted(map(str, after)) == sorted(map(str, before))
    at = {instance: k for k, instance in enumerate(after)}
    assert pairs
    assert all(at[first] < at[then] for first, then in pairs)
    (outer,) = bands(tree)[0].members
    assert ("-i" in str(outer.function)) == goes_down


def test_what_stands_beside_keeps_its_loop():
    tree = gathered(parse_scop(BESIDE))
    assert tree is not None
    assert "D[j] -> [(j)]" in str(bands(tree)[0].members[0].function)
    assert "U[j, i] -> [(i)]" in str(bands(tree)[0].members[0].function)


@pytest.mark.parametrize("text", [EVERYWHERE, ALONE])
def test_left_alone(text: str):
    """Where all wait for all, and where nothing stands beside the updates."""
    assert gathered(parse_scop(text)) is None
