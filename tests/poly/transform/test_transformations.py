"""Each step runs exactly the instances it ran before, in the order that its definition says.

The expected order is written down as Python loops, which know nothing of schedule trees.
"""

from collections.abc import Callable, Iterator

import islpy as isl
import pytest
from oracles.polyhedral import Point, execution_order

from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import read_tree
from polyopt.poly.transform.by_hand import schedule_by_hand
from polyopt.poly.transform.places import CannotTransform
from polyopt.poly.transform.splitting import peel
from polyopt.support.diagnostics import CompileError

N, M = 5, 7
SIZES = {"n": N, "m": M}

RECTANGLE = """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j < m
    S: A[i, j] = B[i, j]
"""
TRIANGLE = """
[n]
for i : 0 <= i < n
  for j : 0 <= j <= i
    S: A[i, j] = B[i, j]
"""
PAIR = """
[n]
for i : 0 <= i < n
  S: A[i] = C[i]
for i : 0 <= i < n
  T: B[i] = A[i]
"""
TOGETHER = """
[n, m]
for i : 0 <= i < n
  S: A[i] = C[i]
  for j : 0 <= j < m
    T: D[i, j] = A[i]
  U: B[i] = C[i]
"""
CUBE = """
[n]
for i : 0 <= i < n
  for j : 0 <= j < n
    for k : 0 <= k < n
      S: A[i, j, k] = B[k]
"""

Order = Iterator[tuple[str, tuple[int, ...]]]


def interchanged() -> Order:
    for j in range(M):
        for i in range(N):
            yield "S", (i, j)


def interchanged_triangle() -> Order:
    for j in range(N):
        for i in range(j, N):
            yield "S", (i, j)


def permuted() -> Order:
    for k in range(N):
        for i in range(N):
            for j in range(N):
                yield "S", (i, j, k)


def outer_two_permuted() -> Order:
    for k in range(N):
        for j in range(N):
            for i in range(N):
                yield "S", (i, j, k)


def strip_mined() -> Order:
    for i in range(N):
        for j in range(M):
            yield "S", (i, j)


def tiled() -> Order:
    for it in range(0, N, 2):
        for jt in range(0, M, 3):
            for i in range(it, min(it + 2, N)):
                for j in range(jt, min(jt + 3, M)):
                    yield "S", (i, j)


def tiled_the_other_way_round() -> Order:
    for jt in range(0, M, 3):
        for it in range(0, N, 2):
            for i in range(it, min(it + 2, N)):
                for j in range(jt, min(jt + 3, M)):
                    yield "S", (i, j)


def tiled_around_another() -> Order:
    for it in range(0, N, 2):
        for kt in range(0, N, 2):
            for i in range(it, min(it + 2, N)):
                for j in range(N):
                    for k in range(kt, min(kt + 2, N)):
                        yield "S", (i, j, k)


def tiled_twice() -> Order:
    for it in range(0, N, 4):
        for jt in range(0, M, 4):
            for it2 in range(it, min(it + 4, N), 2):
                for jt2 in range(jt, min(jt + 4, M), 2):
                    for i in range(it2, min(it2 + 2, N)):
                        for j in range(jt2, min(jt2 + 2, M)):
                            yield "S", (i, j)


def unrolled_and_jammed() -> Order:
    for it in range(0, N, 2):
        for j in range(M):
            for i in range(it, min(it + 2, N)):
                yield "S", (i, j)


def unrolled_over_several() -> Order:
    for it in range(0, N, 2):
        strip = range(it, min(it + 2, N))
        for i in strip:
            yield "S", (i,)
        for j in range(M):
            for i in strip:
                yield "T", (i, j)
        for i in strip:
            yield "U", (i,)


def skewed_inner() -> Order:
    for i in range(N):
        for c in range(2 * i, 2 * i + M):
            yield "S", (i, c - 2 * i)


def skewed_outer() -> Order:
    for c in range(N + M - 1):
        for j in range(M):
            if 0 <= c - j < N:
                yield "S", (c - j, j)


def shifted_in_one_loop() -> Order:
    for c in range(N + 2):
        if c < N:
            yield "S", (c,)
        if c >= 2:
            yield "T", (c - 2,)


def reversed_inner() -> Order:
    for i in range(N):
        for j in reversed(range(M)):
            yield "S", (i, j)


def interleaved() -> Order:
    """S at 2 i, T at i: fused when S counts twice as fast."""
    for c in range(2 * N):
        if c % 2 == 0:
            yield "S", (c // 2,)
        if c < N:
            yield "T", (c,)


def fused() -> Order:
    for i in range(N):
        yield "S", (i,)
        yield "T", (i,)


def distributed() -> Order:
    for i in range(N):
        yield "S", (i,)
    for i in range(N):
        for j in range(M):
            yield "T", (i, j)
    for i in range(N):
        yield "U", (i,)


def distributed_once() -> Order:
    for i in range(N):
        yield "S", (i,)
        for j in range(M):
            yield "T", (i, j)
    for i in range(N):
        yield "U", (i,)


def reordered() -> Order:
    for i in range(N):
        yield "U", (i,)
        yield "S", (i,)
        for j in range(M):
            yield "T", (i, j)


def peeled_first() -> Order:
    for j in range(2):
        for i in range(N):
            if j <= i:
                yield "S", (i, j)
    for i in range(N):
        for j in range(2, i + 1):
            yield "S", (i, j)


def peeled_outer() -> Order:
    for i in range(N - 1):
        for j in range(i + 1):
            yield "S", (i, j)
    for j in reversed(range(N)):
        yield "S", (N - 1, j)


def peeled_last_of_each() -> Order:
    for i in range(N):
        yield "S", (i, i)
        for j in range(i):
            yield "S", (i, j)


def peeled_with_a_stride() -> Order:
    """The last two of the tiles 0, 2, 4 of i first."""
    for i in range(2, N):
        for j in range(M):
            yield "S", (i, j)
    for i in range(2):
        for j in range(M):
            yield "S", (i, j)


def split_in_three() -> Order:
    for side in (1, 0, -1):
        for i in range(N):
            for j in range(M):
                if (j > i) - (j < i) == side:
                    yield "S", (i, j)


def source() -> Order:
    for i in range(N):
        yield "S", (i,)
        for j in range(M):
            yield "T", (i, j)
        yield "U", (i,)


FIRST_COLUMNS = "interchange S.i S.j\npeel S.j first 2\ninterchange S:2.i S:2.j"
LAST_TILES_FIRST = "strip S.i 2\npeel S.i_tile last 2\nreorder S:2 S:1"

CASES: dict[str, tuple[str, str, Callable[[], Order]]] = {
    "interchange": (RECTANGLE, "interchange S.i S.j", interchanged),
    "interchange-inner-first": (RECTANGLE, "interchange S.j S.i", interchanged),
    "interchange-triangle": (TRIANGLE, "interchange S.i S.j", interchanged_triangle),
    "interchange-outer-and-inner": (CUBE, "interchange S.i S.k", outer_two_permuted),
    "permute": (CUBE, "permute S.k S.i S.j", permuted),
    "permute-two": (CUBE, "permute S.k S.i", outer_two_permuted),
    "strip": (RECTANGLE, "strip S.j 3", strip_mined),
    "tile": (RECTANGLE, "tile S.i S.j 2 3", tiled),
    "tile-order": (RECTANGLE, "tile S.j S.i 3 2", tiled_the_other_way_round),
    "tile-by-hand": (RECTANGLE, "strip S.i 2\nstrip S.j 3\ninterchange S.i S.j_tile", tiled),
    "tile-around-another": (CUBE, "tile S.i S.k 2 2", tiled_around_another),
    "tile-twice": (RECTANGLE, "tile S.i S.j 4 4\ntile S.i S.j 2 2", tiled_twice),
    "tile-twice-outside": (RECTANGLE, "tile S.i S.j 2 2\ntile S.i_tile S.j_tile 4 4", tiled_twice),
    "unroll": (RECTANGLE, "unroll S.i 2", unrolled_and_jammed),
    "unroll-several": (TOGETHER, "unroll S.i 2", unrolled_over_several),
    "skew": (RECTANGLE, "skew S.j S.i 2", skewed_inner),
    "skew-back": (RECTANGLE, "skew S.j S.i 2; skew S.j S.i -2", strip_mined),
    "skew-outer": (RECTANGLE, "skew S.i S.j", skewed_outer),
    "shift": (PAIR, "fuse S T; shift T.i 2", shifted_in_one_loop),
    "shift-before": (PAIR, "shift S.i -2; fuse S.i T.i", shifted_in_one_loop),
    "reverse": (RECTANGLE, "reverse S.j", reversed_inner),
    "scale": (TOGETHER.replace("= A[i]", "="), "scale T.j 3\nscale S.i 2", source),
    "scale-and-fuse": (PAIR.replace("A[i]\n", "\n"), "scale S.i 2\nfuse S T", interleaved),
    "fuse": (PAIR, "fuse S.i T.i", fused),
    "fuse-statements": (PAIR, "fuse S T", fused),
    "fuse-after-distribute": (PAIR, "fuse S T\ndistribute S.i\nfuse S T", fused),
    "distribute": (TOGETHER, "distribute S.i", distributed),
    "distribute-in-front": (TOGETHER, "distribute S.i U", distributed_once),
    "reorder": (TOGETHER, "reorder U S T", reordered),
    "reorder-loops": (TOGETHER, "reorder U S T.j", reordered),
    "peel-first": (TRIANGLE, FIRST_COLUMNS, peeled_first),
    "peel-last": (TRIANGLE, "peel S.i last 1\nreverse S:2.j", peeled_outer),
    "peel-inner-last": (TRIANGLE, "peel S.j last 1\nreorder S:2 S:1", peeled_last_of_each),
    "peel-tiles": (RECTANGLE, LAST_TILES_FIRST, peeled_with_a_stride),
    "split": (RECTANGLE, "split S.i where j > i\nsplit S:2.i where i = j", split_in_three),
    "split-and-fuse": (RECTANGLE, "split S.i where i < n / 2\nfuse S:1 S:2", strip_mined),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_order(name: str):
    text, steps, expected = CASES[name]
    schedule = schedule_by_hand(parse_scop(text), None, steps)
    order: list[Point] = execution_order(schedule, SIZES)
    assert order == list(expected())


@pytest.mark.parametrize(
    ("text", "step", "reason"),
    [
        (TOGETHER, "interchange S.i T.j", "they are no perfect nest"),
        (TOGETHER, "tile T.i T.j 2 2", "they are no perfect nest"),
        (PAIR, "interchange S.i T.i", "not inside each other"),
        (CUBE, "permute S.i S.j S.i", "named twice"),
        (RECTANGLE, "strip S.i 1", "fewer than 2"),
        (RECTANGLE, "tile S.i S.j 4", "2 loops and 1 sizes"),
        (RECTANGLE, "unroll S.i 65", "2 to 64 copies"),
        (RECTANGLE, "skew S.i S.i", "by itself"),
        (RECTANGLE, "skew S.i S.j 0", "changes nothing"),
        (TOGETHER, "skew S.i T.j", "not every statement in the loop"),
        (PAIR, "skew S.i T.i", "not inside each other"),
        (RECTANGLE, "scale S.i 0", "positive factor"),
        (TOGETHER, "fuse S T", "no loop of its own"),
        (TOGETHER, "fuse S U T.i", "one after another"),
        (PAIR, "fuse S S", "two of the places are one"),
        (RECTANGLE, "distribute S.j", "not several statements"),
        (RECTANGLE, "distribute S.i", "not several statements"),
        (TOGETHER, "reorder S.i T.i", "one after another"),
        (RECTANGLE, "peel S.i first 0", "at least one"),
        (RECTANGLE, "split S.i where i < 0", "for none of"),
        (RECTANGLE, "split S.i where i >= 0", "for all of"),
    ],
)
def test_shape_does_not_fit(text: str, step: str, reason: str):
    with pytest.raises(CompileError) as raised:
        schedule_by_hand(parse_scop(text), None, step)
    assert reason in raised.value.diagnostic.message
    assert raised.value.diagnostic.span is not None


def test_a_loop_that_never_runs_has_nothing_to_peel():
    tree = read_tree(parse_scop(RECTANGLE).schedule)
    with pytest.raises(CannotTransform, match="never runs"):
        peel(tree, (), isl.UnionSet("{ }"), 1)
