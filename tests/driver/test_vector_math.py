"""libm functions in vectorised loops: glibc's vector forms, where -ffast-math allows them."""

import math
from pathlib import Path

import numpy
import pytest

import polyopt
from polyopt.backend.emit.vector_math import vector_forms
from polyopt.backend.loaded.elf import read_symbols
from polyopt.driver.building.job import Job
from polyopt.driver.building.making import make_product
from polyopt.driver.options.flags import read_settings
from polyopt.support.vector_library import library_functions

SOURCE = """
#include <math.h>
void waves(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = exp(x[i]) * sin(x[i]) + pow(x[i], 1.3) + erfc(x[i]);
}
void halves(int n, const float *restrict x, float *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = logf(x[i]);
}
"""
needs_library = pytest.mark.skipif(
    not library_functions() >= {"exp", "sin", "pow", "erfc", "log"},
    reason="the vector functions of glibc 2.35",
)


def undefined(tmp_path: Path, *flags: str) -> frozenset[str]:
    """What the object code takes from elsewhere."""
    source = tmp_path / "waves.c"
    source.write_text(SOURCE)
    settings = read_settings(["-O3", "-march=x86-64-v3", *flags])
    code = make_product(Job(settings=settings), str(source), "obj")
    assert isinstance(code, bytes)
    return frozenset(read_symbols(code).undefined)


@needs_library
def test_loops_call_the_vector_forms(tmp_path: Path):
    names = undefined(tmp_path, "-ffast-math")
    assert {"_ZGVdN4v_exp", "_ZGVdN4v_sin", "_ZGVdN4vv_pow", "_ZGVdN4v_erfc"} <= names
    assert "_ZGVdN8v_logf" in names


def test_without_permission_they_do_not(tmp_path: Path):
    assert not any(name.startswith("_ZGV") for name in undefined(tmp_path))


@needs_library
def test_results_are_within_the_library_s_error():
    program = polyopt.compile(SOURCE, ["-O3", "-ffast-math"])
    x = numpy.linspace(0.01, 3.0, 1003)
    y = numpy.zeros_like(x)
    program.waves(len(x), x, y)
    expected = [math.exp(v) * math.sin(v) + v**1.3 + math.erfc(v) for v in x.tolist()]
    numpy.testing.assert_allclose(y, expected, rtol=1e-14)


SUMS = """
#include <math.h>
double sum(int n, const double *x, const double *y)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += pow(x[i], y[i]) + log(x[i]);
    return s;
}
double rows(int m, int n, const double *x, double *y)
{
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += log(x[i * n + j]) - atan2(x[j], 1.5);
    }
    return y[m - 1];
}
void powers(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = pow(x[i], -2.5) + pow(0.3, x[i]) + pow(2, x[i]) + pow(x[i], 11) + pow(x[i], 0);
}
"""


@needs_library
@pytest.mark.parametrize("n", [0, 1, 7, 39, 40, 1003])
def test_sums_of_calls_and_powers_are_those_of_python(n: int):
    program = polyopt.compile(SUMS, ["-O3", "-ffast-math"])
    x, y = numpy.linspace(0.1, 3.0, 5 * n), numpy.linspace(0.0, 2.0, 5 * n)
    summed = math.fsum(a**b + math.log(a) for a, b in zip(x[:n], y[:n], strict=True))
    numpy.testing.assert_allclose(program.sum(n, x, y), summed, rtol=1e-13, atol=1e-13)
    powers = numpy.zeros(n)
    program.powers(n, x, powers)
    numpy.testing.assert_allclose(
        powers, [a**-2.5 + 0.3**a + 2**a + a**11 + 1 for a in x[:n]], rtol=1e-13
    )
    rows = numpy.zeros(5)
    program.rows(5, n, x, rows)
    terms = numpy.log(x).reshape(5, n) - numpy.arctan2(x[:n], 1.5)
    numpy.testing.assert_allclose(rows, terms.sum(axis=1), rtol=1e-12, atol=1e-12)


@needs_library
def test_sums_of_two_calls_in_no_other_loop_call_the_vector_forms(tmp_path: Path):
    source = tmp_path / "sums.c"
    source.write_text(SUMS)
    settings = read_settings(["-O3", "-march=x86-64-v3", "-ffast-math"])
    text = make_product(Job(settings=settings), str(source), "asm")
    assert isinstance(text, str)
    body = text[text.index("sum:") : text.index(".size\tsum")]
    assert "_ZGVdN4vv_pow" in body
    assert "_ZGVdN4v_log" in body


def test_no_form_is_wider_than_the_machine():
    widths = {march: vector_forms("exp", 64, 1, march) for march in ("x86-64", "x86-64-v3")}
    assert all(lanes <= 2 for _, lanes in widths["x86-64"])
    assert all(lanes <= 4 for _, lanes in widths["x86-64-v3"])
    assert vector_forms("exp", 64, 1, "nehalem") == []
    assert vector_forms("tgamma", 64, 1, "x86-64-v3") == []
    assert vector_forms("pow", 64, 1, "x86-64-v3") == []
