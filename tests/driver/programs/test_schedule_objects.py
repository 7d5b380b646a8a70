"""Schedules as objects: each method is a line of a script, checked when it is made."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import polyopt
from polyopt.driver.programs.schedule import Schedule
from polyopt.poly.transform.steps import STEPS
from polyopt.support.diagnostics import CompileError

NEST = """void f(int n, double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = a[i - 1][j] + b[j][i];
}
void g(int n, double x[restrict n], double y[restrict n], double z[restrict n]) {
  for (int i = 0; i < n; i++)
    x[i] = y[i];
  for (int k = 0; k < n; k++)
    z[k] = x[k];
}
"""

METHODS: list[tuple[str, Callable[[Schedule], Schedule], str]] = [
    ("f", lambda s: s.interchange("i", "j"), "interchange S0.i S0.j"),
    ("f", lambda s: s.permute("j", "i"), "permute S0.j S0.i"),
    ("f", lambda s: s["i", "j"].permute(), "permute S0.i S0.j"),
    ("f", lambda s: s.tile("i", "j", 8, 16), "tile S0.i S0.j 8 16"),
    ("f", lambda s: s["j"].tile(32), "tile S0.j 32"),
    ("f", lambda s: s.hexagons("i", "j", 4, 2), "hexagons S0.i S0.j 4 2"),
    ("f", lambda s: s.hyperplanes("i", "j", 1, 0, 8), "hyperplanes S0.i S0.j 1 0 8"),
    ("f", lambda s: s.lattice("i", "j", 8, 0, 0, 8), "lattice S0.i S0.j 8 0 0 8"),
    (
        "f",
        lambda s: s.lattice("i", "j", 8, 0, 0, 8, where="0 <= i < 8 and 0 <= j < 8"),
        "lattice S0.i S0.j 8 0 0 8 where 0 <= i < 8 and 0 <= j < 8",
    ),
    ("f", lambda s: s.j.strip(4), "strip S0.j 4"),
    ("f", lambda s: s["j"].unroll(4), "unroll S0.j 4"),
    ("f", lambda s: s.localize("j", "b"), "localize S0.j b"),
    (
        "f",
        lambda s: s.j.strip(4)["j_tile"].localize("a")["S0.j"].strip(2),
        "strip S0.j 4\nlocalize S0.j_tile a\nstrip S0.j 2",
    ),
    ("f", lambda s: s.skew("j", "i", 2), "skew S0.j S0.i 2"),
    ("f", lambda s: s.i.shift(3), "shift S0.i 3"),
    ("f", lambda s: s.j.reverse(), "reverse S0.j"),
    ("f", lambda s: s.j.scale(2), "scale S0.j 2"),
    ("f", lambda s: s.i.peel("last", 2), "peel S0.i last 2"),
    ("f", lambda s: s.j.split("j < i"), "split S0.j where j < i"),
    ("f", lambda s: s.vectorize("j"), "vectorize S0.j"),
    ("f", lambda s: s.j.parallel(), "parallel S0.j"),
    ("g", lambda s: s.fuse("i", "k"), "fuse S0.i S1.k"),
    ("g", lambda s: s.fuse("S0", "S1").distribute("S0.i"), "fuse S0 S1\ndistribute S0.i"),
    ("g", lambda s: s.fuse("S0", "S1")["i"].distribute("S1"), "fuse S0 S1\ndistribute S0.i S1"),
    ("f", lambda s: s.apply("strip j 4  # short"), "strip S0.j 4"),
]


def html(shown: object) -> str:
    """What a notebook shows."""
    return getattr(shown, "_repr_html_")()


@cache
def made(name: str) -> Schedule:
    return polyopt.schedule(NEST, name)


def of(name: str) -> Schedule:
    """The one schedule of the function, as it was at the beginning."""
    s = made(name)
    return s.undo(len(s.script.splitlines()) - 1)


@pytest.mark.parametrize(("name", "do", "lines"), METHODS, ids=[m[2] for m in METHODS])
def test_a_method_is_a_line(name: str, do: Callable[[Schedule], Schedule], lines: str):
    done = do(of(name))
    script, loops, outline = done.script, done.loops(), str(done)
    assert script == f"scop {name}\n{lines}\n"
    again = of(name).apply(script)
    assert (again.script, again.loops(), str(again)) == (script, loops, outline)


def test_copies_are_taken_back_and_made_again():
    s = of("f").tile("i", "j", 8, 8)
    tiled = (s.script, s.loops(), str(s))
    s.localize("j_tile", "b").localize("j_tile", "a")
    copied = (s.script, s.loops(), str(s))
    assert "b_in" in copied[1]
    assert "a_out" in copied[1]
    s.undo(2)
    assert (s.script, s.loops(), str(s)) == tiled
    s.redo(2)
    assert (s.script, s.loops(), str(s)) == copied
    n = 19
    a, b = (np.random.default_rng(5).random((n, n)) for _ in range(2))
    expected = a.copy()
    for i in range(1, n):
        expected[i] = expected[i - 1] + b[:, i]
    s.compile().f(n, a, b)
    assert (a == expected).all()


def test_a_script_at_once():
    s = polyopt.schedule(NEST, "f", script="scop f\nstrip j 4")
    assert s.script == "scop f\nstrip S0.j 4\n"


def test_every_step_but_those_that_need_their_own_loops_is_a_method():
    tried = {line.split()[0] for _, _, lines in METHODS for line in lines.splitlines()}
    assert {*tried, "reorder"} == set(STEPS)
    assert all(hasattr(Schedule, step) for step in STEPS)


def test_points_outside_and_tiles_inside():
    free = "void h(int n, double x[restrict n][n]) {\n"
    free += "  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i][j] += 1;\n}"
    s = polyopt.schedule(free, "h")
    assert s.lattice("i", "j", 8, 0, 0, 8, how="dual").script == (
        "scop h\nlattice S0.i S0.j 8 0 0 8 dual\n"
    )


def test_reorder():
    free = "void h(int n, double x[restrict n], double y[restrict n]) {\n" + (
        "for (int i = 0; i < n; i++) { x[i] = 1; y[i] = 2; } }"
    )
    s = polyopt.schedule(free).reorder("S1", "S0")
    assert s.script == "scop h\nreorder S1 S0\n"


def test_an_illegal_step_names_the_dependence_and_changes_nothing():
    s = of("f").strip("j", 4)
    before = (s.script, s.loops(), str(s))
    with pytest.raises(CompileError) as raised:
        s.reverse("i")
    assert "flow dependence from S0 to S0" in raised.value.diagnostic.message
    assert "<string>:4:7" in raised.value.diagnostic.message
    assert any("'reverse S0.i' is illegal" in note for note in raised.value.__notes__)
    assert (s.script, s.loops(), str(s)) == before


def test_a_script_is_done_as_a_whole_or_not():
    s = of("f")
    with pytest.raises(CompileError):
        s.apply("strip j 4\nreverse i")
    assert s.script == "scop f\n"
    assert s.undo(0).script == "scop f\n"


def test_a_script_is_for_these_loops():
    s = of("f").apply("scop f\nstrip j 4")
    with pytest.raises(CompileError, match="these are the loops of f, not of g"):
        s.apply("scop g\nstrip i 4")
    assert s.script == "scop f\nstrip S0.j 4\n"
    with pytest.raises(CompileError, match="given as script="):
        polyopt.schedule(NEST, "f", "-O3 --schedule=x.steps")


def test_undo_and_redo():
    s = of("f")
    loops = [s.loops()]
    for step in ("interchange i j", "strip i 4", "strip j 8"):
        loops.append(s.apply(step).loops())
    assert s.undo(2).loops() == loops[1]
    assert s.redo().loops() == loops[2]
    assert s.undo().undo().loops() == loops[0]
    assert s.redo(3).loops() == loops[3]
    s.undo(3).strip("j", 2)
    with pytest.raises(ValueError, match="0 steps to do again"):
        s.redo()
    with pytest.raises(ValueError, match="1 steps to take back"):
        s.undo(2)


def test_names_are_completed():
    s = of("g")
    assert s.names == ("i", "k")
    assert {"i", "k", "tile", "undo"} <= set(dir(s))
    assert getattr(s, "_ipython_key_completions_")() == ["i", "k"]
    s.strip("i", 4)
    assert s.names == ("i_tile", "i", "k")
    with pytest.raises(AttributeError, match="no loop and no method is called 'j'"):
        _ = s.j
    assert not hasattr(s, "_no_such_thing")


def test_names_that_are_not_clear():
    twice = "void h(int n, double x[restrict n], double y[restrict n]) {\n" + (
        "for (int i = 0; i < n; i++) x[i] = 1;\nfor (int i = 0; i < n; i++) y[i] = 2; }"
    )
    s = polyopt.schedule(twice)
    assert s.names == ("S0.i", "S1.i")
    with pytest.raises(CompileError, match="2 loops are called 'i'") as raised:
        s["i"]
    assert raised.value.diagnostic.hint == "say which: S0.i, S1.i"
    assert repr(s["S1.i"]) == "<loop S1.i>"
    with pytest.raises(CompileError, match="no loop 'ii'") as raised:
        s["ii"]
    assert "hint: " in "".join(raised.value.__notes__)
    with pytest.raises(TypeError, match="takes one loop, not 2"):
        s["S0.i", "S1.i"].reverse()


def test_which_part_of_the_source():
    with pytest.raises(CompileError, match="steps for one SCoP, where there are 2"):
        polyopt.schedule(NEST)
    with pytest.raises(CompileError, match="no SCoP 'h'") as raised:
        polyopt.schedule(NEST, "h")
    assert "scop f" in "".join(raised.value.__notes__)


def test_what_is_compiled_does_what_the_source_does():
    n = 37
    random = np.random.default_rng(3)
    a, b = random.random((n, n)), random.random((n, n))
    expected = a.copy()
    for i in range(1, n):
        expected[i] = expected[i - 1] + b[:, i]
    s = of("f").interchange("i", "j").tile("j", "i", 8, 8)
    program = s.compile()
    program.f(n, a, b)
    assert (a == expected).all()
    assert any("order j, i" in one.message for one in program.remarks)
    assert any("order j, i" in one.message for one in s.remarks)


def test_threads_are_had_where_they_are_asked_for():
    s = of("f").parallel("j")
    assert any("loop j in threads" in one.message for one in s.remarks)
    assert not any("in threads" in one.message for one in s.undo().remarks)


def test_pictures(tmp_path: Path):
    s = of("f").tile("i", "j", 32, 32)
    picture = s.picture()
    assert repr(picture) == "<picture of 90 iterations of f>"
    picture.save(str(tmp_path / "f.svg"))
    picture.save(str(tmp_path / "f.html"))
    assert (tmp_path / "f.svg").read_text().startswith("<svg xmlns=")
    assert "<style>" in picture.svg
    page = (tmp_path / "f.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert 'type="range"' in page
    assert html(picture).startswith('<iframe srcdoc="&lt;!DOCTYPE')
    assert "tile of 32 along i" in html(s)


def test_text_is_shown_as_it_is():
    s = of("f")
    assert repr(s.loops()) == str(s.loops())
    assert repr(s).splitlines()[0] == "<schedule of f, 0 steps>"


def test_pickled_and_copied_schedules_go_their_own_way():
    s = polyopt.schedule(NEST, "f", "-O2").tile("i", 16)
    for again in (pickle.loads(pickle.dumps(s)), copy.copy(s), copy.deepcopy(s)):
        assert (again.script, again.loops()) == (s.script, s.loops())
        again.undo().interchange("i", "j")
        assert "interchange" not in s.script


def test_remarks_are_those_of_the_function():
    told = polyopt.schedule(NEST, "f").remarks
    assert told
    assert {one.function for one in told} == {"f"}
