"""Twice a value in several sums: fused with each, and the same numbers."""

import numpy as np
import pytest

import polyopt
from polyopt.backend.around_llvm.doubled_terms import with_fused_doubles
from polyopt.backend.compiled.codegen import parse_ir

FUNCTION = """
define {type} @f({type} %x, {type} %y, {type} %z) {{
  %t = {doubled}
  %a = {first}
  %b = {second}
  %c = fmul fast {type} %a, %b
  ret {type} %c
}}
"""
SUM = "fadd fast {type} %x, %x"
FIRST = "fsub fast {type} %t, %y"
SECOND = "fadd contract {type} %z, %t"


def function(
    doubled: str = SUM, first: str = FIRST, second: str = SECOND, type: str = "double"
) -> str:
    parts = {"doubled": doubled, "first": first, "second": second}
    return FUNCTION.format(
        type=type, **{name: part.format(type=type) for name, part in parts.items()}
    )


@pytest.mark.parametrize(
    ("type", "two", "suffix"),
    [
        ("double", "2.000000e+00", "f64"),
        ("float", "2.000000e+00", "f32"),
        ("<4 x double>", "splat (double 2.000000e+00)", "v4f64"),
        ("<8 x float>", "splat (float 2.000000e+00)", "v8f32"),
    ],
)
@pytest.mark.parametrize("doubled", [SUM, "fmul fast {type} %x, {two}"])
def test_both_sums_are_fused(type: str, two: str, suffix: str, doubled: str):
    text = with_fused_doubles(function(doubled.replace("{two}", two), type=type))
    parse_ir(text)
    call = f"{type} @llvm.fmuladd.{suffix}({type} %x, {type} {two}, {type} "
    assert f"%a = call fast {call}" in text
    assert f"%b = call contract {call}%z)" in text
    assert f"= fneg fast {type} %y" in text


def test_twice_a_value_is_taken_away():
    text = with_fused_doubles(function(first="fsub fast double %y, %t"))
    parse_ir(text)
    assert "%a = call fast double @llvm.fmuladd.f64(double %x, double -2.000000e+00" in text


@pytest.mark.parametrize(
    ("doubled", "first", "second"),
    [
        ("fadd double %x, %x", FIRST, SECOND),  # not to be fused
        (SUM, "fsub reassoc double %t, %y", SECOND),  # nor this one
        ("fadd fast double %x, %y", FIRST, SECOND),  # of two values
        ("fmul fast double %x, 3.000000e+00", FIRST, SECOND),  # three times
        (SUM, "fmul fast double %t, %y", SECOND),  # no sum
        (SUM, "fadd fast double %t, %t", SECOND),  # of itself
        (SUM, FIRST, "fadd fast double %a, %z"),  # LLVM's
    ],
)
def test_all_else_stays(doubled: str, first: str, second: str):
    text = function(doubled, first, second)
    parse_ir(text)
    assert with_fused_doubles(text) == text


SOURCE = """
void sums(int n, double *restrict x, double *restrict y, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++) {
        double t = x[i] + x[i];
        a[i] = t - y[i];
        b[i] = y[i] - t;
    }
}
double around(int n, double *restrict x, double e, double *restrict a)
{
    for (int i = 0; i < n; i++) {
        double s = e + x[i];
        a[i] = s + s - x[i];
        e = s + s - 3;
    }
    return e;
}
"""


@pytest.mark.parametrize("flag", ["-ffp-contract=fast", "-ffp-contract=off"])
def test_the_numbers_are_those_of_c(flag: str):
    """Twice a value is exact, so each sum is rounded once, fused or not."""
    program = polyopt.compile(SOURCE, ["-O3", flag])
    generator = np.random.default_rng(1)
    for n in (1, 7, 16, 61):
        x, y = generator.uniform(-1, 1, (2, n)) * 2.0 ** generator.integers(-60, 60, (2, n))
        a, b = np.zeros(n), np.zeros(n)
        program.sums(n, x, y, a, b)
        assert (a == (x + x) - y).all()
        assert (b == y - (x + x)).all()
        x, e, wanted = generator.uniform(-1, 1, n), 0.7, np.zeros(n)
        found = program.around(n, x, e, a)
        for i in range(n):
            s = e + x[i]
            wanted[i], e = (s + s) - x[i], (s + s) - 3
        assert (a == wanted).all()
        assert found == e
