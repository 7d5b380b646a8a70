"""Sums of running sums: the same modulo their bits, at all lengths."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.tools.polyopt_cc import main

SOURCE = """
unsigned fletcher(int n, const unsigned char *p)
{
    unsigned a = 1, b = 7;
    for (int i = 0; i < n; i++) {
        a += p[i];
        b += a;
    }
    return b * 65521u ^ a;
}
unsigned before(int n, const unsigned char *p)
{
    unsigned a = 3, b = 0xfffffff0u;
    for (int i = 2; i < n; i++) {
        b += a;
        a += p[i] * 0x01234567u;
    }
    return b * 65521u ^ a;
}
unsigned adler(int n, const unsigned char *p)
{
    unsigned a = 1, b = 0;
    while (n > 0) {
        int k = n > 90 ? 90 : n;
        n -= k;
        while (k--) {
            a += *p++;
            b += a;
        }
        a %= 251;
        b %= 251;
    }
    return b << 16 | a;
}
unsigned beside(int n, const unsigned char *p)
{
    int a = 0, b = 5, c = 0;
    for (int i = 0; i < n; i++) {
        a = p[i] + a;
        b = a + b;
        c += p[i] ^ 3;
    }
    return b * 65521u ^ a ^ (unsigned)c << 8;
}
unsigned thrice(int n, const unsigned char *p)
{
    unsigned a = 1, b = 2, c = 3;
    for (int i = 0; i < n; i++) {
        a += p[i];
        b += a;
        c += b;
    }
    return c * 65521u ^ b * 257u ^ a;
}
"""
WIDE = 2**32


def fletcher(p: list[int]) -> int:
    a, b = 1, 7
    for x in p:
        a += x
        b += a
    return b * 65521 ^ a


def before(p: list[int]) -> int:
    a, b = 3, 0xFFFFFFF0
    for x in p[2:]:
        b += a
        a += x * 0x01234567
    return (b * 65521 % WIDE) ^ (a % WIDE)


def adler(p: list[int]) -> int:
    a, b = 1, 0
    for start in range(0, len(p), 90):
        for x in p[start : start + 90]:
            a += x
            b += a
        a, b = a % 251, b % 251
    return b << 16 | a


def beside(p: list[int]) -> int:
    a, b, c = 0, 5, 0
    for x in p:
        a += x
        b += a
        c += x ^ 3
    return (b * 65521 % WIDE) ^ a ^ (c << 8)


def thrice(p: list[int]) -> int:
    a, b, c = 1, 2, 3
    for x in p:
        a += x
        b += a
        c += b
    return (c * 65521 % WIDE) ^ (b * 257 % WIDE) ^ a


FUNCTIONS: list[Callable[[list[int]], int]] = [fletcher, before, adler, beside, thrice]
FLAGS = ["-O3", "-march=native", "--skip-pass=keep-what-pays"]


@pytest.mark.parametrize("flags", [["-O3"], FLAGS])
def test_the_sums_are_those_of_the_loop(flags: list[str]):
    program: Any = polyopt.compile(SOURCE, flags)
    generator = np.random.default_rng(1)
    for n in (0, 1, 2, 3, 15, 16, 17, 47, 48, 89, 90, 91, 200, 1000):
        p = generator.integers(0, 256, n + 1, dtype=np.uint8)
        for function in FUNCTIONS:
            found = getattr(program, function.__name__)(n, p) % WIDE
            assert found == function(p[:n].tolist()) % WIDE, (function, n)


def test_which_are_closed(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file = tmp_path / "all.c"
    file.write_text(SOURCE)
    assert main([*FLAGS, "--remarks", "--emit=loops", "-o", str(tmp_path / "out"), str(file)]) == 0
    assert capfd.readouterr().err.count("[sums-of-sums]") == len(FUNCTIONS) - 1


@pytest.mark.parametrize("flags", [["-O3"], FLAGS])
def test_what_does_not_run_touches_nothing(flags: list[str], tmp_path: Path):
    """Sums in arrays that are not there are no sums of a loop without iterations."""
    file = tmp_path / "none.c"
    file.write_text("""
        void f(int n, const unsigned *restrict x, unsigned *restrict s, unsigned *restrict t) {
          for (int i = 0; i < n; i++) {
            s[0] += x[i];
            t[0] += s[0];
          }
        }
        int main(int argc, char **argv) { f(argc - 1, 0, 0, 0); return 0; }""")
    assert main([*flags, str(file), "-o", str(tmp_path / "none")]) == 0
    assert subprocess.run([tmp_path / "none"], check=False, timeout=10).returncode == 0
