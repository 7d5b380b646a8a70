"""Numbers that Python and C do not both have: long doubles, which are rounded, complex ones, which
go where C has pairs and nowhere else; and text that comes back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyopt

LONG = """
struct sample { char tag; long double value; };
long double factor = 2;
long double steps[3] = {1, 2, 3};
double shrink(long double x) { return x / 4; }
long double grow(double x) { return x * 4; }
long double mixed(int a, long double x, double b, long double y) {
    return a + 10 * x + 100 * b + 1000 * y;
}
void scale(int n, long double x[n]) { for (int i = 0; i < n; i++) x[i] *= factor; }
void add(long double *sum, const long double *x) { *sum += *x; }
long double of(struct sample *one) { return one->value *= 2; }
long double call(long double (*f)(int, long double, double), long double x) { return f(3, x, 4); }
"""


@pytest.fixture(scope="module")
def long() -> polyopt.Program:
    return polyopt.compile(LONG, "-O1")


def test_long_doubles_go_in_and_come_back_as_floats(long: polyopt.Program):
    assert (long.shrink(2), long.shrink(np.longdouble(3)), long.grow(1.5)) == (0.5, 0.75, 6.0)
    for _ in range(100):  # also where calls that are often made have a quicker way
        assert long.mixed(1, 2, 3, 4) == 4321
    assert type(long.grow(1)) is float
    with pytest.raises(TypeError, match=r"'x' \(long double x\): expected a number, got str"):
        long.shrink("2")


def test_long_doubles_in_memory_are_numpys(long: polyopt.Program):
    x = np.array([1, 2, 3], np.longdouble) / 3
    wanted = x * 2
    long.scale(3, x)
    assert (x == wanted).all()
    with pytest.raises(TypeError, match="expected a NumPy array of longdouble"):
        long.scale(3, np.zeros(3))
    total = polyopt.out(1.5)
    long.add(total, np.array([2], np.longdouble))
    assert total.value == 3.5
    number = ctypes.c_longdouble(0.25)
    long.add(ctypes.byref(number), np.array([2], np.longdouble))
    assert number.value == 2.25
    one = np.array((1, 2.5), np.dtype([("tag", "i1"), ("value", np.longdouble)], align=True))
    assert long.of(one) == 5


def test_long_doubles_of_functions_and_globals(long: polyopt.Program):
    def combined(a: int, x: float, b: float) -> float:
        return 100 * a + 10 * x + b

    assert long.call(combined, 2.5) == 329
    assert long.globals["factor"] == 2
    assert long.globals["steps"].tolist() == [1, 2, 3]
    long.globals["factor"] = 4
    assert long.globals["factor"] == 4
    long.globals["factor"] = 2


def test_long_doubles_are_said_in_words(long: polyopt.Program):
    assert str(long.grow.signature) == "long double grow(double x)"
    assert "x: array of longdouble, shape (n,)" in (long.scale.__doc__ or "")
    assert "def shrink(x: float) -> float:" in polyopt.stubs(long)
    assert "NDArray[np.longdouble]" in polyopt.stubs(long)


NUMBERS = """
double real(double x) { return x; }
float small(float x) { return x; }
int whole(int x) { return x; }
long double extended(long double x) { return x; }
double memory(double *x) { return *x; }
float array(int n, float x[n]) { return x[0]; }
"""


@pytest.fixture(scope="module")
def numbers() -> polyopt.Program:
    return polyopt.compile(NUMBERS, "-O1")


@pytest.mark.parametrize("name", ["real", "small", "extended"])
@pytest.mark.parametrize("kind", [complex, np.complex64, np.complex128])
def test_no_part_of_a_complex_number_is_lost(
    numbers: polyopt.Program, name: str, kind: Callable[[complex], Any]
):
    function = numbers[name]
    for _ in range(100):
        with pytest.raises(TypeError, match=r"expected a number, got complex.*\.real and \.imag"):
            function(kind(1 + 2j))
    assert function(kind(1 + 2j).imag) == 2


def test_whole_numbers_are_not_complex_either(numbers: polyopt.Program):
    with pytest.raises(TypeError, match=r"expected an integer, got complex; .*\.imag"):
        numbers.whole(1j)


def test_arrays_of_complex_numbers_have_a_view(numbers: polyopt.Program):
    x = np.array([3 + 4j])
    with pytest.raises(TypeError, match=r"complex128, whose view\('f8'\) has the real"):
        numbers.memory(x)
    assert numbers.memory(x.view("f8")) == 3
    with pytest.raises(TypeError, match=r"complex64, whose view\('f4'\)"):
        numbers.array(2, x.astype(np.complex64))


PAIRS = """
struct pair { double re, im; };
struct three { double re, im, more; };
void turn(int n, double z[n][2]) {
    for (int i = 0; i < n; i++) { double re = z[i][0]; z[i][0] = -z[i][1]; z[i][1] = re; }
}
void rows(int n, float z[n][3][2]) { for (int i = 0; i < n; i++) z[i][1][1] = 7; }
double real_sum(int n, const struct pair *z) {
    double s = 0;
    for (int i = 0; i < n; i++) s += z[i].re - 10 * z[i].im;
    return s;
}
double other(const struct three *z) { return z->re; }
void triples(int n, double z[n][3]) { z[0][0] = n; }
"""


def test_complex_numbers_where_c_has_pairs():
    pairs = polyopt.compile(PAIRS, "-O2")
    z = np.array([1 + 2j, 3 + 4j, 5j])
    wanted = z * 1j
    for _ in range(100):  # also where calls that are often made have a quicker way
        pairs.turn(3, z)
        assert (z == wanted).all()
        wanted = z * 1j
    assert pairs.real_sum(3, np.array([1 + 2j, 3 + 4j, 5j])) == 4 - 110
    rows = np.zeros((2, 3), np.complex64)
    pairs.rows(2, rows)
    assert rows[1].tolist() == [0, 7j, 0]


def test_complex_numbers_are_pairs_of_the_same_kind():
    pairs = polyopt.compile(PAIRS, "-O2")
    z = np.ones(4, np.complex128)
    for refused in (
        lambda: pairs.rows(1, np.ones((1, 3), np.complex128)),
        lambda: pairs.turn(4, z.astype(np.complex64)),
        lambda: pairs.turn(2, z[::2]),
        lambda: pairs.other(z),
        lambda: pairs.triples(4, z),
        lambda: pairs.turn(1, np.array(1j)),
    ):
        with pytest.raises(TypeError, match=r"complex|\.imag"):
            refused()
    with pytest.raises(ValueError, match="shape"):
        pairs.turn(3, z)
    z.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        pairs.turn(4, z)


TEXT = """
#include <stddef.h>
const char *name(int i) { return i == 0 ? "zero" : i == 1 ? "h\\u00f6her" : NULL; }
char *own(char *x) { return x; }
const signed char *bytes(const signed char *x) { return x; }
const char *_Nullable same(const char *_Nullable x) { return x; }
static const char *inner(void) { return "inner"; }
const char *(*choose(void))(void) { return inner; }
"""


def test_text_comes_back_as_bytes():
    text = polyopt.compile(TEXT, "-O1")
    for _ in range(100):
        assert text.name(0) == b"zero"
    assert (text.name(1).decode(), text.name(2)) == ("höher", None)
    assert (text.same(b"there"), text.same(None)) == (b"there", None)
    assert str(text.name.signature) == "const char *name(int i)"
    assert "def name(i: int) -> builtins.bytes | None:" in polyopt.stubs(text)  # C has its own


def test_what_may_be_written_to_stays_an_address():
    text = polyopt.compile(TEXT, "-O1")
    memory = np.frombuffer(bytearray(b"abc\0"), "i1")
    assert text.own(memory) == memory.ctypes.data
    assert text.bytes(memory) == memory.ctypes.data
    assert isinstance(text.choose(), int)
