"""Complex numbers between Python and C: as arguments, results, elements of arrays, variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polyopt

TEXT = r"""
typedef double _Complex complex;
complex axpy(int n, complex a, const complex x[n], complex y[n]) {
    complex sum = 0;
    for (int i = 0; i < n; i++) sum += y[i] += a * x[i];
    return sum;
}
float _Complex single(float _Complex a, double b, float _Complex *x) { return *x = a * (float)b; }
complex many(double a, complex b, complex c, complex d, double e, complex f, complex g, double h) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
struct wave { int n; complex z[2]; };
complex second(const struct wave *w) { return w->z[1]; }
complex shared = 1.0 - 2.0i;
float _Complex table[2][3] = {[1] = {1, 2.0fi}};
long double _Complex extended(long double _Complex a) { return a; }
double apply(complex (*f)(complex)) { return __real__ f(2); }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("complex") / "numbers.c"
    file.write_text(TEXT)
    return polyopt.compile(str(file), options="-O2 -ffp-contract=off")


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8, 9, 31, 70])
def test_arrays_and_scalars(library: Any, n: int) -> None:
    x = np.arange(n) + 1j * np.arange(n)[::-1]
    y = np.ones(n) * (2 - 3j)
    expected = y + (0.5 + 2j) * x
    for _ in range(3):  # called often, there is a quicker way
        given = y.copy()
        assert library.axpy(n, 0.5 + 2j, x, given) == expected.sum()
        assert (given == expected).all()


def test_real_numbers_are_complex_ones(library: Any) -> None:
    x, y = np.array([1 + 1j]), np.array([0j])
    assert library.axpy(1, 2, x, y) == 2 + 2j
    assert library.axpy(1, np.float32(0.5), x, y) == 2.5 + 2.5j
    assert library.axpy(1, np.complex64(1j), x, y) == 1.5 + 3.5j


def test_single_precision(library: Any) -> None:
    x = np.zeros(1, np.complex64)
    assert library.single(1 + 2j, 1.5, x) == 1.5 + 3j
    assert x[0] == 1.5 + 3j


def test_more_numbers_than_registers(library: Any) -> None:
    b, c, d, f, g = (complex(k, k + 1) for k in range(5))
    assert (
        library.many(1, b, c, d, 2, f, g, 3) == 1 + 2 * b + 3 * c + 4 * d + 10 + 6 * f + 7 * g + 24
    )


def test_members(library: Any) -> None:
    wave = np.zeros(1, np.dtype([("n", "i4"), ("z", "c16", 2)], align=True))
    wave["z"][0, 1] = 3 - 4j
    assert library.second(wave) == 3 - 4j


def test_variables(library: Any) -> None:
    assert library.globals["shared"] == 1 - 2j
    library.globals["shared"] = 5j
    assert library.globals["shared"] == 5j
    assert library.globals["table"].tolist() == [[0, 0, 0], [1, 2j, 0]]


def test_annotations(library: Any) -> None:
    assert library.axpy.__annotations__["a"] is complex
    assert library.axpy.__annotations__["return"] is complex
    assert "_Complex double a, const _Complex double x[n]" in str(library.axpy)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "axpy",
            (1, "1j", np.zeros(1, complex), np.zeros(1, complex)),
            "a complex number, got str",
        ),
        ("axpy", (1, 1j, np.zeros(1, np.complex64), np.zeros(1, complex)), "array of complex128"),
        ("axpy", (1, 1j, np.zeros(1), np.zeros(1, complex)), "an array of complex128, got"),
        ("extended", (1j,), "'a' is a _Complex long double, which Python has no number for"),
        ("apply", (abs,), "function"),
    ],
)
def test_refusals(library: Any, name: str, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        library[name](*arguments)
    assert message in str(caught.value).replace("a NumPy array", "an array")
