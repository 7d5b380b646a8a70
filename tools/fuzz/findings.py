"""What was found, as files: the C program, and the command that shows what is wrong with it."""

from __future__ import annotations

import shlex
from pathlib import Path

from polyopt.support.files import write_whole
from polyopt.tools.fuzz.campaign import Finding
from polyopt.tools.fuzz.harness import main_of
from polyopt.tools.fuzz.program import random_program


def text_of(finding: Finding) -> str:
    """The program with a `main`, as it was drawn."""
    program = random_program(finding.seed)
    return program.text + main_of(program)


def write_finding(
    folder: Path, finding: Finding, text: str, words: tuple[str, ...] | None = None
) -> Path:
    """Write the program with what is known of it at its head; the file's path."""
    words = finding.words if words is None else words
    verdict = finding.verdict
    name = f"{verdict.name.replace(' ', '-')}-{finding.seed}.c"
    command = f"polyopt-fuzz --check {name} {shlex.join(words)}"
    head = [f"{verdict.name}: {verdict.what}", f"shown by: {command}", f"seed: {finding.seed}"]
    if verdict.script:
        head += ["", "steps or schedule:", *verdict.script.splitlines()]
    comment = "\n".join(f"// {line}".rstrip() for line in "\n".join(head).splitlines())
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    write_whole(path, f"{comment}\n{text}")
    return path
