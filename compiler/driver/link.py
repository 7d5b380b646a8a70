"""Linking by the system's C compiler, which knows where the C library and its start-up files are.

polyopt makes object files; an executable or a shared library needs a linker, and that is the
only thing that a program made by polyopt takes from the system.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from polyopt.support.diagnostics import CompileError

CANDIDATES = ("cc", "gcc", "clang")


def find_linker() -> list[str]:
    """The command that links: `$CC`, else the first of `CANDIDATES` on the PATH."""
    wanted = shlex.split(os.environ.get("CC", ""))
    if wanted:
        if shutil.which(wanted[0]) is None:
            raise CompileError(f"the linker '{wanted[0]}' named by $CC is not on the PATH")
        return wanted
    for name in CANDIDATES:
        if shutil.which(name) is not None:
            return [name]
    raise CompileError(
        f"no system linker: none of {', '.join(CANDIDATES)} is on the PATH",
        hint="-c makes object files and --run runs the program in process, both without a linker",
    )


def link(inputs: Sequence[str], output: str, options: Sequence[str], verbose: bool) -> None:
    """Link `inputs` (files and -l…, in order) into `output`, which appears whole or not at all."""
    target = Path(os.path.realpath(output))
    if target.is_dir():
        raise CompileError(f"{output}: Is a directory")
    try:
        folder = tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise CompileError(f"{output}: {error.strerror}") from None
    with folder as name:
        made = os.path.join(name, target.name)
        command = [*find_linker(), *options, *inputs, "-o", made]
        if verbose:
            print(shlex.join([*command[:-1], output]), file=sys.stderr)
        ran = subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
        if ran.returncode != 0:
            raise CompileError(f"linking failed: {command[0]} returned {ran.returncode}")
        os.replace(made, target)
