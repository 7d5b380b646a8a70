"""Records that are no longer than a line, and small matrices as such: their members in lanes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

SOURCE = """
void adjugate(int n, float (*restrict m)[3][3], float (*restrict r)[3][3])
{
    for (int i = 0; i < n; i++) {
        r[i][0][0] = m[i][1][1] * m[i][2][2] - m[i][1][2] * m[i][2][1];
        r[i][1][0] = m[i][1][2] * m[i][2][0] - m[i][1][0] * m[i][2][2];
        r[i][2][0] = m[i][1][0] * m[i][2][1] - m[i][1][1] * m[i][2][0];
        r[i][0][1] = m[i][0][2] * m[i][2][1] - m[i][0][1] * m[i][2][2];
        r[i][1][1] = m[i][0][0] * m[i][2][2] - m[i][0][2] * m[i][2][0];
        r[i][2][1] = m[i][0][1] * m[i][2][0] - m[i][0][0] * m[i][2][1];
        r[i][0][2] = m[i][0][1] * m[i][1][2] - m[i][0][2] * m[i][1][1];
        r[i][1][2] = m[i][0][2] * m[i][1][0] - m[i][0][0] * m[i][1][2];
        r[i][2][2] = m[i][0][0] * m[i][1][1] - m[i][0][1] * m[i][1][0];
    }
}
void determinants(int n, float (*restrict m)[3][3], float *restrict r)
{
    for (int i = 0; i < n; i++)
        r[i] = m[i][0][0] * (m[i][1][1] * m[i][2][2] - m[i][1][2] * m[i][2][1])
            - m[i][0][1] * (m[i][1][0] * m[i][2][2] - m[i][1][2] * m[i][2][0])
            + m[i][0][2] * (m[i][1][0] * m[i][2][1] - m[i][1][1] * m[i][2][0]);
}
void transformed(int n, float (*restrict m)[12], float (*restrict x)[3])
{
    for (int i = 0; i < n; i++) {
        float u = x[i][0], v = x[i][1], w = x[i][2];
        x[i][0] = m[i][0] * u + m[i][1] * v + m[i][2] * w + m[i][3];
        x[i][1] = m[i][4] * u + m[i][5] * v + m[i][6] * w + m[i][7];
        x[i][2] = m[i][8] * u + m[i][9] * v + m[i][10] * w + m[i][11];
    }
}
void turned(int n, int (*restrict a)[5])
{
    for (int i = 0; i < n; i++) {
        int first = a[i][0];
        a[i][0] = a[i][1] + a[i][2];
        a[i][1] = a[i][2] * 3;
        a[i][2] = a[i][3] - a[i][4];
        a[i][3] = a[i][4] ^ first;
        a[i][4] = first;
    }
}
void beside(int n, float (*restrict p)[9], float *restrict e)
{
    for (int i = 0; i < n; i++)
        e[i] = p[i][6] * (p[i][3] * p[i][3] + p[i][4] * p[i][4]) + p[i][7] * p[i][8];
}
"""
Arrays = list[np.ndarray[Any, Any]]


def adjugate(m: Any, r: Any) -> None:
    for j in range(3):
        for k in range(3):
            a, b, c, d = (k + 1) % 3, (k + 2) % 3, (j + 1) % 3, (j + 2) % 3
            a, b = min(a, b), max(a, b)
            c, d = min(c, d), max(c, d)
            products = m[:, a, c] * m[:, b, d], m[:, a, d] * m[:, b, c]
            r[:, j, k] = (
                products[0] - products[1] if (j + k) % 2 == 0 else products[1] - products[0]
            )


def determinants(m: Any, r: Any) -> None:
    def minor(a: int, b: int) -> Any:
        return m[:, 1, a] * m[:, 2, b] - m[:, 1, b] * m[:, 2, a]

    r[:] = m[:, 0, 0] * minor(1, 2) - m[:, 0, 1] * minor(0, 2) + m[:, 0, 2] * minor(0, 1)


def transformed(m: Any, x: Any) -> None:
    u, v, w = x.T.copy()
    for k in range(3):
        own = m[:, 4 * k : 4 * k + 4]
        x[:, k] = own[:, 0] * u + own[:, 1] * v + own[:, 2] * w + own[:, 3]


def turned(a: Any) -> None:
    b = a.copy()
    a[:, 0], a[:, 1] = b[:, 1] + b[:, 2], b[:, 2] * 3
    a[:, 2], a[:, 3], a[:, 4] = b[:, 3] - b[:, 4], b[:, 4] ^ b[:, 0], b[:, 0]


def beside(p: Any, e: Any) -> None:
    e[:] = p[:, 6] * (p[:, 3] * p[:, 3] + p[:, 4] * p[:, 4]) + p[:, 7] * p[:, 8]


SHAPES: dict[Callable[..., None], list[tuple[int, ...]]] = {
    adjugate: [(3, 3), (3, 3)],
    determinants: [(3, 3), ()],
    transformed: [(12,), (3,)],
    turned: [(5,)],
    beside: [(9,), ()],
}
FLAGS = ["-O3", "-ffp-contract=off", "--skip-pass=keep-what-pays"]


@pytest.mark.parametrize("function", SHAPES)
@pytest.mark.parametrize("march", ["native", "x86-64-v3"])
def test_the_values_are_those_of_the_loop(march: str, function: Callable[..., None]):
    program = polyopt.compile(SOURCE, [*FLAGS, f"-march={march}"])
    generator = np.random.default_rng(1)
    for n in (0, 1, 2, 7, 15, 16, 17, 31, 33, 50):
        shapes = SHAPES[function]
        if function is turned:
            arrays = [generator.integers(-99, 99, (n, 5), dtype=np.int32)]
        else:
            arrays = [generator.uniform(-1, 1, (n, *one)).astype(np.float32) for one in shapes]
        wanted = [one.copy() for one in arrays]
        function(*wanted)
        getattr(program, function.__name__)(n, *arrays)
        for found, right in zip(arrays, wanted, strict=True):
            assert (found == right).all(), n


@pytest.mark.skipif(Target.host().vector_bits < 512, reason="LLVM's without AVX-512")
def test_all_are_in_vectors(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    file = tmp_path / "all.c"
    file.write_text(SOURCE)
    flags = [*FLAGS, "-march=native", "--remarks", "--emit=loops", "-o", str(tmp_path / "out")]
    assert main([*flags, str(file)]) == 0
    assert capfd.readouterr().err.count("[affine-vectorize]") == len(SHAPES)
