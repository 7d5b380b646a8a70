"""Linking by the system's C compiler, which knows where the C library and its start-up files are.

polyopt makes object files; an executable or a shared library needs a linker, and that is the
only thing that a program made by polyopt takes from the system.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from polyopt.support.diagnostics import CompileError
from polyopt.support.files import move_whole
from polyopt.support.interrupts import removed_by_interrupt, run_until_interrupt

CANDIDATES = ("cc", "gcc", "clang")
TRIED = "POLYOPT_LINKERS_TRIED"
"""The variable of the environment that tells a linker, should it be polyopt-cc after all, which
commands have led to it."""

_SCRIPT_OF_POLYOPT = b"polyopt.tools.polyopt_cc"


def find_linker() -> list[str]:
    """The command that links: `$CC`, else the first of `CANDIDATES` on the PATH. Never polyopt-cc
    itself, which users name in `$CC` for make, cmake and configure, or call `cc` on their PATH."""
    tried = shlex.split(os.environ.get(TRIED, ""))
    wanted = shlex.split(os.environ.get("CC", ""))
    if wanted and shlex.join(wanted) not in tried:
        if shutil.which(wanted[0]) is None:
            raise CompileError(f"the linker '{wanted[0]}' named by $CC is not on the PATH")
        if not any(_is_polyopt(found) for word in wanted if (found := shutil.which(word))):
            return wanted
    for name in CANDIDATES:
        for place in os.get_exec_path():
            found = shutil.which(name, path=place)
            if found is not None and found not in tried and not _is_polyopt(found):
                return [name] if found == shutil.which(name) else [found]
    raise CompileError(
        f"no system linker: none of {', '.join(CANDIDATES)} is on the PATH"
        + (", but for polyopt-cc itself" if tried or wanted else ""),
        hint="-c makes object files and --run runs the program in process, both without a linker",
    )


def _is_polyopt(path: str) -> bool:
    """Is this program polyopt-cc's script, or a link to it? What hides it better, a script that
    calls it, comes to light when it is run, by `TRIED`."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(1000)
    except OSError:
        return False
    return start.startswith(b"#!") and _SCRIPT_OF_POLYOPT in start


def environment_of(command: Sequence[str]) -> dict[str, str]:
    """The environment in which this command runs, that `find_linker` gave."""
    words = [*shlex.split(os.environ.get(TRIED, "")), shlex.join(command)]
    path = shutil.which(command[0])
    if len(command) == 1 and path is not None and path not in words:
        words.append(path)
    return {**os.environ, TRIED: shlex.join(words)}


def link(inputs: Sequence[str], output: str, options: Sequence[str], verbose: bool) -> None:
    """Link `inputs` (files and -l…, in order) into `output`, which appears whole or not at all.
    `verbose`: the linker is shown, and shows where it looks for libraries, which CMake reads."""
    target = Path(os.path.realpath(output))
    if target.is_dir():
        raise CompileError(f"{output}: Is a directory")
    try:
        folder = tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise CompileError(f"{output}: {error.strerror}") from None
    with folder as name, removed_by_interrupt(name):
        made = os.path.join(name, target.name)
        linker = find_linker()
        command = [*linker, *options, *inputs, "-o", made]
        if verbose:
            print(shlex.join([*command[:-1], output]), file=sys.stderr, flush=True)
            command.insert(len(linker), "-v")
        status = run_until_interrupt(command, environment_of(linker))
        if status != 0:
            raise CompileError(f"linking failed: {command[0]} returned {status}")
        try:
            move_whole(made, target)
        except OSError as error:
            raise CompileError(f"{output}: {error.strerror}") from None
