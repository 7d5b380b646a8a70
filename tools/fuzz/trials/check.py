"""A C program with a `main` in one configuration: does it print what it prints unoptimised?

This is how a finding is shown, by whoever wants to mend it, and how it is reduced.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from polyopt.backend.loaded.run import run_main
from polyopt.driver.options.flags import read_settings
from polyopt.driver.runtimes.check_runtime import compares_anything, runtime_object
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import object_code, parse
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.tools.children import Limits, Say, in_child
from polyopt.tools.errors import explain
from polyopt.tools.fuzz.trials.configurations import Configuration, read_configuration
from polyopt.tools.fuzz.trials.reference import FLAGS, system_compiler
from polyopt.tools.fuzz.trials.trial import TrialVerdict, compile_unit, verdict_of

LIMITS = Limits(60.0)
NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)")
TOLERANCE = 1e-6
"""How far numbers may be apart, relatively, where arithmetic is not strict."""


def check_file(path: Path, words: tuple[str, ...]) -> int:
    """Say how it ends; the exit status is 1 for a finding."""
    verdict = check_text(path.read_text(encoding="utf-8"), read_configuration(words), path.name)
    print(f"{verdict.name}{': ' if verdict.what else ''}{verdict.what}")
    return 1 if verdict.is_finding else 0


def check_text(
    text: str, configuration: Configuration, name: str = "program.c", limits: Limits = LIMITS
) -> TrialVerdict:
    """What becomes of the program in the configuration."""
    with TemporaryDirectory(prefix="polyopt-fuzz-") as folder:
        return check_against(
            text,
            configuration,
            printed_unoptimised(text, Path(folder), configuration),
            name,
            limits,
        )


def printed_unoptimised(text: str, folder: Path, configuration: Configuration) -> str:
    """What the program prints as the system's compiler makes it. Where arithmetic is not strict,
    hashes mean nothing, and every element is printed."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text, encoding="utf-8")
    flags = [*FLAGS, *dump_flags(configuration)]
    command = [system_compiler(), *flags, str(source), "-o", str(program), "-lm"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise CompileError(f"the system's compiler refuses the program:\n{made.stderr}")
    try:
        ran = subprocess.run(
            [str(program)], capture_output=True, text=True, check=False, timeout=LIMITS.seconds
        )
    except subprocess.TimeoutExpired:
        raise CompileError("the program does not end as the system's compiler makes it") from None
    if ran.returncode < 0:
        raise CompileError(f"the program ends by signal {-ran.returncode} without optimisation")
    return f"{ran.stdout}status {ran.returncode}\n"


def dump_flags(configuration: Configuration) -> list[str]:
    return [] if configuration.is_exact else ["-DDUMP"]


def check_against(
    text: str,
    configuration: Configuration,
    expected: str,
    name: str = "program.c",
    limits: Limits = LIMITS,
) -> TrialVerdict:
    """The same, where it is known what should be printed."""
    with TemporaryDirectory(prefix="polyopt-fuzz-") as folder:
        place = Path(folder)
        return verdict_of(
            in_child(lambda say: _try(text, name, configuration, expected, place, say), limits)
        )


def _try(
    text: str, name: str, configuration: Configuration, expected: str, folder: Path, say: Say
) -> dict[str, Any]:
    from xdsl.utils.exceptions import DiagnosticException

    script = ""
    settings = read_settings([*configuration.flags, *dump_flags(configuration)])
    try:
        say("parse")
        unit = parse(Source(name, text), settings, SourceMap())
        unit, script = compile_unit(unit, configuration, folder, say)
        say("LLVM")
        objects = [object_code(unit)]
        if settings.check and compares_anything(objects):
            objects.append(runtime_object(for_program=True))
        threads = chosen_runtime(settings)
        if threads is not None:
            threads.load()
    except (CompileError, DiagnosticException) as error:
        return {"name": "error", "what": explain(error) or str(error), "script": script}
    say("run")
    output = folder / "output"
    _send_output_to(output)
    ending = run_main(objects)
    sys.stdout.flush()
    printed = output.read_text(encoding="utf-8", errors="replace")
    if ending.signal is not None:
        return {"name": "crash", "what": ending.message() or "", "script": script}
    printed += f"status {ending.status}\n"
    what = difference(expected, printed, is_exact=configuration.is_exact)
    return {"name": "different" if what else "same", "what": what, "script": script}


def _send_output_to(path: Path) -> None:
    """Of this process, and of those that it forks."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT)
    os.dup2(handle, 1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)


def difference(expected: str, printed: str, *, is_exact: bool) -> str:
    """The first line that is not as it should be, "" for none."""
    for right, own in _pairs(expected.splitlines(), printed.splitlines()):
        if right != own and (is_exact or not is_near(right, own)):
            return f"printed '{own}', not '{right}'"
    return ""


def _pairs(right: Sequence[str], own: Sequence[str]) -> list[tuple[str, str]]:
    length = max(len(right), len(own))
    filled = [[*lines, *[""] * (length - len(lines))] for lines in (right, own)]
    return list(zip(*filled, strict=True))


def is_near(right: str, own: str) -> bool:
    """Whether two lines are the same but for the last digits of numbers; lines of hashes are."""
    if re.search(r" [0-9a-f]{16}$", right):
        return True
    if NUMBER.sub("#", right) != NUMBER.sub("#", own):
        return False
    for one, other in zip(NUMBER.findall(right), NUMBER.findall(own), strict=True):
        a, b = float(one), float(other)
        if a != a or b != b or abs(a) == float("inf"):
            continue
        if abs(a - b) > TOLERANCE * max(1.0, abs(a)):
            return False
    return True
