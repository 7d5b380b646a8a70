"""The number of threads of one call, or of a block of calls."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.driver.threads.threads_runtime import loaded_runtime
from polyopt.support.diagnostics import CompileError

SOURCE = """
int omp_get_num_threads(void);
int many(int n, int seen[n]) {
    int number = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        seen[i] = omp_get_num_threads();
        if (i == 0) number = omp_get_num_threads();
    }
    return number;
}
int own(int threads) { int sum = 0;
    #pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < threads; i++) sum += 1;
    return sum; }
"""


@pytest.fixture(scope="module")
def program() -> polyopt.Program:
    try:
        return polyopt.compile(SOURCE, "-O1 -fopenmp")
    except CompileError:
        pytest.skip("no library runs threads here")


def count(program: polyopt.Program, **words: int) -> int:
    return program.many(8, np.zeros(8, np.int32), **words)


def test_of_one_call(program: polyopt.Program) -> None:
    assert [count(program, threads=number) for number in (3, 1, 2)] == [3, 1, 2]
    assert program.own(threads=5) == 5  # an argument of the function


def test_of_a_block(program: polyopt.Program) -> None:
    with polyopt.threads(2):
        assert count(program) == 2
        with polyopt.threads(3):
            assert count(program) == 3
        assert count(program, threads=1) == 1
        assert count(program) == 2
        with pytest.raises(RuntimeError), polyopt.threads(1):
            raise RuntimeError
        assert count(program) == 2


def test_of_one_thread_of_python(program: polyopt.Program) -> None:
    seen: list[int] = []

    def work() -> None:
        with polyopt.threads(1):
            seen.append(count(program))

    with polyopt.threads(3):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert count(program) == 3
    assert seen == [1]


def test_what_is_refused(program: polyopt.Program) -> None:
    with pytest.raises(ValueError, match="0 is too few"):
        count(program, threads=0)
    wrong_numbers: list[Any] = [1.5, "2", None, True]
    for wrong in wrong_numbers:
        with pytest.raises(TypeError, match="threads: expected an integer"), polyopt.threads(wrong):
            pass
    plain = polyopt.compile("int one(int x) { return x; }", "-O1")
    with pytest.raises(TypeError, match="'threads' is not a parameter"):
        plain.one(1, threads=2)
    assert loaded_runtime() is not None
