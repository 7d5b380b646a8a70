"""What a call costs: by polyopt, beside ctypes, cffi and Numba where they are installed
(`pip install polyopt[calls]`); and behind that what a process waits for its first one.

    python benchmarks/calls.py [-n CALLS] [-p PROCESSES]

Functions that do next to nothing are called in turns, in nanoseconds of processor time for each
call, the least of several rounds; an empty call of a Python function is there for comparison.
Arrays are looked at by polyopt and by Numba; ctypes and cffi are given addresses, once with the
time that it takes to find these and once without.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import polyopt
from polyopt.backend.called.quick_calls import AT_LAST

SOURCE = """
int add(int a, int b) { return a + b; }
double half(double x) { return x / 2; }
void sum(int n, double a[n], const double b[n], const double c[n]) {
    for (int i = 0; i < n; i++) a[i] = b[i] + c[i];
}
"""
COUNT = 4
ROUNDS = 7

Call = Callable[[], object]


def arrays() -> list[Any]:
    return [np.ones(COUNT) for _ in range(3)]


def of_polyopt(program: polyopt.Program) -> dict[str, Call]:
    add, half, sum = program.add, program.half, program.sum
    a, b, c = arrays()
    for _ in range(AT_LAST + 100):
        add(1, 2)
    for _ in range(100):
        half(1.0)
        sum(COUNT, a, b, c)
    return {
        "two integers": lambda: add(1, 2),
        "a real": lambda: half(1.0),
        "three arrays": lambda: sum(COUNT, a, b, c),
        "three arrays, by name": lambda: sum(COUNT, a=a, b=b, c=c),
        "attribute and two integers": lambda: program.add(1, 2),
    }


def of_ctypes(addresses: Sequence[int]) -> dict[str, Call]:
    i, d, p = ctypes.c_int, ctypes.c_double, ctypes.c_void_p
    add = ctypes.CFUNCTYPE(i, i, i)(addresses[0])
    half = ctypes.CFUNCTYPE(d, d)(addresses[1])
    sum = ctypes.CFUNCTYPE(None, i, p, p, p)(addresses[2])
    a, b, c = arrays()
    x, y, z = a.ctypes.data, b.ctypes.data, c.ctypes.data
    return {
        "two integers": lambda: add(1, 2),
        "a real": lambda: half(1.0),
        "three arrays": lambda: sum(COUNT, a.ctypes.data, b.ctypes.data, c.ctypes.data),
        "three addresses": lambda: sum(COUNT, x, y, z),
    }


def of_cffi(addresses: Sequence[int]) -> dict[str, Call]:
    """By its slower way, which needs no compiler."""
    cffi: Any = importlib.import_module("cffi")
    ffi: Any = cffi.FFI()
    add = ffi.cast("int (*)(int, int)", addresses[0])
    half = ffi.cast("double (*)(double)", addresses[1])
    sum = ffi.cast("void (*)(int, double *, double *, double *)", addresses[2])
    a, b, c = arrays()
    x, y, z = (ffi.cast("double *", each.ctypes.data) for each in (a, b, c))
    view: Any = ffi.from_buffer
    return {
        "two integers": lambda: add(1, 2),
        "a real": lambda: half(1.0),
        "three arrays": lambda: sum(
            COUNT, view("double[]", a), view("double[]", b), view("double[]", c)
        ),
        "three addresses": lambda: sum(COUNT, x, y, z),
    }


def of_numba() -> dict[str, Call]:
    numba: Any = importlib.import_module("numba")
    njit: Any = numba.njit

    def add(a: Any, b: Any) -> Any:
        return a + b

    def half(x: Any) -> Any:
        return x / 2

    def sum(a: Any, b: Any, c: Any) -> Any:
        for i in range(len(a)):
            a[i] = b[i] + c[i]

    quick_add, quick_half, quick_sum = njit(add), njit(half), njit(sum)
    a, b, c = arrays()
    calls: dict[str, Call] = {
        "two integers": lambda: quick_add(1, 2),
        "a real": lambda: quick_half(1.0),
        "three arrays": lambda: quick_sum(a, b, c),
    }
    for call in calls.values():
        call()
    return calls


def of_python() -> dict[str, Call]:
    def add(a: int, b: int) -> int:
        return a + b

    return {"two integers": lambda: add(1, 2)}


def nanoseconds(call: Call, calls: int) -> float:
    began = time.process_time_ns()
    for _ in range(calls):
        call()
    return (time.process_time_ns() - began) / calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=50_000, metavar="CALLS")
    processes = "of second_process.py; 0: only calls are measured"
    parser.add_argument("-p", type=int, default=3, metavar="PROCESSES", help=processes)
    options = parser.parse_args()
    calls, later = options.n, options.p
    program = polyopt.compile(SOURCE, "-O2")
    code = program.add._code  # pyright: ignore[reportPrivateUsage]
    addresses = [code.address(name) for name in ("add", "half", "sum")]
    contenders = {
        "polyopt": of_polyopt(program),
        "ctypes": of_ctypes(addresses),
        "Python": of_python(),
    }
    if importlib.util.find_spec("cffi"):
        contenders["cffi"] = of_cffi(addresses)
    if importlib.util.find_spec("numba"):
        contenders["Numba"] = of_numba()
    best: dict[tuple[str, str], float] = {}
    for _ in range(ROUNDS):
        for name, row in contenders.items():
            for what, call in row.items():
                took = nanoseconds(call, calls)
                best[what, name] = min(took, best.get((what, name), took))
    kinds = list(dict.fromkeys(what for row in contenders.values() for what in row))
    print(f"{'ns for a call of':28}" + "".join(f"{name:>10}" for name in contenders))
    for what in kinds:
        times = [best.get((what, name)) for name in contenders]
        shown = "".join(f"{'' if took is None else format(took, '.0f'):>10}" for took in times)
        print(f"{what:28}{shown}")
    if later:
        print(flush=True)
        script = Path(__file__).with_name("second_process.py")
        subprocess.run([sys.executable, str(script), "-n", str(later)], check=True)


if __name__ == "__main__":
    main()
