"""What was found, as files: the C program, and the command that shows what is wrong with it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from polyopt.support.diagnostics import CompileError
from polyopt.support.files import write_whole
from polyopt.tools.fuzz.campaigns.campaign import Finding
from polyopt.tools.fuzz.campaigns.mutants import SUFFIXES
from polyopt.tools.fuzz.campaigns.reduce import reduced
from polyopt.tools.fuzz.programs.program import Program, random_program
from polyopt.tools.fuzz.trials.check import check_text
from polyopt.tools.fuzz.trials.configurations import Configuration, read_configuration
from polyopt.tools.fuzz.trials.harness import main_of
from polyopt.tools.fuzz.trials.trial import TrialVerdict


def record_finding(folder: Path, finding: Finding, seconds: float) -> Path:
    """Write the finding as a program of its own, reduced in so many seconds (0: as it was drawn).

    Where the program of its own does not show it, which happens where its `main` changes what is
    inlined, the command is that which draws it again."""
    program = random_program(finding.seed)
    configuration = read_configuration(finding.words)
    shown = _shown(program, configuration, finding)
    if shown is None:
        text = program.text + main_of(program)
        return write_finding(folder, finding, text, is_shown=False)
    text, verdict = shown
    if seconds > 0:
        text = reduced(text, configuration, verdict, seconds)
        verdict = check_text(text, configuration)
    return write_finding(folder, Finding(finding.seed, finding.words, verdict), text)


def _shown(
    program: Program, configuration: Configuration, finding: Finding
) -> tuple[str, TrialVerdict] | None:
    """A program of its own that ends in the same verdict: of the one run, else of all."""
    run = re.match(r"run (\d+):", finding.verdict.what)
    for runs in ([int(run[1])], None) if run else (None,):
        text = program.text + main_of(program, runs)
        try:
            verdict = check_text(text, configuration)
        except CompileError:
            return None
        if verdict.name == finding.verdict.name:
            return text, verdict
    return None


def write_finding(folder: Path, finding: Finding, text: str, *, is_shown: bool = True) -> Path:
    """Write the program with what is known of it at its head; the file's path."""
    verdict = finding.verdict
    name = f"{verdict.name.replace(' ', '-')}-{finding.seed}.c"
    command = f"polyopt-fuzz --check {name} {shlex.join(finding.words)}"
    if not is_shown:
        command = f"polyopt-fuzz --seeds {finding.seed} --reduce 0    # {shlex.join(finding.words)}"
    head = [f"{verdict.name}: {verdict.what}", f"shown by: {command}", f"seed: {finding.seed}"]
    if verdict.script:
        head += ["", "steps or schedule:", *verdict.script.splitlines()]
    comment = "\n".join(f"// {line}".rstrip() for line in "\n".join(head).splitlines())
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    write_whole(path, f"{comment}\n{text}")
    return path


def record_mutant(folder: Path, finding: Finding) -> Path:
    """Write the spoilt input and the command; the input's path."""
    kind, *words = finding.words
    verdict = finding.verdict
    name = f"mutant-{finding.seed}-{kind}-{verdict.name.replace(' ', '-')}"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}{SUFFIXES.get(kind, '.mlir')}"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}{SUFFIXES.get(kind, '.mlir')}"
    write_whole(path, verdict.script.encode(errors="surrogateescape"))
    lines = [shlex.join(words), f"{verdict.name}: {verdict.what}"]
    write_whole(path.with_name(f"{path.name}.command"), "\n".join([*lines, ""]))
    if kind not in ("C", "pipeline") and words:
        write_whole(path.with_name(f"{path.name}.program.c"), random_program(finding.seed).text)
    return path
