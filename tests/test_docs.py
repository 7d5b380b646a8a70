"""What the documents say to type works, and prints what they say it prints."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doc_pages import (
    PAGES,
    ROOT,
    Block,
    blocks,
    follow_commands,
    follow_session,
    pages_with,
    tells,
    transcripts,
)

from polyopt.driver.options.flags import read_settings
from polyopt.tools import polyopt_bench, polyopt_fuzz, polyopt_tune
from polyopt.universe import PASSES

TOOLS = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
MPIEXEC = shutil.which("mpiexec", path=TOOLS)
NEEDS = {
    "docs/mpi.md": [pytest.mark.skipif(MPIEXEC is None, reason="no mpiexec: polyopt[mpi]")],
    "docs/thirty-times.md": [pytest.mark.slow],
    "docs/algorithms.md": [pytest.mark.slow],
}


@pytest.fixture(scope="module")
def shell(with_tools: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {**with_tools, "TMP": str(tmp_path_factory.mktemp("docs"))}


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=NEEDS.get(page, ())) for page in pages_with("console")]
)
def test_transcripts(page: str, shell: dict[str, str]):
    """The commands of a document, one after the other: later ones use what earlier ones wrote."""
    assert list(transcripts(page))
    assert follow_commands(page, shell) == []


@pytest.mark.parametrize(
    ("said", "printed", "missing"),
    [
        (["a", "b"], ["a", "b"], None),
        (["a"], ["a", "b"], "nothing more, but there is: b"),
        (["a", "…"], ["a", "b"], None),
        (["…", "b"], ["a", "  b"], None),
        (["…", "b"], ["a", "b", "c"], "nothing more, but there is: c"),
        (["…", "a", "c", "…"], ["a", "b", "c"], "a"),
        (["…", "a", "…", "c"], ["a", "b", "c"], None),
        (["…", "c", "…", "a", "…"], ["a", "b", "c"], "a"),
        (["%1 = f %x_3"], ["%7 = f %x"], None),
        (["%1 = f"], ["%7 = g"], "%_ = f"),
    ],
)
def test_transcripts_are_compared(said: list[str], printed: list[str], missing: str | None):
    assert tells(said, printed) == missing


@pytest.mark.parametrize("page", pages_with("pycon"))
def test_python_sessions(page: str, monkeypatch: pytest.MonkeyPatch):
    """The sessions of a document, as one."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert sum(one.text.count(">>> ") for one in blocks(page) if one.language == "pycon") > 1
    assert "".join(follow_session(page)) == ""


EXAMPLES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "examples").rglob("*"))
    if path.suffix in (".c", ".py", ".toml")
)
SHOWN = [one for page in PAGES for one in blocks(page) if one.language in ("c", "python", "toml")]


@pytest.mark.parametrize("block", [pytest.param(one, id=f"{one.page}:{one.line}") for one in SHOWN])
def test_what_is_shown_stands_in_an_example(block: Block):
    """Which other tests compile and run."""
    assert block.text in EXAMPLES


def test_every_block_is_of_a_kind_that_is_run():
    """`text` is what nobody types."""
    for page in PAGES:
        for block in blocks(page):
            place = f"{page}:{block.line}"
            assert block.language in (*RUN, "text"), place
            typed = re.search(r"^(\$ |>>> |polyopt-)", block.text, re.MULTILINE)
            assert block.language != "text" or typed is None, place


RUN = ("console", "pycon", "c", "python", "toml", "sh")


def typed_lines() -> list[tuple[str, str]]:
    return [
        (page, line.partition(" #")[0].strip())
        for page in PAGES
        for block in blocks(page)
        if block.language == "sh"
        for line in block.text.splitlines()
    ]


@pytest.mark.parametrize(("page", "line"), typed_lines())
def test_commands_that_take_long_are_understood(page: str, line: str):
    """Programs that exist, and options that they have."""
    program, *words = shlex.split(line)
    parsers = {
        "polyopt-bench": polyopt_bench.parser,
        "polyopt-fuzz": polyopt_fuzz.parser,
        "polyopt-tune": polyopt_tune.parser,
    }
    if program in parsers and not {"--check", "--show"} & {*words}:
        own, rest = parsers[program]().parse_known_args(words)
        assert own
        read_settings([word for word in rest if word.startswith("-") and word not in ("--", "-t")])
    elif program.startswith("polyopt-"):
        assert program in ("polyopt-cc", "polyopt-opt", "polyopt-fuzz")
    else:
        assert program in ("clang-19", "opt-19") or (ROOT / program).exists()


def readme_commands() -> list[str]:
    """What README says to type, but for the two scripts, which set up a world of their own."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^(polyopt-\S+ .*?) *(?:#.*)?$", text, re.MULTILINE)


@pytest.mark.skipif(shutil.which("cc") is None, reason="one of the commands links a program")
def test_readme_commands(shell: dict[str, str], tmp_path: Path):
    shutil.copy(ROOT / "examples" / "gemm.c", tmp_path / "kernel.c")
    commands = readme_commands()
    assert len(commands) >= 7
    for command in commands:
        small = command.replace(" 1000", " 40")
        ran = subprocess.run(
            small, shell=True, cwd=tmp_path, env=shell, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, f"{small}: {ran.stderr}"


def test_demo(shell: dict[str, str]):
    ran = subprocess.run(
        [sys.executable, "examples/gemm.py", "40"],
        cwd=ROOT,
        env=shell,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "results agree with NumPy's; speed-up: " in ran.stdout
    assert "examples/gemm.c:21:" in ran.stdout


def test_links_lead_somewhere():
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("benchmarks/*.md")]
    assert len(documents) > 4
    for document in documents:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_readme_is_one_page():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize(
    "script", ["flag_reference", "dialect_reference", "pass_reference", "room_reference"]
)
def test_reference_is_current(script: str):
    command = [sys.executable, f"scripts/{script}.py", "--check"]
    ran = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    assert ran.returncode == 0, f"run: python scripts/{script}.py"


@pytest.mark.parametrize(
    "script",
    ["room_arrows", "pass_reference", "build_docs", "doc_pages", "link_package", "screenshots"],
)
@pytest.mark.parametrize("word", ["--help", "--chekc"])
def test_scripts_that_write_do_so_when_they_are_asked_for_it_alone(script: str, word: str):
    """What is asked for help, or misspelt, writes nothing: neither what it is for, nor a file of
    that name."""
    watched = [ROOT, ROOT / "docs", ROOT / "docs" / "images", ROOT / "ARCHITECTURE.md"]
    before = [path.stat().st_mtime_ns for path in watched]
    command = [sys.executable, f"scripts/{script}.py", word]
    ran = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (ran.returncode, "usage:" in ran.stdout + ran.stderr) == (
        0 if word == "--help" else 2,
        True,
    )
    assert [path.stat().st_mtime_ns for path in watched] == before


def test_passes_that_a_page_names_exist():
    """Those that say where to look for an algorithm."""
    text = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:poly-)?print-[\w-]+|poly-[\w-]+-[\w-]+)", text))
    assert len(named) > 5
    assert named <= set(PASSES)
