"""Where tests are found: folders mirror rooms, and what does not is listed."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from lit_features import missing
from room_tests import main as run_room
from rooms import ROOT, is_test, own_tests_of, rooms, settings
from rooms import tests_of as listed_tests
from xdsl.ir import Dialect

from polyopt.universe import DIALECTS, PASSES


@pytest.mark.parametrize("room", rooms())
def test_every_room_has_tests(room: str):
    assert listed_tests(room), "make a folder of its name under tests, or say so in rooms.toml"


@pytest.mark.parametrize("room", rooms())
def test_a_room_and_those_inside_it_have_all_its_tests(room: str):
    inside = [one for one in rooms() if one == room or one.startswith(f"{room}/")]
    parts = {file for one in inside for file in own_tests_of(one)}
    places = [ROOT / place for place in listed_tests(room)]
    all_ = [path for place in places for path in ([place] if place.is_file() else place.rglob("*"))]
    assert parts >= {str(path.relative_to(ROOT)) for path in all_ if is_test(path)}


def test_tests_of_rooms_inside_come_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch):
    asked = list[list[str]]()

    def note(arguments: list[str]) -> int:
        asked.append(arguments)
        return 0

    monkeypatch.setattr(pytest, "main", note)
    assert [run_room(["passes/loops", *more]) for more in ([], ["--inside", "-x"])] == [0, 0]
    own, both = asked
    deeper = "tests/passes/loops/vectors"
    assert "tests/passes/loops/test_divider.py" in own
    assert not [one for one in own if one.startswith(deeper)]
    assert {"-x", "tests/passes/loops"} <= set(both)
    assert "--inside" not in both
    assert run_room(["passes/lops"]) == 2
    assert len(asked) == 2


def test_what_is_listed_is_there():
    listed = settings()["tests"]
    assert {*listed, *settings()["long"]["rooms"]} <= set(rooms())
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
    lines = (line for path in lit_files() for line in path.read_text().splitlines())
    return "\n".join(line for line in lines if "RUN:" in line)


def lit_files() -> list[Path]:
    found = (ROOT / "lit_tests" / "passes").rglob("*.*")
    return [path for path in found if "Output" not in path.parts]


def test_every_pass_is_run_by_a_lit_test():
    """By its name: that the compiler runs it somewhere on the way says little about it."""
    words = set(re.findall(r"[\w-]+", run_lines()))
    assert [name for name in PASSES if name not in words] == []


REFUSE_NOTHING = {
    "print-regions": "a way round that is no loop is shown as no loop: its edge file",
    "poly-print-dependences": "every SCoP has dependences, or none",
    "keep-as-written": "requires nothing",
    "time-nests": "requires nothing of SCoPs",
    "poly-weigh": "what is not weighed is told so: its first file",
    "keep-what-pays": "what does not pay is not kept: its first file",
}
"""Why these have no file of their own about what they refuse."""


def shown_or_judged() -> list[str]:
    words = ("print", "export", "import")
    return [
        name
        for name, place in PASSES.items()
        if re.search(r"\.(judge|loops)\.", place) or set(words) & set(name.split("-"))
    ]


@pytest.mark.parametrize("name", shown_or_judged())
def test_three_kinds_of_lit_files(name: str):
    """One where the pass does its work, one where it refuses, one at the edge: those in its own
    folder, and those that name it."""
    word = re.compile(rf"(?<![\w-]){name}(?![\w-])")
    kinds = set[str]()
    for path in lit_files():
        lines = path.read_text(encoding="utf-8").splitlines()
        runs = [line for line in lines if "RUN:" in line]
        if name not in path.parts:
            runs = [line for line in runs if word.search(line)]
        if not runs:
            continue
        is_edge = re.search(r"\bedge$", path.stem) is not None
        if is_edge:
            kinds.add("edge")
        if re.search(r"refus|leaves", path.stem) or any(" not polyopt" in one for one in runs):
            kinds.add("refuses")
        if not is_edge and any(" not polyopt" not in one for one in runs):
            kinds.add("does")
    wanted = {"does", "refuses", "edge"} - ({"refuses"} if name in REFUSE_NOTHING else set())
    assert kinds >= wanted, sorted(wanted - kinds)


def run_alone(name: str) -> list[Path]:
    """Files of IR that no C front end made, of which some command runs the pass and no other."""
    alone = re.compile(rf"-p +(['\"]?){name}(\{{[^}}]*\}})?\1(?=\s|$)")
    return [
        path
        for path in lit_files()
        if path.suffix != ".c"
        and any(
            alone.search(line) and "RUN:" in line
            for line in path.read_text(encoding="utf-8").splitlines()
        )
    ]


@pytest.mark.parametrize("name", [one for one, place in PASSES.items() if ".loops." in place])
def test_a_pass_of_the_loop_stage_is_shown_alone(name: str):
    """So that it can be used on the loops of any other front end."""
    assert run_alone(name)


@pytest.mark.parametrize("name", DIALECTS)
def test_each_operation_is_printed_and_read_again(name: str):
    """In its pretty and its generic form, by a lit file of the dialect; and some are refused."""
    folder = ROOT / "lit_tests" / "dialects" / name
    assert any(folder.glob("*invalid*.mlir"))
    texts = [path.read_text(encoding="utf-8") for path in folder.glob("*.mlir")]
    both = re.compile(r"RUN: (ROUNDTRIP|polyopt-opt %s --print-op-generic \| polyopt-opt \|)")
    shown = set(re.findall(r"[\w.]+", "\n".join(text for text in texts if both.search(text))))
    place, _, attribute = DIALECTS[name].partition(":")
    dialect: Dialect = getattr(import_module(place), attribute)
    assert [op.name for op in dialect.operations if op.name not in shown] == []


def _is_test(path: Path) -> bool:
    return "Output" not in path.parts and (path.is_dir() or path.suffix == ".mlir")
