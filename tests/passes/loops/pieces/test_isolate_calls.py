"""Calls ahead of the rest of their loops: as near to the same as vector forms are."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import polyopt
from polyopt.tools.polyopt_cc import main

SOURCE = """
#include <math.h>
void linear(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * b[i] + log(c[i]);
}
void square(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 1; i < n; i++) {
        b[i] = 0.1 * exp(-c[i]);
        a[i] = a[i - 1] * a[i - 1] + b[i];
    }
}
void later(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 0; i < n - 1; i++) {
        a[i + 1] = 0.25 * a[i] * a[i] + 0.1 * sin(c[i + 1]);
        c[i] = a[i] + b[i];
    }
}
void down(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = n - 2; i >= 0; i--)
        a[i] = 0.5 * a[i + 1] * a[i + 1] + 0.1 * pow(c[i], b[i]);
}
void lcg(int n, double *restrict a, double *restrict b, double *restrict c)
{
    unsigned seed = 17;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        a[i] = log((seed + 0.5) / 4294967296.0) * b[i];
        c[0] = c[0] * 0.25 * c[0] + 0.1 * cos(a[i]);
    }
}
void overwritten(int n, double *restrict a, double *restrict b, double *restrict c)
{
    for (int i = 1; i < n; i++) {
        a[i] = 0.5 * a[i - 1] * a[i - 1] + 0.1 * c[i];
        b[i] = 0.1 * exp(-a[i]) + b[i + 1];
        c[i - 1] = b[i] + c[i];
    }
}
"""


def linear(n: int, a: list[float], b: list[float], c: list[float]) -> None:
    for i in range(1, n):
        a[i] = a[i - 1] * b[i] + math.log(c[i])


def square(n: int, a: list[float], b: list[float], c: list[float]) -> None:
    for i in range(1, n):
        b[i] = 0.1 * math.exp(-c[i])
        a[i] = a[i - 1] * a[i - 1] + b[i]


def later(n: int, a: list[float], b: list[float], c: list[float]) -> None:
    for i in range(n - 1):
        a[i + 1] = 0.25 * a[i] * a[i] + 0.1 * math.sin(c[i + 1])
        c[i] = a[i] + b[i]


def down(n: int, a: list[float], b: list[float], c: list[float]) -> None:
    for i in range(n - 2, -1, -1):
        a[i] = 0.5 * a[i + 1] * a[i + 1] + 0.1 * c[i] ** b[i]


def lcg(n: int, a: list[float], b: list[float], c: list[float]) -> None:
    seed = 17
    for i in range(n):
        seed = (seed * 1664525 + 1013904223) % 2**32
        a[i] = math.log((seed + 0.5) / 2**32) * b[i]
        c[0] = c[0] * 0.25 * c[0] + 0.1 * math.cos(a[i])


def overwritten(n: int, a: list[float], b: list[float], c: list[float]) -> None:
    for i in range(1, n):
        a[i] = 0.5 * a[i - 1] * a[i - 1] + 0.1 * c[i]
        b[i] = 0.1 * math.exp(-a[i]) + b[i + 1]
        c[i - 1] = b[i] + c[i]


FUNCTIONS: list[Callable[..., None]] = [linear, square, later, down, lcg, overwritten]


def test_all_are_cut(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file, flags = tmp_path / "all.c", ["-O3", "-ffast-math", "--skip-pass=keep-what-pays"]
    file.write_text(SOURCE)
    assert main([*flags, "--remarks", "--emit=loops", "-o", str(tmp_path / "out"), str(file)]) == 0
    assert capfd.readouterr().err.count("[affine-isolate-calls]") == len(FUNCTIONS)


@pytest.mark.parametrize("skip", [[], ["--skip-pass=keep-what-pays"]])
def test_the_values_are_those_of_the_loop(skip: list[str]):
    program = polyopt.compile(SOURCE, ["-O3", "-ffast-math", *skip])
    generator = np.random.default_rng(1)
    for n in (0, 1, 2, 15, 255, 256, 257, 258, 600):
        for function in FUNCTIONS:
            arrays = [generator.uniform(0.2, 0.9, n + 1) for _ in range(3)]
            wanted = [one.tolist() for one in arrays]
            function(n, *wanted)
            getattr(program, function.__name__)(n, *arrays)
            for found, right in zip(arrays, wanted, strict=True):
                assert np.allclose(found, right, rtol=1e-11, atol=0)
