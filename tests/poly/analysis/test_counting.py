"""Points of sets, counted without looking at each: against formulas, and one by one."""

from __future__ import annotations

import islpy as isl
import pytest

from polyopt.poly.analysis.counting import count_points


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("{ [] }", 1),
        ("{ [i] : false }", 0),
        ("{ [i] : 0 <= i < 1000000000 }", 10**9),
        ("{ [i, j, k] : 0 <= i, j, k < 1000 }", 10**9),
        ("{ [i, j] : 0 <= i < 100000 and i <= j < 100000 }", 100000 * 100001 // 2),
        ("{ [i, j, k] : 0 <= i < 500 and i < j < 500 and j < k < 500 }", 500 * 499 * 498 // 6),
        ("{ [i, j] : 1 <= i < 999 and 1 <= j < 999; [i, j] : i = 0 and 0 <= j < 7 }", 998**2 + 7),
        (
            "{ [i, j] : 0 <= i < 1000 and 0 <= j < 1000 and 0 <= i + j < 1500 }",
            10**6 - 499 * 500 // 2,
        ),
    ],
)
def test_formulas(text: str, number: int):
    assert count_points(isl.Set(text)) == number


@pytest.mark.parametrize(
    "text",
    [
        "{ [i, j] : 0 <= i < 60 and i <= 2j < 77 }",
        "{ [i] : 3 <= i < 90 and i mod 4 = 1 }",
        "{ [i, j] : 0 <= i < 40 and 3j <= i and j > -20 and j + i < 33 }",
        "{ [i, j, k] : 0 <= i < 20 and 0 <= j <= i and k >= 0 and k < i - j; [0, 50, 1] }",
    ],
)
def test_one_by_one(text: str):
    points = isl.Set(text)
    assert count_points(points) == points.count_val().to_python()


def test_what_has_no_end_is_given_up():
    assert count_points(isl.Set("{ [i] : i >= 0 }")) is None
