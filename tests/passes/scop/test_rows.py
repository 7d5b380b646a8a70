"""Subscripts with constant factors are rows where that is sure or worth a check, and the program
means the same either way."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from oracles.prepared import function_named, prepare, source_module

from polyopt.ir.control.control_flow import ControlFlow
from polyopt.passes.scop.detection import find_scops
from polyopt.tools.polyopt_cc import main


def shapes(text: str) -> list[list[int | None]]:
    """Of the arrays of the first SCoP, in the order of their first access."""
    module = source_module(text)
    prepare(module)
    plan = find_scops(ControlFlow(function_named(module, "f").body)).plans[0]
    return [
        [None if extent is None else extent.as_constant for extent in array.layout.shape]
        for array in plan.candidate.arrays
    ]


LOOPS = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)"
CUBE = "for (int i = 1; i < 9; i++) for (int j = 1; j < 15; j++) for (int k = 1; k < 15; k++)"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"{LOOPS} a[i*64 + j] = a[(i-1)*64 + j-1] + a[(i+1)*64 + j+1];", [None, 64]),
        (f"{LOOPS} a[i*64 + j] = a[i*64 + 63] + a[63*64 + j];", [None, 64]),
        (f"{CUBE} a[(i*16 + j)*16 + k] = a[(i*16 + j-1)*16 + k+1];", [None, 16, 16]),
        (f"{CUBE} a[i*512 + j*32 + 2*k] = a[i*512 + j*32 + 2*k + 1];", [None, 16, 32]),
        (f"{LOOPS} a[65*i] = a[64*i + j];", [None, 64]),
        # Two elements or eight would do for a row; but nothing says that there are no more.
        (f"{LOOPS} a[2*i + j] = 1;", [None]),
        (f"{LOOPS} a[8*i + 3*j] = a[8*i + j];", [None]),
        # Provably longer than a row.
        ("for (int i = 0; i < n; i++) for (int j = 0; j < 99; j++) a[64*i + j] = 1;", [None]),
        # Short rows that are proved.
        ("for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) a[4*i + j] = 1;", [None, 4]),
        # Pairs that are in doubt stand in rows that are worth a check.
        (f"{LOOPS} a[i*64 + 2*j] = a[i*64 + j];", [None, 64]),
        # One loop with a stride has no rows.
        ("for (int i = 0; i < n; i++) a[4*i] = a[4*i + 1];", [None]),
    ],
)
def test_the_rows_that_factors_tell(body: str, wanted: list[int | None]):
    assert shapes(f"void f(int n, int m, float *a) {{ {body} }}")[0] == wanted


def test_what_is_only_read_needs_no_rows_that_are_checked():
    text = f"void f(int n, float *a, const float *b) {{ {LOOPS} a[64*i] = b[i*64 + j]; }}"
    assert shapes(text) == [[None], [None]]


@pytest.mark.parametrize("body", ["s[q].m[i][k] += 1;", "s->v[k] += s[1].v[k];"])
def test_arrays_that_begin_where_variables_say_have_no_shape_of_their_own(body: str):
    """Nor rows of one element behind another."""
    struct = "struct S { int x; double m[3][4]; int y; double v[4]; };"
    loops = "for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++)"
    assert shapes(f"{struct} void f(int n, struct S *s, int q) {{ {loops} {body} }}") == [[None]]


def test_rows_in_planes_of_a_size_known_when_it_runs():
    body = (
        "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) for (int k = 0; k < 32; k++)"
        " a[(i*n + j)*32 + k] += 1;"
    )
    module = f"void f(int n, int m, float *a) {{ {body} }}"
    assert shapes(module)[0] == [None, None, 32]


PLANE = "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++)"


@pytest.mark.parametrize(
    ("body", "row"),
    [
        (f"{PLANE} a[i*n + j] = 1;", 1),
        # Pixels of three, and pairs of rows of pairs.
        (f"{PLANE} a[3*(i*n + j) + 2] = a[3*(i*n + j)];", 3),
        (f"{PLANE} a[2*i*(2*n) + 2*j] = a[(2*i + 1)*(2*n) + 2*j + 1];", 2),
        # Every second row; the row between them is met as well.
        (f"{PLANE} a[2*i*n + j] = 1;", 2),
        (f"{PLANE} a[2*i*n + j] = a[(2*i + 1)*n + j];", 1),
        (f"{PLANE} a[4*i*n + j] = a[6*i*n + j];", 2),
        # So many rows behind the base.
        (f"{PLANE} a[6*i*n + j] = a[6*i*n + 3*n + j];", 3),
    ],
)
def test_rows_are_as_many_times_a_parameter_as_all_factors_are(body: str, row: int):
    module = source_module(f"void f(int n, int m, float *a) {{ {body} }}")
    prepare(module)
    plan = find_scops(ControlFlow(function_named(module, "f").body)).plans[0]
    (outer, extent) = plan.candidate.arrays[0].layout.shape
    assert outer is None
    assert extent is not None
    assert [*extent.terms.values()] == [row]
    assert plan.assumed is None


def test_planes_of_rows_of_pixels():
    body = f"for (int l = 0; l < 5; l++) {PLANE} a[3*((l*m + i)*n + j) + 1] = 0;"
    module = source_module(f"void f(int n, int m, float *a) {{ {body} }}")
    prepare(module)
    plan = find_scops(ControlFlow(function_named(module, "f").body)).plans[0]
    shape = plan.candidate.arrays[0].layout.shape
    assert [None if one is None else [*one.terms.values()] for one in shape] == [None, [1], [3]]


@pytest.mark.parametrize("step", ["2*j", "n + j"])
def test_rows_that_never_fit_are_no_scop(step: str):
    """The row is n long because of the second reference, and the first leaves it wherever there
    is one."""
    text = f"""
    void f(int n, int m, float *a) {{
      for (int i = 0; i < m; i++) for (int j = 1; j <= n; j++) a[i*n + {step}] = a[i*n + j];
    }}
    """
    module = source_module(text)
    prepare(module)
    plans = find_scops(ControlFlow(function_named(module, "f").body)).plans
    assert [len(plan.candidate.loops) for plan in plans] == [1]


def test_an_array_inside_a_struct_has_its_own_shape():
    text = f"""
    static struct {{ int pad; float a[16][16]; }} G;
    void f(int n) {{ {LOOPS} G.a[i][j] = G.a[i-1][j] + G.a[i][j+1]; }}
    """
    assert shapes(text) == [[16, 16]]


PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#define N 24
#define AT(i, j, k) (((i)*N + (j))*N + (k))
struct field {{ char pad[8]; float f[N][N]; }};
static struct field F;
static void heat(int n, int steps, float *a, float *b) {{
  for (int t = 0; t < steps; t++) {{
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) for (int k = 1; k < n-1; k++)
      b[AT(i,j,k)] = 0.25f*(a[AT(i-1,j,k)] + a[AT(i,j+1,k)] + a[AT(i,j,k-1)] + a[AT(i,j,k)]);
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) for (int k = 1; k < n-1; k++)
      a[AT(i,j,k)] = b[AT(i,j,k)];
  }}
}}
static void slide(int n, int m, float *a) {{  /* rows that overlap where m is large */
  for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) a[i*16 + j] += a[(i-1)*16 + j] * 0.5f;
}}
static void pixels(int w, int h, float *a, float *b) {{
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {{
    const float *p = a + 3*(y*w + x);
    b[y*w + x] = p[0] + 2*p[1] + 4*p[2];
  }}
  for (int y = 0; y + 1 < h; y++) for (int x = 0; x < w; x++)
    a[2*y*w + x] = a[(2*y + 1)*w + x] + a[2*y*w + w - 1 - x];
}}
static void modes(int n, int m, int mode, float *a, float *b) {{
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {{
    a[i*m + j] += 1;
    if (mode > 2) a[i*m + 2*m + j] = b[j];
    if (mode > 3) b[i*m + j + j*m] = 2;
    b[i*m + 2*j] *= 0.5f;
  }}
}}
static void sweep(int n) {{
  for (int i = 1; i < n; i++) for (int j = 1; j < n-1; j++)
    F.f[i][j] = F.f[i-1][j+1] + F.f[i][j-1] + j;
}}
int main(void) {{
  float *a = malloc(4*N*N*N), *b = calloc(N*N*N, 4);
  for (int r = 0; r < 4; r++) {{
    for (int i = 0; i < N*N*N; i++) a[i] = (i * 37 % 101) * 0.25f;
    heat(N - r, 5, a, b);
    slide(20, 8 + 8*r, a);
    pixels(N - r, N, a, b);
    modes(7 + r, 9, r + 1, a, b);
    modes(7 + r, 1, 4 - r, a, b);
    sweep(N - r);
    double sum = 0;
    for (int i = 0; i < N*N*N; i++) sum += a[i] * (i % 7) + b[i] * (i % 3);
    for (int i = 0; i < N*N; i++) sum += F.f[i/N][i%N] * (i % 5);
    printf("%.17g\\n", sum);
  }}
  return 0;
}}
"""


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_programs_with_rows_mean_what_gcc_says(tmp_path: Path):
    source = tmp_path / "rows.c"
    source.write_text(PROGRAM.format())
    flags = ["-ffp-contract=off", str(source), "-lm", "-o"]
    output(["gcc", "-O0", *flags, tmp_path / "wanted"])
    assert main(["-O3", *flags, str(tmp_path / "made")]) == 0
    assert output([tmp_path / "made"]) == output([tmp_path / "wanted"])
