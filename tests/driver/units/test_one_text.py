"""What a file is compiled to is one text: nothing is in the order of where values lie in memory, or
of how texts are hashed, whatever the process has compiled before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PASSES = Path(__file__).parents[2] / "passes"
SOURCES = (
    PASSES / "scop" / "ways" / "leaving.c",
    PASSES / "loops" / "vectors" / "computed_places.c",
    PASSES / "scop" / "ways" / "disguised.c",
)
COMPILE = """
import sys
from polyopt.tools.polyopt_cc import main
flags = ["-O3", "-ffast-math", "-march=x86-64-v3", "-w", "--cache=off", "--emit=llvm"]
for name in sys.argv[2:]:
    status = main([*flags, name, "-o", f"{sys.argv[1]}/{name.rpartition('/')[2]}.ll"])
    assert status == 0, name
"""


def texts_of(folder: Path, seed: int, sources: tuple[Path, ...]) -> dict[str, str]:
    """What one process makes of them, one after the other."""
    folder.mkdir()
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", COMPILE, str(folder), *map(str, sources)]
    subprocess.run(command, check=True, env=environment)
    return {one.stem: one.read_text(encoding="utf-8") for one in folder.iterdir()}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return texts_of(tmp_path_factory.mktemp("texts") / "first", 0, SOURCES)


@pytest.mark.parametrize("seed", [1, pytest.param(77, marks=pytest.mark.slow)])
def test_processes_make_the_same(first: dict[str, str], seed: int, tmp_path: Path):
    assert all("define" in text for text in first.values())
    assert len(first) == len(SOURCES)
    assert texts_of(tmp_path / "again", seed, SOURCES[::-1]) == first
