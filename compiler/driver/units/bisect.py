"""Which pass changes a verdict: by halves, with `--pass-limit=N`.

A command says of what was made whether it is good (status 0). With no pass that could be left out
it must be good, with all of them bad; in between the first number is found whose pass makes it bad.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from polyopt.driver.options.settings import Settings
from polyopt.driver.units.room_options import pipeline_options
from polyopt.pipeline import optional_steps
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record
class Culprit:
    """The pass that is the first to make what is made bad, and its number among those that can
    be left out."""

    number: int
    name: str
    total: int

    def __str__(self) -> str:
        return (
            f"pass {self.number} of {self.total}, {self.name}, changes the verdict: good with "
            f"--pass-limit={self.number - 1}, bad with --pass-limit={self.number}"
        )


def first_bad(total: int, is_good: Callable[[int], bool]) -> int:
    """The least number that is not good. Raises CompileError where 0 is bad, or `total` good."""
    if not is_good(0):
        raise CompileError(
            "it is bad without any pass that could be left out",
            hint="then it is the front end, the back end, LLVM, or the program itself: -O0",
        )
    if is_good(total):
        raise CompileError(f"it is good with all {total} passes: there is nothing to look for")
    good, bad = 0, total
    while bad - good > 1:
        middle = (good + bad) // 2
        if is_good(middle):
            good = middle
        else:
            bad = middle
    return bad


def bisect(settings: Settings, command: str, make: Callable[[int], int]) -> Culprit:
    """`make` makes what is asked about with so many passes, 0 where it could; `command` says each
    time whether it is good."""
    names = [step.name for step in optional_steps(pipeline_options(settings))]

    def is_good(limit: int) -> bool:
        if make(limit):
            raise CompileError(f"with --pass-limit={limit} nothing is made")
        verdict = subprocess.run(command, shell=True, check=False).returncode == 0
        print(f"--pass-limit={limit}: {'good' if verdict else 'bad'}", file=sys.stderr)
        return verdict

    number = first_bad(len(names), is_good)
    return Culprit(number, names[number - 1], len(names))
