"""Quick calls take what careful calls take, refuse what they refuse, in the same words, and leave
nothing behind."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import random
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.backend.called import quick_calls
from polyopt.backend.called.bind import CFunction
from polyopt.backend.called.quick_calls import QuickCalls, plan_of
from polyopt.backend.called.signature import Parameter, Signature
from polyopt.driver.programs.python_calls import machine_code
from polyopt.support.diagnostics import CompileError

SOURCE = """
#include <unistd.h>
#include <stdio.h>
int add(int a, int b) { return a + b; }
signed char narrow(signed char a, unsigned char b, short c, unsigned short d) { return a+b+c+d; }
unsigned char low(int a) { return a; }
short middle(long a) { return a; }
unsigned wide(unsigned a) { return a; }
unsigned long widest(unsigned long a) { return a; }
long signed_widest(long a) { return a; }
_Bool truth(_Bool a) { return !a; }
float single(float a) { return a; }
double real(double a) { return a; }
void nothing(void) {}
void *address(void *p) { return p; }
double scaled(int n, double f, double a[n][2 * n - 1], const float *_Nullable w) {
    a[0][0] *= f;
    return w ? a[0][0] * w[0] : a[0][0];
}
void sum(int n, double a[n], const double b[n], const double c[n]) {
    for (int i = 0; i < n; i++) a[i] = b[i] + c[i];
}
long extents(int n, int m, const char a[n / m][-(-n) % m + 1][+n * 2 - m][5]) {
    return a[0][0][0][0];
}
long unknown(int n, const int a[][n]) { return a[0][n - 1]; }
int bytes(const unsigned char *p) { return p[1]; }
int truths(const _Bool *p) { return p[1]; }
long longs(long *p) { return p[1]++; }
unsigned shorts(const unsigned short *p) { return p[1]; }
int doze(void) { return usleep(300000); }
struct pair { int x, y; };
int second(struct pair *p) { return p->y; }
int said(int x) { printf("%d", x); return x; }
"""


def read_only(values: Any) -> Any:
    values.flags.writeable = False
    return values


def as_any(value: Any) -> Any:
    return value


class Own(np.ndarray):
    pass


class Index:
    def __index__(self) -> int:
        return 5


class Real:
    def __float__(self) -> float:
        return 2.5


class Broken:
    def __index__(self) -> int:
        raise OverflowError("no")

    __float__ = __index__  # pyright: ignore[reportAssignmentType]

    def __bool__(self) -> bool:
        raise OverflowError("never")


def ones(*shape: int, of: Any = np.float64) -> Any:
    return np.ones(shape, of)


INTEGERS: list[Any] = [
    *(0, 1, -1, 3, True, 127, 128, -128, -129, 255, 256, 32767, 32768, 65535, 65536),
    *(2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 2**63 - 1, 2**63, -(2**63)),
    *(2**64 - 1, 2**64, -(2**64), 10**40, np.int64(7), np.uint8(200), np.uint64(2**64 - 1)),
    *(Index(), Broken(), 1.0, np.float64(1), "1", b"1", None, [], 1j, Fraction(2), np.bool_(True)),
]
REALS: list[Any] = [
    *(0.0, -0.0, 1.5, -1.0, 1e300, float("inf"), 3, 10**400, True, np.float32(1.5), np.int8(3)),
    *(Real(), Index(), Broken(), Fraction(1, 3), "1.5", b"1.5", bytearray(b"1"), None, 1j, []),
    *(np.array(2.0), np.array([2.0]), np.array([1.0, 2.0])),
]

ARRAYS: list[Callable[[], Any]] = [
    lambda: ones(2, 3),
    lambda: ones(3, 2),
    lambda: ones(6),
    lambda: ones(2, 3, 1),
    lambda: np.array(1.0),
    lambda: ones(2, 3, of=np.float32),
    lambda: ones(2, 3, of=">f8"),
    lambda: ones(2, 3, of="<f8"),
    lambda: ones(2, 3, of=np.longlong),
    lambda: ones(2, 3, of=np.int32),
    lambda: ones(2, 3, of=np.uint8),
    lambda: ones(2, 3, of=bool),
    lambda: ones(2, 3, of=complex),
    lambda: np.zeros((2, 3), "M8[s]"),
    lambda: np.zeros((2, 3), "S8"),
    lambda: np.zeros((2, 3), [("x", "f8")]),
    lambda: np.zeros((2, 3), object),
    lambda: ones(3, 2).T,
    lambda: ones(2, 6)[:, ::2],
    lambda: ones(4, 3)[::2],
    lambda: np.zeros(49, np.uint8)[1:].view(np.float64).reshape(2, 3),
    lambda: read_only(ones(2, 3)),
    lambda: ones(0, 3),
    lambda: ones(2, 3).view(Own),
    lambda: np.ma.masked_array(ones(2, 3)),
    lambda: np.broadcast_to(np.array(1.0), (2, 3)),
    lambda: None,
    lambda: [[1.0] * 3] * 2,
    lambda: 140000,
    lambda: "text",
    lambda: b"ab",
    lambda: (ctypes.c_double * 6)(),
]


def cases() -> list[tuple[str, Callable[[], Sequence[Any]]]]:
    """The name of a function, and arguments that are made anew for each call."""
    found: list[tuple[str, Callable[[], Sequence[Any]]]] = []
    one = "low middle wide widest signed_widest truth single real".split()
    for name in one:
        for value in [*INTEGERS, *REALS]:
            found.append((name, lambda value=value: [value]))
    for value in INTEGERS:
        for position in range(4):
            others: list[Any] = [1, 2, 3, 4]
            others[position] = value
            found.append(("narrow", lambda others=others: others))
    for make in ARRAYS:
        found.append(("scaled", lambda make=make: [2, 3.0, make(), None]))
        found.append(("scaled", lambda make=make: [2, 3.0, ones(2, 3), make()]))
        found.append(("address", lambda make=make: [make()]))
        for name in "bytes truths longs shorts".split():
            found.append((name, lambda make=make: [make()]))
    for count in (1, 2, 3):
        found.append(("scaled", lambda count=count: [count, 3.0, ones(2, 3), ones(2, of="f4")]))
    for shape in ((3, 2, 11, 5), (3, 2, 10, 5), (3, 3, 11, 5), (2, 2, 11, 5), (3, 2, 11)):
        found.append(("extents", lambda shape=shape: [7, 2, ones(*shape, of=np.int8)]))
        found.append(("extents", lambda shape=shape: [7, 0, ones(*shape, of=np.int8)]))
    for shape in ((4, 3), (3, 4), (3,), (9, 3)):
        found.append(("unknown", lambda shape=shape: [3, ones(*shape, of=np.int32)]))
    for letter in "bBhHiIlLqQfd":
        for name in "bytes longs shorts address".split():
            found.append((name, lambda letter=letter: [array(letter, range(8))]))
    found.append(("scaled", lambda: [2, 3.0, ones(2, 3), ctypes.c_void_p(None)]))
    for arguments in ([], [1], [1, 2, 3]):
        found.append(("add", lambda arguments=arguments: arguments))
    found.append(("sum", lambda: [3, ones(3), ones(3), ones(3)]))
    found.append(("sum", lambda: [3, ones(3), ones(4), ones(3)]))
    found.append(("nothing", lambda: []))
    found.append(("second", lambda: [np.array([(1, 2)], [("x", "i4"), ("y", "i4")])]))
    return found


@pytest.fixture(scope="module")
def code() -> bytes:
    made = machine_code(None, True)
    assert made is not None
    return made


@pytest.fixture(scope="module")
def quick(code: bytes) -> QuickCalls:
    made = QuickCalls(lambda is_due: code)
    assert made.is_ready(quick_calls.SOON)
    return made


@pytest.fixture(scope="module")
def program(quick: QuickCalls) -> polyopt.Program:
    made = polyopt.compile(SOURCE, "-O1 -w", cache="off")
    for name in made:
        hurry(made[name], quick)
    return made


def hurry(function: CFunction, quick: QuickCalls) -> None:
    """The function has a quick way from now on, if it can have one."""
    if function._quickly == function._not_yet:  # pyright: ignore[reportPrivateUsage]
        function._quick_calls = quick  # pyright: ignore[reportPrivateUsage]


def careful(function: CFunction, arguments: Sequence[Any]) -> Any:
    return function._carefully(tuple(arguments), {})  # pyright: ignore[reportPrivateUsage]


def quickly(function: CFunction, arguments: Sequence[Any]) -> Any:
    """What the quick way gives, NotImplemented where it does not know."""
    return function._quickly(*arguments)  # pyright: ignore[reportPrivateUsage]


def outcome(call: Callable[[], Any], arguments: Sequence[Any]) -> tuple[Any, ...]:
    """What a call gives and leaves in its arguments, or how it fails."""
    try:
        result = call()
    except Exception as error:
        return type(error), str(error)
    left = [value.tobytes() for value in arguments if hasattr(value, "tobytes")]
    return type(result).__name__, repr(result), left


def test_a_quick_call_does_what_a_careful_one_does(program: polyopt.Program) -> None:
    differing: list[Any] = []
    for name, make in cases():
        function = program[name]
        first, second = make(), make()
        if name == "address":
            second = first  # the result is where it is
        expected = outcome(lambda f=function, a=first: careful(f, a), first)
        found = outcome(lambda f=function, a=second: f(*a), second)
        if found != expected:
            differing.append((name, second, expected, found))
    assert differing == []


GOOD: list[tuple[str, list[Any], Any]] = [
    ("add", [2, 3], 5),
    ("add", [np.int64(2), True], 3),
    ("narrow", [-1, 255, -2, 3], -1),
    ("low", [-1], 255),
    ("middle", [65535], -1),
    ("wide", [2**32 - 1], 2**32 - 1),
    ("widest", [2**64 - 1], 2**64 - 1),
    ("widest", [5], 5),
    ("signed_widest", [-(2**63)], -(2**63)),
    ("truth", [[]], True),
    ("single", [0.1], float(np.float32(0.1))),
    ("real", [-1], -1.0),
    ("nothing", [], None),
    ("scaled", [2, 3.0, ones(2, 3), None], 3.0),
    ("scaled", [2, 3.0, ones(2, 3), ones(1, of=np.float32) / 2], 1.5),
    ("sum", [2, ones(2), read_only(ones(2)), ones(2)], None),
    ("extents", [7, 2, ones(3, 2, 12, 5, of=np.int8)], 1),
    ("longs", [array("l", [1, 2])], 2),
    ("longs", [array("q", [1, 2])], 2),
    ("bytes", [b"ab"], 98),
    ("bytes", [memoryview(b"abc")[1:]], 99),
    ("unknown", [3, ones(5, 3, of=np.int32)], 1),
]


@pytest.mark.parametrize(("name", "arguments", "result"), GOOD)
def test_what_is_usual_is_quick(
    program: polyopt.Program, name: str, arguments: list[Any], result: Any
) -> None:
    program[name](*arguments)
    for value in arguments:
        if isinstance(value, np.ndarray) and as_any(value).flags.writeable:
            value[...] = 0.5 if as_any(value).dtype == np.float32 else 1
    if name == "longs":
        arguments = [array(arguments[0].typecode, [1, 2])]
    assert quickly(program[name], arguments) == result


def test_arguments_of_every_kind_in_every_place(quick: QuickCalls) -> None:
    """Registers of both kinds, and more words than there are registers."""
    rng = random.Random(20)
    types = ["int", "long", "double", "float", "unsigned char", "short", "_Bool", "double *"]
    texts: list[str] = []
    calls: list[tuple[list[Any], float]] = []
    for number in range(30):
        chosen = [rng.choice(types) for _ in range(rng.choice([3, 8, 14, 20, 24]))]
        words = [f"{type} p{k}" for k, type in enumerate(chosen)]
        stars = ["*" if type[-1] == "*" else "" for type in chosen]
        terms = [f"{k + 1.0} * {star}p{k}" for k, star in enumerate(stars)]
        texts.append(f"double f{number}({', '.join(words)}) {{ return {' + '.join(terms)}; }}")
        values = [rng.choice([0, 1]) if type == "_Bool" else rng.randint(0, 99) for type in chosen]
        result = sum((k + 1.0) * value for k, value in enumerate(values))
        given: list[Any] = [
            np.array(float(value)) if type == "double *" else value
            for type, value in zip(chosen, values, strict=True)
        ]
        calls.append((given, result))
    made = polyopt.compile("\n".join(texts), "-O1", cache="off")
    for number, (given, result) in enumerate(calls):
        function = made[f"f{number}"]
        hurry(function, quick)
        assert function(*given) == careful(function, given) == result
        assert quickly(function, given) == result


def test_many_arguments_and_structs_go_the_other_way() -> None:
    many = tuple(Parameter(f"p{k}", "int", "scalar", "i32") for k in range(25))
    assert plan_of(Signature("f", "i32", many), 0) is None
    assert plan_of(Signature("f", "i32", many[:24]), 0) is not None
    matrices = tuple(
        Parameter(f"m{k}", "memref", "array", "f64", shape=("", "", ""), passes_sizes=True)
        for k in range(8)
    )
    assert plan_of(Signature("f", "void", matrices), 0) is None
    deep = Parameter("a", "", "array", "f64", shape=("1",) * 9)
    assert plan_of(Signature("f", "void", (deep,)), 0) is None
    nested = "(".join(["1 + "] * 20) + "1" + ")" * 19
    for extent in (nested, str(1 << 80)):
        one = Parameter("a", "", "array", "f64", shape=(extent,))
        assert plan_of(Signature("f", "void", (one,)), 0) is None
    assert plan_of(Signature("f", "f80", ()), 0) is None
    assert plan_of(Signature("f", "i32", (), "it is variadic"), 0) is None


def test_what_is_printed_goes_out(
    program: polyopt.Program, capfd: pytest.CaptureFixture[str]
) -> None:
    assert quickly(program.said, [3]) == 3
    assert capfd.readouterr().out == "3"


def test_what_is_checked_is_asked_about_by_python(
    program: polyopt.Program, quick: QuickCalls
) -> None:
    """Something is done behind each such call."""
    one = program.add
    code = one._code  # pyright: ignore[reportPrivateUsage]
    asked: list[int] = []
    checked = CFunction(one.signature, code, lambda: asked.append(1), quick)
    assert [checked(k, 1) for k in range(3)] == [1, 2, 3]
    assert len(asked) == 3
    assert quickly(checked, [3, 1]) is NotImplemented


def test_nothing_is_kept_of_a_call(program: polyopt.Program) -> None:
    a, b, number, real = ones(3), ones(3), 10**9, 1234.5
    wrong = ones(3, of=np.float32)
    watched = [a, b, wrong, number, real, None, NotImplemented, program.sum]

    def counts() -> list[int]:
        return [sys.getrefcount(value) for value in watched]

    def calls(times: int) -> None:
        for _ in range(times):
            program.sum(3, a, b, b)
            program.real(real)
            program.signed_widest(number)
            quickly(program.sum, [3, a, b, wrong])
            quickly(program.sum, [3, a, wrong, b])
            quickly(program.sum, ["3", a, b, b])
            quickly(program.scaled, [1, 1.0, a, None])
            program.nothing()

    calls(100)
    gc.collect()
    before, blocks = counts(), sys.getallocatedblocks()
    calls(20_000)
    gc.collect()
    assert counts() == before
    assert sys.getallocatedblocks() - blocks < 200
    growing = array("l", [1, 2])
    program.longs(growing)
    growing.append(3)  # nobody holds its memory


@pytest.mark.slow
def test_a_million_calls_need_no_memory(program: polyopt.Program) -> None:
    a, b = ones(3), ones(3)
    for _ in range(10_000):
        program.sum(3, a, b, b)
    before = resident_pages()
    for _ in range(1_000_000):
        program.sum(3, a, b, b)
    assert resident_pages() - before < 64


def resident_pages() -> int:
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1])


def test_other_threads_run_meanwhile(program: polyopt.Program) -> None:
    thread = threading.Thread(target=program.doze)
    thread.start()
    began = time.perf_counter()
    for _ in range(1000):
        pass
    counted = time.perf_counter() - began
    assert thread.is_alive()
    assert counted < 0.25
    thread.join()


def test_threads_call_at_once(program: polyopt.Program) -> None:
    wrong: list[int] = []

    def work(number: int) -> None:
        a, b = ones(3), ones(3) * number
        for _ in range(3000):
            program.sum(3, a, b, b)
            if a[2] != 2 * number:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_children_and_pickles_call(program: polyopt.Program) -> None:
    assert program.add(1, 1) == 2
    child = os.fork()
    if child == 0:
        os._exit(0 if program.add(2, 3) == 5 else 1)
    assert os.waitpid(child, 0)[1] == 0
    again = pickle.loads(pickle.dumps(program.add))
    assert again(2, 3) == 5


def test_it_is_made_when_it_pays(code: bytes) -> None:
    """Code that was kept is asked for after some calls of a function; it is made after many."""
    asked: list[bool] = []

    def provide(is_due: bool) -> bytes | None:
        asked.append(is_due)
        return code if is_due else None

    calls = QuickCalls(provide)
    ready = [calls.is_ready(k + 1) for k in range(quick_calls.SOON)]
    assert not any(ready)
    assert asked == [False]
    for _ in range(quick_calls.AT_LAST - quick_calls.SOON - 1):
        assert not calls.is_ready(1)
    assert calls.is_ready(1)
    assert asked == [False, True]


def test_without_it_calls_are_careful(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(is_due: bool) -> bytes | None:
        raise AssertionError

    monkeypatch.setattr(quick_calls, "_NEWEST", (3, 10))
    other = QuickCalls(never)
    assert not any(other.is_ready(quick_calls.SOON) for _ in range(3))
    monkeypatch.undo()

    def refused(is_due: bool) -> bytes | None:
        raise CompileError("PyLong_FromLongLong: used, but defined nowhere")

    hidden = QuickCalls(refused)
    assert not hidden.is_ready(quick_calls.SOON)
    assert not hidden.is_ready(quick_calls.SOON)


def test_functions_are_found_without_a_search(program: polyopt.Program) -> None:
    """But not where a name is taken: those are items."""
    assert program.__dict__["add"] is program["add"] is program.add
    taken = polyopt.compile("int ir(int x) { return x; } int remarks(int x) { return x; }", "-O0")
    assert taken["ir"](3) == taken["remarks"](3) == 3
    assert callable(taken.ir)
    assert taken.remarks == ()


def test_the_benchmark_of_calls_shows_all_contenders():
    script = Path(__file__).parents[3] / "benchmarks" / "calls.py"
    command = [sys.executable, str(script), "-n", "5", "-p", "0"]
    head, *rows = subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {"polyopt", "ctypes", "Python"} <= set(head.split())
    assert [row.split("  ")[0] for row in rows][:3] == ["two integers", "a real", "three arrays"]
