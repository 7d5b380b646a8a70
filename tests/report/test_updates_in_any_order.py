"""Loops that only add things up: which accumulators, and whether the flag is in the way. By hand:
integers add up in any order, floating-point numbers where -ffast-math says so."""

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.loop_verdict import LoopVerdict
from polyopt.report.verdicts import verdicts

MOMENTS = "a += x[i]; b += x[i] * x[i];"
MASKED = "if (c[i] > 0) a += x[i];"
MEAN = "if (0 < x[i] && x[i] < 5) { a += x[i]; k++; }"
CLASSES = "switch (c[i]) { case 1: k++; break; case 2: m++; break; default: l++; }"
BOTH = "a += x[i]; b = b * x[i] + a;"


def told(body: str, *options: str) -> LoopVerdict:
    text = f"""void f(int n, double *restrict x, int *restrict c, double out[restrict 5]) {{
  double a = 0, b = 0; int k = 0, l = 0, m = 0;
  for (int i = 0; i < n; i++) {{ {body} }}
  out[0] = a; out[1] = b; out[2] = k; out[3] = l; out[4] = m;
}}"""
    (found,) = verdicts(observe(Source("k.c", text), read_settings(["-O3", *options])))
    return found


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (MOMENTS, "The sums in a and b are kept in the order of the source; -fassociative-math"),
        (MASKED, "The sum is kept in the order of the source; -fassociative-math"),
        (MEAN, "The sum in a is kept in the order of the source; -fassociative-math"),
    ],
)
def test_sums_are_named_with_the_flag(body: str, kept: str):
    strict = told(body)
    assert strict.status == "held"
    assert any(one.startswith(kept) for one in strict.details), strict
    free = told(body, "-ffast-math")
    assert free.status in ("partly", "changed"), free
    assert not any("-fassociative-math" in one for one in free.lines())


def test_integers_are_added_up_in_any_order():
    found = told(CLASSES)
    assert found.status == "partly"
    assert "iterations only update k, m and l, in any order" in found.headline


def test_a_recurrence_beside_a_sum_is_none():
    for options in ((), ("-ffast-math",)):
        found = told(BOTH, *options)
        assert found.status == "held"
        assert "an iteration needs earlier ones" in found.headline
        assert not any("partial sums" in one for one in found.lines())
