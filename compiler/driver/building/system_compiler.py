"""The system's C compiler, for what polyopt leaves to it: assembly, questions about the system, and
with --fallback=cc the files that polyopt cannot read.

It gets the options that it was given through us and that mean something to it: what is ignored here
is left out, and so is what is polyopt's own.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from polyopt.driver.building.link import environment_of, find_linker
from polyopt.support.diagnostics import CompileError


def system_compile(words: Sequence[str], *, verbose: bool = False) -> None:
    """Run the system's compiler on these words; CompileError where it fails, which it has told the
    reason of."""
    import shlex

    linker = find_linker()
    command = [*linker, *words]
    if verbose:
        print(shlex.join(command), file=sys.stderr)
    ran = subprocess.run(command, check=False, stdin=None, env=environment_of(linker))
    if ran.returncode != 0:
        raise CompileError(f"{command[0]} returned {ran.returncode}")


def ask_system(word: str) -> str:
    """The answer of the system's compiler to a question such as -print-search-dirs."""
    linker = find_linker()
    command = [*linker, word]
    ran = subprocess.run(
        command,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment_of(linker),
    )
    if ran.returncode != 0:
        raise CompileError(f"{command[0]} has no answer to {word}: {ran.stderr.strip()}")
    return ran.stdout
