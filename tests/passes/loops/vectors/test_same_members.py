"""Records of which each member gets the same: what the loops of the source make, at all sizes."""

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

import polyopt

SOURCE = """
typedef struct { double x, y, z; } point;
void copy(int n, point *restrict a, const point *restrict b)
{
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
}
void scale(int n, double *restrict a, const double *restrict b)
{
    double f = b[0];
    for (int i = 0; i < n; i++) {
        a[2 * i] = a[2 * i] * 0.5 + b[2 * i] * f;
        a[2 * i + 1] = a[2 * i + 1] * 0.5 + b[2 * i + 1] * f;
    }
}
void shifted(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n - 1; i++) {
        a[3 * i] = a[3 * i + 3] + b[3 * i];
        a[3 * i + 1] = a[3 * i + 4] + b[3 * i + 1];
        a[3 * i + 2] = a[3 * i + 5] + b[3 * i + 2];
    }
}
void chained(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n - 1; i++) {
        a[3 * i + 1] = a[3 * i] + b[3 * i];
        a[3 * i + 2] = a[3 * i + 1] + b[3 * i + 1];
        a[3 * i + 3] = a[3 * i + 2] + b[3 * i + 2];
    }
}
void backward(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n - 1; i++) {
        a[3 * i + 3] = a[3 * i + 2] + b[3 * i + 2];
        a[3 * i + 2] = a[3 * i + 1] + b[3 * i + 1];
        a[3 * i + 1] = a[3 * i] + b[3 * i];
    }
}
void exchanged(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[2 * i] = b[2 * i + 1];
        a[2 * i + 1] = b[2 * i];
    }
}
void wider(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n / 2; i++) {
        a[2 * i] = b[4 * i];
        a[2 * i + 1] = b[4 * i + 1];
    }
}
void weighed(int n, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[2 * i] = b[2 * i] * b[2 * i + 1];
        a[2 * i + 1] = b[2 * i + 1] * b[2 * i + 1];
    }
}
void overlapping(int n, double *a, const double *b)
{
    for (int i = 0; i < n; i++) {
        a[2 * i] = b[2 * i] + 1;
        a[2 * i + 1] = b[2 * i + 1] + 1;
    }
}
"""

Array = np.ndarray[tuple[int], np.dtype[np.float64]]


def copy(n: int, a: Array, b: Array) -> None:
    a[3 : 3 * (n - 1)] = b[3 : 3 * (n - 1)]


def scale(n: int, a: Array, b: Array) -> None:
    a[: 2 * n] = a[: 2 * n] * 0.5 + b[: 2 * n] * b[0]


def shifted(n: int, a: Array, b: Array) -> None:
    for x in range(3 * (n - 1)):
        a[x] = a[x + 3] + b[x]


def chained(n: int, a: Array, b: Array) -> None:
    for x in range(3 * (n - 1)):
        a[x + 1] = a[x] + b[x]


def backward(n: int, a: Array, b: Array) -> None:
    for i in range(n - 1):
        for x in (3 * i + 2, 3 * i + 1, 3 * i):
            a[x + 1] = a[x] + b[x]


def exchanged(n: int, a: Array, b: Array) -> None:
    a[: 2 * n] = b[: 2 * n].reshape(-1, 2)[:, ::-1].reshape(-1)


def wider(n: int, a: Array, b: Array) -> None:
    a[: n // 2 * 2] = b[: n // 2 * 4].reshape(-1, 4)[:, :2].reshape(-1)


def weighed(n: int, a: Array, b: Array) -> None:
    pairs = b[: 2 * n].reshape(-1, 2)
    a[: 2 * n] = (pairs * pairs[:, 1:]).reshape(-1)


def overlapping(n: int, a: Array, b: Array) -> None:
    for x in range(2 * n):
        a[x] = b[x] + 1


FUNCTIONS: list[Callable[[int, Array, Array], None]] = [
    *(copy, scale, shifted, chained, backward, exchanged, wider, weighed, overlapping),
]
SIZES = (*range(1, 20), 33, 64, 69)


def _at(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@pytest.mark.parametrize("flags", [["-O3"], ["-O3", "-march=x86-64-v3", "-fno-strict-aliasing"]])
def test_the_values_are_those_of_the_loop(flags: list[str]):
    program = polyopt.compile(SOURCE, [*flags, "-ffp-contract=off", "--skip-pass=keep-what-pays"])
    generator = np.random.default_rng(1)
    for n in SIZES:
        for function in FUNCTIONS:
            a, b = generator.random(3 * n + 8), generator.random(4 * n + 8)
            wanted = a.copy()
            function(n, wanted, b)
            getattr(program, function.__name__)(n, _at(a), _at(b))
            assert a.tolist() == wanted.tolist(), (function.__name__, n)


def test_rows_that_overlap():
    program = polyopt.compile(SOURCE, ["-O3", "--skip-pass=keep-what-pays"])
    for n in SIZES:
        for apart in range(-4, 5):
            row = np.arange(2.0 * n + 8)
            wanted = row.copy()
            overlapping(n, wanted[4 + apart :], wanted[4:])
            program.overlapping(n, _at(row[4 + apart :]), _at(row[4:]))
            assert row.tolist() == wanted.tolist(), (n, apart)
