"""What is said to be applied is in the code: of loops that the judge gives back nothing is."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import VectorType
from xdsl.dialects.func import FuncOp

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.support.diagnostics import SourceMap, Span
from polyopt.support.remarks import (
    Remark,
    begin_trial,
    collect_remarks,
    remark,
    withdraw_remarks,
)

KEPT = """
void kept(int n, float x[restrict 64][4096], float y[restrict 64][4096]) {
  for (int j = 0; j < 4096; j++)
    for (int i = 0; i < 64; i++)
      x[i][j] = 3 * y[i][j] + 1;
}
"""
MOVED = """
void moved(int times, int n, double x[restrict n], double y[restrict n]) {
  for (int t = 0; t < times; t++) {
    for (int i = 1; i < n - 1; i++)
      y[i] = 0.5 * x[i - 1] + 0.5 * x[i + 1];
    for (int i = 1; i < n - 1; i++)
      x[i] = y[i];
  }
}
"""
WINDOW = """
void window(double x[restrict 40]) {
  for (int i = 3; i < 40; i++) {
    double s = x[i];
    for (int k = 1; k < 4; k++)
      s = 0.5 * s + x[i - k];
    x[i] = s;
  }
}
"""
INLINED = """
static double half(double x) { return x / 2; }
void inlined(double x[restrict 40]) {
  for (int i = 1; i < 40; i++)
    x[i] = half(x[i - 1]);
}
"""
TAIL = """
int tail(int n, int sum) {
  if (n == 0)
    return sum;
  return tail(n - 1, sum + n);
}
"""


def compiled(text: str) -> tuple[list[Remark], dict[str, bool]]:
    """The remarks, and whether each function has values that are vectors when its loops are
    final."""
    settings = read_settings(["-O3", "-march=x86-64-v3"])
    with collect_remarks() as remarks:
        unit = parse(Source("k.c", text), settings, SourceMap())
        lower(unit, "loops")
    functions = [op for op in unit.module.ops if isinstance(op, FuncOp)]
    vectors = {
        one.sym_name.data: any(
            isinstance(value.type, VectorType) for op in one.walk() for value in op.results
        )
        for one in functions
    }
    return remarks.by_place(), vectors


def applied(remarks: list[Remark], function: str) -> list[str]:
    return [one.message for one in remarks if one.kind == "applied" and one.function == function]


def tried(remarks: list[Remark], function: str) -> list[str]:
    return [
        one.message.removeprefix("tried, and not kept: ")
        for one in remarks
        if one.function == function and one.message.startswith("tried, and not kept: ")
    ]


@pytest.mark.parametrize("text", [KEPT, MOVED, WINDOW, INLINED, KEPT + MOVED + WINDOW + INLINED])
def test_vectors_are_told_where_there_are_some(text: str):
    remarks, vectors = compiled(text)
    for name, has_some in vectors.items():
        is_told = any("vectors" in message for message in applied(remarks, name))
        assert is_told == has_some, name


def test_what_is_kept_is_applied():
    remarks, vectors = compiled(KEPT)
    assert any("order i, j" in message for message in applied(remarks, "kept"))
    assert tried(remarks, "kept") == []
    assert vectors["kept"]


@pytest.mark.parametrize(("text", "name"), [(WINDOW, "window"), (INLINED, "inlined")])
def test_of_a_function_as_it_was_written_nothing_is_applied(text: str, name: str):
    """Nor what was done before its loops were looked at."""
    remarks, vectors = compiled(text)
    assert not vectors[name]
    assert applied(remarks, name) == []
    assert any("unrolled" in one or "inlined" in one for one in tried(remarks, name))


def test_what_was_done_before_functions_are_kept_stays():
    """A call of itself is a loop in what is given back, too."""
    remarks, _ = compiled(TAIL)
    assert applied(remarks, "tail") == ["call in the end made a loop"]


def test_one_nest_of_two_is_given_back():
    """Of the other nest, and of what was done to both before, all stands."""
    both = """
void both(float x[restrict 64][4096], float y[restrict 64][4096], double s[restrict 3]) {
  for (int j = 0; j < 4096; j++)
    for (int i = 0; i < 64; i++)
      x[i][j] = 3 * y[i][j] + 1;
  y[0][0] = s[0] < 0 ? x[0][0] : x[1][1];
  for (int i = 1; i < 3; i++)
    s[i] = 2 * s[i - 1];
}
"""
    remarks, _ = compiled(both)
    kinds = {one.id: one.kind for one in remarks if one.id in ("pays", "does-not-pay")}
    assert kinds == {"pays": "analysis", "does-not-pay": "analysis"}
    lines = {one.span.line for one in remarks if one.kind == "applied" and one.span}
    assert lines == {5}
    assert any(one.span and one.span.line == 8 and "tried" in one.message for one in remarks)


def test_only_what_was_applied_there_since_is_taken_back():
    here, there = Span("k.c", 1, 1), Span("k.c", 2, 1)
    with collect_remarks() as remarks:
        remark("applied", "a", "before", here)
        begin_trial("nests")
        remark("applied", "a", "since", here)
        remark("applied", "a", "elsewhere", there)
        remark("missed", "a", "not done", here)
        withdraw_remarks("nests", {here})
    assert [(one.kind, one.message) for one in remarks.items] == [
        ("applied", "before"),
        ("analysis", "tried, and not kept: since"),
        ("applied", "elsewhere"),
        ("missed", "not done"),
    ]
