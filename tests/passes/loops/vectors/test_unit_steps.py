"""Loops whose steps are known when they run: the same sums, whatever the steps are."""

import numpy
import pytest

import polyopt

SOURCE = """
#include <stddef.h>
ptrdiff_t step = 1;
double row(ptrdiff_t n, ptrdiff_t m, const double *x, const double *v, ptrdiff_t p, ptrdiff_t q)
{
    double total = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t j = 0; j < m; j++)
            total += x[i * p + j * q] * v[j] * x[i * step];
    return total;
}
"""


@pytest.mark.parametrize("flags", [("-O3", "-ffast-math"), ("-O3",)])
@pytest.mark.parametrize("march", ["-march=x86-64-v3", "-march=native"])
def test_any_step(flags: tuple[str, ...], march: str):
    program = polyopt.compile(SOURCE, [*flags, march])
    x, v = numpy.linspace(0.0, 1.0, 4000), numpy.linspace(1.0, 2.0, 40)
    for n, m, p, q in (
        (30, 36, 40, 1),
        (30, 36, 1, 40),
        (7, 3, 40, 1),
        (30, 39, 40, 2),
        (5, 0, 9, 1),
    ):
        for step in (1, 3):
            program.globals["step"] = step
            rows, columns = numpy.arange(n), numpy.arange(m)
            taken = x[rows[:, None] * p + columns * q] * v[columns] * x[rows * step][:, None]
            numpy.testing.assert_allclose(program.row(n, m, x, v, p, q), taken.sum(), rtol=1e-12)
