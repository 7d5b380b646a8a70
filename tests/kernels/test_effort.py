"""No ordinary input explodes: it takes seconds of the processor, busy machines allowed for."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from polyopt.tools.polyopt_cc import main

SECONDS = 12.0


def lines(*texts: str) -> str:
    return "\n".join(texts)


def statements(count: int) -> str:
    return lines(*(f"A[{k}][i] = A[{k + 1}][i-1] * B[i] + {k};" for k in range(count)))


def nest(loops: str, bound: str, body: str) -> str:
    heads = [f"for (int {name} = 0; {name} < {bound}; {name}++)" for name in loops]
    return " ".join([*heads, body])


INPUTS = {
    "linear-stencil": """
        #define AT(i, j, k) (((i)*48 + (j))*48 + (k))
        void f(int n, int t, double *restrict a, double *restrict b) {
          for (int s = 0; s < t; s++) {
            for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++)
             for (int k = 1; k < n-1; k++)
              b[AT(i,j,k)] = a[AT(i-1,j,k)] + a[AT(i+1,j,k)] + a[AT(i,j-1,k)] + a[AT(i,j,k+1)];
            for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++)
             for (int k = 1; k < n-1; k++)
              a[AT(i,j,k)] = b[AT(i,j,k)];
          } }""",
    "long-subscripts": """
        void f(int n, int m, long *a, long *restrict out) {
          for (int i = 0; i < n; i += 3) for (int j = 0; j < m; j += 4)
            for (int k = i; k <= j; k++) {
              a[3*j] += i; a[i] = a[30 - k] * a[k + 2*i] + a[i + 3] - a[k + 2*j]; }
          *out = a[0]; }""",
    # Nine sums that hang together, one under the other, where all bounds are numbers.
    "neighbours-around-a-ring": """
        void f(unsigned long *g, unsigned long *o) {
          for (int y = 0; y < 48; y++) {
            unsigned long r = 0;
            for (int x = 0; x < 64; x++) {
              int n = 0;
              for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)
                if (dy || dx) n += g[(y + dy + 48) % 48] >> ((x + dx) & 63) & 1;
              if (n == 3 || (n == 2 && g[y] >> x & 1)) r |= 1ul << x;
            }
            o[y] = r; } }""",
    "forty-statements": f"""
        double A[41][200], B[200];
        void f(void) {{ for (int i = 1; i < 200; i++) {{ {statements(40)} }} }}""",
    "batched-products": f"""
        float A[9][9][9][10][10], B[9][9][9][10][10], C[9][9][9][10][10];
        void f(void) {{
          {nest("abcij", "9", "C[a][b][c][i][j] = 0;")}
          {nest("abcijk", "9", "C[a][b][c][i][j] += A[a][b][c][i][k] * B[a][b][c][k][j];")}
          {nest("abcij", "9", "A[a][b][c][i][j] = C[a][b][c][j][i] * 2;")} }}""",
    "twenty-nests": lines(
        "void f(int n, double a[n][n], double b[n][n]) {",
        *(f"{nest('ij', 'n', f'a[i][j] = a[i][j] * {k} + b[j][i];')}" for k in range(20)),
        "}",
    ),
    "chosen-in-a-row": lines(
        "int a[100]; void f(int n) { int k = n;",
        *(f"k = k > {c} ? k - {c} : k + 1;" for c in range(30)),
        "for (int i = 0; i < n; i++) a[(k + i) % 100] = i; }",
    ),
    "long-straight-code": lines(
        "double a[100], b[9]; void f(int n) {",
        *(f"b[{c % 9}] += a[{c % 100}];" for c in range(400)),
        "for (int i = 0; i < n; i++) a[i] += b[0]; }",
    ),
    "long-else-ifs": lines(
        "double a[100]; void f(int n) { int r = 0;",
        " else ".join(f"if (n == {c * c}) r = {c % 31};" for c in range(250)),
        "for (int i = 0; i < n; i++) a[i] += r; }",
    ),
    "long-else-ifs-on-data": lines(
        "double a[100]; int w[100]; void f(int n) { for (int i = 0; i < n; i++) { int r = 0;",
        " else ".join(f"if (w[i] == {c * c}) r = {c % 31};" for c in range(250)),
        "a[i] += r; } }",
    ),
    "long-condition": lines(
        "int a[1000]; void f(int n) { for (int i = 0; i < n; i++) if (",
        " && ".join(f"i != {3 * c}" for c in range(250)),
        ") a[i] = i; }",
    ),
}


@pytest.mark.parametrize("name", INPUTS)
def test_an_ordinary_input_takes_seconds(name: str, tmp_path: Path):
    source = tmp_path / f"{name}.c"
    source.write_text(INPUTS[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    assert main(["-O3", "-w", "-c", str(source), "-o", str(tmp_path / "made.o")]) == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < SECONDS
