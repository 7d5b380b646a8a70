"""The flags of polyopt-cc that are about files and actions: the second table beside the compiler's.

What is for the linker goes on to it, in its place among the files or before all of them; questions
about the system are put to the system's compiler.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from polyopt.driver.building.dependencies import quoted
from polyopt.driver.building.inputs import LANGUAGES, Input
from polyopt.driver.building.reports import FORMATS
from polyopt.driver.options.flag_reading import (
    Collected,
    Flag,
    Setter,
    Table,
    append,
    constant,
    one_of,
    store,
)
from polyopt.driver.units.source import PRODUCTS


def _at_least_one(value: str) -> int:
    if not value.isdecimal() or not 0 < int(value) < 1 << 31:
        raise ValueError("expected a number of processes, 1 or more")
    return int(value)


def own_flags(words: Iterator[str]) -> Table:
    """The flags about files and actions. `--run` takes what is left of `words`."""

    def run(collected: Collected, _: str) -> None:
        collected["product"] = "run"
        if collected.get("inputs"):
            collected["arguments"] = tuple(words)

    return {
        "What to make": (
            Flag("-c", "an object file for each source", constant(product="obj")),
            Flag("-S", "assembly for each C file", constant(product="asm")),
            Flag("-E", "the preprocessed text", constant(product="preprocessed")),
            Flag("-P", "with -E: without line markers", constant(with_markers=False)),
            Flag("-C", "with -E: with the comments outside of directives", constant(comments=True)),
            Flag(
                "-fpreprocessed",
                "C files have been preprocessed (-x cpp-output)",
                constant(is_preprocessed=True),
            ),
            Flag("-fno-preprocessed", "and take that back", constant(is_preprocessed=False)),
            Flag("-dM", "with -E: the macros that hold at the end", constant(macros=True)),
            Flag(
                "-fsyntax-only",
                "nothing: errors and warnings are told",
                constant(product="nothing"),
            ),
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
            Flag(
                "-x",
                f"the files that follow are in this language: {', '.join(LANGUAGES)}",
                store("language", one_of(*LANGUAGES)),
                "LANGUAGE",
                "either",
            ),
            Flag(
                "--fallback=",
                "what polyopt cannot read goes to the system's compiler, with a warning that says "
                "why: cc, or none (default)",
                _fallback,
                "WHERE",
                "joined",
            ),
            Flag(
                "-save-temps",
                "keep the preprocessed text and the assembly; behind '=': cwd (default) or obj, "
                "beside the output",
                _save_temps,
                "=WHERE",
                "optional",
            ),
        ),
        "Dependencies": (
            Flag("-M", "a rule for make, and nothing else", _rule(only=True)),
            Flag("-MM", "the same without the system's headers", _rule(only=True, system=False)),
            Flag("-MD", "a rule for make beside what is made", _rule()),
            Flag("-MMD", "the same without the system's headers", _rule(system=False)),
            Flag("-MF", "the rule goes to FILE", store("rule_file"), "FILE", "either"),
            Flag("-MT", "the rule is for TARGET", append("rule_targets"), "TARGET", "either"),
            Flag("-MQ", "the same, quoted as make wants it", _quoted_target, "TARGET", "either"),
            Flag(
                "-MG",
                "with -M and -MM: headers that are not there will be made, and count",
                constant(rule_generated=True),
            ),
            Flag("-MP", "and an empty rule for each header", constant(rule_phony=True)),
        ),
        "Linking": (
            Flag("-l", "link with a library", _to_linker("-l{}"), "NAME", "either"),
            Flag("-L", "look for libraries in DIR", append("link_options", "-L"), "DIR", "either"),
            Flag("-Wl,", "pass OPTION to the linker", _to_linker("-Wl,{}"), "OPTION", "joined"),
            Flag(
                "-Xlinker",
                "pass WORD to the linker",
                _to_linker("-Xlinker", "{}"),
                "WORD",
                "separate",
            ),
            Flag("-z", "pass -z WORD to the linker", _to_linker("-z", "{}"), "WORD", "either"),
            Flag("-u", "NAME is needed", _to_linker("-u", "{}"), "NAME", "either"),
            Flag("-T", "link as SCRIPT says", _to_linker("-T", "{}"), "SCRIPT", "either"),
            Flag("-e", "the program begins at NAME", _to_linker("-e", "{}"), "NAME", "separate"),
            Flag("-shared", "make a shared library", _link_shared),
            *(
                Flag(option, help, _link_with(option))
                for option, help in {
                    "-static": "link statically",
                    "-static-pie": "link statically, to be placed anywhere",
                    "-static-libgcc": "link gcc's run-time library statically",
                    "-shared-libgcc": "link gcc's run-time library dynamically",
                    "-pie": "link to be placed anywhere",
                    "-no-pie": "link to a fixed place",
                    "-nopie": "the same",
                    "-r": "link to an object file",
                    "-s": "without symbols",
                    "-rdynamic": "all symbols are seen by libraries",
                    "-nostdlib": "without libraries and start-up files",
                    "-nostartfiles": "without start-up files",
                    "-nodefaultlibs": "without libraries",
                    "-nolibc": "without the C library",
                }.items()
            ),
            Flag("-pthread", "link with the threads library", _threads),
            Flag("-pthreads", "the same", _threads),
            Flag(
                "-mdaz-ftz",
                "in the program, numbers too small to be normal are zeros (default: with "
                "-ffast-math, -Ofast and -funsafe-math-optimizations, but for -shared)",
                constant(daz_ftz=True),
            ),
            Flag("-mno-daz-ftz", "they are not", constant(daz_ftz=False)),
            Flag("-fuse-ld=", "link by this linker", _link_with("-fuse-ld="), "NAME", "joined"),
            Flag("-B", "look for the linker in DIR", append("link_options", "-B"), "DIR", "either"),
        ),
        "Assembling": (
            Flag(
                "-Wa,",
                "pass OPTION to the assembler of .s and .S files",
                append("assembler_words", "-Wa,"),
                "OPTION",
                "joined",
            ),
            Flag("-Xassembler", "the same", _to_assembler, "WORD", "separate"),
            Flag("-Wp,", "options of the preprocessor", _elsewhere, "OPTION,…", "joined"),
            Flag("-Xpreprocessor", "one of them", _elsewhere, "WORD", "separate"),
        ),
        "Finished work": (
            Flag(
                "--cache=",
                "keep what is made in DIR, and find it again there while nothing has changed; off: "
                "nowhere (docs/cache.md; default: POLYOPT_CACHE_DIR, else polyopt in the user's "
                "folder of caches)",
                store("cache"),
                "DIR",
                "joined",
            ),
            Flag(
                "--cache-stats",
                "say what is kept, and how often it was found",
                constant(show="cache"),
            ),
            Flag("--cache-clear", "remove all of it", constant(show="clear")),
        ),
        "Messages": (
            Flag(
                "-fdiagnostics-format=",
                "how errors and warnings are told: text, json, sarif",
                store("format", lambda value: FORMATS[one_of(*FORMATS)(value)]),
                "FORMAT",
                "joined",
            ),
            Flag(
                "-fdiagnostics-color=",
                "in colours: always, never, auto (default: on a terminal, and NO_COLOR is not set)",
                store("colour", one_of("always", "never", "auto")),
                "WHEN",
                "joined",
            ),
            Flag("-fdiagnostics-color", "in colours", constant(colour="always")),
            Flag("-fcolor-diagnostics", "in colours", constant(colour="always")),
            Flag("-fno-diagnostics-color", "without colours", constant(colour="never")),
            Flag("-fno-color-diagnostics", "without colours", constant(colour="never")),
            Flag("-fansi-escape-codes", "in colours", constant(colour="always")),
            Flag("-fdiagnostics-plain-output", "without colours", constant(colour="never")),
        ),
        "Looking on": (
            Flag("--remarks", "say what was done to each loop nest", constant(remarks=True)),
            Flag(
                "--remarks=",
                "nests: the same; loops: a verdict for each loop of the source, with the pair of "
                "iterations that stands against it (compiles once more); json: as JSON; 1: what "
                "was done; 2: and what was not; 3: and what was found out; 4: and the verdicts",
                _remarks,
                "WHICH",
                "joined",
            ),
            Flag(
                "-fsave-optimization-record",
                "write the remarks to a file beside the output, in the YAML that clang's viewers "
                "read",
                constant(record=""),
            ),
            Flag(
                "-fsave-optimization-record=",
                "the same; yaml is the only form",
                _record,
                "yaml",
                "joined",
            ),
            Flag("-fno-save-optimization-record", "do not", constant(record=None)),
            Flag(
                "-foptimization-record-file=",
                "write the remarks to that file",
                store("record"),
                "FILE",
                "joined",
            ),
            Flag(
                "--report=",
                "show it: a page with the source, a verdict beside each loop, pictures of the "
                "iterations and their order, the loops and the assembly (docs/report.md)",
                store("report"),
                "FILE.html",
                "joined",
            ),
            Flag(
                "-j",
                "make N sources at a time, each in a process of its own (default: 1); of one "
                "source, so many parts that share no functions and globals",
                store("jobs", _at_least_one),
                "N",
                "either",
            ),
            Flag("--time-passes", "say where the time went", constant(time_passes=True)),
            Flag(
                "--statistics",
                "say how much was found, and how often each pass did something",
                constant(tells_totals=True),
            ),
            Flag(
                "--print-after=",
                "print the module after this pass, or after 'all'",
                append("printed_passes"),
                "PASS",
                "joined",
            ),
            Flag(
                "--print-before=",
                "print the module before this pass, or before 'all'",
                append("printed_before"),
                "PASS",
                "joined",
            ),
            Flag(
                "--print-changed",
                "print what each pass changes",
                constant(print_changed=True),
            ),
            Flag(
                "--print-only=",
                "print this function only, of what the flags above print",
                append("printed_functions"),
                "FUNCTION",
                "joined",
            ),
            Flag(
                "--bisect=",
                "find the first pass that changes the verdict of COMMAND on what is made "
                "(docs/debugging.md)",
                store("bisect"),
                "COMMAND",
                "joined",
            ),
            Flag(
                "--list-passes",
                "say what each pass is for",
                constant(show="passes"),
            ),
            Flag(
                "--help-pass=",
                "say what one pass does, and what its options are",
                lambda collected, value: collected.update(show="pass", question=value),
                "PASS",
                "joined",
            ),
            Flag(
                "--print-pipeline",
                "print the passes that the options choose, as polyopt-opt -p takes them",
                constant(show="pipeline"),
            ),
            Flag(
                "-H",
                "say which files are included, each once, behind a dot for each file around",
                constant(tells_headers=True),
            ),
            Flag("-v", "show the commands that are run", constant(verbose=True)),
            Flag("-commands", "the same, as pollycc calls it", constant(verbose=True)),
            Flag("-###", "show what would be done, and do nothing", constant(dry=True)),
            Flag("--version", "say which polyopt this is", constant(show="version")),
            Flag("-dumpversion", "only the number", constant(show="number")),
            Flag("-dumpfullversion", "the same", constant(show="number")),
            Flag("-dumpmachine", "the machine that programs are for", constant(show="machine")),
            Flag("--help", "say this", constant(show="help")),
            Flag("-h", "the same", constant(show="help")),
            *(
                Flag(
                    f"{dash}{question}",
                    "asked of the system's compiler",
                    _ask(question),
                    "NAME",
                    shape,
                )
                for dash in ("-", "--")
                for question, shape in QUESTIONS.items()
            ),
        ),
    }


QUESTIONS: dict[str, Literal["joined", "alone"]] = {
    "print-file-name=": "joined",
    "print-prog-name=": "joined",
    "print-search-dirs": "alone",
    "print-libgcc-file-name": "alone",
    "print-multiarch": "alone",
    "print-multi-directory": "alone",
    "print-multi-lib": "alone",
    "print-multi-os-directory": "alone",
    "print-sysroot": "alone",
    "print-resource-dir": "alone",
}


def _ask(question: str) -> Setter:
    return lambda collected, value: collected.update(show="system", question=f"-{question}{value}")


def _emit(collected: Collected, value: str) -> None:
    collected["product"] = one_of(*PRODUCTS)(value)
    collected["to_files"] = False


_WHICH: dict[str, dict[str, object]] = {
    "nests": {"remarks": True},
    "loops": {"verdicts": True},
    "json": {"remarks": True, "as_json": True},
    "1": {"remarks": True, "remark_kinds": ("applied",)},
    "2": {"remarks": True, "remark_kinds": ("applied", "missed")},
    "3": {"remarks": True},
    "4": {"remarks": True, "verdicts": True},
}
"""What `--remarks=` may be, and the fields that it sets."""


def _remarks(collected: Collected, value: str) -> None:
    collected.update(_WHICH[one_of(*_WHICH)(value)])


def _record(collected: Collected, value: str) -> None:
    one_of("yaml")(value)
    collected["record"] = ""


def _fallback(collected: Collected, value: str) -> None:
    collected["fallback"] = one_of("cc", "none")(value) == "cc"


def _save_temps(collected: Collected, value: str) -> None:
    collected["save_temps"] = one_of("cwd", "obj")(value.removeprefix("=") or "cwd")


def _rule(*, only: bool = False, system: bool = True) -> Setter:
    def set_field(collected: Collected, _: str) -> None:
        former = collected.get("rule", (False, True))
        collected["rule"] = (former[0] or only, former[1] and system)

    return set_field


def _quoted_target(collected: Collected, value: str) -> None:
    append("rule_targets")(collected, quoted(value))


def _to_linker(*words: str) -> Setter:
    """The words go to the linker in their place among the inputs."""

    def set_field(collected: Collected, value: str) -> None:
        for word in words:
            item = Input(word.format(value), is_option=True)
            collected["inputs"] = (*collected.get("inputs", ()), item)

    return set_field


def _link_with(option: str) -> Setter:
    def set_field(collected: Collected, value: str) -> None:
        append("link_options")(collected, option + value)

    return set_field


def _link_shared(collected: Collected, _: str) -> None:
    append("link_options")(collected, "-shared")
    collected["pic"] = True


def _threads(collected: Collected, _: str) -> None:
    append("link_options")(collected, "-pthread")
    append("defines")(collected, "_REENTRANT")


def _to_assembler(collected: Collected, value: str) -> None:
    collected["assembler_words"] = (
        *collected.get("assembler_words", ()),
        "-Xassembler",
        value,
    )


def _elsewhere(_: Collected, value: str) -> None:
    """These have been taken apart before the flags are read (`compiler_command`)."""
    raise ValueError("expected an option")
