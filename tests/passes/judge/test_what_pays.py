"""The last judge, from C: what does not pay is as it was written, what pays is there, both run."""

import re

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import llvm_ir, lower, parse
from polyopt.support.diagnostics import SourceMap
from polyopt.support.remarks import collect_remarks

PRODUCTS_OF_10 = """
double A[500][10][10], B[500][10][10], C[500][10][10];
void f(int nb) {
    for (int b = 0; b < nb; b++)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++) {
                double s = 0;
                for (int k = 0; k < 10; k++)
                    s += A[b][i][k] * B[b][k][j];
                C[b][i][j] = s;
            }
}
"""

EIGHT_PASSES = """
double fine[129][129][129], coarse[65][65][65];
void f(int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++)
            for (int k = 0; k < n - 1; k++) {
                fine[2 * i][2 * j][2 * k] += coarse[i][j][k];
                fine[2 * i][2 * j][2 * k + 1] += coarse[i][j][k] + coarse[i][j][k + 1];
                fine[2 * i][2 * j + 1][2 * k] += coarse[i][j][k] + coarse[i][j + 1][k];
                fine[2 * i + 1][2 * j][2 * k] += coarse[i][j][k] + coarse[i + 1][j][k];
            }
}
"""

RECURRENCE = """
float x[1000], y[1000];
void f(int n) {
    float y1 = 0;
    for (int i = 0; i < n; i++) {
        y1 = x[i] / (1.5f + y1 * y1);
        y[i] = y1;
    }
}
"""

MEDIAN_OF_BYTES = """
void f(int n, const unsigned char *restrict s, unsigned char *restrict d) {
    for (int x = 0; x < n; x++) {
        unsigned char v[9];
        for (int k = 0; k < 9; k++)
            v[k] = s[x + k];
        for (int a = 0; a < 5; a++)
            for (int b = a + 1; b < 9; b++) {
                unsigned char t = v[a] < v[b] ? v[a] : v[b];
                v[b] = v[a] < v[b] ? v[b] : v[a];
                v[a] = t;
            }
        d[x] = v[4];
    }
}
"""
"""LLVM makes straight code of the network, and lanes of the iterations around it: bytes that become
ints and are bytes again do not make it larger."""

MEDIAN_OF_SQUARES = """
void f(int h, int w, const unsigned char *restrict s, unsigned char *restrict d) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            unsigned char v[12];
            int k = 0;
            for (int i = -1; i <= 1; i++)
                for (int j = -1; j <= 1; j++)
                    v[k++] = s[(y + i) * w + x + j];
            for (int a = 0; a < 5; a++)
                for (int b = a + 1; b < 9; b++) {
                    unsigned char t = v[a] < v[b] ? v[a] : v[b];
                    v[b] = v[a] < v[b] ? v[b] : v[a];
                    v[a] = t;
                }
            d[y * w + x] = v[4];
        }
}
"""
"""The window is straight code when the network is looked at: nine stores fill what it reads."""

NEAREST = """
float cx[1000], cy[1000], x[1000], y[1000], distance[1000];
int nearest[1000];
void f(int n, int m) {
    for (int i = 0; i < n; i++) {
        float least = 1e30f;
        int place = -1;
        for (int j = 0; j < m; j++) {
            float d = (x[i] - cx[j]) * (x[i] - cx[j]) + (y[i] - cy[j]) * (y[i] - cy[j]);
            if (d < least) {
                least = d;
                place = j;
            }
        }
        nearest[i] = place;
        distance[i] = least;
    }
}
"""

FEW_BYTES = """
void f(const unsigned char *s, unsigned long n, unsigned char *out) {
    unsigned long k = 0, i = 0;
    unsigned v = 0;
    while (i < n) {
        v = v * 41 + s[i++];
        if (i % 3 == 0) {
            for (int shift = 16; shift >= 0; shift -= 8)
                out[k++] = v >> shift;
            v = 0;
        }
    }
}
"""

COLUMNS = """
double A[100][100];
void f(int n, int p, int q, double c, double s) {
    for (int k = 0; k < n; k++) {
        double x = A[k][p], y = A[k][q];
        A[k][p] = c * x - s * y;
        A[k][q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = A[p][k], y = A[q][k];
        A[p][k] = c * x - s * y;
        A[q][k] = s * x + c * y;
    }
}
"""

WEIGHTS = """
float in[64][64], out[100][100];
void f(float step) {
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 100; x++) {
            float at = x * step, w[4], sum = 0;
            int left = (int)at;
            for (int i = 0; i < 4; i++)
                w[i] = 1.0f - (at - (left + i)) * (at - (left + i));
            for (int i = 0; i < 4; i++) {
                int place = left + i < 0 ? 0 : left + i > 63 ? 63 : left + i;
                sum += w[i] * in[y & 63][place];
            }
            out[y][x] = sum;
        }
}
"""

BUTTERFLIES = """
void f(int *v, unsigned n) {
    for (unsigned len = 1; len < n; len <<= 1)
        for (unsigned i = 0; i < n; i += len << 1)
            for (unsigned j = i; j < i + len; ++j) {
                int x = v[j], y = v[j + len];
                v[j] = x + y;
                v[j + len] = x - y;
            }
}
"""

ROWS_OF_A_TABLE = """
void f(int n, int d, const int *index, const float *a, const float *table, float *out) {
    for (int p = 0; p < n; p++) {
        const float *row = table + (long)index[p] * d;
        for (int i = 0; i < d; i++)
            out[i] += a[p] * row[i];
    }
}
"""

PRODUCT = """
double A[600][600], B[600][600], C[600][600];
void f(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j];
}
"""

INTERVALS = """
int t[230][230];
void f(int n) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++)
            for (int k = i + 1; k < j; k++) {
                int both = t[i][k] + t[k + 1][j];
                t[i][j] = t[i][j] > both ? t[i][j] : both;
            }
}
"""

BLOCKS_OF_8 = """
short c[200][64], o[200][64];
static void row(int *b) {
    int x0 = b[0] + b[4], x1 = b[0] - b[4];
    int x2 = (b[2] * 1108 - b[6] * 2676) >> 11, x3 = (b[2] * 2676 + b[6] * 1108) >> 11;
    int y0 = (b[1] * 2841 + b[7] * 565) >> 11, y1 = (b[1] * 565 - b[7] * 2841) >> 11;
    int y2 = (b[5] * 2408 + b[3] * 1609) >> 11, y3 = (b[5] * 1609 - b[3] * 2408) >> 11;
    b[0] = x0 + x3 + y0, b[1] = x1 + x2 + y1, b[2] = x1 - x2 + y2, b[3] = x0 - x3 + y3;
    b[4] = x0 - x3 - y3, b[5] = x1 - x2 - y2, b[6] = x1 + x2 - y1, b[7] = x0 + x3 - y0;
}
void f(int n) {
    for (int k = 0; k < n; k++) {
        int b[64], t[8];
        for (int i = 0; i < 64; i++)
            b[i] = c[k][i];
        for (int i = 0; i < 8; i++)
            row(b + 8 * i);
        for (int j = 0; j < 8; j++) {
            for (int i = 0; i < 8; i++)
                t[i] = b[8 * i + j];
            row(t);
            for (int i = 0; i < 8; i++)
                o[k][8 * i + j] = t[i] >> 6;
        }
    }
}
"""


def settings(poly: str = "auto", march: str = "x86-64-v3") -> Settings:
    """Loops are told apart by what LLVM is asked of them, also where they are as they were."""
    return Settings(
        opt_level=3,
        march=march,
        associative_math=True,
        poly=poly,
        skipped_passes=("mark-changing-steps", "mark-scattered-stores", "peel-doublings"),
    )


def module_ir(text: str, poly: str, march: str = "x86-64-v3") -> tuple[str, list[str]]:
    with collect_remarks() as remarks:
        unit = parse(Source("t.c", text), settings(poly, march), SourceMap())
        lower(unit)
    ids = [one.id for one in remarks.items if one.id in ("pays", "does-not-pay")]
    return llvm_ir(unit, optimised=False), ids


LEFT_ALONE = (
    EIGHT_PASSES,
    MEDIAN_OF_BYTES,
    MEDIAN_OF_SQUARES,
    RECURRENCE,
    COLUMNS,
    WEIGHTS,
    BUTTERFLIES,
    ROWS_OF_A_TABLE,
)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_does_not_pay_is_as_it_was_written(text: str):
    found, ids = module_ir(text, "auto")
    assert ids == ["does-not-pay"]
    assert found == module_ir(text, "none")[0]


def test_what_is_not_judged_is_as_it_was_written():
    """The three stores of the window are in no static control part: there is nothing to compare."""
    found, ids = module_ir(FEW_BYTES, "auto")
    assert ids == []
    assert found == module_ir(FEW_BYTES, "none")[0]


def test_a_small_array_that_is_filled_first_is_registers():
    """LLVM unrolls what fills it and what is done with it, and takes columns as lanes."""
    assert module_ir(BLOCKS_OF_8, "auto")[1] == ["does-not-pay"]


def test_tiles_that_are_cut_short_count_as_the_parts_that_they_are():
    """Of intervals of 230 there are ten and a half tiles, in five rows of up to four."""
    assert module_ir(INTERVALS, "auto", "x86-64-v4")[1] == ["pays"]


def test_products_of_ten_fit_tiles_of_wide_vectors():
    """Rows of ten are two vectors of eight; LLVM adds up along rows that it gathers."""
    assert module_ir(PRODUCTS_OF_10, "auto", "x86-64-v4")[1] == ["pays"]


@pytest.mark.parametrize(("text", "vector"), [(PRODUCT, "double"), (NEAREST, "float")])
def test_what_pays_stays(text: str, vector: str):
    found, ids = module_ir(text, "auto")
    assert ids == ["pays"]
    assert re.search(rf"<\d+ x {vector}>", found)


@pytest.mark.parametrize(("counter", "id"), [("size_t", "pays"), ("long", "does-not-pay")])
def test_what_may_wrap_is_no_stride_to_llvm(counter: str, id: str):
    """Every third byte, from three places on: of a sum that may wrap LLVM knows no more than of
    places from a table, and loads one by one."""
    text = f"""
    #include <stddef.h>
    void f({counter} n, const unsigned char *restrict x, unsigned char *restrict y) {{
        for ({counter} b = 0; b < 3; b++)
            for ({counter} i = 0; i < n; i++)
                y[b * n + i] = x[3 * i + b];
    }}"""
    assert module_ir(text, "auto", "x86-64-v4")[1] == [id]


def test_a_choice_of_a_person_is_no_trial():
    assert module_ir(PRODUCTS_OF_10, "isl+tile")[1] == []
