"""A program that shows a defect, made as small as time allows.

    small = reduced(text, configuration, verdict, seconds=120)

An edit stays if the program is still C without undefined behaviour, as the system's compiler and
its sanitizers see it, and still ends in the same verdict. Edits are tried in groups, those that
take most away first, until none helps.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from polyopt.support.diagnostics import CompileError
from polyopt.tools.children import Limits
from polyopt.tools.fuzz.campaigns.c_edits import Edit, Syntax, edits
from polyopt.tools.fuzz.trials.check import check_against, printed_unoptimised
from polyopt.tools.fuzz.trials.configurations import Configuration
from polyopt.tools.fuzz.trials.reference import system_compiler
from polyopt.tools.fuzz.trials.trial import TrialVerdict

SANITIZED = (
    "-O1 -fsanitize=undefined,address,float-cast-overflow -fno-sanitize-recover=all "
    "-Wall -Werror=uninitialized -Werror=maybe-uninitialized -Werror=implicit-function-declaration "
    "-Werror=return-type -Werror=format -ffp-contract=off"
).split()
LIMITS = Limits(45.0)


class Reduction:
    """`is_interesting` says whether a text still shows what is looked for."""

    def __init__(self, text: str, is_interesting: Callable[[str], bool], seconds: float):
        self.syntax = Syntax(text)
        self.best = text
        self.tried = 0
        self._is_interesting = is_interesting
        self._deadline = time.monotonic() + seconds

    def run(self) -> str:
        """The smallest text that was found."""
        if not self._is_interesting(self.syntax.text()):
            return self.best
        self.best = self.syntax.text()
        while self._round():
            pass
        return self.best

    def _round(self) -> bool:
        """Try every edit once; whether any stayed and there is time for more."""
        before = self.best
        for group in edits(self.syntax.tree):
            for edit in group:
                if time.monotonic() > self._deadline:
                    return False
                self._attempt(edit)
        return self.best != before

    def _attempt(self, edit: Edit) -> None:
        edit.do()
        try:
            text = self.syntax.text()
        except (AttributeError, TypeError, ValueError):
            edit.undo()  # no tree that could be written
            return
        self.tried += 1
        if len(text) < len(self.best) and self._is_interesting(text):
            self.best = text
        else:
            edit.undo()


def reduced(
    text: str, configuration: Configuration, verdict: TrialVerdict, seconds: float = 120.0
) -> str:
    """The program made small, where the defect shows in a program of its own at all, and where
    there is a tree of it; else as it is."""
    wanted = kind_of(verdict)

    def is_interesting(candidate: str) -> bool:
        with TemporaryDirectory(prefix="polyopt-fuzz-") as name:
            folder = Path(name)
            try:
                expected = printed_unoptimised(candidate, folder, configuration)
            except CompileError:
                return False
            found = check_against(candidate, configuration, expected, limits=LIMITS)
            return kind_of(found) == wanted and is_defined(candidate, folder)

    try:
        reduction = Reduction(text, is_interesting, seconds)
    except CompileError:
        return text
    return reduction.run()


def kind_of(verdict: TrialVerdict) -> str:
    """What has to stay the same: of an error the words, of a difference nothing."""
    if verdict.name in ("error", "internal error"):
        text = re.sub(r"[^ ]*\.c:\d+(:\d+)?:? ?|'[^']*'|\d+", "", verdict.what.splitlines()[0])
        return f"{verdict.name}: {text}"
    phase = re.search(r"\(.*\)$", verdict.what)
    is_phased = verdict.name in ("crash", "hang") and phase is not None
    return f"{verdict.name} {phase[0]}" if is_phased and phase else verdict.name


def is_defined(text: str, folder: Path) -> bool:
    """Whether the sanitizers of the system's compiler have nothing to say; also where it has
    none."""
    source, program = folder / "sanitized.c", folder / "sanitized"
    source.write_text(text, encoding="utf-8")
    command = [system_compiler(), *SANITIZED, str(source), "-o", str(program), "-lm"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        return "cannot find" in made.stderr  # no library of the sanitizers
    try:
        environment = {"ASAN_OPTIONS": "detect_leaks=0", "PATH": "/usr/bin:/bin"}
        ran = subprocess.run(
            [str(program)], capture_output=True, check=False, timeout=20, env=environment
        )
    except subprocess.TimeoutExpired:
        return False
    return b"runtime error" not in ran.stderr and b"Sanitizer" not in ran.stderr
