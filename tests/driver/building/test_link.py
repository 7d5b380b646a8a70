"""The system's linker is asked for in one place, and missed with a clear message."""

from pathlib import Path

import pytest

from polyopt.driver.building.link import TRIED, find_linker, link
from polyopt.support.diagnostics import CompileError


@pytest.fixture
def bare_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing on it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    return tmp_path


def add_tool(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_no_linker(bare_path: Path):
    with pytest.raises(CompileError) as raised:
        find_linker()
    assert raised.value.render() == (
        "error: no system linker: none of cc, gcc, clang is on the PATH\n"
        "  hint: -c makes object files and --run runs the program in process, both without a linker"
    )


def test_first_candidate(bare_path: Path):
    add_tool(bare_path, "gcc", "")
    add_tool(bare_path, "clang", "")
    assert find_linker() == ["gcc"]


def test_linker_by_environment(bare_path: Path, monkeypatch: pytest.MonkeyPatch):
    add_tool(bare_path, "mine", "")
    monkeypatch.setenv("CC", "mine -m64")
    assert find_linker() == ["mine", "-m64"]
    monkeypatch.setenv("CC", "other")
    with pytest.raises(CompileError, match=r"the linker 'other' named by \$CC is not on the PATH"):
        find_linker()


def test_linked_file_is_whole_or_absent(bare_path: Path, tmp_path: Path):
    output = tmp_path / "program"
    add_tool(bare_path, "cc", 'while [ $# -gt 1 ]; do shift; done; echo half > "$1"; exit 3')
    with pytest.raises(CompileError, match="linking failed: cc returned 3"):
        link(["a.o"], str(output), [], verbose=False)
    assert not output.exists()


def test_command_is_shown(bare_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    add_tool(bare_path, "cc", 'while [ $# -gt 1 ]; do shift; done; echo done > "$1"')
    output = tmp_path / "program"
    link(["a.o", "-lm"], str(output), ["-shared"], verbose=True)
    assert output.read_text() == "done\n"
    assert capsys.readouterr().err == f"cc -shared a.o -lm -o {output}\n"


def test_shown_linker_shows_where_it_looks(
    bare_path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    """CMake reads the folders of libraries from it, behind the command."""
    add_tool(
        bare_path, "cc", 'echo "$1" -L/folder >&2; while [ $# -gt 1 ]; do shift; done; echo > "$1"'
    )
    output = tmp_path / "program"
    link(["a.o"], str(output), [], verbose=True)
    assert capfd.readouterr().err == f"cc a.o -o {output}\n-v -L/folder\n"


def test_output_that_cannot_be(bare_path: Path, tmp_path: Path):
    with pytest.raises(CompileError, match="Is a directory"):
        link([], str(tmp_path), [], verbose=False)
    with pytest.raises(CompileError, match="No such file or directory"):
        link([], str(tmp_path / "no" / "program"), [], verbose=False)


SCRIPT = "from polyopt.tools.polyopt_cc import main"
"""What the script says that an installer makes of the entry point."""


@pytest.mark.parametrize("words", ["polyopt-cc", "cache polyopt-cc -O2", "other-name"])
def test_compiler_is_not_its_own_linker(
    bare_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
):
    add_tool(bare_path, "polyopt-cc", SCRIPT)
    add_tool(bare_path, "cache", 'exec "$@"')
    (bare_path / "other-name").symlink_to(bare_path / "polyopt-cc")
    monkeypatch.setenv("CC", words)
    with pytest.raises(CompileError, match="is on the PATH, but for polyopt-cc itself"):
        find_linker()
    add_tool(bare_path, "gcc", "")
    assert find_linker() == ["gcc"]


def test_compiler_named_cc_is_passed_over(
    bare_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    behind = tmp_path / "behind"
    behind.mkdir()
    monkeypatch.setenv("PATH", f"{bare_path}:{behind}")
    add_tool(bare_path, "cc", SCRIPT)
    add_tool(behind, "cc", "")
    assert find_linker() == [str(behind / "cc")]


def test_linkers_that_lead_back_are_not_tried_again(
    bare_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Scripts that call polyopt-cc are seen by what stands in the environment they run in."""
    keeps_the_environment = f'while [ $# -gt 1 ]; do shift; done; echo "${TRIED}" > "$1"'
    output = tmp_path / "program"
    for name in ("wrapper", "cc", "gcc"):
        add_tool(bare_path, name, keeps_the_environment)
    monkeypatch.setenv("CC", "wrapper -O1")
    for linker in (["wrapper", "-O1"], ["cc"], ["gcc"]):
        assert find_linker() == linker
        link([], str(output), [], verbose=False)
        monkeypatch.setenv(TRIED, output.read_text().strip())
    with pytest.raises(CompileError, match="no system linker"):
        find_linker()
