"""The command line of polyopt-cc: what it means, and doing it.

The work is `polyopt.driver.build`'s; the process around it is `polyopt_cc`'s.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from polyopt.driver.build import Job, build
from polyopt.driver.flags import (
    FLAGS,
    Collected,
    Flag,
    Setter,
    Settings,
    Table,
    append,
    constant,
    one_of,
    read_flags,
    store,
)
from polyopt.driver.unit import PRODUCTS, pipeline_options
from polyopt.pipeline import LEVELS, make_pass, steps_between
from polyopt.support.diagnostics import CompileError
from polyopt.tools.errors import run_tool

USAGE = "polyopt-cc [option]... file...\n       polyopt-cc [option]... --run file [argument]..."

HELP_COLUMN = 30


def own_flags(words: Iterator[str]) -> Table:
    """The flags about files and actions. `--run` takes what is left of `words`."""

    def run(collected: Collected, _: str) -> None:
        collected["product"] = "run"
        if collected.get("inputs"):
            collected["arguments"] = tuple(words)

    return {
        "What to make": (
            Flag("-c", "an object file for each C file", constant(product="obj")),
            Flag("-S", "assembly for each C file", constant(product="asm")),
            Flag("-E", "the preprocessed text", constant(product="preprocessed")),
            Flag("-emit-llvm", "with -S: LLVM's text instead", constant(emit_llvm=True)),
            Flag(
                "--emit=",
                f"any level of the compiler, on standard output: {', '.join(PRODUCTS)}",
                _emit,
                "LEVEL",
                "joined",
            ),
            Flag("--run", "run the program at once; the words after the file are its own", run),
            Flag("-o", "write to FILE ('-': standard output)", store("output"), "FILE", "either"),
        ),
        "Linking": (
            Flag("-l", "link with a library", append("inputs", "-l"), "NAME", "either"),
            Flag("-L", "look for libraries in DIR", append("link_options", "-L"), "DIR", "either"),
            Flag("-Wl,", "pass OPTION to the linker", append("inputs", "-Wl,"), "OPTION", "joined"),
            Flag("-shared", "make a shared library", _link_shared),
            Flag("-static", "link statically", _link_with("-static")),
            Flag("-pthread", "link with the threads library", _link_with("-pthread")),
        ),
        "Looking on": (
            Flag("--remarks", "say what was done to each loop nest", constant(remarks=True)),
            Flag("--time-passes", "say where the time went", constant(time_passes=True)),
            Flag(
                "--print-after=",
                "print the module after this pass, or after 'all'",
                append("printed_passes"),
                "PASS",
                "joined",
            ),
            Flag(
                "--print-pipeline",
                "print the passes that the options choose, as polyopt-opt -p takes them",
                constant(show="pipeline"),
            ),
            Flag("-v", "show the commands that are run", constant(verbose=True)),
            Flag("-g", "accepted with a warning: no debug information is made", _no_debug),
            Flag("--version", "say which polyopt this is", constant(show="version")),
            Flag("--help", "say this", constant(show="help")),
            Flag("-h", "the same", constant(show="help")),
        ),
    }


def _emit(collected: Collected, value: str) -> None:
    collected["product"] = one_of(*PRODUCTS)(value)
    collected["to_files"] = False


def _link_with(option: str) -> Setter:
    def set_field(collected: Collected, _: str) -> None:
        append("link_options")(collected, option)

    return set_field


def _link_shared(collected: Collected, _: str) -> None:
    append("link_options")(collected, "-shared")
    collected["pic"] = True


def _no_debug(_: Collected, __: str) -> None:
    print("polyopt-cc: warning: -g: no debug information is made", file=sys.stderr)


def expand(words: Sequence[str]) -> Iterator[str]:
    """The words, with `@file` replaced by the words in that file."""
    for word in words:
        if word.startswith("@") and len(word) > 1:
            try:
                yield from expand(shlex.split(Path(word[1:]).read_text(encoding="utf-8")))
            except ValueError as error:
                raise CompileError(f"{word[1:]}: {error}") from None
        else:
            yield word


def read_job(arguments: Sequence[str]) -> tuple[Job, str | None]:
    """The job that the command line asks for, and what is to be shown instead of doing it."""
    words = expand(arguments)

    def take_input(collected: Collected, word: str) -> None:
        append("inputs")(collected, word)
        if collected.get("product") == "run":
            collected["arguments"] = tuple(words)

    collected = read_flags(words, [own_flags(words), FLAGS], take_input)
    show = collected.pop("show", None)
    if collected.pop("emit_llvm", False):
        if collected.get("product") != "asm":
            raise CompileError("-emit-llvm goes with -S")
        collected["product"] = "optimised-llvm"
    settings = {f.name: collected.pop(f.name) for f in fields(Settings) if f.name in collected}
    return Job(**collected, settings=Settings(**settings)), show


def help_text() -> str:
    import textwrap

    lines = [f"usage: {USAGE}"]
    for heading, group in {**own_flags(iter(())), **FLAGS}.items():
        lines += ["", f"{heading}:"]
        for flag in group:
            space = " " if flag.shape in ("separate", "either") else ""
            head = f"  {flag.spelling}{space}{flag.metavar}"
            lines += textwrap.wrap(
                f"{head:<{HELP_COLUMN}}{flag.help}", 100, subsequent_indent=" " * HELP_COLUMN
            )
    return "\n".join(lines)


def pipeline_text(settings: Settings) -> str:
    """The passes that the settings choose, as `polyopt-opt -p` takes them."""
    options = pipeline_options(settings)
    steps = steps_between(options, LEVELS[0], LEVELS[-1])
    return ",".join(str(make_pass(step, options)) for step in steps)


def run(arguments: Sequence[str]) -> int:
    """Do what the command line asks for; the exit status."""

    def body() -> int:
        job, show = read_job(arguments)
        match show:
            case "help":
                print(help_text())
            case "version":
                from importlib.metadata import version

                print(f"polyopt-cc {version('polyopt')}")
            case "pipeline":
                print(pipeline_text(job.settings))
            case _:
                return build(job)
        return 0

    return run_tool("polyopt-cc", body)
