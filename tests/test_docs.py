"""What the documents say to type works, and prints what they say it prints."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = "…"
CONSOLE = """walk schedules exchange checking parallel report mpi debugging a-pass cache mlir
plugins""".split()
"""The documents that say what to type."""
TOOLS = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
MPIEXEC = shutil.which("mpiexec", path=TOOLS)
NEEDS = {
    "mpi": [pytest.mark.skipif(MPIEXEC is None, reason="there is no mpiexec: polyopt[mpi]")],
}


def transcripts(document: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of the console blocks, each with the lines that it is said to print."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        command, said = None, list[str]()
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, said
                command, said = line.removeprefix("$ "), []
            else:
                said.append(line)
        assert command is not None
        yield command, said


def normal(line: str) -> str:
    """The line without its indentation and the numbers of its values."""
    return re.sub(r"%\w+", "%_", line.strip())


def tells(said: list[str], printed: list[str]) -> str | None:
    """None if `printed` is what is said, with any number of lines in the place of SKIPPED; else
    the first line of the passage that is missing."""
    rest = [normal(line) for line in printed if line.strip()]
    passages = "\n".join(said).split(SKIPPED)
    for number, passage in enumerate(passages):
        wanted = [normal(line) for line in passage.splitlines() if line.strip()]
        starts = range(1) if number == 0 else range(len(rest) - len(wanted) + 1)
        found = next((i for i in starts if rest[i : i + len(wanted)] == wanted), None)
        if found is None:
            return wanted[0]
        rest = rest[found + len(wanted) :]
    ends_open = bool(said) and said[-1] == SKIPPED
    return None if ends_open or not rest else f"nothing more, but there is: {rest[0]}"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the tools are those of this interpreter."""
    tools = os.path.dirname(sys.executable)
    path = os.pathsep.join([tools, os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "TMP": str(tmp_path_factory.mktemp("docs"))}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=NEEDS.get(name, ())) for name in CONSOLE]
)
def test_transcripts(name: str, shell: dict[str, str]):
    """The commands of a document, one after the other: later ones use what earlier ones wrote."""
    typed = list(transcripts(f"docs/{name}.md"))
    assert typed
    for command, said in typed:
        ran = subprocess.run(
            command,
            shell=True,
            cwd=ROOT,
            env=shell,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert tells(said, ran.stdout.splitlines()) is None, f"{command}\n{ran.stdout}"


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


@pytest.mark.parametrize("name", ["python", "api"])
def test_python_sessions(name: str, monkeypatch: pytest.MonkeyPatch):
    """The sessions of a document, as one."""
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    told = list[str]()
    runner = doctest.DocTestRunner(optionflags=flags)
    results = runner.run(session, out=told.append)
    assert results.attempted > 5
    assert not results.failed, "".join(told)


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


def test_flag_reference_is_current():
    ran = subprocess.run(
        [sys.executable, "scripts/flag_reference.py", "--check"], cwd=ROOT, check=False
    )
    assert ran.returncode == 0, "run: python scripts/flag_reference.py"


def test_dialect_reference_is_current():
    ran = subprocess.run(
        [sys.executable, "scripts/dialect_reference.py", "--check"], cwd=ROOT, check=False
    )
    assert ran.returncode == 0, "run: python scripts/dialect_reference.py"


def test_a_pass_is_that_of_the_example():
    text = (ROOT / "docs" / "a-pass.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    example = (ROOT / "examples" / "swap_loops.py").read_text(encoding="utf-8")
    assert len(blocks) == 3
    assert all(block in example for block in blocks)


def test_pass_reference_is_current():
    ran = subprocess.run(
        [sys.executable, "scripts/pass_reference.py", "--check"], cwd=ROOT, check=False
    )
    assert ran.returncode == 0, "run: python scripts/pass_reference.py"
