"""Clan as a peer: it reads C loops and writes OpenScop.

It is looked for on PATH and at `POLYOPT_CLAN`. Clan knows no declarations, so it is given the
loops between the pragmas and nothing else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from polyopt.tools.bench.programs import Program

CLAN = os.environ.get("POLYOPT_CLAN") or shutil.which("clan")
needs_clan = pytest.mark.skipif(
    CLAN is None or shutil.which("gcc") is None,
    reason="Clan is not installed (POLYOPT_CLAN names it)",
)


def scop_by_clan(program: Program, folder: Path, *flags: str) -> str:
    """What Clan writes of the program's kernel, preprocessed by gcc."""
    assert CLAN is not None
    source, loops = folder / "source.c", folder / "loops.c"
    source.write_text(program.marked_source())
    command = ["gcc", "-E", "-P", *flags, f"-I{program.source.parent}", str(source)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    begin, end = text.index("#pragma scop"), text.index("#pragma endscop")
    loops.write_text(f"{text[begin:end]}#pragma endscop\n")
    ran = subprocess.run([CLAN, str(loops)], capture_output=True, text=True, timeout=60, check=True)
    return ran.stdout
