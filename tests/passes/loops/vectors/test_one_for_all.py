"""Under a condition on data, one element for all lanes: it is read where a lane wants it, whatever
the array is, and where none does it need not exist."""

import numpy as np
import pytest

import polyopt
from polyopt.support.target import Target

SOURCE = """
struct three { double a, b, c; };
void element(int n, int i, const double *_Nullable p, double *restrict q, const int *restrict k)
{ for (int j = 0; j < n; j++) if (k[j]) q[j] += p[i]; }
void pointed(int n, const double *_Nullable p, double *restrict q, const int *restrict k)
{ for (int j = 0; j < n; j++) if (k[j]) q[j] += *p; }
void floats(int n, const float *_Nullable p, float *restrict q, const int *restrict k)
{ for (int j = 0; j < n; j++) if (k[j]) q[j] += *p; }
void integers(int n, const int *_Nullable p, int *restrict q, const int *restrict k)
{ for (int j = 0; j < n; j++) if (k[j]) q[j] -= *p; }
void member(int n, int i, const struct three *_Nullable p, double *restrict q,
            const int *restrict k)
{ for (int j = 0; j < n; j++) if (k[j]) q[j] = p[i].b; }
void column(int n, int i, double (*p)[3], double *restrict q, const int *restrict k)
{ for (int j = 0; j < n; j++) if (k[j]) q[j] = p[i][2]; }
"""
THREE = np.dtype([("a", "f8"), ("b", "f8"), ("c", "f8")])


@pytest.mark.parametrize("march", ["x86-64-v3", "x86-64-v4", "native"])
def test_it_is_read_where_a_lane_wants_it(march: str):
    if march == "x86-64-v4" and Target.host().vector_bits < 512:
        pytest.skip("this machine has no AVX-512")
    program = polyopt.compile(SOURCE, ["-O3", f"-march={march}", "--skip-pass=keep-what-pays"])
    for n, i in ((0, 0), (1, 0), (7, 3), (8, 5), (33, 9), (70, 41)):
        for wanted in (np.zeros(n, np.int32), np.arange(n, dtype=np.int32) % 3):
            column, is_any = np.arange(150.0).reshape(50, 3), bool(wanted.any())
            records = np.zeros(50, THREE)
            records["b"] = np.arange(50) * 2.0
            q = np.arange(n) * 1.0
            cases = (
                ("element", (i, column.reshape(-1)), q, q + column.reshape(-1)[i]),
                ("pointed", (np.array([1.5]),), q, q + 1.5),
                ("floats", (np.array([2.5], np.float32),), q.astype(np.float32), q + 2.5),
                ("integers", (np.array([7], np.int32),), q.astype(np.int32), q - 7),
                ("member", (i, records), q, q * 0 + i * 2.0),
                ("column", (i, column), q, q * 0 + column[i, 2]),
            )
            for name, given, start, changed in cases:
                array = start.copy()
                if not is_any and name != "column":
                    given = (*given[:-1], None)
                program[name](n, *given, array, wanted)
                np.testing.assert_array_equal(array, np.where(wanted, changed, start), name)
