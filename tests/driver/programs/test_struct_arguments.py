"""Arguments of compiled functions: structs are laid out as C declares them, null has to be allowed;
and compiled code is never copied."""

from __future__ import annotations

import copy
import ctypes
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.driver.programs.program import Program

SOURCE = """
#include <assert.h>
#include <stddef.h>
typedef struct { double x, y; } P;
struct deep {
    char name[16];
    int k[2][3];
    P p;
    union { int i; float f; } u;
    struct { short s; unsigned char c; };
    void *q;
};
struct opaque;
double sum(P *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += p[i].x;
    return s;
}
double sum_of_array(int n, P p[n]) { return sum(p, n); }
int deep(struct deep *p, int n) { return p[n - 1].k[1][2] + p[n - 1].s + p->name[1]; }
int is_there(struct opaque *o) { return o != 0; }
int call(int (*f)(int)) { return f(3); }

double plain(double *p) { return *p; }
double asserted(double *p) { assert(p); assert(p != NULL && *p > -9); return *p; }
double chosen(double *p) { return p ? *p : -1; }
double compared(double *p) { if (p == NULL) return -1; return *p; }
double reversed(double *p) { if (0 != p) return *p; return -1; }
double negated(double *p) { if (!p) return -1; return *p; }
double conjunct(double *p) { return p && *p > 0 ? *p : -1; }
double loop(double *p) { for (; p;) return *p; return -1; }
double declared(double *_Nullable p) { return -1; }
"""

P = np.dtype([("x", "f8"), ("y", "f8")])
DEEP = np.dtype(
    [
        ("name", "S16"),
        ("k", "i4", (2, 3)),
        ("p", P),
        ("u", np.dtype({"names": ["i", "f"], "formats": ["i4", "f4"], "offsets": [0, 0]})),
        ("s", "i2"),
        ("c", "u1"),
        ("q", np.uintp),
    ],
    align=True,
)


class CP(ctypes.Structure):
    _fields_ = (("x", ctypes.c_double), ("y", ctypes.c_double))


class Wrong(ctypes.Structure):
    _fields_ = (("x", ctypes.c_float), ("y", ctypes.c_double))


class CU(ctypes.Union):
    _fields_ = (("i", ctypes.c_int), ("f", ctypes.c_float))


class CS(ctypes.Structure):
    _fields_ = (("s", ctypes.c_short), ("c", ctypes.c_ubyte))


class CDeep(ctypes.Structure):
    _anonymous_ = ("unnamed",)
    _fields_ = (
        ("name", ctypes.c_char * 16),
        ("k", (ctypes.c_int * 3) * 2),
        ("p", CP),
        ("u", CU),
        ("unnamed", CS),
        ("q", ctypes.c_void_p),
    )


@pytest.fixture(scope="module")
def program() -> Program:
    return polyopt.compile(SOURCE, "-O1 -w")


def test_structs_of_the_declared_layout(program: Program) -> None:
    assert program.sum(np.array([(1, 2), (3, 4)], P), 2) == 4
    assert program.sum_of_array(2, np.array([(1, 2), (3, 4)], P)) == 4
    array = np.zeros(2, DEEP)
    array["k"][1][1][2], array["s"][1], array["name"][0] = 40, 2, b"a\1"
    assert program.deep(array, 2) == 43
    deep = CDeep()
    deep.k[1][2], deep.s = 5, 3
    for given in (ctypes.byref(deep), ctypes.pointer(deep), (CDeep * 1)(deep)):
        assert program.deep(given, 1) == 8
    assert program.sum(ctypes.c_void_p(np.ones(2, P).ctypes.data), 0) == 0


WRONG: list[tuple[Any, str]] = [
    (np.ones(3, "u1"), "an array of uint8"),
    (np.ones(3, [("x", "f4"), ("y", "f8")]), r"{f32 x at 0, f64 y at 4; 12 bytes}"),
    (np.ones(3, [("y", "f8"), ("x", "f8")]), r"{f64 y at 0, f64 x at 8; 16 bytes}"),
    (np.ones(3, [("a", "f8"), ("y", "f8")]), r"{f64 a at 0, f64 y at 8; 16 bytes}"),
    (np.ones(3, [("x", ">f8"), ("y", "f8")]), r"{>f8 x at 0, f64 y at 8; 16 bytes}"),
    (np.ones(3, [("x", "i8"), ("y", "f8")]), r"{i64 x at 0, f64 y at 8; 16 bytes}"),
    (np.ones(3, [("x", "f8"), ("y", "f8"), ("z", "f8")]), r"f64 z at 16; 24 bytes}"),
    (np.ones(3, [("x", "f8", 1), ("y", "f8")]), r"{f64 x\[1\] at 0, f64 y at 8; 16 bytes}"),
    (ctypes.byref(Wrong()), r"a pointer to {f32 x at 0, f64 y at 8; 16 bytes}"),
    ((Wrong * 3)(), r"a pointer to {f32 x at 0, f64 y at 8; 16 bytes}"),
    (ctypes.byref(ctypes.c_double()), "a pointer to c_double"),
    (ctypes.c_char_p(b"x"), "c_char_p"),
    (b"xx", "bytes of uint8"),
]


@pytest.mark.parametrize(("given", "shown"), WRONG)
def test_other_layouts_are_refused(program: Program, given: Any, shown: str) -> None:
    declared = r"{f64 x at 0, f64 y at 8; 16 bytes} or a ctypes pointer, got .*"
    with pytest.raises(TypeError, match=declared + shown.replace("{", r"\{")):
        program.sum(given, 0)


def test_what_is_not_known_takes_no_array(program: Program) -> None:
    with pytest.raises(TypeError, match="expected a ctypes pointer or None, got an array"):
        program.is_there(np.ones(3))
    with pytest.raises(TypeError, match="expected a function or a ctypes pointer, got an array"):
        program.call(np.ones(3))
    assert program.is_there(None) == 0
    assert program.call(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(abs)) == 3


@pytest.mark.parametrize("name", "chosen compared reversed negated conjunct loop declared".split())
def test_null_where_c_allows_it(program: Program, name: str) -> None:
    assert program[name](None) == -1


@pytest.mark.parametrize("name", ["plain", "asserted"])
def test_null_elsewhere(program: Program, name: str) -> None:
    wanted = r"got None, which C does not allow: `\*_Nullable p` does, or a comparison with NULL"
    with pytest.raises(TypeError, match=wanted):
        program[name](None)


def test_copies_are_the_same_code(program: Program) -> None:
    for copied in (copy.copy(program), copy.deepcopy(program), copy.deepcopy([program])[0]):
        assert copied is program
    assert copy.deepcopy(program.chosen)(None) == -1
