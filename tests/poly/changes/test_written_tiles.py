"""Tiles of what is written: where they go, that nothing runs before what it needs, and what else
stays as it is."""

import pytest
from oracles.kernels import KERNELS
from oracles.polyhedral import conflicts, execution_order

from polyopt.poly.changes.written_tiles import tile_written
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import TILE, build_schedule, marks, read_tree

CHAIN = """
[n]
for i down : 0 <= i < n
  for k : i <= k < n - 1
    for j : k + 1 <= j < n
      S: m[i, j] = m[i, j] m[i, k] m[k + 1, j] p[i] p[k + 1] p[j + 1]
"""
TURNED = """
[n]
for i : 0 <= i < n
  for k down : 0 < k <= i
    for j : 0 <= j < k
      S: m[i, j] = m[i, j] m[i, k] m[k - 1, j]
"""
TILED = {"chain": CHAIN, "turned": TURNED}
KEPT = {
    "the outer loop is parallel": """
[n]
for i : 0 <= i < n
  for k : 0 <= k < n
    for j : k + 1 <= j < n
      S: m[i, j] = m[i, j] m[i, k]
""",
    "its loops make tiles as they are": """
[n]
for t : 0 <= t < n
  for i : 0 <= i < n
    for j : 0 <= j < n
      S: a[i, j] = a[i, j] b[t]
""",
    "two loops": "[n]\nfor i : 1 <= i < n\n  for j : 1 <= j < n\n    S: a[j, i] = a[i, j]\n",
    "one dimension": """
[n]
for i : 0 <= i < n
  for k : 0 <= k < n
    for j : 0 <= j < n
      S: a[j] = a[j] a[k] a[i]
""",
    "rows need each other both ways": """
[n]
for i : 0 <= i < n
  for k : 0 <= k < n
    for j : 0 <= j < n
      S: a[i, j] = a[i, j] a[i, k] a[k, j]
""",
}


def tile(text: str):
    scop = parse_scop(text)
    dependences = compute_dependences(scop)
    tree = read_tree(scop.schedule)
    return scop, tree, tile_written(scop, dependences, tree, (2, 3))


@pytest.mark.parametrize("name", TILED)
def test_what_meets_keeps_its_order(name: str):
    """By enumeration: of two instances that meet, one writing, the first one stays the first."""
    scop, tree, tiled = tile(TILED[name])
    assert tiled is not tree
    assert TILE in marks(tiled)
    sizes = {"n": 7}
    before = execution_order(scop.schedule, sizes)
    after = execution_order(build_schedule(scop.domain, tiled), sizes)
    assert before != after
    assert sorted(before) == sorted(after)
    assert conflicts(scop, after, sizes) == conflicts(scop, before, sizes)


@pytest.mark.parametrize("name", TILED)
def test_each_tile_runs_at_once(name: str):
    """Rows of tiles in the order of the rows, and in each the columns."""
    scop, _, tiled = tile(TILED[name])
    order = execution_order(build_schedule(scop.domain, tiled), {"n": 7})
    sign = -1 if name == "chain" else 1
    step = 3 if name == "chain" else -3
    places = [(sign * i // 2, (j if step > 0 else -j) // 3) for _, (i, _, j) in order]
    assert places == sorted(places)


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept(name: str):
    _, tree, tiled = tile(KEPT[name])
    assert tiled is tree


def test_which_kernels_are_tiled():
    """In the order of the source: none whose loops commute, and contractions do."""
    tiled = set[str]()
    for name, text in KERNELS.items():
        _, before, after = tile(text)
        if after is not before:
            tiled.add(name)
    assert tiled == set()
