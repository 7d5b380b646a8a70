"""C programs that print what their functions compute, as gcc says, and what was said of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from polyopt.tools.polyopt_cc import main


def output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@cache
def wanted(source: Path, *flags: str) -> str:
    """What the program prints as gcc -O0 compiles it: once, whatever it is compared with."""
    with TemporaryDirectory() as folder:
        program = Path(folder) / "wanted"
        output(["gcc", "-O0", "-w", *flags, source, "-o", program])
        return output([program])


def remarks_on(source: Path, folder: Path, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """The remarks on the program, whose output is shown to be that of gcc -O0's."""
    flags = ["-ffp-contract=off", "-w", str(source), "-o"]
    made = ["-O3", "--remarks", "--skip-pass=keep-what-pays"]
    assert main([*made, *flags, str(folder / "made")]) == 0
    assert output([folder / "made"]) == wanted(source, "-ffp-contract=off")
    return capfd.readouterr().err.splitlines()


def function_of(source: Path, remark: str) -> str:
    """The function that the remark's line is in."""
    above = source.read_text(encoding="utf-8").splitlines()[: int(remark.split(":")[1])]
    head = next(line for line in reversed(above) if line.startswith(("static", "int")))
    return head.partition("(")[0].rpartition(" ")[2].lstrip("*")


def functions_with(source: Path, remarks: Sequence[str], text: str) -> set[str]:
    """Those with a remark of this text."""
    return {function_of(source, one) for one in remarks if text in one}


def functions_around(source: Path, places: set[int]) -> set[str]:
    """The functions that these lines are in."""
    found: set[str] = set()
    name = ""
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        if "(" in line and not line.startswith((" ", "#", "/")):
            name = line.partition("(")[0].split()[-1]
        if number in places:
            found.add(name)
    return found
