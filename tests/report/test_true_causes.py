"""Loops of every kind that people write, and the true cause that each verdict has to name.

The causes were found by hand: what the C means decides, not what the compiler says.
"""

from __future__ import annotations

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.verdicts import verdicts

HEAD = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double room[1000];
double elsewhere(double);
int chosen(int) __attribute__((const));
struct item { double weight; struct item *rest; };
static void add_to(double *to, double one) { *to += one; }
"""

FREE = "iterations are independent"

CAUSES: list[tuple[str, str, list[str]]] = [
    # name, the function in one line, words of the verdict of each of its loops, outermost first
    ("scaled", "(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] *= 3; }", [FREE]),
    (
        "from_far_behind",
        "(int n, double x[restrict n], double a[restrict 2 * n]) "
        "{ for (int i = 1; i < n; i++) x[i] += x[i - 1]; "
        "for (int i = 0; i < n - 60; i++) a[i + 60] = a[i] * x[i]; }",
        ["at i = 2 needs x[1]", "at i = 60 needs a[60], which line 1 at i = 0 computes"],
    ),
    (
        "through_a_table",
        "(int n, double *restrict x, int *restrict to) "
        "{ for (int k = 0; k < n; k++) x[to[k]] = k; }",
        ["where that is shows only in the run"],
    ),
    (
        "counts",
        "(int n, int *restrict bins, unsigned char *restrict of) "
        "{ for (int k = 0; k < n; k++) bins[of[k]]++; }",
        ["'#pragma omp simd' says so"],
    ),
    (
        "along_a_list",
        "(double *out, struct item *at) { for (; at; at = at->rest) *out += at->weight; }",
        ["is no sum of loop variables: it contains at, a pointer that goes on by no fixed"],
    ),
    (
        "moved_rows",
        "(int n, double (*x)[16], double (*y)[16]) "
        "{ for (int k = 0; k < n; k++) __builtin_memmove(x[k], y[k], sizeof x[k]); }",
        ["memmove lets x and y overlap: memcpy or 'restrict' says that they do not"],
    ),
    (
        "to_the_end_of_a_text",
        "(unsigned char *s) { for (; *s; s++) *s ^= 32; }",
        ["it contains what is read from s"],
    ),
    (
        "doubles",
        "(int n, double *restrict x) { for (long at = 1; at < n; at = at * 3 ^ at) x[at] = 1; }",
        ["it contains at, which does not change by the same amount each time"],
    ),
    (
        "watches",
        "(int n, volatile int *port) { for (int i = 0; i < n; i++) port[0] = i; }",
        ["each access of a volatile object has to stay where it is"],
    ),
    (
        "calls_what_is_named",
        "(int n, double *restrict x, double (*each)(double)) "
        "{ for (int i = 0; i < n; i++) x[i] = each(x[i]); }",
        ["a function is called by a pointer, and may do anything"],
    ),
    (
        "leaves_the_function",
        "(int n, double *restrict x) "
        "{ for (int i = 0; i < n; i++) { if (x[i] == 7) return; x[i] = 7; } }",
        ["control may leave the function in the middle"],
    ),
    (
        "gathers",
        "(unsigned n, double *restrict x, double *restrict y) "
        "{ for (unsigned i = 0; i < n; i++) x[i] = y[i + 3u]; }",
        [FREE],
    ),
    (
        "relaxes",
        "(int n, double x[n][n]) "
        "{ for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) "
        "x[i][j] = x[i - 1][j] + x[i][j - 1]; }",
        ["may follow the one before at a distance", "an iteration needs earlier ones"],
    ),
    (
        "tells",
        '(int n, double *restrict x) { for (int i = 0; i < n; i++) printf("%g", x[i]); }',
        ["the call of printf writes in the order of the iterations"],
    ),
    (
        "makes_room",
        "(int n, void **restrict x) { for (int i = 0; i < n; i++) x[i] = malloc(24); }",
        ["the call of malloc is for the heap as it is then: get all memory in front"],
    ),
    (
        "jumps_back",
        "(int n, double *restrict x) { int i = 0; more: x[i] = 0; if (++i < n) goto more; }",
        [FREE],
    ),
    (
        "fills_a_variable",
        "(int n) { for (int i = 0; i < n; i++) room[i] = i; }",
        [FREE],
    ),
    (
        "along_columns",
        "(int n, int m, double *restrict x, double *restrict y) "
        "{ for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i + j * n] = y[j * n + i]; }",
        [FREE, FREE],
    ),
    (
        "turned_round",
        "(int n, double *restrict x) "
        "{ for (int i = 0; i < n / 2; i++) { double t = x[i]; x[i] = x[n-1-i]; x[n-1-i] = t; } }",
        [FREE],
    ),
    (
        "greatest",
        "(int n, int *restrict x, int *restrict most) "
        "{ int m = x[0]; for (int i = 1; i < n; i++) if (x[i] > m) m = x[i]; *most = m; }",
        ["iterations only update m, in any order"],
    ),
    (
        "in_turns",
        "(int n, double x[restrict 8][n]) { for (int t = 0; t < 8; t++) "
        "for (int i = 1; i < n - 1; i++) x[(t + 1) % 8][i] = x[t][i - 1] + x[t][i + 1]; }",
        ["an iteration needs earlier ones", FREE],
    ),
    (
        "half_of_them",
        "(int n, int odd, double *restrict x) "
        "{ for (int i = odd; i < n - 1; i += 2) x[i] = x[i + 1]; }",
        [FREE],
    ),
    (
        "calls",
        "(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] = elsewhere(x[i]); }",
        ["the call of elsewhere may do anything"],
    ),
    (
        "running_total",
        "(int n, double *restrict x) { for (int i = 1; i < n; i++) x[i] += x[i - 1]; }",
        ["line 1 at i = 2 needs x[1], which line 1 at i = 1 computes"],
    ),
    (
        "two_apart",
        "(int n, double *restrict x) { for (int i = 2; i < n; i++) x[i] = 5 * x[i - 2]; }",
        ["line 1 at i = 4 needs x[2], which line 1 at i = 2 computes"],
    ),
    (
        "overwrites",
        "(int n, double *restrict x) { for (int i = 0; i < n - 1; i++) x[i] = x[i + 1]; }",
        ["line 1 at i = 1 overwrites x[1], which line 1 at i = 0 still reads"],
    ),
    (
        "adds_up",
        "(int n, double *restrict x, double *restrict sum) "
        "{ for (int i = 0; i < n; i++) sum[0] += x[i]; }",
        ["-fassociative-math"],
    ),
    (
        "squares",
        "(int n, double *restrict x) { for (int i = 0; i * i < n; i++) x[i] = 1; }",
        ["it contains i * i"],
    ),
    (
        "steps",
        "(int n, int by, double *restrict x) { for (int i = 0; i < n; i += by) x[i] = 1; }",
        ["it contains i, which goes on by by, and by is no constant"],
    ),
    (
        "until_small",
        "(double *restrict x) { int i = 0; while (fabs(x[i]) > 1) { x[i] /= 2; i++; } }",
        ["the loop's condition depends on data"],
    ),
    (
        "four_sums",
        "(int n, double *restrict x, double *restrict y) "
        "{ for (int i = 0; i < n; i++) x[i % 4] += y[i]; }",
        ["line 1 at i = 4 needs x[0], which line 1 at i = 0 computes"],
    ),
    (
        "row_after_row",
        "(int n, double x[restrict n][n]) "
        "{ for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) x[i][j] = x[i - 1][j]; }",
        ["needs x[1][0], which line 1 at i = 1, j = 0 computes", FREE],
    ),
    (
        "half_as_fast",
        "(int n, double *restrict x, double *restrict y) "
        "{ for (int i = 0; i < n; i++) x[i] = y[i / 2]; }",
        [FREE],
    ),
    (
        "rows_by_data",
        "(int n, int *start, int *of, double *v, double *x, double *restrict y) "
        "{ for (int i = 0; i < n; i++) { double s = 0; "
        "for (int k = start[i]; k < start[i + 1]; k++) s += v[k] * x[of[k]]; y[i] = s; } }",
        [
            "condition of loop k is no sum of loop variables: it contains what is read from start",
            "line 1 at k = 1 needs s, which line 1 at k = 0 computes",
        ],
    ),
    (
        "downwards",
        "(int n, int by, double *restrict x) { for (int w = n; w >= by; w--) x[w] += x[w - by]; }",
        ["overwrites x[1], which line 1 at w = 2 still reads"],
    ),
    (
        "adds_by_a_function",
        "(int n, double *restrict x) { for (int t = 0; t < 3; t++) add_to(&x[0], n); }",
        ["an iteration needs earlier ones"],
    ),
    (
        "as_far_as_data_say",
        "(int n, int *x, int *y) { for (int i = 0; i < n; i++) y[i] = x[x[i]]; }",
        ["'x' may overlap 'y', and how far it goes is not known before the loops run"],
    ),
    (
        "checks",
        "(int n, unsigned char *x, unsigned *sum) { unsigned s = 1; "
        "for (int i = 0; i < n; i++) s = (s << 1 ^ s >> 31) + x[i] * s; sum[0] = s; }",
        ["needs s"],
    ),
    (
        "moving_rows",
        "(int n, double *from, double **to) "
        "{ for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) to[i][j] = from[j]; }",
        ["the array's address changes while the loops run: it is read from to", FREE],
    ),
    (
        "sums_of_rows",
        "(int n, double a[restrict n][n], double *restrict y) "
        "{ for (int i = 0; i < n; i++) { double s = 0; "
        "for (int j = 0; j < n; j++) s = s * 0.5 + a[i][j]; y[i] = s; } }",
        [FREE, "line 1 at i = 0, j = 1 needs s, which line 1 at i = 0, j = 0 computes"],
    ),
    (
        "goes_out_and_back",
        "(int m, int n, double *restrict x, double *restrict y) "
        "{ for (int i = 0; i < m; i++) { room[0] = x[i]; "
        "for (int j = 1; j < n; j++) room[j] = room[j - 1] * y[j]; y[i] = room[0]; } }",
        ["an iteration needs earlier ones", "needs room[1]"],
    ),
    (
        "uses_a_room_again",
        "(int m, int n, double a[restrict n][n], double *restrict y) "
        "{ for (int i = 0; i < m; i++) { room[0] = 1; "
        "for (int j = 1; j < n; j++) room[j] = room[j - 1] * a[i][j]; y[i] = room[n - 1]; } }",
        [
            "If nothing else reads room, declare it in the loop, so that each iteration has",
            "line 1 at i = 0, j = 2 needs room[1], which line 1 at i = 0, j = 1 computes",
        ],
    ),
    (
        "fills_what_a_function_chooses",
        "(double x[restrict 100], double *restrict y) "
        "{ for (int i = 0; i < 100; i++) { x[i] = 0; "
        "for (int j = i; j < 50; j++) x[chosen(j)] = j; y[i] = x[i]; } }",
        ["an iteration overwrites what earlier ones use", "where that is shows only in the run"],
    ),
    (
        "moves_down",
        "(int n, double *restrict x) { for (int i = 0; i < n; i++) x[i] = x[i + 1]; }",
        ["an iteration overwrites what earlier ones use"],
    ),
    (
        "filters",
        "(int n, float *restrict x, float *restrict y) { float p = 0, q = 0, r = 0; "
        "for (int i = 0; i < n; i++) "
        "{ float o = x[i] + 2 * p - 3 * q * r; r = x[i]; q = p; p = o; y[i] = o; } }",
        ["The same goes for"],
    ),
    (
        "one_or_the_other",
        "(int n, double a[restrict n][n], double *restrict y) { double r; "
        "for (int i = 1; i < n; i++) { if (y[i] > a[i][0]) "
        "{ r = a[i - 1][i]; } else { r = a[i][i - 1]; } a[0][i] = sqrt(r) * r; } }",
        ["iterations are independent"],
    ),
    (
        "sum_of_what_is_looked_up",
        "(int n, int *of, double *v, double *sum) { double s = 0; "
        "for (int k = 0; k < n; k++) s += v[of[k]]; *sum = s; }",
        ["-fassociative-math"],
    ),
    (
        "steps_by_an_argument",
        "(int n, double *restrict x, int *restrict by) "
        "{ for (int i = 0; i < n; i += by[0]) x[i] = 1; }",
        ["the loop's condition is no sum of loop variables"],
    ),
]


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """What is told of each loop of each function; all of them are one file, a line for each."""
    text = HEAD + "\n".join(f"void {name}{body}" for name, body, _ in CAUSES)
    contents = observe(Source("all.c", text), read_settings(["-O3", "--poly=identity"]))
    result = {name: list[str]() for name, _, _ in CAUSES}
    for one in verdicts(contents):
        line = f"line {one.loop.start.line} "
        result[one.loop.function].append("\n".join(one.lines()).replace(line, "line 1 "))
    return result


@pytest.mark.parametrize(("name", "causes"), [(name, causes) for name, _, causes in CAUSES])
def test_the_cause_is_named(found: dict[str, list[str]], name: str, causes: list[str]):
    assert len(found[name]) == len(causes)
    for text, cause in zip(found[name], causes, strict=True):
        assert cause in text, text
