"""Progress is told to who looks on, when it takes long."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from polyopt.driver.building import making
from polyopt.support import progress
from polyopt.support.progress import Progress
from polyopt.tools import polyopt_cc


def test_nothing_is_said_where_nobody_looks_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Progress("counting") as counting:
        counting.say("one")
    assert capsys.readouterr() == ("", "")


def test_nothing_is_said_of_what_is_short(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "is_looked_on", lambda: True)
    with Progress("counting") as counting:
        counting.say("one")
    assert capsys.readouterr() == ("", "")


@pytest.fixture
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a busy machine takes for it, no time goes by; what is said is said at once."""
    monkeypatch.setattr(progress, "monotonic", lambda: 1.0)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)


@pytest.mark.usefixtures("still_clock")
def test_what_is_long_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("counting") as counting:
        counting.say("one")
        counting.say("two")
    assert "counting, 0 s: two" in terminal.getvalue()


@pytest.mark.usefixtures("still_clock")
def test_nothing_moves_while_it_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[str]()

    class Line:
        def __init__(self, text: str) -> None:
            self.text = text

        def start(self) -> None:
            shown.append(self.text)

        def stop(self) -> None:
            shown.append("gone")

    def status(_: object, text: str) -> Line:
        return Line(text)

    monkeypatch.setattr("rich.console.Console.status", status)
    monkeypatch.setattr(progress, "is_looked_on", lambda: True)
    with Progress("counting") as counting:
        counting.rest()
        counting.say("one")
        counting.rest()
        counting.say("two")
    assert shown == ["counting, 0 s: one", "gone", "counting, 0 s: two", "gone"]


def test_compiling_tells_which_pass_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = list[str]()

    def say(_: Progress, line: str) -> None:
        said.append(line)

    monkeypatch.setattr(Progress, "say", say)
    source = tmp_path / "f.c"
    source.write_text("void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = 1; }")
    words = ["-O3", "--cache=off", "-c", str(source), "-o", str(tmp_path / "f.o")]
    assert polyopt_cc.main(words) == 0
    assert said == []
    monkeypatch.setattr(making, "is_looked_on", lambda: True)
    assert polyopt_cc.main(words) == 0
    assert said.index("detect-scops") < said.index("affine-to-scf")
    assert said[-1] == "affine-to-scf is done"
    said.clear()
    assert polyopt_cc.main([*words, "--time-passes"]) == 0
    assert said == []


@pytest.mark.usefixtures("still_clock")
def test_a_notebook_without_widgets_has_a_line_that_is_written_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        assert name == "ipywidgets"

    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.setattr("importlib.util.find_spec", missing)
    with Progress("counting") as counting:
        counting.say("one, and more")
        counting.say("two")
    _, first, second, blank, end = capsys.readouterr().err.split("\r")
    assert first == "counting, 0 s: one, and more"
    assert second == "counting, 0 s: two          "
    assert blank == " " * len(first)
    assert end == ""
