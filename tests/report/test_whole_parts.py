"""What is said of all loops of a static control part: what makes them faster is named somewhere."""

from __future__ import annotations

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.loop_verdict import LoopVerdict
from polyopt.report.verdicts import verdicts


def told(text: str, *options: str) -> list[LoopVerdict]:
    settings = read_settings(["-O3", "-march=x86-64-v3", *options])
    return verdicts(observe(Source("k.c", text), settings))


MEAN = """void f(const double *x, int n, double *mean) {
            *mean = 0;
            for (int i = 0; i < n; i++)
              *mean += x[i];
          }"""


def test_arrays_that_are_known_to_be_apart_are_why():
    """The sum is in a register, where it was in memory before: nothing else happens."""
    (one,) = told(MEAN)
    assert one.headline == "an iteration needs earlier ones"
    assert any(
        text.startswith("In the source's order, with arrays that are known to be apart: about ")
        for text in one.details
    )


def test_what_is_done_with_a_loop_is_why():
    (one,) = told(MEAN, "-ffast-math")
    assert one.headline == "vectors of 4"
    assert any(text.startswith("About ") for text in one.details)
    assert not any("In the source's order" in text for text in one.details)


def test_several_nests_have_it_in_common():
    text = MEAN.replace("}", "for (int j = 0; j < n; j++) mean[1] += x[j] * *mean; }")
    first, second = told(text)
    assert any(
        text.startswith("The 2 nests from here on together, in the source's order, with arrays")
        and "as they were written" in text
        for text in first.details
    )
    assert any(
        text.startswith("With the next nest behind a run-time check that 'mean' and 'x' do")
        for text in first.details
    )
    assert not any("nest" in text for text in second.details)


RECURRENCE = """void f(int n, float x[restrict n], float y[restrict n], float a, float b, float c) {
                  float one = 0, two = 0;
                  for (int i = 0; i < n; i++) {
                    float o = a * x[i] + b * one + c * two + x[i] * x[i];
                    two = one;
                    one = o;
                    y[i] = o;
                  }
                }"""


def test_terms_that_are_added_last_are_told():
    (one,) = told(RECURRENCE, "-ffast-math")
    assert "what earlier iterations give is added last" in one.headline
    (strict,) = told(RECURRENCE)
    assert "added last" not in " ".join([strict.headline, *strict.details])


def test_a_histogram_is_no_faster_where_its_arrays_are_apart():
    """Iterations seldom count in the same place: none waits in memory for the one before, whether
    or not pointers may meet. Measured, the loop takes as long either way."""
    text = """void f(const unsigned char *p, int n, int *h) {
                for (int i = 0; i < n; i++)
                  h[p[i]]++;
              }"""
    (one,) = told(text)
    assert not any("times as fast" in text for text in one.details)
