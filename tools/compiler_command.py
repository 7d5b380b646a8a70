"""The command line of polyopt-cc: what it means, and doing it.

The work is `polyopt.driver.building.build`'s; the process around it is `polyopt_cc`'s.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields

from polyopt.driver.building.build import build
from polyopt.driver.building.dependencies import Dependencies
from polyopt.driver.building.inputs import Input, as_preprocessed, input_of
from polyopt.driver.building.job import Job
from polyopt.driver.building.reports import Reporter
from polyopt.driver.cache.commands import remembered
from polyopt.driver.cache.control import cache_notes, cache_statistics, cleared_cache
from polyopt.driver.options.flag_reading import Collected, read_flags
from polyopt.driver.options.flags import FLAGS
from polyopt.driver.options.foreign_flags import FOREIGN_FLAGS
from polyopt.driver.options.settings import Settings
from polyopt.driver.options.system_flags import words_for_the_system
from polyopt.driver.options.warning_flags import told_unknown
from polyopt.driver.units.room_options import pipeline_options
from polyopt.pipeline import make_pass, steps_between
from polyopt.pipeline_options import LEVELS
from polyopt.support.diagnostics import CompileError, Diagnostic
from polyopt.support.noted import note_unrepeatable, read_noted
from polyopt.support.record import record
from polyopt.tools.cc_flags import own_flags
from polyopt.tools.errors import run_tool
from polyopt.tools.version import installed_version

USAGE = "polyopt-cc [option]... file...\n       polyopt-cc [option]... --run file [argument]..."

HELP_COLUMN = 30

MACHINE = "x86_64-linux-gnu"

_TO_FILES = (
    *("inputs", "product", "output", "to_files", "link_options", "dependencies", "macros"),
    *("with_markers", "fallback", "system_words", "assembler_words", "remarks", "cache", "jobs"),
    *("daz_ftz", "settings", "comments"),
)
"""The fields of a job that do nothing but to say what is made, and how."""

_QUESTION_OF_CMAKE = "CMakeCCompilerId.c"
_ANSWER_TO_CMAKE = (12, 2, 0)
"""By this file CMake finds out whose options a compiler takes: it asks for macros. Ours are GCC's,
of this version, which other files are not told of: it promises more than there is."""


@record
class Command:
    """A job, how its messages come out, and what is to be shown instead of doing it."""

    job: Job
    reporter: Reporter
    notes: tuple[str, ...] = ()
    unknown_warnings: tuple[str, ...] = ()
    show: str | None = None
    question: str = ""


def expand(words: Sequence[str]) -> Iterator[str]:
    """The words, with `@file` replaced by the words in that file."""
    for word in words:
        if word.startswith("@") and len(word) > 1:
            try:
                yield from expand(shlex.split(read_noted(word[1:]).decode()))
            except ValueError as error:
                raise CompileError(f"{word[1:]}: {error}") from None
        else:
            yield word


def read_command(arguments: Sequence[str]) -> Command:
    """What the command line asks for."""
    words = _with_words_behind(expand(arguments))

    def take_input(collected: Collected, word: str) -> None:
        item = input_of(word, collected.get("language", "none"))
        collected["inputs"] = (*collected.get("inputs", ()), item)
        if collected.get("product") == "run":
            collected["arguments"] = tuple(words)

    collected = read_flags(words, [own_flags(words), FLAGS], take_input)
    reporter = Reporter(collected.pop("format", "text"), collected.pop("colour", "auto"))
    show, question = collected.pop("show", None), collected.pop("question", "")
    notes, unknown = collected.pop("notes", ()), collected.pop("unknown_warnings", ())
    for unused in ("language", "again"):
        collected.pop(unused, None)
    _choose_product(collected)
    if collected.pop("is_preprocessed", False):
        collected["inputs"] = tuple(map(as_preprocessed, collected.get("inputs", ())))
    collected["dependencies"] = _dependencies(collected)
    collected["system_words"] = words_for_the_system(collected.pop("read"))
    settings = {f.name: collected.pop(f.name) for f in fields(Settings) if f.name in collected}
    if _is_question_of_cmake(collected.get("inputs", ())):
        settings.setdefault("gnuc", _ANSWER_TO_CMAKE)
    job = Job(**collected, settings=Settings(**settings))
    return Command(job, reporter, notes, unknown, show, question)


def _is_question_of_cmake(inputs: Sequence[Input]) -> bool:
    names = [os.path.basename(item.word) for item in inputs if item.is_source]
    return names == [_QUESTION_OF_CMAKE]


def _with_words_behind(words: Iterator[str]) -> Iterator[str]:
    """The words, those of -Wp, and -Xpreprocessor in the place where these stand."""
    for word in words:
        if word.startswith("-Wp,"):
            yield from _of_preprocessor(word.removeprefix("-Wp,").split(","))
        elif word == "-Xpreprocessor":
            yield next(words, "")
        else:
            yield word


def _of_preprocessor(words: list[str]) -> Iterator[str]:
    """Behind -MD and -MMD the preprocessor itself takes a file, which -MF is for otherwise."""
    rest = iter(words)
    for word in rest:
        yield word
        if word in ("-MD", "-MMD"):
            file = next(rest, None)
            if file is not None:
                yield f"-MF{file}"


def _choose_product(collected: Collected) -> None:
    if collected.pop("emit_llvm", False):
        if collected.get("product") != "asm":
            raise CompileError("-emit-llvm goes with -S")
        collected["product"] = "optimised-llvm"
    flags = {"-dM": collected.get("macros"), "-C": collected.get("comments")}
    for flag, is_asked in flags.items():
        if is_asked and collected.get("product") != "preprocessed":
            raise CompileError(f"{flag} goes with -E")


def _dependencies(collected: Collected) -> Dependencies | None:
    rule = collected.pop("rule", None)
    file, targets = collected.pop("rule_file", None), collected.pop("rule_targets", ())
    phony, generated = collected.pop("rule_phony", False), collected.pop("rule_generated", False)
    if generated and (rule is None or not rule[0]):
        raise CompileError("-MG goes with -M or -MM")
    if rule is None:
        return None
    only, system = rule
    if only:
        collected["product"] = "preprocessed"
    return Dependencies(only, system, file, targets, phony, generated)


def help_text() -> str:
    import textwrap

    lines = [f"usage: {USAGE}"]
    for heading, group in {**own_flags(iter(())), **FLAGS}.items():
        if heading in FOREIGN_FLAGS:
            continue
        lines += ["", f"{heading}:"]
        if heading == "Instruction sets":
            names = " ".join(flag.spelling for flag in group if "-mno-" not in flag.spelling)
            text = f"{names}; -mno-… takes one away"
            lines += textwrap.wrap(
                text, 100, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
            )
            continue
        for flag in group:
            space = " " if flag.shape in ("separate", "either") else ""
            head = f"  {flag.spelling}{space}{flag.metavar}"
            if len(head) >= HELP_COLUMN:
                head += " "
            lines += textwrap.wrap(
                f"{head:<{HELP_COLUMN}}{flag.help}", 100, subsequent_indent=" " * HELP_COLUMN
            )
    lines += ["", "Flags of gcc and clang that are ignored or refused are listed in docs/flags.md."]
    return "\n".join(lines)


def pipeline_text(settings: Settings) -> str:
    """The passes that the settings choose, as `polyopt-opt -p` takes them."""
    options = pipeline_options(settings)
    steps = steps_between(options, LEVELS[0], LEVELS[-1])
    return ",".join(str(make_pass(step, options)) for step in steps)


def run(arguments: Sequence[str]) -> int:
    """Do what the command line asks for; the exit status."""
    return run_tool("polyopt-cc", lambda: _do(arguments))


def _do(arguments: Sequence[str]) -> int:
    with remembered(arguments) as status:
        command = read_command(arguments)
        if command.show is None:
            status.append(_done(command))
    if command.show is not None:
        print(_shown(command))
        return 0
    return status[0]


def _done(command: Command) -> int:
    job, reporter = command.job, command.reporter
    if job.verbose and not job.files:
        print(_shown_version(), file=sys.stderr)
        return 0
    if is_seen_only(job):
        note_unrepeatable("it is to be seen what is done")
    for note in (*command.notes, *cache_notes(job.cache)):
        reporter.note(Diagnostic("warning", note))
    try:
        unknown = told_unknown(command.unknown_warnings, job.settings)
        for told in unknown:
            reporter.note(told)
        if any(told.severity == "error" for told in unknown):
            return 1
        return build(job, reporter)
    except CompileError as error:
        reporter.error(error, "polyopt-cc")
        return 1
    finally:
        reporter.close()


def is_seen_only(job: Job) -> bool:
    """Whether the job does not end in files alone, and in what is wrong with them."""
    plain = Job(**{name: getattr(job, name) for name in _TO_FILES})
    return job.links or job != plain


def _shown(command: Command) -> str:
    match command.show:
        case "help":
            return help_text()
        case "version":
            return _shown_version()
        case "number":
            return installed_version()
        case "machine":
            return MACHINE
        case "cache":
            return cache_statistics(command.job.cache)
        case "clear":
            return cleared_cache(command.job.cache)
        case "passes":
            from polyopt.pass_help import list_of_passes

            return list_of_passes()
        case "pass":
            from polyopt.pass_help import help_of_pass

            return help_of_pass(command.question)
        case "system":
            from polyopt.driver.building.system_compiler import ask_system

            return ask_system(command.question).rstrip("\n")
        case _:
            return pipeline_text(command.job.settings)


def _shown_version() -> str:
    """The second line is for build systems that look for the compiler whose flags these are."""
    first = f"polyopt-cc {installed_version()}"
    return f"{first}\nTarget: {MACHINE}\nTakes the command line of gcc and clang."
