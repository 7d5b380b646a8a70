"""Each loop in a sentence: what was done, or what stands against it; by hand, from C."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.passes.judge.keep_what_pays import KeepWhatPaysPass
from polyopt.report.loop_verdict import LoopVerdict
from polyopt.report.verdicts import verdicts


def told(text: str, *options: str) -> dict[int, LoopVerdict]:
    """The verdict of the only loop that begins in each line."""
    contents = observe(Source("k.c", text), read_settings(["-O3", "-march=x86-64-v3", *options]))
    found = verdicts(contents)
    by_line = {one.loop.start.line: one for one in found}
    assert len(by_line) == len(found)
    return by_line


def test_independent_iterations():
    one = told(
        """void f(int n, double x[restrict n], double y[restrict n]) {
             for (int i = 0; i < n; i++)
               x[i] = 2 * y[i];
           }""",
        "--poly=identity",
    )[2]
    assert (one.status, one.headline) == ("free", "iterations are independent")


def test_a_recurrence_names_the_pair_of_iterations():
    one = told(
        """void f(int n, double x[restrict n]) {
             for (int i = 3; i < n; i++)
               x[i] = 2 * x[i - 3];
           }""",
        "--poly=identity",
    )[2]
    assert one.status == "held"
    assert any(
        "line 3 at i = 6 needs x[3], which line 3 at i = 3 computes" in text for text in one.details
    )


def test_a_sum_says_which_flag_would_help():
    text = """double s;
           void f(int n, double x[restrict n]) {
             for (int i = 0; i < n; i++)
               s += x[i];
           }"""
    one = told(text, "--poly=identity")[3]
    assert one.status == "held"
    assert any("-fassociative-math" in detail for detail in one.details)
    free = told(text, "--poly=identity", "-ffast-math")[3]
    assert (free.status, free.headline) == ("partly", "iterations only update s, in any order")


def test_a_recurrence_is_no_sum():
    """Whatever the order of additions, x[i] needs x[i - 1]."""
    one = told(
        """void f(int n, double x[restrict n]) {
             for (int i = 1; i < n; i++)
               x[i] += x[i - 1];
           }""",
        "--poly=identity",
    )[2]
    assert one.status == "held"
    assert not any("math" in detail for detail in one.details)


def test_what_is_known_only_in_the_run():
    one = told(
        """void f(int n, double x[restrict n], int p[restrict n]) {
             for (int i = 0; i < n; i++)
               x[p[i]] = i;
           }""",
        "--poly=identity",
    )[2]
    assert any("shows only in the run" in detail for detail in one.details)


def test_of_what_is_left_the_first_words_say_that_llvm_makes_vectors():
    one = told(
        """void axpy(int n, double *restrict y, const double *restrict x) {
             for (int i = 0; i < n; i++)
               y[i] += 2 * x[i];
           }""",
        "--skip-pass=affine-vectorize",
    )[2]
    assert one.headline == "left as it is written, in vectors by LLVM: iterations are independent"
    assert "LLVM makes vectors of 32 bytes of it." in one.details


def test_what_does_not_pay_is_left_and_says_what_it_carries():
    """With the colour of what it carries: that is known all the same."""
    one = told(
        """void f(int n, double x[restrict n], double y[restrict n]) {
             for (int i = 0; i < n; i++)
               x[i] = y[i / 2];
           }"""
    )[2]
    assert one.status == "free"
    assert one.headline == "left as it is written, in vectors by LLVM: iterations are independent"
    assert any("cycles" in detail for detail in one.details)


def test_a_loop_around_a_control_part_has_its_own_reason():
    found = told(
        """void f(int n, double *a, double **b) {
             for (int i = 0; i < n; i++)
               for (int j = 0; j < n; j++)
                 b[i][j] = a[j];
           }"""
    )
    assert found[2].scop is None
    assert found[2].headline == (
        "not optimised: the array's address changes while the loops run: "
        "it is read from b (a matrix x[n][m] lies in one piece, without pointers to rows)"
    )
    assert "iterations are independent" in found[3].headline


def test_loops_that_are_no_control_part_say_why():
    one = told(
        """void f(int n, double x[n]) {
             for (int i = 0; x[i] > 3; i++)
               x[i] = 2;
           }"""
    )[2]
    assert one.status == "left"
    assert "condition depends on data" in one.headline
    assert one.scop is None


def test_what_is_done_by_hand_is_told():
    nest = """void f(int n, double a[restrict n][n], double b[restrict n][n]) {
             for (int i = 0; i < n; i++)
               for (int j = 0; j < n; j++)
                 a[i][j] = b[j][i];
           }"""
    found = told(nest, "--poly=isl+tile", "--tile-sizes=16,48", "--skip-pass=affine-vectorize")
    assert "tiles of 16" in found[2].headline or "tiles of 16" in found[3].headline
    assert "tiles of 48" in found[2].headline or "tiles of 48" in found[3].headline
    assert {found[2].status, found[3].status} == {"changed"}


@pytest.mark.parametrize("steps", ["interchange S0.i S0.j", "reverse S0.j"])
def test_another_order_is_told(steps: str, tmp_path_factory: pytest.TempPathFactory):
    script = tmp_path_factory.mktemp("steps") / "k.steps"
    script.write_text(f"{steps}\n", encoding="utf-8")
    nest = """void f(int n, double a[restrict n][n]) {
             for (int i = 0; i < n; i++)
               for (int j = 0; j < n; j++)
                 a[i][j] = i + j;
           }"""
    found = told(nest, f"--schedule={script}", "--skip-pass=affine-vectorize")
    if steps.startswith("interchange"):
        assert "the order is now j, i" in found[2].headline
        assert "the order is now j, i" in found[3].headline
    else:
        assert "-j" in found[3].headline
        assert found[2].status == "free"


def test_two_loops_of_one_line_and_one_name_are_two():
    text = """void f(int n, double x[restrict n], double y[restrict n]) {
  for (int i = 0; i < n; i++) x[i] = 1; for (int i = 1; i < n; i++) y[i] = y[i - 1];
}"""
    contents = observe(Source("k.c", text), read_settings(["-O3", "--poly=identity"]))
    assert [one.status for one in verdicts(contents)] == ["free", "held"]


def test_loops_of_openmp():
    """A loop that is shared out begins with its directive."""
    text = """void f(int n, double x[restrict n], double y[restrict n]) {
             #pragma omp parallel for
             for (int i = 0; i < n; i++)
               for (int j = 1; j < n; j++)
                 y[j] = x[j];
             for (int k = 0; k < n; k++)
               x[k] = 2;
           }"""
    found = told(text, "-fopenmp", "--poly=identity")
    assert {line: one.loop.name for line, one in found.items()} == {2: "i", 4: "j", 6: "k"}
    assert found[6].status == "free"


def test_threads_are_told_where_there_are_some():
    text = """void f(int n, double x[restrict n][n], double y[restrict n]) {
             for (int i = 0; i < n; i++)
               for (int j = 0; j < n; j++)
                 x[i][j] = y[j];
             for (int k = 1; k < n; k++)
               y[k] = y[k - 1];
           }"""
    found = told(text, "-fparallel", "--poly=identity")
    assert "in threads: doall" in found[2].headline
    assert "thread" not in found[5].headline
    assert found[5].status == "held"


def test_loops_of_other_functions_are_apart():
    text = """void f(int n, double x[restrict n]) {
             for (int i = 0; i < n; i++) x[i] = 1;
           }
           void g(int n, double x[restrict n]) {
             for (int i = 1; i < n; i++) x[i] = x[i - 1];
           }"""
    found = told(text, "--poly=identity")
    assert {line: one.loop.function for line, one in found.items()} == {2: "f", 5: "g"}
    assert {line: one.status for line, one in found.items()} == {2: "free", 5: "held"}


def test_a_loop_whose_vectors_went_with_its_nest_says_so(monkeypatch: pytest.MonkeyPatch):
    """Time tiles that do not pay take the vectors in them along; LLVM makes none of its own. Here
    they do pay: the judge is told to want nearly everything."""
    judge = KeepWhatPaysPass.apply

    def strictly(self: KeepWhatPaysPass, ctx: Context, op: ModuleOp) -> None:
        judge(replace(self, gain=0.01), ctx, op)

    monkeypatch.setattr(KeepWhatPaysPass, "apply", strictly)
    text = """int a[64][64], b[64][64];
    void sums(int n, int nt) {
      for (int t = 0; t < nt; t++) {
        for (int i = 1; i < n - 1; i++)
          for (int j = 1; j < n - 1; j++)
            b[i][j] = b[i][j - 1] + (a[i - 1][j] ^ a[i + 1][j]);
        for (int i = 1; i < n - 1; i++)
          for (int j = 1; j < n - 1; j++)
            a[i][j] = b[i][j];
      }
    }"""
    found = told(text)
    assert found[3].headline.startswith("left as it is written")
    assert any(detail.startswith("Tried, and not kept: vectors") for detail in found[5].details)
    assert not any("Tried" in detail for detail in found[4].details), "told of innermost loops"


def test_a_call_of_itself_in_the_end_is_a_loop():
    """Also where it went into its caller; one that is still waited for is none."""
    found = told(
        """static void twice(int i, int n, double *x) {
             if (i < n) {
               x[i] *= 2;
               twice(i + 1, n, x);
             }
           }
           void f(int n, double *restrict x) { twice(0, n, x); }
           int power(int n) { return n < 2 ? 1 : n * power(n - 1); }
           double last(int n, const double *x) { return n == 1 ? *x : last(n - 1, x + 1); }""",
        "--poly=identity",
    )
    assert [(line, one.loop.function, one.loop.name) for line, one in found.items()] == [
        (2, "twice", "i"),
        (9, "last", "n"),
    ]
    assert found[2].headline == "iterations are independent"
    assert "nothing is stored" in found[9].headline


def test_what_is_each_iterations_own_though_it_lasts_is_named():
    """Before: independent, though each i writes the same du[k]; the nest has one for each i."""
    text = """double u[5][500][2], du[500];
    void f(int n) {
      for (int i = 1; i < 3; i++)
        for (int k = 1; k < n - 1; k++) {
          du[k] = u[i][k + 1][0] - u[i][k - 1][0];
          u[i][k][1] = u[i][k][0] + du[k];
        }
    }"""
    found = told(text)
    assert found[3].headline.endswith("iterations are independent, each with its own du")
    assert found[4].headline.endswith("iterations are independent")


def test_the_gain_of_several_nests_is_told_of_all():
    text = """void f(int n, double *restrict a, double *restrict b) {
      for (int i = 0; i < n; i++) a[i] = b[i] * 2;
      for (int i = 0; i < n; i++) a[i] += b[n - 1 - i];
    }"""
    first, second = told(text).values()
    assert next(one for one in first.details if "as they were written" in one).startswith(
        "The 2 nests from here on together: "
    )
    assert not any("written" in detail for detail in second.details)


def test_advice_that_brings_nothing_is_not_given():
    """The sums are in lanes of i: more of them at once is no gain."""
    text = """void f(int n, int t, float *restrict x, float *restrict h, float *restrict y) {
      for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < t; k++)
          s += h[k] * x[i + k];
        y[i] = s;
      }
    }"""
    found = told(text)
    assert found[2].status == "changed"
    assert not any("partial sums" in detail for detail in found[4].details)


def test_what_is_left_says_for_which_arrays_its_verdict_holds():
    text = """int g(int n, int *a, const int *b) {
      int s = 0;
      for (int i = 0; i < n; i++) { s += b[i]; a[i] = s; }
      return s;
    }"""
    (one,) = told(text).values()
    assert one.headline.startswith("left as it is written")
    assert "All this where 'b' and 'a' do not overlap: 'restrict' promises it." in one.details


def test_iterations_of_a_loop_whose_pointers_take_turns_are_the_sources():
    text = """void f(int n, int steps, double *restrict p, double *restrict q) {
      for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
          q[i] = p[i - 1] + p[i + 1];
        double *other = p; p = q; q = other;
      }
    }"""
    found = told(text, "--poly=identity")
    pattern = r"at t = (\d), i = \d needs \w\[\d\], which line 4 at t = (\d), i = \d computes"
    pairs = [re.search(pattern, detail) for detail in found[2].details]
    (pair,) = [one for one in pairs if one]
    assert int(pair[1]) == int(pair[2]) + 1
