"""`%%polyopt`: a cell of C; its functions, what is told beneath, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polyopt.support.diagnostics import CompileError
from polyopt.tools.notebook import Beneath, load_ipython_extension, read_line, run_cell, run_magic

CELL = """void twice(int n, double x[n])
{
    for (int i = 0; i < n; i++)
        x[i] += x[i];
}
int main(void) { return 0; }
"""


def html(shown: object) -> str:
    """What a notebook shows."""
    return getattr(shown, "_repr_html_")()


def ran(line: str, cell: str = CELL, **names: Any) -> tuple[dict[str, Any], list[object]]:
    """What the namespace holds afterwards, and what was shown."""
    shown = list[object]()
    run_magic(line, cell, names, names.update, shown.append)
    return names, shown


def test_functions_are_in_the_namespace():
    names, (beneath,) = ran("--name=kernels")
    assert set(names) == {"twice", "_polyopt", "kernels"}
    x = np.arange(3.0)
    names["twice"](3, x)
    assert x.tolist() == [0, 2, 4]
    assert "<cell>:3:21: analysis: static control part" in repr(beneath)
    assert isinstance(beneath, Beneath)
    assert "void twice(int n, double x[n])" in html(beneath)


def test_what_python_has_keeps_its_meaning():
    cell = """int sum(int a, int b) { return a + b; } int lambda(int a) { return a; }
              int twice(int a) { return sum(a, lambda(a)); }"""
    outcome = run_cell(read_line("-O1 '--time=sum(1, 2)'"), cell, {})
    assert set(outcome.names) == {"twice", "_polyopt"}
    assert outcome.names["twice"](4) == 8
    assert outcome.names["_polyopt"]["sum"](4, 5) == 9
    assert outcome.lines[:2] == (
        "sum stays Python's own: the C function is _polyopt['sum']",
        "lambda stays Python's own: the C function is _polyopt['lambda']",
    )
    assert outcome.lines[2].startswith("sum(1, 2): ")


def test_options_are_those_of_the_compiler():
    assert read_line("-O1 -DN=3").options == ("-O1", "-DN=3")
    assert read_line("").options == ("-O3",)
    names, _ = ran("-DN=7 --quiet", "int f(void) { return N; }")
    assert names["f"]() == 7


def test_quiet_and_report():
    assert ran("--quiet")[1] == []
    _, (beneath,) = ran("--report")
    assert isinstance(beneath, Beneath)
    assert "<iframe srcdoc=" in html(beneath)


def test_the_page_of_a_program_shows_itself():
    names, _ = ran("--quiet --name=kernels")
    page = names["kernels"].report()
    assert page.startswith("<!DOCTYPE html>")
    assert html(page).startswith("<iframe srcdoc=")
    assert repr(page).endswith("characters of HTML>")


def test_time():
    x = np.zeros(8)
    _, (beneath,) = ran("--time '--time=twice(8, x)'", x=x)
    first, *rest = repr(beneath).splitlines()
    assert "processor" in first
    (call,) = [line for line in rest if line.startswith("twice(8, x): ")]
    assert call.split()[-1].rstrip(")").isdigit()


def test_tune():
    x = np.zeros(64)
    names, (beneath,) = ran("'--tune=twice(64, x)' --budget=1", x=x)
    first, *_ = repr(beneath).splitlines()
    assert first.startswith("twice(64, x): ")
    assert "1 program measured" in first
    names["twice"](64, x)
    assert "nothing beats" in first or "times as fast by --poly=" in first


@pytest.mark.parametrize(
    ("line", "cell", "message"),
    [
        ("'--tune=1 +'", CELL, "--tune=1 +: not an expression of Python"),
        ("--tune=twice --budget=soon", CELL, "bad budget 'soon'"),
        ("--tune=1", "int f(int x) { return x; }", "there is nothing to tune"),
        ("--tune=1 --poly=none", CELL, "there is nothing to tune"),
        ("", "int f( { }", "<cell>:1:"),
        ("--no-such-option", CELL, "--no-such-option"),
        ("--name=if", CELL, "'if' is no name of Python"),
        ("'--time=1 +'", CELL, "not an expression of Python"),
        (
            "--time=twice(there)",
            CELL,
            "NameError: name 'there' is not defined",
        ),
        ("--tune=twice(there)", CELL, "--tune=twice(there): NameError"),
        ("x.c", CELL, "'x.c' is no option"),
    ],
)
def test_mistakes_are_told_without_a_traceback(line: str, cell: str, message: str):
    with pytest.raises(CompileError) as raised:
        ran(line, cell)
    told: list[str] = getattr(raised.value, "_render_traceback_")()
    assert any(message in one for one in told)


def test_a_call_that_cannot_be_measured_leaves_the_functions():
    names, shown = dict[str, Any](), list[object]()
    line = "--time=twice(there) --time=abs(-1)"
    with pytest.raises(CompileError, match="'there' is not defined"):
        run_magic(line, CELL, {}, names.update, shown.append)
    assert "twice" in names
    assert "abs(-1): " in repr(shown[0])


def test_in_a_shell():
    testing = pytest.importorskip("IPython.testing.globalipapp")
    shell = testing.start_ipython() or testing.get_ipython()
    load_ipython_extension(shell)
    shell.run_cell_magic("polyopt", "--quiet", "int three(void) { return 3; }")
    assert shell.user_ns["three"]() == 3


def test_the_package_is_an_extension():
    import polyopt

    assert polyopt.load_ipython_extension is load_ipython_extension
