"""Functions of Python that C calls: kept as long as C may call them; their exceptions come out."""

from __future__ import annotations

import ctypes
import gc
import inspect
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyopt

SOURCE = """
struct opaque;
double integral(double (*f)(double), double a, double b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += f(a + (b - a) * (i + 0.5) / n);
    return sum * (b - a) / n;
}
typedef float (*step)(signed char, float, void *, _Bool);
static step kept;
void keep(step f) { kept = f; }
float again(int c, float x, void *_Nullable p) { return kept(c, x, p, c > 0); }
int chosen(int (*_Nullable f)(void)) { return f ? f() : -1; }
void each(void (*f)(int), int n) { for (int i = 0; i < n; i++) f(i); }
int old(int (*f)()) { return f(1); }
int printed(int (*f)(const char *, ...)) { return f != 0; }
int twice(int (*f)(int), int (*g)(int), int x) { return f(g(x)); }
double euler(void (*f)(double t, const double *y, double *dy), double *y, int n, int steps) {
    double dy[8];
    for (int s = 0; s < steps; s++) {
        f(s * 0.5, y, dy);
        for (int i = 0; i < n; i++) y[i] += 0.5 * dy[i];
    }
    return y[0];
}
int at(int (*f)(const char *, struct opaque *), const char *text) { return f(text, 0); }
int nothing(int (*f)(int *)) { return f(0); }
void (*same(void (*f)(void)))(void) { return f; }
"""


def square(x: float) -> float:
    return x * x


def successor(x: int) -> int:
    return x + 1


def reciprocal(x: int) -> int:
    return 1 // (x - 1)


def constant(*_: Any) -> float:
    return 2.0


def in_words(x: float) -> str:
    return "no"


def is_null(pointer: Any) -> bool:
    return not pointer


def tenfold(x: int) -> int:
    return x * 10


@pytest.fixture(scope="module")
def program() -> polyopt.Program:
    return polyopt.compile(SOURCE, "-O2")


def test_functions_are_called(program: polyopt.Program) -> None:
    assert program.integral(square, 0, 1, 1000) == pytest.approx(1 / 3, abs=1e-6)
    seen: list[int] = []
    program.each(seen.append, 4)
    assert seen == [0, 1, 2, 3]
    assert program.chosen(None) == -1
    assert program.chosen(lambda: 7) == 7
    assert program.twice(successor, tenfold, 4) == 41


def test_pointers_to_numbers_are_pointers(program: polyopt.Program) -> None:
    times: list[float] = []

    def turn(t: float, y: Any, dy: Any) -> None:
        times.append(t)
        dy[0], dy[1] = y[1], -y[0]
        np.ctypeslib.as_array(dy, (2,))[1] *= 2

    state = np.array([1.0, 0.0])
    assert program.euler(turn, state, 2, 2) == 0.5
    assert state.tolist() == [0.5, -2.0]
    assert times == [0.0, 0.5]


def test_other_pointers_are_integers_and_null_is_false(program: polyopt.Program) -> None:
    seen: list[Any] = []

    def look(text: Any, other: Any) -> int:
        seen.append(other)
        return ctypes.string_at(text).index(b"o")

    assert program.at(look, b"polyopt") == 1
    assert seen == [None]
    assert program.nothing(is_null) == 1


def test_ctypes_pointers_are_passed_as_they_are(program: polyopt.Program) -> None:
    pointer = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(tenfold)
    assert program.old(pointer) == 10
    assert program.same(ctypes.c_void_p(4096)) == 4096


def test_arguments_have_their_types(program: polyopt.Program) -> None:
    seen: list[Any] = []

    def step(*arguments: Any) -> float:
        seen.append(arguments)
        return 0.1

    program.keep(step)
    assert program.again(-3, 0.5, None) == ctypes.c_float(0.1).value
    program.again(300, 0.25, ctypes.c_void_p(64))
    assert seen == [(-3, 0.5, None, False), (44, 0.25, 64, True)]


def test_what_c_has_kept_stays(program: polyopt.Program) -> None:
    def make() -> Callable[..., float]:
        def twice(c: int, x: float, p: int | None, b: bool) -> float:
            return 2 * x

        return twice

    called = make()
    there = weakref.ref(called)
    program.keep(called)
    del called
    gc.collect()
    assert there() is not None
    assert program.again(1, 4, None) == 8


class Counter:
    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __init__(self) -> None:
        self.count = 0

    def __eq__(self, other: object) -> bool:
        return True

    def __call__(self) -> None:
        self.count += 1

    def method(self) -> None:
        self.count += 10


def test_one_function_is_one_pointer(program: polyopt.Program) -> None:
    first, second = Counter(), Counter()
    assert program.same(first) == program.same(first) != program.same(second)
    assert program.same(len) == program.same(len)


def test_exceptions_come_out_behind_the_call(program: polyopt.Program) -> None:
    seen: list[int] = []

    def picky(number: int) -> None:
        seen.append(number)
        if number % 2:
            raise KeyError(number)

    with pytest.raises(KeyError, match="1"):
        program.each(picky, 4)
    assert seen == [0, 1, 2, 3]
    with pytest.raises(TypeError):
        program.chosen(lambda: "text")
    with pytest.raises(ValueError, match=r"2147483648 does not fit .* return: int, in -2147483648"):
        program.chosen(lambda: 1 << 31)
    assert program.chosen(lambda: -1 << 31) == -1 << 31
    with pytest.raises(KeyboardInterrupt):
        program.chosen(lambda: (_ for _ in ()).throw(KeyboardInterrupt()))

    def outer(number: int) -> None:
        program.each(picky, number)

    with pytest.raises(KeyError, match="1"):
        program.each(outer, 3)
    assert program.chosen(lambda: 1) == 1


def test_what_c_has_kept_raises_in_the_call_that_calls_it(program: polyopt.Program) -> None:
    def fail(*_: Any) -> float:
        raise ZeroDivisionError

    program.keep(fail)
    for _ in range(40):  # until calls are quick
        with pytest.raises(ZeroDivisionError):
            program.again(1, 1, None)
    program.keep(constant)
    assert program.again(1, 1, None) == 2.0


def test_where_nobody_waits_an_exception_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """In a thread of C's own."""
    text = """#include <pthread.h>
    static int (*kept)(int);
    static void *run(void *to) { *(int *)to = kept(1); return 0; }
    void keep(int (*f)(int)) { kept = f; }
    int apart(void) {
        pthread_t thread; int result = 7;
        pthread_create(&thread, 0, run, &result);
        pthread_join(thread, 0);
        return result;
    }"""
    program = polyopt.compile(text)
    program.keep(reciprocal)
    assert program.apart() == 0
    shown = capsys.readouterr().err
    assert "Exception in a function that C called" in shown
    assert "ZeroDivisionError" in shown


def test_a_result_that_c_cannot_take_is_told_with_the_function_s_name(
    program: polyopt.Program,
) -> None:
    with pytest.raises(TypeError, match=r"integral: argument 'f' .*returned 'no', .* not double"):
        program.integral(in_words, 0, 1, 4)
    with pytest.raises(TypeError, match=r"chosen: .*returned 1\.5, which is not an integer"):
        program.chosen(lambda: 1.5)
    with pytest.raises(TypeError, match=r"got None, which C does not allow: `\*_Nullable f` does"):
        program.each(None, 3)


def test_each_thread_gets_its_own_exceptions(program: polyopt.Program) -> None:
    wrong: list[int] = []

    def work(number: int) -> None:
        def fail(_: int) -> None:
            raise KeyError(number)

        for _ in range(50):
            try:
                program.each(fail, 2)
            except KeyError as error:
                if error.args != (number,):
                    wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


REFUSED = [
    (
        "each",
        [3, 1],
        "each: argument 'f' (void (*f)(int)): expected a function or a ctypes pointer",
    ),
    ("chosen", [3], "expected a function, a ctypes pointer or None, got int"),
    ("each", [None, 1], "expected a function or a ctypes pointer, got None"),
    ("old", [len], "(int (*f)()): expected a ctypes pointer, got builtin_function_or_method"),
    ("printed", [print], "expected a ctypes pointer or None, got builtin_function_or_method"),
]


@pytest.mark.parametrize(("name", "arguments", "message"), REFUSED)
def test_what_is_refused(
    program: polyopt.Program, name: str, arguments: list[Any], message: str
) -> None:
    with pytest.raises(TypeError) as error:
        program[name](*arguments)
    assert message in str(error.value)


def test_functions_are_described(program: polyopt.Program) -> None:
    stub = program.stubs()
    for line in (
        "def integral(f: Callable[[float], float] | Pointer, a: float, b: float, n: int) -> float:",
        "def keep(f: Callable[[int, float, int | None, bool], float] | Pointer) -> None:",
        "def chosen(f: Callable[[], int] | Pointer | None) -> int:",
        "def old(f: Pointer) -> int:",
    ):
        assert line in stub
    assert "f: function, double (*)(double)\n" in (program.integral.__doc__ or "")
    compile(stub, "stub", "exec")
    parameter = inspect.signature(program.each).parameters["f"]
    assert "Callable" in str(parameter.annotation)
