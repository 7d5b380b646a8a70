"""What a file is compiled to is one text: nothing is in the order of where values lie in memory."""

import subprocess
import sys
from pathlib import Path

WAYS = Path(__file__).parents[1] / "passes" / "scop" / "ways"


def text_of(source: Path) -> str:
    options = ["-O3", "-ffast-math", "-march=x86-64-v3", "-w", "--cache=off", "--emit=llvm"]
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", *options, str(source)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_processes_make_the_same():
    source = WAYS / "leaving.c"
    first = text_of(source)
    assert "define" in first
    assert all(text_of(source) == first for _ in range(3))
