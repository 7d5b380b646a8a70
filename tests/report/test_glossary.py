"""The words that a page explains are those that it uses, as its passes and its writer say them."""

from __future__ import annotations

import re

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.contents import Contents
from polyopt.report.glossary import WORDS, glossary
from polyopt.report.page import page

TEXT = """void product(int n, double a[n][n], double b[n][n], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[i][j] += b[i][k] * c[k][j];
}
void seidel(int n, int steps, double a[n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}
void scale(int n, float *x, float *y) {
    for (int i = 0; i < n; i++)
        x[i] = y[i] * y[i] + 1;
}
void count(int n, double *restrict x, const int *restrict p) {
    for (int i = 0; i < n; i++)
        x[p[i]] += 1;
}
"""


def contents(text: str) -> Contents:
    return observe(Source("k.c", text), read_settings(["-O3", "-march=x86-64-v4"]))


def explained(text: str) -> set[str]:
    return set(re.findall(r"<dt>([^<]*)</dt>", text))


def test_every_word_is_one_that_is_said():
    """A word that no verdict uses any more is explained to nobody; two take a run to be said."""
    told = explained(page([contents(TEXT)], "k.c"))
    assert {word for _, word, _ in WORDS} - told <= {"roof", "model"}


def test_what_is_not_said_is_not_explained():
    assert explained(page([contents("int f(int x) { return x; }")], "k.c")) == set()


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("17.55 Gflop/s: 33% of what arithmetic allows where each element comes", "roof"),
        ("1,610 cycles are expected of it", "model"),
        ("an iteration may need earlier ones", "may need earlier ones"),
    ],
)
def test_words_are_met_in_sentences(said: str, word: str):
    found = glossary([said])
    assert found is not None
    assert explained(found) == {word}
