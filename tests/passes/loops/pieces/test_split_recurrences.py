"""What serial loops do beside their recurrences, in loops of its own: the same, bit by bit."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import polyopt
from polyopt.tools.polyopt_cc import main

SOURCE = """
void gaps(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d)
{
    for (int i = 1; i < n; i++) {
        int s = c[i - 1] == d[i - 1] ? 2 : -1;
        int m = c[i] * 3 > d[i] ? c[i] * 3 : d[i];
        a[i] = (m > 7 ? m : 7) + s * c[i] - d[i] * d[i];
        int g = a[i - 1] - 6, h = b[i - 1] - 1;
        b[i] = g > h ? g : h;
    }
}
void ahead(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d)
{
    for (int i = 0; i < n; i++) {
        int t = (c[i] * 3 + d[i] * 5 + 128) >> 3, u = (c[i] - d[i]) * (c[i] + d[i]);
        int w = (t ^ 29) * (u & 63) + (c[i] | 5) * (d[i] ^ t) - (u | 3) * (c[i] & 31) + (t & u);
        int v = t * t + w > 0 ? t * t + w : -(t * t + w);
        a[0] = a[0] + v > 1000 ? a[0] + v - 1000 : a[0] + v;
        b[i] = (a[0] >> 3) * t + u;
    }
}
void behind(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d)
{
    for (int i = 1; i < n; i++) {
        a[i] = (a[i - 1] ^ c[i]) & 1023;
        b[i] = (a[i] * 3 + d[i]) * (a[i] - d[i]) * (d[i] | 5) + (a[i] ^ 77) - (a[i] & d[i] * 7)
            + (a[i] | 12) * (d[i] - 3);
    }
}
void overwritten(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d)
{
    for (int i = 1; i < n - 1; i++) {
        int t = (c[i + 1] * 5 + d[i]) * (c[i] ^ 3) - (d[i + 1] & c[i]) * 9 + d[i] * d[i] * c[i];
        a[i] = (a[i - 1] & 255) > (t & 511) ? a[i - 1] & 255 : t & 511;
        c[i] = a[i];
        d[i - 1] = a[i] * 2 - 5 * (a[i] ^ b[i]) + (b[i] & 31) * (a[i] | 9) + b[i] * b[i];
    }
}
void far(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d)
{
    for (int i = 3; i < n; i++) {
        a[i] = (c[i] * 7 + d[i] * c[i]) * (d[i] ^ 11) - (c[i] & 15) * (d[i] | 2) + d[i] * 3
            + (c[i] ^ d[i]) * (c[i] | d[i]) * 3 - (c[i] & d[i]) * (d[i] & 7);
        b[i] = ((b[i - 3] + a[i - 2]) & 4095) ^ (a[i] & 63);
        d[i - 3] = b[i] + c[i - 3];
    }
}
void affine_gaps(int n, int *restrict a, int *restrict b, int *restrict c, int *restrict d)
{
    for (int i = 1; i < n; i++) {
        int e = b[i - 1] - 1 > a[i - 1] - 10 ? b[i - 1] - 1 : a[i - 1] - 10;
        b[i] = e;
        int f = c[i] - 1 > d[i - 1] - 10 ? c[i] - 1 : d[i - 1] - 10;
        int t = c[i - 1] + (c[i] == d[i] ? 5 : -4);
        int h = t > b[i] ? t : b[i];
        h = h > f ? h : f;
        a[i] = h > 0 ? h : 0;
    }
}
"""


def wrapped(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def gaps(n: int, a: list[int], b: list[int], c: list[int], d: list[int]) -> None:
    for i in range(1, n):
        s = 2 if c[i - 1] == d[i - 1] else -1
        a[i] = max(c[i] * 3, d[i], 7) + s * c[i] - d[i] * d[i]
        b[i] = max(a[i - 1] - 6, b[i - 1] - 1)


def ahead(n: int, a: list[int], b: list[int], c: list[int], d: list[int]) -> None:
    for i in range(n):
        t, u = (c[i] * 3 + d[i] * 5 + 128) >> 3, (c[i] - d[i]) * (c[i] + d[i])
        w = (t ^ 29) * (u & 63) + (c[i] | 5) * (d[i] ^ t) - (u | 3) * (c[i] & 31) + (t & u)
        v = abs(t * t + w)
        a[0] = a[0] + v - 1000 if a[0] + v > 1000 else a[0] + v
        b[i] = (a[0] >> 3) * t + u


def behind(n: int, a: list[int], b: list[int], c: list[int], d: list[int]) -> None:
    for i in range(1, n):
        a[i] = (a[i - 1] ^ c[i]) & 1023
        b[i] = (a[i] * 3 + d[i]) * (a[i] - d[i]) * (d[i] | 5) + (a[i] ^ 77) - (a[i] & d[i] * 7)
        b[i] += (a[i] | 12) * (d[i] - 3)


def overwritten(n: int, a: list[int], b: list[int], c: list[int], d: list[int]) -> None:
    for i in range(1, n - 1):
        t = (c[i + 1] * 5 + d[i]) * (c[i] ^ 3) - (d[i + 1] & c[i]) * 9 + d[i] * d[i] * c[i]
        a[i] = max(a[i - 1] & 255, t & 511)
        c[i] = a[i]
        d[i - 1] = a[i] * 2 - 5 * (a[i] ^ b[i]) + (b[i] & 31) * (a[i] | 9) + b[i] * b[i]


def far(n: int, a: list[int], b: list[int], c: list[int], d: list[int]) -> None:
    for i in range(3, n):
        a[i] = (c[i] * 7 + d[i] * c[i]) * (d[i] ^ 11) - (c[i] & 15) * (d[i] | 2) + d[i] * 3
        a[i] += (c[i] ^ d[i]) * (c[i] | d[i]) * 3 - (c[i] & d[i]) * (d[i] & 7)
        b[i] = ((b[i - 3] + a[i - 2]) & 4095) ^ (a[i] & 63)
        d[i - 3] = b[i] + c[i - 3]


def affine_gaps(n: int, a: list[int], b: list[int], c: list[int], d: list[int]) -> None:
    for i in range(1, n):
        b[i] = max(b[i - 1] - 1, a[i - 1] - 10)
        f = max(c[i] - 1, d[i - 1] - 10)
        a[i] = max(c[i - 1] + (5 if c[i] == d[i] else -4), b[i], f, 0)


FUNCTIONS: list[Callable[..., None]] = [gaps, ahead, behind, overwritten, far, affine_gaps]
FLAGS = ["-O3", "-march=x86-64-v3", "--skip-pass=keep-what-pays"]


def test_all_are_cut(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file = tmp_path / "all.c"
    file.write_text(SOURCE)
    assert main([*FLAGS, "--remarks", "--emit=loops", "-o", str(tmp_path / "out"), str(file)]) == 0
    assert capfd.readouterr().err.count("[affine-split-recurrences]") == len(FUNCTIONS)


@pytest.mark.parametrize("flags", [["-O3"], FLAGS])
def test_the_values_are_those_of_the_loop(flags: list[str]):
    program = polyopt.compile(SOURCE, flags)
    generator = np.random.default_rng(1)
    for n in (0, 1, 2, 3, 4, 47, 48, 255, 256, 257, 259, 600):
        for function in FUNCTIONS:
            arrays = [generator.integers(-40, 40, n + 1, dtype=np.int32) for _ in range(4)]
            wanted = [one.tolist() for one in arrays]
            function(n, *wanted)
            getattr(program, function.__name__)(n, *arrays)
            for found, right in zip(arrays, wanted, strict=True):
                assert found.tolist() == [wrapped(one) for one in right], (function, n)
