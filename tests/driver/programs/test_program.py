"""`polyopt.compile`: C in, functions of Python out, with all that is to be known of them."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import polyopt
from polyopt.driver.programs.program import TEXTS
from polyopt.pipeline_options import POLY_CONFIGURATIONS
from polyopt.support.diagnostics import CompileError

GEMM = """\
void gemm(int n, int m, int k, double alpha, double beta,
          double C[restrict n][m], double A[restrict n][k], double B[restrict k][m])
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i][j] *= beta;
      for (int l = 0; l < k; l++)
        C[i][j] += alpha * A[i][l] * B[l][j];
    }
}
"""


GEMV = """\
void gemv(int n, int m, double alpha, double beta,
          double y[restrict n], double A[restrict n][m], double x[restrict m])
{
  for (int i = 0; i < n; i++) {
    y[i] *= beta;
    for (int j = 0; j < m; j++)
      y[i] += alpha * A[i][j] * x[j];
  }
}
"""

TWICE = "void twice(int n, double A[n]) { for (int i = 0; i < n; i++) A[i] *= 2; }"


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-O1",),
        ("-O3",),
        ("-O3", "-ffast-math", "--poly=isl+tile", "--tile-sizes=4,3,2"),
        "-O3 --verify-each",
    ],
)
def test_gemm_on_arrays(options: str | tuple[str, ...]):
    n, m, k = 7, 9, 5
    random = np.random.default_rng(1)
    a, b, c = random.random((n, k)), random.random((k, m)), random.random((n, m))
    expected = 1.5 * a @ b + 1.2 * c
    polyopt.compile(GEMM, options).gemm(n, m, k, 1.5, 1.2, c, a, b)
    np.testing.assert_allclose(c, expected, rtol=1e-12)


@pytest.mark.parametrize("poly", POLY_CONFIGURATIONS)
def test_every_configuration(poly: str):
    n, m = 7, 9
    random = np.random.default_rng(1)
    a, x, y = random.random((n, m)), random.random(m), random.random(n)
    expected = 1.2 * y + 1.5 * a @ x
    polyopt.compile(GEMV, f"-O3 --verify-each --poly={poly}").gemv(n, m, 1.5, 1.2, y, a, x)
    np.testing.assert_allclose(y, expected, rtol=1e-12)


def test_path(tmp_path: Path):
    path = tmp_path / "twice.c"
    path.write_text("int twice(int x) { return 2 * x; }")
    assert polyopt.compile(path).twice(21) == 42
    assert polyopt.compile(str(path)).twice(21) == 42
    with pytest.raises(FileNotFoundError):
        polyopt.compile(str(tmp_path / "none.c"))
    with pytest.raises(FileNotFoundError, match="no C text either: that has"):
        polyopt.compile("double f(double x)")


def test_names_of_our_own_are_reached_as_items():
    program = polyopt.compile("int ir(void) { return 1; } int remarks(void) { return 2; }")
    assert (program["ir"](), program["remarks"]()) == (1, 2)
    assert program.remarks == ()
    assert set(program) == {"ir", "remarks"}


def test_remarks_tell_of_the_loops():
    remarks = polyopt.compile(GEMM, ("-O3",)).remarks
    applied = [remark for remark in remarks if remark.kind == "applied"]
    assert any("loops i, j, l" in remark.message for remark in applied)
    assert "contract-block" in {remark.id for remark in applied}
    assert all(remark.span is not None and remark.span.file == "<string>" for remark in applied)
    assert polyopt.compile(GEMM, ("-O3", "-fno-poly")).remarks == ()


def test_remarks_are_shown_line_by_line():
    """Also where Python or a notebook shows a value by itself."""
    remarks = polyopt.compile(GEMM, ("-O3",)).remarks
    assert str(remarks) == repr(remarks) == "\n".join(map(str, remarks))
    shown = getattr(remarks, "_repr_html_")()
    assert remarks[0].message in shown
    assert pickle.loads(pickle.dumps(remarks)) == remarks
    assert repr(polyopt.compile("int one(void) { return 1; }").remarks) == "(no remarks)"


@pytest.mark.parametrize("level", TEXTS)
def test_text_at_every_level(level: str):
    expected = {"preprocessed": "void twice", "poly": "poly.scop", "schedule": "poly.scop"}
    text = polyopt.compile(TWICE).ir(level)
    assert expected.get(level, "twice") in text


def test_unknown_level():
    with pytest.raises(ValueError, match="unknown level 'machine': expected one of preprocessed"):
        polyopt.compile(TWICE).ir("machine")


def test_mistake_in_the_text():
    with pytest.raises(CompileError) as raised:
        polyopt.compile("int f(int x) { return y; }")
    assert raised.value.__notes__ == [
        "<string>:1:23: error: use of undeclared name 'y'\n"
        "  int f(int x) { return y; }\n"
        "                        ^"
    ]


def test_mistake_in_the_options():
    with pytest.raises(CompileError, match="unknown option '-ffast-mat'"):
        polyopt.compile(GEMM, "-ffast-mat")
    with pytest.raises(CompileError, match="unknown pass 'poly-tiles'"):
        polyopt.compile(GEMM, "--skip-pass=poly-tiles")


def test_warnings():
    doubtful = "int f(void) { int unused; return 1; }"
    with pytest.warns(UserWarning, match="unused variable 'unused'"):
        polyopt.compile(doubtful, "-Wall")
    with pytest.raises(CompileError, match="unused variable 'unused'"):
        polyopt.compile(doubtful, "-Wall -Werror")
    polyopt.compile(doubtful, "-Wall -w")
