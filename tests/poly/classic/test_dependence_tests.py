"""The classic tests: textbook cases one by one, then random pairs against isl."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import islpy as isl
import pytest

from polyopt.poly.classic.conflicts import Chrec
from polyopt.poly.classic.pair_test import PairVerdict, compare_references
from polyopt.poly.classic.references import Reference, Subscript, classify, reference_of
from polyopt.poly.linear.dependence_vectors import Interval, distance, vector_text
from polyopt.poly.notation import parse_scop


def verdict_of(text: str, *, header: str = "[n]", common: int | None = None) -> PairVerdict:
    """The first write against the first read of the first statement of a nest."""
    scop = parse_scop(f"{header}\n{text}")
    statement = scop.statements[0]
    write = next(one for one in statement.accesses if one.is_write)
    read = next(one for one in statement.accesses if not one.is_write)
    depth = len(statement.iterators) if common is None else common
    return compare_references(
        reference_of(scop, statement, write), reference_of(scop, statement, read), depth, {}
    )


LINE = "for i : 0 <= i < 10\n  S: "
SQUARE = "for i : 0 <= i < 10\n  for j : 0 <= j < 10\n    S: "


@pytest.mark.parametrize(
    ("text", "kind", "decided_by"),
    [
        (LINE + "A[i] = B[i]", "independent", "base"),
        (LINE + "A[3] = A[4]", "independent", "ziv"),
        (LINE + "A[3, i] = A[4, i]", "independent", "ziv"),
        (LINE + "A[2i] = A[2i + 1]", "independent", "siv"),
        (LINE + "A[i] = A[i + 10]", "independent", "siv"),
        (LINE + "A[i] = A[10]", "independent", "siv"),
        (LINE + "A[i] = A[20 - i]", "independent", "siv"),
        (LINE + "A[i] = A[i + 9]", "dependent", ""),
        (LINE + "A[3i] = A[2i + 1]", "dependent", ""),
        (LINE + "A[i, i] = A[i + 1, i + 2]", "independent", "coupled"),
        (LINE + "A[i, i] = A[i + 1, 3]", "dependent", ""),
        (LINE + "A[i, i] = A[i + 1, 0]", "independent", "coupled"),
        (LINE + "A[i, i] = A[i + 1, 10]", "independent", "coupled"),
        (SQUARE + "A[2i + 4j] = A[2i + 4j + 1]", "independent", "gcd"),
        (SQUARE + "A[i + 10j] = A[i + 10j + 200]", "independent", "banerjee"),
        (SQUARE + "A[i, i + j] = A[i + 1, i + j + 12]", "independent", "coupled"),
        (SQUARE + "A[floor(i/2)] = A[i]", "unknown", ""),
        ("for i : 0 <= i < n\n  S: A[i] = A[i + 1]", "unknown", ""),
        ("for i : 0 <= i < n\n  S: A[2i] = A[2i + 2n + 1]", "independent", "gcd"),
    ],
)
def test_textbook_verdicts(text: str, kind: str, decided_by: str):
    verdict = verdict_of(text)
    assert (verdict.kind, verdict.decided_by) == (kind, decided_by)
    assert bool(verdict.vectors) == (kind != "independent")


@pytest.mark.parametrize(
    ("text", "vectors"),
    [
        (LINE + "A[i] = A[i - 3]", ["(3)"]),
        (LINE + "A[i] = A[i + 3]", ["(-3)"]),
        (LINE + "A[3i] = A[0]", ["(0)", "(1..9)"]),  # x = 0 meets every y
        (SQUARE + "A[i, j] = A[i - 3, j - 2]", ["(3, 2)"]),
        (SQUARE + "A[i] = A[i - 1]", ["(1, 1..9)", "(1, 0)", "(1, -9..-1)"]),
        (SQUARE + "A[i, i + j] = A[i - 1, i + j]", ["(1, -1)"]),
    ],
)
def test_distances_and_directions(text: str, vectors: list[str]):
    found = [vector_text(one) for one in verdict_of(text).vectors]
    assert sorted(found) == sorted(vectors)


def test_conflicting_iterations_are_chains_of_recurrences():
    """3 x = 2 y + 1: x = 1, 3, 5, ... meets y = 1, 4, 7, ..."""
    (chains,) = verdict_of(LINE + "A[3i] = A[2i + 1]").conflicts
    assert chains == (Chrec(1, 2), Chrec(1, 3))
    assert chains is not None
    assert list(map(str, chains)) == ["{1, +, 2}", "{1, +, 3}"]


def test_loops_that_are_not_common():
    """Rows 0 to 9 are written in one loop, 10 to 19 read in another."""
    ten, later = Interval(0, 9), Interval(10, 19)
    write = Reference("A", (Subscript(0, (1,)),), (ten,), True)
    read = Reference("A", (Subscript(0, (1,)),), (later,), True)
    assert compare_references(write, read, 0, {}).kind == "independent"
    assert compare_references(write, write, 0, {}).kind == "unknown"


def test_classification():
    one, other = Subscript(0, (1, 0)), Subscript(0, (0, 1))
    constant = Subscript(5, (0, 0))
    assert classify(constant, constant) == "ziv"
    assert classify(one, one) == classify(constant, one) == "siv"
    assert classify(one, other) == "miv"


def test_symbols_have_bounds():
    """A[i] and A[i + n], i from 0 to 9: apart if n >= 10, not if n may be 9."""
    bounds = (Interval(0, 9),)
    here = Reference("A", (Subscript(0, (1,)),), bounds)
    there = Reference("A", (Subscript(0, (1,), (("n", 1),)),), bounds)
    assert compare_references(here, there, 1, {"n": Interval(10, None)}).kind == "independent"
    assert compare_references(here, there, 1, {"n": Interval(9, None)}).kind == "unknown"
    assert compare_references(here, there, 1, {}).kind == "unknown"


@dataclass(frozen=True)
class Pair:
    """Two references in one nest of `depth` loops; triangular: an inner loop begins at the outer
    one's iteration."""

    source: Reference
    sink: Reference
    iterations: isl.Set

    @property
    def depth(self) -> int:
        return len(self.source.bounds)

    def meeting(self) -> isl.Map:
        """{ x -> y : both are iterations and both references give one element }, by isl."""
        meeting = isl.Map.from_domain_and_range(self.iterations, self.iterations)
        return meeting.intersect(_relation(self.source).apply_range(_relation(self.sink).reverse()))


def _relation(reference: Reference) -> isl.Map:
    names = [f"i{k}" for k in range(len(reference.bounds))]
    subscripts = [
        " + ".join(
            [str(one.constant), *(f"{f} * {n}" for f, n in zip(one.factors, names, strict=True))]
        )
        for one in reference.subscripts
        if one is not None
    ]
    return isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(subscripts)}] }}")


def random_pair(random: Random) -> Pair:
    depth, rank = random.randint(1, 3), random.randint(1, 3)
    lows = [random.randint(-2, 3) for _ in range(depth)]
    bounds = tuple(Interval(low, low + random.randint(0, 7)) for low in lows)
    names = [f"i{k}" for k in range(depth)]
    limits = [f"{b.low} <= {name} <= {b.high}" for name, b in zip(names, bounds, strict=True)]
    is_box = depth == 1 or random.random() < 0.7
    if not is_box:
        limits.append(f"i0 <= i1 + {max(lows)}")
    iterations = isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(limits)} }}")

    def reference() -> Reference:
        return Reference(
            "A", tuple(_random_subscript(random, depth) for _ in range(rank)), bounds, is_box
        )

    source = reference()
    if random.random() < 0.5:
        return Pair(source, reference(), iterations)
    shifted = tuple(
        Subscript(one.constant + random.randint(-4, 4), one.factors)
        for one in source.subscripts
        if one is not None
    )
    return Pair(source, Reference("A", shifted, bounds, is_box), iterations)


def _random_subscript(random: Random, depth: int) -> Subscript:
    weights = [0, 0, 0, 1, 1, 1, 2, -1, -2, 3]
    return Subscript(random.randint(-6, 6), tuple(random.choice(weights) for _ in range(depth)))


def check_random_pairs(seed: int, count: int) -> Counter[str]:
    """Independence is never claimed where isl finds a dependence, a claimed dependence is there,
    and every distance is in one of the vectors."""
    random, tally = Random(seed), Counter[str]()
    for _ in range(count):
        pair = random_pair(random)
        verdict = compare_references(pair.source, pair.sink, pair.depth, {})
        meeting = pair.meeting()
        tally[verdict.decided_by or verdict.kind] += 1
        if meeting.is_empty():
            tally["isl: independent"] += 1
            tally["found"] += verdict.kind == "independent"
            assert verdict.kind != "dependent", pair
        else:
            assert verdict.kind != "independent", pair
            assert meeting.deltas().is_subset(_boxes(verdict, pair.depth)), pair
    return tally


def _boxes(verdict: PairVerdict, depth: int) -> isl.Set:
    names = [f"d{k}" for k in range(depth)]
    result = isl.Set(f"{{ [{', '.join(names)}] : false }}")
    for vector in verdict.vectors:
        limits = ["true"]
        for name, one in zip(names, vector, strict=True):
            limits += [f"{name} >= {one.low}"] if one.low is not None else []
            limits += [f"{name} <= {one.high}"] if one.high is not None else []
        result = result.union(isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(limits)} }}"))
    return result


def test_random_pairs_against_isl():
    tally = check_random_pairs(seed=1, count=250)
    assert tally["found"] >= 0.8 * tally["isl: independent"]


@pytest.mark.slow
def test_ten_thousand_pairs_against_isl():
    tally = check_random_pairs(seed=2, count=10_000)
    share = tally["found"] / tally["isl: independent"]
    print(f"classic tests find {share:.1%} of the independences that isl finds: {dict(tally)}")
    assert share >= 0.9


def test_distance_of_the_paper():
    """DO I DO J: A(I, J) = A(I-3, J-2) + 1 has the distance (3, 2)."""
    text = "for i : 4 <= i <= 8\n  for j : 3 <= j <= 8\n    S: A[i, j] = A[i - 3, j - 2]"
    assert verdict_of(text).vectors == (distance(3, 2),)
