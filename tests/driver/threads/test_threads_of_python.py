"""Threads of one Python process that compile at once, and processes forked from it."""

import os
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import polyopt
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import produce
from polyopt.support.alone import alone

STENCIL = """\
void sweep(int n, double a[n][n], double b[n][n]) {{
  for (int t = 0; t < 4; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = a[i][j-1] + a[i-1][j] + {0} * b[i][j];
}}
"""
SETTINGS = Settings(opt_level=3, march="x86-64-v3", associative_math=True)


def in_threads(count: int, work: Callable[[int], None]) -> list[BaseException]:
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def test_eight_threads_compile_as_one_does():
    """isl's limit on operations is the process's: what one thread is allowed must not depend on
    what the others do."""
    made: dict[int, str | bytes] = {}

    def work(number: int) -> None:
        source = Source("kernel.c", STENCIL.format(number % 2))
        made[number] = produce(source, SETTINGS, "llvm", lambda _: None)

    assert in_threads(8, work) == []
    assert len(made) == 8
    assert len({made[number] for number in (0, 2, 4, 6)}) == 1
    alone_made = produce(Source("kernel.c", STENCIL.format(1)), SETTINGS, "llvm", lambda _: None)
    assert {made[number] for number in (1, 3, 5, 7)} == {alone_made}


def test_eight_threads_compile_and_call():
    def work(number: int) -> None:
        text = f"void fill(int n, int a[n]) {{ for (int i = 0; i < n; i++) a[i] = i + {number}; }}"
        program = polyopt.compile(text, "-O2")
        a = np.zeros(9, np.int32)
        program.fill(9, a)
        assert (a == np.arange(9) + number).all()

    assert in_threads(8, work) == []


def test_threads_take_turns():
    inside: list[int] = []

    def work(number: int) -> None:
        with alone(), alone():
            inside.append(number)
            time.sleep(0.01)
            assert inside[-1] == number
            inside.append(number)

    assert in_threads(6, work) == []
    assert inside[::2] == inside[1::2]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_child_of_a_process_that_compiles():
    """The lock is held by a thread that the child does not have."""
    holds, done = threading.Event(), threading.Event()

    def hold() -> None:
        with alone():
            holds.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    holds.wait()
    child = os.fork()
    if not child:
        status = 1
        try:
            text = "int f(void) { return 3; }"
            status = int(polyopt.compile(text, "-O2").f() != 3)
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    done.set()
    thread.join()
    assert status == 0
