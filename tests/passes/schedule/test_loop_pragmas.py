"""`#pragma polyopt` before loops: what is asked is done, with the same results, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyopt
from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import produce
from polyopt.report.verdicts import verdicts
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import collect_remarks
from polyopt.tools.polyopt_cc import main

KERNEL = """
#define T 8
void product(int n, double C[n][n], double A[n][n], double B[n][n]) {{
  {0}
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}}
"""

ASKED = [
    ("#pragma polyopt tile(T, T, T)", "tiles of 8 x 8 x 8"),
    ("#pragma polyopt tile(5)", "tiles of 5"),
    ("#pragma polyopt interchange(i, j)", "order j, i, k"),
    ("#pragma polyopt interchange(i,k) tile(3, 4)", "order k, j, i"),
    ("#pragma polyopt permute(k, i, j)", "order k, i, j"),
    ("#pragma polyopt unroll(4)", "order of the source, i unrolled by 4"),
    ("#pragma polyopt strip(16), parallel", "order"),
    ("#pragma polyopt reverse", "order"),
    ("#pragma polyopt skew(j) tile(4, 4)", "skewed"),
    ("#pragma polyopt tile(T)\n#pragma polyopt unroll(2)", "tiles of 8, i unrolled by 2"),
    ('_Pragma("polyopt permute(j, k, i)")', "order j, k, i"),
]


def remarks_of(text: str, options: str = "-O3") -> list[Any]:
    with collect_remarks() as remarks:
        produce(Source("x.c", text), read_settings(options.split()), "affine", lambda _: None)
    return remarks.by_place()


@pytest.mark.parametrize(("pragma", "told"), ASKED)
def test_what_is_asked_is_done(pragma: str, told: str) -> None:
    text = KERNEL.format(pragma)
    orders = [one.message for one in remarks_of(text) if one.id == "poly-to-affine"]
    assert len(orders) == 1
    assert told in orders[0]
    rng = np.random.default_rng(3)
    a, b = rng.integers(-9, 9, (2, 13, 13)).astype(float)
    c = np.ones((13, 13))
    polyopt.compile(text, "-O3").product(13, c, a, b)
    assert (c == 1 + a @ b).all()  # integers, whose sums are exact


def test_other_loops_stay_as_they_were() -> None:
    """Of two functions only the one with a pragma changes."""
    other = KERNEL.format("").replace("product", "other")
    plain, asked = (
        [
            one.message
            for one in remarks_of(KERNEL.format(pragma) + other)
            if one.id == "poly-to-affine"
        ]
        for pragma in ("", "#pragma polyopt interchange(i, j)")
    )
    assert plain[1] == asked[1]
    assert plain[0] != asked[0]


LOOPS = """
void f(int n, double a[n][n]) {{
  {0}
  for (int i = 1; i < n; i++) {{
    {1}
    for (int j = 0; j < n - 1; j++)
      a[i][j] = a[i - 1][j + 1] * 2;
  }}
}}
"""

REFUSED = [
    ("interchange(i, j)", "", "flow dependence from S0 to S0"),
    ("tile(4, 4)", "", "is not kept"),
    ("vectorize", "", "vectors are made of innermost loops"),
    ("reverse", "", "is not kept"),
    ("parallel", "", "carries the flow dependence"),
    ("tile(4, 4, 4)", "", "3 sizes for the loops i, j"),
    ("interchange(i, k)", "", "k"),
    ("tile(4, x)", "", "'tile(4, x)' cannot be obeyed"),
    ("tile", "", "'tile' cannot be obeyed"),
    ("unroll(4) tiel(4)", "", "there is no clause 'tiel'"),
    ("off tile(4)", "", "stands alone"),
    ("tile(4", "", "cannot be obeyed"),
    ("", "tile(4, 4)", "2 sizes for the loops j"),
]


@pytest.mark.parametrize(("outer", "inner", "message"), REFUSED)
def test_what_is_wrong_is_an_error_at_the_pragma(outer: str, inner: str, message: str) -> None:
    words = [f"#pragma polyopt {one}" if one else "" for one in (outer, inner)]
    text = LOOPS.format(*words)
    with pytest.raises(CompileError) as error:
        polyopt.compile(text, "-O2")
    assert message in error.value.diagnostic.message
    span = error.value.diagnostic.span
    assert span is not None
    assert text.splitlines()[span.line - 1].strip() in words
    assert "#pragma polyopt" in error.value.render()


def test_legal_ones_of_the_same_loops() -> None:
    with pytest.raises(CompileError, match="is not kept"):
        polyopt.compile(LOOPS.format("#pragma polyopt tile(3, 4)", ""), "-O2")
    inner = polyopt.compile(LOOPS.format("", "#pragma polyopt vectorize"), "-O2")
    a = np.arange(49.0).reshape(7, 7)
    expected = a.copy()
    for i in range(1, 7):
        expected[i, :6] = expected[i - 1, 1:] * 2
    inner.f(7, a)
    assert (a == expected).all()


def test_off_and_optnone_leave_loops_alone() -> None:
    text = """
    void f(int n, double *restrict a, double *restrict b) {
      #pragma polyopt off
      for (int i = 0; i < n; i++) a[i] = 2 * b[i];
      for (int i = 0; i < n; i++) b[i] = 3;
    }
    __attribute__((optnone)) void g(int n, double a[n]) {
      for (int i = 0; i < n; i++) a[i] = 4;
    }
    """
    found = {(one.id, one.span.line) for one in remarks_of(text) if one.span is not None}
    assert ("pragma-off", 4) in found
    assert ("detect-scops", 5) in found
    assert ("optnone", 7) in found
    assert not [line for id, line in found if id == "detect-scops" and line != 5]
    assert (
        "cmem.left_alone"
        not in produce(Source("x.c", text), read_settings(["-O3"]), "scf", lambda _: None).__str__()
    )


NOT_OBEYED = """
int g(int);
void f(int n, int a[n]) {
  #pragma polyopt tile(8)
  for (int i = 0; i < n; i++) a[i] = g(i);
}
"""


def test_what_cannot_be_obeyed_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, by parts of the file too, and again when the object comes from the cache."""
    monkeypatch.setenv("POLYOPT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text(NOT_OBEYED)
    words = ["-O2", "-c", "f.c", "-o", "f.o"]
    for jobs in ([], [], ["-j2", "--cache=off"]):
        assert main([*words, *jobs]) == 0
        told = capsys.readouterr().err
        first, quoted, *_ = told.splitlines()
        assert first.startswith("f.c:4:3: warning: the loop over i is in no static control part")
        assert first.endswith("[-Wpass-failed]")
        assert quoted.strip() == "#pragma polyopt tile(8)"
        assert told.count("warning") == 1
    assert main([*words, "-Wno-pass-failed"]) == 0
    assert capsys.readouterr().err == ""
    Path("f.o").unlink()
    assert main([*words, "-Werror=pass-failed"]) == 1
    assert not Path("f.o").exists()


def test_what_cannot_be_obeyed_is_warned_of_in_python(tmp_path: Path) -> None:
    """Again, where the library comes from the cache."""
    text = NOT_OBEYED + "int g(int i) { static volatile int s; return s += i; }"
    for _ in range(2):
        with pytest.warns(UserWarning, match="the loop over i is in no static control part"):
            polyopt.compile(text, "-O2", cache=str(tmp_path))


def test_a_pragma_without_a_loop_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="has no loop with a counter behind it"):
        polyopt.compile("void f(int n) {\n#pragma polyopt tile(4)\nwhile (n) n--; }", "-O0")
    with pytest.warns(UserWarning, match="is not known"):
        polyopt.compile("void f(int n) {\n#pragma polyopt faster\nfor (;n; n--); }", "-O0")


def test_without_optimisation_nothing_is_asked() -> None:
    """The illegal one, too: no loop changes."""
    made = polyopt.compile(LOOPS.format("#pragma polyopt interchange(i, j)", ""), "-O1")
    assert "f" in list(made)


def test_threads_are_asked_for_where_there_are_any() -> None:
    text = KERNEL.format("#pragma polyopt tile(4, 4) parallel")
    told = remarks_of(text)
    assert not [one for one in told if one.id == "affine-parallelize"]
    (missed,) = [one for one in told if one.id == "no-parallel"]
    assert "'-fparallel' permits more" in missed.message
    settings = read_settings(["-O3", "-fparallel"])
    text = str(produce(Source("x.c", text), settings, "schedule", lambda _: None))
    assert "threads" in text


def test_carried_loops_run_neither_in_vectors_nor_in_threads() -> None:
    text = """
    void f(int n, double a[n]) {{
      #pragma polyopt {0}
      for (int i = 1; i < n; i++) a[i] += a[i - 1];
    }}
    """
    wanted = "carries the flow dependence from S0 to S0"
    with pytest.raises(CompileError, match=wanted):
        polyopt.compile(text.format("vectorize"), "-O3")


def test_loops_that_were_inlined_are_meant_wherever_they_are() -> None:
    text = """
    static void twice(int n, double a[n][n]) {
      #pragma polyopt interchange(i, j)
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] *= 2;
    }
    void f(int n, double a[n][n]) { twice(n, a); }
    void g(int n, double a[n][n], double b[n][n]) { twice(n, b); }
    """
    orders = [one.message for one in remarks_of(text) if one.id == "poly-to-affine"]
    assert orders
    assert all("order j, i" in one for one in orders)


def test_no_judge_takes_back_what_is_asked():
    """Tiles of 4 x 4 of a copy cost more than its rows, as far as the model knows."""
    text = """void f(int n, double A[restrict n][n], double B[restrict n][n]) {
      #pragma polyopt tile(4, 4)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          A[i][j] = B[i][j] * 2;
    }"""
    with collect_remarks() as remarks:
        produce(Source("x.c", text), read_settings(["-O3"]), "scf", lambda _: None)
    kinds = {one.kind for one in remarks.items if "tiles of 4 x 4" in one.message}
    assert kinds == {"applied"}
    assert not any(one.id == "does-not-pay" for one in remarks.items)


def test_parallel_without_threads_leaves_the_loop_to_the_compiler():
    text = KERNEL.format("#pragma polyopt parallel")
    plain = KERNEL.format("")
    asked, left = ([(o.id, o.message) for o in remarks_of(one)] for one in (text, plain))
    assert [one for one in asked if one[0] != "no-parallel"] == left


def test_all_that_is_wrong_is_told_as_it_was_written() -> None:
    """Of clauses that are written wrongly all, and of illegal ones those of all nests."""
    nest = LOOPS.replace("void f", "void {2}")
    both = nest.format("#pragma polyopt interchange(i, j)", "", "f")
    both += nest.format("#pragma polyopt parallel", "", "g")
    with pytest.raises(CompileError) as error:
        polyopt.compile(both, "-O2")
    first, second = error.value.diagnostics
    assert first.message.startswith("'interchange(i, j)' is illegal:")
    assert second.message.startswith("'parallel' is illegal:")
    written = nest.format("#pragma polyopt unroll(-3)", "#pragma polyopt tile(4", "f")
    with pytest.raises(CompileError) as error:
        polyopt.compile(written, "-O2")
    assert [one.message for one in error.value.diagnostics] == [
        "'unroll(-3)' cannot be obeyed",
        "'tile' cannot be obeyed",
    ]


def test_threads_that_nobody_permits_are_told_of_with_the_loop() -> None:
    text = (
        "void f(int n, double *x) {\n#pragma polyopt parallel\n"
        "  for (int i = 0; i < n; i++)\n    x[i] = 1;\n"
        "  for (int i = 0; i < n; i++)\n    x[i] += x[i] * 2;\n}\n"
    )
    first, second = verdicts(observe(Source("k.c", text), read_settings(["-O2"]), code=False))
    told = "The loop runs in one thread: '-fparallel' permits more."
    assert told in first.details
    assert told not in second.details
