"""Where tests are found: folders mirror rooms, and what does not is listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lit_features import missing
from rooms import ROOT, rooms, settings
from rooms import tests_of as listed_tests

from polyopt.universe import PASSES


@pytest.mark.parametrize("room", rooms())
def test_every_room_has_tests(room: str):
    assert listed_tests(room), "make a folder of its name under tests, or say so in rooms.toml"


def test_what_is_listed_is_there():
    listed = settings()["tests"]
    assert set(listed) <= set(rooms())
    places = [place for more in listed.values() for place in more]
    for place in [*places, *settings()["mutation"]["tests"]]:
        assert (ROOT / place).exists(), place


def test_lit_tests_of_a_pass_are_in_its_room():
    top = ROOT / "lit_tests" / "passes"
    found = [path for path in top.rglob("*") if path.stem in PASSES and _is_test(path)]
    assert len(found) > 30
    for path in found:
        room = PASSES[path.stem].split(":")[0].split(".")[2:-1]
        assert path.parent == top.joinpath(*room), path


def test_what_a_lit_file_requires_is_asked_for():
    text = "// REQUIRES: cc, avx512\n// RUN: true\n// REQUIRES: avx2\n"
    assert missing(text, {"cc", "avx2"}) == ["avx512"]
    assert missing("// RUN: true", ()) == []


def run_lines() -> str:
    """What the lit tests of passes run."""
    texts = (path.read_text() for path in (ROOT / "lit_tests" / "passes").rglob("*.*"))
    return "\n".join(line for text in texts for line in text.splitlines() if "RUN:" in line)


def test_every_pass_is_run_by_a_lit_test():
    """By its name: that the compiler runs it somewhere on the way says little about it."""
    words = set(re.findall(r"[\w-]+", run_lines()))
    assert [name for name in PASSES if name not in words] == []


def _is_test(path: Path) -> bool:
    return "Output" not in path.parts and (path.is_dir() or path.suffix == ".mlir")
