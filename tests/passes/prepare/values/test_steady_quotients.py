"""Loops that count to quotients run as often as C says, and divide by nothing where C does not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import polyopt

TEXT = """
void quotient(int n, int step, int *restrict x) {
    for (int i = 0; i < n / step; i++)
        x[i] += i + 1;
}
void rest(int n, int step, int *restrict x) {
    for (int i = n % step; i < n; i += 1)
        for (int j = 0; j < (n - 1) % step; j++)
            x[i] += j + 1;
}
void natural(unsigned n, unsigned step, int *restrict x) {
    for (unsigned i = 0; i < n / step + n % step; i++)
        x[i] += i + 1;
}
void inside(int rows, int n, int step, int *restrict x) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n / step; j++)
            x[j] += i + j + 1;
}
void guarded(int n, int step, int *restrict x) {
    for (int i = 0; step != 0 && i < n / step; i++)
        x[i] += 1;
}
"""
SIZE = 40
LEAST = -(1 << 31)


@pytest.fixture(scope="module", params=["-O3", "-O3 --poly=isl+tile", "-O1", "-O3 -fwrapv"])
def program(request: pytest.FixtureRequest) -> polyopt.Program:
    return polyopt.compile(TEXT, request.param)


def quotient(n: int, d: int) -> int:
    """C's, which goes towards zero."""
    found = abs(n) // abs(d)
    return found if (n < 0) == (d < 0) else -found


def rest(n: int, d: int) -> int:
    return n - d * quotient(n, d)


def empty() -> np.ndarray:
    return np.zeros(SIZE, np.int32)


def test_signed(program: polyopt.Program):
    for n, step in product(range(-9, 21), (-5, -1, 1, 2, 3, 7, 40)):
        x, expected = empty(), empty()
        program.quotient(n, step, x)
        for i in range(quotient(n, step)):
            expected[i] += i + 1
        assert (x == expected).all(), (n, step)


def test_rests(program: polyopt.Program):
    for n, step in product(range(1, 21), (-5, 1, 2, 3, 7)):
        x, expected = empty(), empty()
        program.rest(n, step, x)
        for i in range(rest(n, step), n):
            for j in range(rest(n - 1, step)):
                expected[i] += j + 1
        assert (x == expected).all(), (n, step)


def test_unsigned(program: polyopt.Program):
    for n, step in product(range(0, 21), (1, 2, 3, 7, 1 << 31, (1 << 32) - 1)):
        x, expected = empty(), empty()
        program.natural(n, step, x)
        for i in range(n // step + n % step):
            expected[i] += i + 1
        assert (x == expected).all(), (n, step)


@pytest.mark.parametrize(("n", "step"), [(3, 0), (LEAST, -1), (0, 0)])
def test_nothing_is_divided_where_c_does_not(program: polyopt.Program, n: int, step: int):
    x = empty()
    program.inside(0, n, step, x)
    if step == 0:
        program.guarded(n, step, x)
    assert not x.any()


def test_nests(program: polyopt.Program):
    for rows, n, step in product(range(4), range(-3, 12), (-2, 1, 3)):
        x, expected = empty(), empty()
        program.inside(rows, n, step, x)
        for i in range(rows):
            for j in range(quotient(n, step)):
                expected[j] += i + j + 1
        assert (x == expected).all(), (rows, n, step)


def test_such_loops_are_static_control_parts(program: polyopt.Program):
    assert not [one for one in program.remarks if "is no sum" in one.message]
