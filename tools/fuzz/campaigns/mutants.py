"""Inputs with mistakes in them: no tool may crash, hang, or leave half a file behind.

Every mutant is a command of polyopt-cc or polyopt-opt on a file that was spoilt: C, the IR at a
level of the pipeline, a script of steps, a schedule in one of the formats of exchange, a pipeline.
It may be done or refused with a message (exit status 0 or 1); anything else is a finding.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from polyopt.driver.options.flags import read_settings
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.module_texts import module_text
from polyopt.driver.units.room_options import pipeline_options
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.pipeline import make_pass, steps_between
from polyopt.pipeline_options import IMPORT_FORMATS, LEVELS
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.record import record
from polyopt.tools.children import Limits, Say, in_child
from polyopt.tools.fuzz.campaigns.campaign import as_fields
from polyopt.tools.fuzz.campaigns.text_mutations import mutated
from polyopt.tools.fuzz.programs.choices import Choices, table
from polyopt.tools.fuzz.programs.program import random_program
from polyopt.tools.fuzz.trials.configurations import random_configuration
from polyopt.tools.fuzz.trials.steps import random_script
from polyopt.tools.fuzz.trials.trial import TrialVerdict, verdict_of

MUTANTS = table(
    "mutant",
    C=24,
    source=6,
    prepared=8,
    poly=16,
    affine=9,
    loops=7,
    scf=6,
    steps=12,
    jscop=9,
    openscop=9,
    scoplib=6,
    schedule=9,
    pipeline=8,
)
SUFFIXES = {
    "C": ".c",
    "steps": ".steps",
    "jscop": ".jscop",
    "openscop": ".scop",
    "scoplib": ".scoplib",
    "schedule": ".schedule",
    "pipeline": ".txt",
}
FOLDER = "DIR"
"""Stands for the folder of the files in commands that are shown."""


@record
class Base:
    """What can be spoilt: texts by the name of the mutant, and how a file is called."""

    texts: dict[str, str]
    names: dict[str, str]
    c: str
    pipelines: dict[str, str]


def try_mutants(seed: int, count: int, limits: Limits, say: Say) -> dict[str, Any]:
    """Mutants of the program of the seed."""
    say("prepare")
    program = random_program(seed)
    choices = Choices(f"mutants {seed}")
    with TemporaryDirectory(prefix="polyopt-fuzz-") as name:
        folder = Path(name)
        base = _prepare(program.text, seed, folder)
        trials = list[tuple[list[str], dict[str, Any]]]()
        kinds = [kind for kind in MUTANTS.weights if kind in base.texts]
        for number in range(count):
            say(f"mutant {number}")
            kind = choices.pick(MUTANTS, among=kinds)
            text = mutated(base.texts[kind], choices)
            words, verdict = _try(kind, text, base, choices, folder / f"m{number}", limits)
            shown = [word.replace(str(folder / f"m{number}"), FOLDER) for word in words]
            if verdict.is_finding:
                verdict = TrialVerdict(verdict.name, verdict.what, script=text)
            trials.append(([kind, *shown], as_fields(verdict)))
    drawn = [(*key, number) for key, number in choices.drawn.items()]
    return {"drawn": drawn, "trials": trials}


def _prepare(text: str, seed: int, folder: Path) -> Base:
    """The program at every level, with scripts and schedules for it."""
    texts = {"C": text}
    names = dict[str, str]()
    pipelines = dict[str, str]()
    settings = read_settings(["-O1", "--poly=auto"])
    unit = parse(Source("program.c", text), settings, SourceMap())
    for level in LEVELS:
        lower(unit, level)
        if level != "schedule":
            texts[level] = module_text(unit.module)
        pipelines[level] = pipeline_text(settings, level)
    texts["pipeline"] = pipelines["source"]
    unit = parse(Source("program.c", text), settings, SourceMap())
    lower(unit, "poly")
    script = random_script(unit.module, seed)
    if script:
        texts["steps"] = script
    for form in IMPORT_FORMATS:
        place = folder / form
        unit = parse(Source("program.c", text), settings, SourceMap())
        lower(unit, "poly")
        unit.settings = Settings(opt_level=1, poly="identity", exports=((form, str(place)),))
        try:
            lower(unit, "schedule")
        except CompileError:
            continue  # A form need not be able to say every program.
        files = sorted(place.glob("*")) if place.exists() else []
        if files:
            texts[form] = files[0].read_text(encoding="utf-8")
            names[form] = files[0].name
    return Base(texts, names, text, pipelines)


def pipeline_text(settings: Settings, level: str) -> str:
    """The passes that are left after a level."""
    options = pipeline_options(settings)
    steps = steps_between(options, level, LEVELS[-1])
    return ",".join(str(make_pass(step, options)) for step in steps)


def _try(
    kind: str, text: str, base: Base, choices: Choices, folder: Path, limits: Limits
) -> tuple[list[str], TrialVerdict]:
    folder.mkdir()
    name = base.names.get(kind, "input" + SUFFIXES.get(kind, ".mlir"))
    spoilt = folder / name
    spoilt.write_bytes(text.encode(errors="surrogateescape"))
    c = folder / "program.c"
    c.write_text(base.c, encoding="utf-8")
    output = folder / ("output.ll" if kind in LEVELS else "output.o")
    words = _command(kind, spoilt, c, output, base, choices, text)
    outcome = in_child(lambda say: _run(words, folder, output, say), limits)
    return words, verdict_of(outcome)


def _command(
    kind: str, spoilt: Path, c: Path, output: Path, base: Base, choices: Choices, text: str
) -> list[str]:
    flags = list(random_configuration(choices, "strict").flags)
    own = [flag for flag in flags if not flag.startswith(("--poly=", "--tile-sizes"))]
    match kind:
        case "C":
            return ["polyopt-cc", *flags, "-c", str(spoilt), "-o", str(output)]
        case "steps":
            own = [*own, f"--schedule={spoilt}"]
            return ["polyopt-cc", *own, "-c", str(c), "-o", str(output)]
        case "pipeline":
            return ["polyopt-opt", str(c), "-p", text, "-o", str(output)]
        case _ if kind in IMPORT_FORMATS:
            own = [*own, f"--import={kind}:{spoilt.parent}"]
            return ["polyopt-cc", *own, "-c", str(c), "-o", str(output)]
        case _:
            passes = base.pipelines[kind]
            words = ["polyopt-opt", str(spoilt), "-t", "polyopt-llvm", "-o", str(output)]
            return [*words, "-p", passes] if passes else words


def _tool(name: str) -> Callable[[list[str]], int]:
    if name == "polyopt-opt":
        from polyopt.tools.polyopt_opt import main

        return main
    from polyopt.tools.compiler_command import run

    return run


def _run(words: list[str], folder: Path, output: Path, say: Say) -> dict[str, Any]:
    """In the child: do what the command says."""
    messages = folder / "messages"
    before = {path.name for path in folder.iterdir()}
    handle = os.open(messages, os.O_WRONLY | os.O_CREAT)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False, errors="backslashreplace")  # as Python has it
    say("command")
    status = _tool(words[0])(words[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    said = messages.read_text(encoding="utf-8", errors="replace")
    left = {path.name for path in folder.iterdir()} - before - {"messages", output.name}
    if status not in (0, 1) or "Traceback" in said:
        errors = [line for line in said.splitlines() if "internal error" in line]
        return {"name": "internal error", "what": errors[0] if errors else said[-300:]}
    if left or (status != 0 and output.exists()):
        return {"name": "half a file", "what": ", ".join(sorted({*left, output.name}))}
    if status == 1 and "error" not in said:
        return {"name": "no message", "what": said[:200]}
    return {"name": "same" if status == 0 else "refused", "what": ""}
