"""Subscripts against the relations that they were read from, element by element."""

from collections.abc import Callable
from itertools import product

import islpy as isl
import pytest

from polyopt.poly.loops.expressions import FALSE, TRUE, chooses, evaluate, names_in
from polyopt.poly.loops.loop_tree import Compare, Condition
from polyopt.poly.loops.subscripts import condition_of, subscripts_of

CASES = [
    ("{ S[i, j] -> A[i + 2j, floor(j/4)] }", "{ S[i, j] : 0 <= i < 5 and 0 <= j < 9 }"),
    ("{ S[i, j] -> A[i] : j < 3; S[i, j] -> A[j] : j >= 3 }", "{ S[i, j] : 0 <= i, j < 6 }"),
    (
        "{ S[i, j] -> A[j] : j < 2; S[i, j] -> A[i] : 2 <= j < 4; S[i, j] -> A[j + 1] : j >= 4 }",
        "{ S[i, j] : 0 <= i, j < 6 }",
    ),
]

EXTREMES: dict[str, tuple[Callable[[int, int], int], ...]] = {
    "{ S[i, j] -> A[x, y] : (x = i - 2 >= 0 or x = 0 >= i - 2) and (y = 5 <= j or y = j < 5) }": (
        lambda i, _: max(i - 2, 0),
        lambda _, j: min(j, 5),
    ),
    "{ S[i, j] -> A[0] : i < 2; S[i, j] -> A[i - 2] : 2 <= i < 6; S[i, j] -> A[4] : i >= 6 }": (
        lambda i, _: min(max(i - 2, 0), 4),
    ),
}
"""What is clamped along one subscript or several, and what Python makes of it."""


@pytest.mark.parametrize(("relation", "domain"), CASES)
def test_same_elements(relation: str, domain: str):
    access, instances = isl.Map(relation), isl.Set(domain)
    found = subscripts_of(access, instances)
    for i, j in product(range(9), repeat=2):
        point = isl.Set(f"{{ S[{i}, {j}] }}")
        if point.is_subset(instances):
            values = [evaluate(one, {"0": i, "1": j}) for one in found]
            here = isl.Set(f"{{ A[{', '.join(map(str, values))}] }}")
            assert here.is_equal(point.apply(access))


@pytest.mark.parametrize("relation", EXTREMES)
def test_what_is_clamped_is_greatest_and_least(relation: str):
    found = subscripts_of(isl.Map(relation), isl.Set("{ S[i, j] : 0 <= i, j < 9 }"))
    assert not any("Select" in repr(one) for one in found)
    assert all(map(chooses, found)), "somewhere in the loops there may be nothing to choose"
    for i, j in product(range(9), repeat=2):
        wanted = [clamped(i, j) for clamped in EXTREMES[relation]]
        assert [evaluate(one, {"0": i, "1": j}) for one in found] == wanted


def test_a_choice_asks_what_its_own_subscript_does():
    """The first one bends at i, and the second one at j."""
    relation = isl.Map(
        "{ S[i, j] -> A[x, y] : (i < 2 and x = 7 or i >= 2 and x = i) and"
        " (j < 3 and y = 8 or j >= 3 and y = j) }"
    )
    found = subscripts_of(relation, isl.Set("{ S[i, j] : 0 <= i, j < 6 }"))
    assert [names_in(one) for one in found] == [{"0"}, {"1"}]


@pytest.mark.parametrize("domain", ["{ S[i, j] : 1 = 0 }", "[n] -> { S[i, j] : i < 0 <= i }"])
def test_of_nothing_any_will_do(domain: str):
    """A domain may turn out to be empty after it was written down as a loop."""
    assert len(subscripts_of(isl.Map("{ S[i, j] -> A[i, j] }"), isl.Set(domain))) == 2


END = 1 << 63


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (f"20m <= {END} - l", TRUE),
        (f"m + l >= -{END} - 7", TRUE),
        (f"m + l >= {END}", FALSE),
        (f"m + l = {END}", FALSE),
        (f"m + l = -{END + 1}", FALSE),
    ],
)
def test_what_no_sum_of_indices_can_be_is_decided(test: str, expected: Condition):
    """Constants that are no index would wrap around in the code."""
    assert condition_of(isl.Set(f"[l, m] -> {{ : {test} }}")) == expected


@pytest.mark.parametrize("test", [f"m + l = -{END}", f"m + l >= {END - 1}", f"m + l <= {END - 2}"])
def test_what_one_can_be_is_asked(test: str):
    assert isinstance(condition_of(isl.Set(f"[l, m] -> {{ : {test} }}")), Compare)
