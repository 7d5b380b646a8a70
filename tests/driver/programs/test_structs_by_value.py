"""Structs that are passed and returned by value, however the ABI splits them."""

from __future__ import annotations

import ctypes
import pickle
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.driver.programs.program import Program

SOURCE = """
typedef struct { double re, im; } Z;
typedef struct { int a; double b; } Mixed;
typedef struct { float x, y, z; } V3;
typedef struct { signed char c[3]; } Tiny;
typedef struct { double m[2][3]; long tag; } Big;
struct outer { Z z; struct { short s; unsigned char c; }; const char *text; _Bool on; };
typedef union { int i; float f; } U;
typedef struct { int low : 3, high : 5; } Bits;

Z product(Z p, Z q) { return (Z){p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re}; }
Mixed swapped(Mixed m) { return (Mixed){(int)m.b, m.a}; }
V3 scaled(V3 v, float by) { return (V3){v.x * by, v.y * by, v.z * by}; }
Tiny turned(Tiny t) { return (Tiny){{t.c[2], t.c[1], t.c[0]}}; }
Big doubled(Big b) { for (int i = 0; i < 6; i++) b.m[i / 3][i % 3] *= 2; b.tag++; return b; }
long many(int a, int b, int c, int d, int e, Mixed m, Mixed n, Z z) {
    return a + b + c + d + e + m.a + 10 * n.a + (long)(100 * z.im);
}
double of(struct outer o) { return o.z.im + o.s + o.c + o.text[1] + o.on; }
int of_union(U u) { return u.i; }
int of_bits(Bits b) { return b.low; }
Bits bits(void) { return (Bits){1, 2}; }
__int128 wide(int a) { return a; }
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return polyopt.compile(SOURCE, "-O2", cache="off")


Z = np.dtype([("re", "f8"), ("im", "f8")])


class Pair(ctypes.Structure):
    _fields_ = (("re", ctypes.c_double), ("im", ctypes.c_double))


def test_records_structures_and_tuples_are_taken(program: Program):
    record: Any = np.array([(3, 4)], Z)[0]
    for given in (record, np.array((3, 4), Z), Pair(3, 4), (3, 4.0)):
        back = program.product((1.0, 2), given)
        assert (back["re"], back["im"]) == (-5, 10)
        assert program.product(back, (1, 0)) == back


def test_however_they_are_split(program: Program):
    assert program.swapped((7, 2.5)).item() == (2, 7.0)
    assert program.scaled((1, 2, 3), 2.0).item() == (2, 4, 6)
    assert program.turned(([1, -2, 3],))["c"].tolist() == [3, -2, 1]
    assert program.turned((b"ab",))["c"].tolist() == [0, 98, 97]
    big = program.doubled(([[1, 2, 3], [4, 5, 6]], 8))
    assert (big["m"].tolist(), big["tag"]) == ([[2, 4, 6], [8, 10, 12]], 9)
    assert program.many(1, 2, 3, 4, 5, (6, 0), (7, 0), (0, 8)) == 15 + 6 + 70 + 800
    text = ctypes.create_string_buffer(b"xyz")
    assert program["of"](((0, 1), 2, 3, ctypes.addressof(text), True)) == 1 + 2 + 3 + ord("y") + 1


def test_also_when_they_are_called_often(program: Program):
    for k in range(100):
        assert program.swapped((k, 1.0))["b"] == k


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((1,), r"2 values are needed, not 1"),
        ((1, "2"), r"im: '2' is no value of type f64"),
        ((1, 2j), r"im: 2j is no value"),
        (1.0, r"a record of NumPy, a ctypes Structure, or a tuple, got float"),
        (np.zeros((), [("re", "f8"), ("im", "f4")]), r"C has .* what is given is .*f32 im at 8"),
        (np.zeros(2, Z), r"got an array of"),
    ],
)
def test_others_are_refused(program: Program, given: object, message: str):
    with pytest.raises((TypeError, ValueError), match=message):
        program.product(given, (1, 1))


def test_members_are_never_cut_off(program: Program):
    for value, message in ((1 << 31, r"a: 2147483648 does not fit"), (1.5, r"a: 1.5 is no value")):
        with pytest.raises(ValueError, match=message):
            program.swapped((value, 0))
    with pytest.raises(ValueError, match=r"c\[1\]: 200 does not fit"):
        program.turned(([0, 200, 0],))


def test_what_ctypes_cannot_pass_says_why(program: Program):
    for call, message in (
        (lambda: program.of_union((1,)), "'u' is a U by value, and has a union, bit-fields"),
        (lambda: program.of_bits((1,)), "'b' is a Bits by value, and has"),
        (program.bits, "what it returns is a Bits by value, and has"),
        (lambda: program.wide(1), "what it returns is a __int128, which Python has no number for"),
    ):
        with pytest.raises(TypeError, match=message):
            call()


def test_prototypes_and_stubs_name_them(program: Program):
    assert str(program.product) == "Z product(Z p, Z q)"
    assert str(program.of_bits) == "int of_bits(Bits b)"
    stub = polyopt.stubs(program)
    assert "def product(p: Struct, q: Struct) -> np.void:" in stub
    again = pickle.loads(pickle.dumps(program.product))
    assert again((1, 0), (2, 3)).item() == (2, 3)
