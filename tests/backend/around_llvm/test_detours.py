"""Filters that are fed their own results compute these in their registers; other straight code, and
sums along loops, are vectors as before."""

import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.detours import functions_with_detours
from polyopt.tools import polyopt_cc

FILTERS = {
    "scalars": """
void run(const int *c, const int *e, int *y, int n) {
  int p = 0, q = 0, r = 0, s = 0;
  for (int i = 0; i < n; i++) {
    int t = e[i] + ((c[0] * p + c[1] * q + c[2] * r + c[3] * s) >> 12);
    s = r, r = q, q = p, p = t;
    y[i] = t;
  }
}""",
    "struct": """
struct state { short b0, b1, b2, a1, a2, x1, x2, y1, y2; };
static void step(struct state *q, const short *x, short *y, int n) {
  while (n-- > 0) {
    int sum = q->b0 * *x + q->b1 * q->x1 + q->b2 * q->x2 - q->a1 * q->y1 - q->a2 * q->y2;
    q->x2 = q->x1, q->x1 = *x++;
    q->y2 = q->y1, q->y1 = sum >> 14;
    *y++ = q->y1;
  }
}
void run(const short *x, short *y, int n) {
  struct state q = {1200, 2400, 1200, -18000, 6500, 0, 0, 0, 0};
  step(&q, x, y, n);
}""",
    "doubles": """
void run(const double *c, const double *e, double *y, int n) {
  double p = 0, q = 0, r = 0, s = 0;
  for (int i = 0; i < n; i++) {
    double t = e[i] + (c[0] * p + c[1] * q + c[2] * r + c[3] * s);
    s = r, r = q, q = p, p = t;
    y[i] = t;
  }
}""",
}
TRIDIAGONAL = """
void run(const double *f, double *restrict c, double *restrict d, int n) {
  for (int i = 1; i < n; i++) {
    double m = 1 / (4 - c[i - 1]);
    c[i] = m;
    d[i] = (f[i] + d[i - 1]) * m;
  }
}"""
READER = """
void run(const unsigned char *s, int n, int *out) {
  int state = 0, fields = 0, rows = 0, quotes = 0;
  unsigned h = 0;
  for (int i = 0; i < n; i++) {
    int c = s[i];
    switch (state) {
    case 0:
      if (c == '"') state = 1;
      else if (c == ',') fields++;
      else if (c == '.') rows++, fields++;
      else h = h * 31 + c;
      break;
    case 1:
      if (c == '"') state = 2;
      else h = h * 33 + c;
      break;
    default:
      if (c == '"') state = 1, quotes++;
      else if (c == ',') fields++, state = 0;
      else state = 0;
    }
  }
  out[0] = fields, out[1] = rows, out[2] = quotes, out[3] = h;
}"""
WEIGHTS = """
float x[1016], d[1000], w[16], e[1000];
void run(int n, float mu) {
  for (int i = 0; i < n; i++) {
    float y = 0;
    for (int k = 0; k < 16; k++) y += w[k] * x[i + k];
    float er = d[i] - y;
    e[i] = er;
    for (int k = 0; k < 16; k++) w[k] += mu * er * x[i + k];
  }
}"""
SUM = """
int run(int n, const int *x) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * 3;
  return s;
}"""
STRAIGHT = """
int run(const int *restrict x, const int *restrict y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
}"""
ROWS = """
int run(int n, const int (*x)[4], const int *y) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += x[i][0] * y[0] + x[i][1] * y[1] + x[i][2] * y[2] + x[i][3] * y[3];
  return s;
}"""
OPTIONS = ("-O3", "-march=haswell", "-fno-poly", "-ffast-math")


def optimised(text: str, folder: Path) -> str:
    source, made = folder / "t.c", folder / "t.ll"
    source.write_text(text)
    words = [*OPTIONS, "-S", "-emit-llvm", str(source), "-o", str(made)]
    assert polyopt_cc.main(words) == 0
    return made.read_text()


@pytest.mark.parametrize("name", FILTERS)
def test_filters_wait_for_no_lanes(name: str, tmp_path: Path):
    assert "llvm.vector.reduce" not in optimised(FILTERS[name], tmp_path)


def test_what_is_divided_each_time_waits_for_no_lanes(tmp_path: Path):
    assert "x double>" not in optimised(TRIDIAGONAL, tmp_path)


def test_counters_of_a_reader_are_in_registers_of_their_own(tmp_path: Path):
    assert "x i32>" not in optimised(READER, tmp_path)


@pytest.mark.parametrize("text", [SUM, STRAIGHT, ROWS])
def test_what_waits_for_nothing_is_in_vectors(text: str, tmp_path: Path):
    made = optimised(text, tmp_path)
    assert "x i32>" in made
    assert "noimplicitfloat" not in made


def test_what_goes_to_all_lanes_is_no_detour(tmp_path: Path):
    """An adaptive filter: each weight waits for the sum of all products, and is a lane."""
    assert "fmul fast <8 x float>" in optimised(WEIGHTS, tmp_path)


def test_filters_of_files_with_more(tmp_path: Path):
    """One function's filter leaves the other functions their vectors."""
    made = optimised(FILTERS["scalars"] + STRAIGHT.replace("run", "other"), tmp_path)
    run, other = made[made.index("@run(") :].split("@other(", 1)
    assert "x i32>" not in run
    assert "llvm.vector.reduce" in other


ROUND = """
define i32 @f(i32 %n{more}) {{
entry:
  br label %loop
loop:
  %x = phi i32 [ 0, %entry ], [ %s, %loop ]
  %v = insertelement <4 x i32> zeroinitializer, i32 %{put}, i64 1
  %s = tail call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  br label %{end}
}}
"""


@pytest.mark.parametrize(
    ("given", "changes", "found"),
    [
        ("", {}, ["f"]),
        ("", {"put": "n"}, []),
        ("", {"more": ", ..."}, []),
        ("", {"end": "loop\nvector.body:"}, []),
        (ROUND.format(more="", put="n", end="loop"), {}, []),
    ],
    ids=["detour", "sum of something else", "variadic", "loop in vectors", "written so"],
)
def test_what_is_a_detour(given: str, changes: dict[str, str], found: list[str]):
    made = ROUND.format(**{"more": "", "put": "x", "end": "loop", **changes})
    assert functions_with_detours(given, made) == found


DIVIDED = """
define void @f(i32 %n) {{
loop:
  %x = phi <2 x double> [ zeroinitializer, %entry ], [ %v, %loop ]
  %a = extractelement <2 x double> %{taken}, i64 1
  %q = {operation} double 1.0, %a
  %v = insertelement <2 x double> %x, double %q, i64 0
  br label %loop
}}
"""


@pytest.mark.parametrize(
    ("given", "changes", "found"),
    [
        ("", {}, ["f"]),
        ("", {"taken": "y"}, []),
        ("", {"operation": "fmul"}, []),
        (DIVIDED.format(taken="y", operation="fdiv"), {}, []),
    ],
    ids=["detour", "what goes round is not taken out", "product", "written so"],
)
def test_what_is_divided_in_a_detour(given: str, changes: dict[str, str], found: list[str]):
    made = DIVIDED.format(**{"taken": "x", "operation": "fdiv", **changes})
    assert functions_with_detours(given, made) == found


COUNTERS = """
define void @f(i32 %n) {{
loop:
  %x = phi <2 x i32> [ zeroinitializer, %entry ], [ %w, %arm ], [ %v, %loop ]
  %v = add <2 x i32> %x, <i32 0, i32 1>
  br i1 %c, label %loop, label %arm
arm:
  %a = extractelement <2 x i32> %{taken}, i64 1
  %h = mul i32 %a, 31
  %w = insertelement <2 x i32> %x, i32 %{put}, i64 0
  br label %loop
}}
"""


@pytest.mark.parametrize(
    ("given", "changes", "found"),
    [
        ("", {}, ["f"]),
        ("", {"taken": "y"}, []),
        ("", {"put": "n"}, []),
        (COUNTERS.format(taken="y", put="h"), {}, []),
    ],
    ids=["detour", "what goes round is not taken out", "nor put back", "written so"],
)
def test_what_integers_make_a_detour(given: str, changes: dict[str, str], found: list[str]):
    made = COUNTERS.format(**{"taken": "x", "put": "h", **changes})
    assert functions_with_detours(given, made) == found


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compare with")
@pytest.mark.parametrize("name", ["scalars", "struct"])
def test_results_are_those_of_c(name: str, tmp_path: Path):
    kind = "short" if name == "struct" else "int"
    call = "run(x, y, 100)" if name == "struct" else "run(c, x, y, 100)"
    main = f"""
#include <stdio.h>
int main(void) {{
  int c[4] = {{1500, -900, 300, -100}};
  {kind} x[100], y[100];
  for (int i = 0; i < 100; i++)
    x[i] = (i * 7919) % 1000 - 500 + 0 * c[0];
  {call};
  for (int i = 0; i < 100; i++)
    printf("%d ", y[i]);
  return 0;
}}"""
    source = tmp_path / "t.c"
    source.write_text(FILTERS[name] + main)
    outputs: list[str] = []
    for compiler in ("gcc -O0", "polyopt-cc"):
        program = tmp_path / compiler.split()[0]
        words = [str(source), "-o", str(program)]
        if compiler == "polyopt-cc":
            assert polyopt_cc.main([*OPTIONS, *words]) == 0
        else:
            subprocess.run([*compiler.split(), *words], check=True)
        outputs.append(subprocess.run([program], capture_output=True, text=True).stdout)
    assert outputs[0] == outputs[1] != ""
