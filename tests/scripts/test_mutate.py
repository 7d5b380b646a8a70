"""`scripts/mutate.py` on a small project: it sees what tests notice, and leaves no trace."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from mutation.mutants import mutants_of, mutated

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "mutate.py"

SOURCE = '''
"""A room of one file."""


def is_at_least(a: int, b: int) -> bool:
    return a >= b


def count_down(n: int) -> int:
    while n > 0:
        n -= 1
    return n


def never_called(a: int) -> int:
    return a + 1


def never_called_near(a: int) -> int:
    return a - 2


class Box:
    def __init__(self, values: list[int]):
        self.values = values

    def largest(self) -> int:
        return max(value for value in self.values if value < 100)
'''
TESTS = """
from sample.room import Box, count_down, is_at_least


def test_bound():
    assert is_at_least(3, 3)
    assert not is_at_least(2, 3)


def test_count_down():
    assert count_down(3) == 0


def test_box():
    assert Box([1, 5, 500, 2]).largest() == 5
"""
FAR = """
from sample.room import never_called_near


def test_from_elsewhere():
    assert never_called_near(4) == 2
"""
EQUIVALENT = """
[[mutant]]
file = "sample/room.py"
function = "count_down"
line = "while n > 0:"
before = "n > 0"
after = "n >= 0"
why = "A sentence."
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for path, text in {
        "sample/__init__.py": "",
        "sample/room.py": SOURCE,
        "tests/sample/test_room.py": TESTS,
        "tests/test_far.py": FAR,
        "tests/conftest.py": "import gc\ndef pytest_collection_finish(): gc.freeze()\n",
        "tests/other/conftest.py": "# Plugins are told apart where folders have some of their own.",
        "tests/other/test_nothing.py": "def test_nothing(): ...",
        "pytest.ini": "[pytest]\npythonpath = .\n",
        "equivalents.toml": EQUIVALENT,
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def mutate(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        str(SCRIPT),
        "--root",
        str(project),
        "--room",
        "sample",
        "--packages",
    ]
    command += ["--sources", "sample", "--tests", "tests", "--cache", str(project.parent / "cache")]
    command += [
        "--equivalents",
        str(project / "equivalents.toml"),
        "--slack",
        "1",
        "--patience",
        "1",
        *options,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def lines_of(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(word)]


def test_planted_mutants_are_noticed_and_nothing_stays(project: Path) -> None:
    def tree() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}

    before = tree()
    run = mutate(project, "--count", "100")
    assert run.returncode == 1, run.stdout + run.stderr
    assert tree() == before
    noticed = lines_of(run.stdout, "noticed")
    survived = lines_of(run.stdout, "SURVIVED")
    assert any("a >= b => a > b" in line and "test_bound" in line for line in noticed)
    assert any("max(" in line and "=> min(" in line and "test_box" in line for line in noticed)
    assert any("left out: n -= 1" in line and "[time;" in line for line in noticed)
    assert any("test_from_elsewhere" in line for line in noticed)
    unreached = [line for line in survived if "never_called" in line]
    assert unreached
    assert all("no test runs it" in line for line in unreached)
    assert not [line for line in (*noticed, *survived) if "n > 0 => n >= 0" in line]
    (summary,) = lines_of(run.stdout, f"{len(noticed) + len(survived)} mutants")
    assert f"{len(noticed)} noticed" in summary
    assert "; 1 known to change nothing left out" in summary


def test_near_is_the_room_alone(project: Path) -> None:
    run = mutate(project, "--count", "100", "--near")
    assert "looking at" not in run.stdout
    assert any("test_bound" in line for line in lines_of(run.stdout, "noticed"))
    assert any("never_called_near" in line for line in lines_of(run.stdout, "SURVIVED"))


def test_a_seed_says_which(project: Path) -> None:
    def listed(seed: int) -> str:
        run = mutate(project, "--count", "6", "--seed", str(seed), "--list")
        assert run.returncode == 0, run.stderr
        assert len(run.stdout.splitlines()) == 6
        return run.stdout

    assert listed(1) == listed(1)
    assert listed(1) != listed(2)


def test_what_asserts_is_left_as_it_is() -> None:
    """That sequences have one length decides nothing, as what `assert` says."""
    source = "def f(a, b):\n    assert a > 3\n    return list(zip(a, b, strict=True))\n"
    assert {one.kind for one in mutants_of("f.py", source)} == {"returned"}


@pytest.mark.parametrize(
    "file", ["compiler/ir/affine/linear.py", "passes/loops/contract/regroup.py"]
)
def test_each_mutant_changes_one_place(file: str) -> None:
    """Its line, and nothing of what stands before and behind the line's statement."""
    source = (ROOT / file).read_text()
    plain = ast.parse(source)
    found = mutants_of(file, source)
    assert len(found) > 50
    for mutant in found[::7]:
        tree = mutated(file, source, mutant.number)
        assert ast.dump(tree) != ast.dump(plain), mutant
        compile(tree, file, "exec")
        changed = [
            (old, new)
            for old, new in zip(plain.body, tree.body, strict=True)
            if ast.dump(old) != ast.dump(new)
        ]
        ((old, _),) = changed
        assert old.lineno <= mutant.line <= mutant.end <= (old.end_lineno or 0)
