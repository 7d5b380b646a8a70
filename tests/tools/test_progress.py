"""Progress is told to who looks on, when it takes long."""

from __future__ import annotations

import sys

import pytest

from polyopt.tools import progress
from polyopt.tools.progress import Progress


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
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    with Progress("counting") as counting:
        counting.say("one")
    assert capsys.readouterr() == ("", "")


def test_what_is_long_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Progress("counting") as counting:
        counting.say("one")
        counting.say("two")
    assert "counting, 0 s: two" in terminal.getvalue()
