"""The flags of the compiler, as one table: what `polyopt-cc` takes and `polyopt.compile` too.

A flag sets fields of `Settings`; of several that set the same field the last wins, as in every C
compiler. Flags about files and actions are `polyopt-cc`'s own: a second table of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from polyopt.frontend.options import Contraction, Standard
from polyopt.pipeline import (
    EXPORT_FORMATS,
    IMPORT_FORMATS,
    PARALLEL_THRESHOLD,
    POLY_CONFIGURATIONS,
    SCHEDULERS,
)
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

STANDARDS: tuple[str, ...] = get_args(Standard)
CONTRACTIONS: tuple[str, ...] = get_args(Contraction)
OPENMP_RUNTIMES = ("libgomp", "libomp")


@record
class Settings:
    """What shall become of a translation unit; every field is set by some flag of `FLAGS`.

    `poly` None means: as the optimisation level has it. `openmp_runtime` None: what is found.
    `parallel`: loops run in so many threads, in as many as the runtime has where it is 0; None: no.
    `parallel_threshold`: only where a nest takes more cycles than that.
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: Standard = "gnu17"

    warnings: bool = False
    silenced: tuple[str, ...] = ()
    no_warnings: bool = False
    werror: bool = False

    opt_level: int = 0
    fast_math: bool = False
    associative_math: bool = False
    fp_contract: Contraction = "on"
    strict_aliasing: bool = True
    march: str | None = None
    prefer_vector_width: int | None = None
    pic: bool = False

    openmp: bool = False
    openmp_runtime: str | None = None
    parallel: int | None = None
    parallel_threshold: int = PARALLEL_THRESHOLD

    poly: str | None = None
    tile_sizes: tuple[int, ...] = ()
    schedule: str | None = None
    exports: tuple[tuple[str, str], ...] = ()
    imports: tuple[str, str] | None = None
    skipped_passes: tuple[str, ...] = ()
    verify_each: bool = False
    check: bool = False


Collected = dict[str, Any]
"""Fields by name, as the flags read so far have set them."""

Setter = Callable[[Collected, str], None]
"""Puts a flag's value ("" where it takes none) among the fields; ValueError for a bad value."""


@record
class Flag:
    """The value follows at once ("joined", or "optional" where it may be empty), as the next word
    ("separate"), or either way; an "alone" flag takes none."""

    spelling: str
    help: str
    set: Setter
    metavar: str = ""
    shape: Literal["alone", "joined", "optional", "separate", "either"] = "alone"


Table = Mapping[str, Sequence[Flag]]
"""Flags by the heading under which `--help` shows them."""


def constant(**fields: Any) -> Setter:
    return lambda collected, _: collected.update(fields)


def store(name: str, convert: Callable[[str], Any] = str) -> Setter:
    def set_field(collected: Collected, value: str) -> None:
        collected[name] = convert(value)

    return set_field


def append(name: str, prefix: str = "") -> Setter:
    def extend_field(collected: Collected, value: str) -> None:
        collected[name] = (*collected.get(name, ()), prefix + value)

    return extend_field


def one_of(*choices: str) -> Callable[[str], str]:
    def check(value: str) -> str:
        if value not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}")
        return value

    return check


def _set_level(collected: Collected, value: str) -> None:
    level = one_of("0", "1", "2", "3", "fast")(value or "1")
    collected["opt_level"] = 3 if level == "fast" else int(level)
    if level == "fast":
        _FAST(collected, "")


def _define(collected: Collected, value: str) -> None:
    """-D and -U of one name: the last one holds."""
    name = value.partition("=")[0]
    undefines = collected.get("undefines", ())
    collected["undefines"] = tuple(other for other in undefines if other != name)
    collected["defines"] = (*collected.get("defines", ()), value)


def _undefine(collected: Collected, name: str) -> None:
    defines = collected.get("defines", ())
    collected["defines"] = tuple(other for other in defines if other.partition("=")[0] != name)
    collected["undefines"] = (*collected.get("undefines", ()), name)


def _form_and_folder(value: str, forms: Sequence[str]) -> tuple[str, str]:
    """ "FORMAT:DIR" in two; the folder is the current one where none is given."""
    form, _, folder = value.partition(":")
    return one_of(*forms)(form), folder or "."


def _export(collected: Collected, value: str) -> None:
    form, folder = _form_and_folder(value, EXPORT_FORMATS)
    others = tuple(one for one in collected.get("exports", ()) if one[0] != form)
    collected["exports"] = (*others, (form, folder))


def _openmp(collected: Collected, value: str) -> None:
    collected["openmp_runtime"] = one_of(*OPENMP_RUNTIMES)(value)
    collected["openmp"] = True


def _count(of: str) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not value.isdecimal() or int(value) >= 1 << 31:
            raise ValueError(f"expected a number of {of}")
        return int(value)

    return read


def _width(value: str) -> int:
    return int(one_of("128", "256", "512")(value))


def _sizes(value: str) -> tuple[int, ...]:
    parts = value.split(",")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise ValueError("expected positive integers with commas between")
    return tuple(int(part) for part in parts)


_FAST = constant(fast_math=True, associative_math=True)
_STRICT = constant(fast_math=False, associative_math=False)

FLAGS: Table = {
    "Language": (
        Flag("-I", "look for included files in DIR", append("include_dirs"), "DIR", "either"),
        Flag("-D", "define a macro", _define, "NAME[=VALUE]", "either"),
        Flag("-U", "undefine a macro", _undefine, "NAME", "either"),
        Flag(
            "-std=",
            "c99, c11, c17, c23, or gnu99 … gnu23 (default gnu17)",
            store("std", one_of(*STANDARDS)),
            "STANDARD",
            "joined",
        ),
    ),
    "Warnings": (
        Flag("-Wall", "warn about doubtful code", constant(warnings=True)),
        Flag("-Wextra", "the same as -Wall", constant(warnings=True)),
        Flag("-Werror", "treat warnings as errors", constant(werror=True)),
        Flag("-Wno-", "do not warn about ID", append("silenced"), "ID", "joined"),
        Flag("-w", "do not warn at all", constant(no_warnings=True)),
    ),
    "Code": (
        Flag("-O", "optimise: 0 (default), 1, 2, 3, fast", _set_level, "LEVEL", "optional"),
        Flag("-ffast-math", "floating point may be reassociated, finite, and contracted", _FAST),
        Flag("-fno-fast-math", "take -ffast-math back", _STRICT),
        Flag(
            "-fassociative-math",
            "floating-point sums and products may be reassociated",
            constant(associative_math=True),
        ),
        Flag("-fno-associative-math", "and take that back", constant(associative_math=False)),
        Flag(
            "-ffp-contract=",
            "a*b+c may be rounded once: off, on (default), fast (the same as on)",
            store("fp_contract", one_of(*CONTRACTIONS)),
            "MODE",
            "joined",
        ),
        Flag(
            "-fstrict-aliasing",
            "what is accessed as of one type is not accessed as of another (default)",
            constant(strict_aliasing=True),
        ),
        Flag("-fno-strict-aliasing", "and take that back", constant(strict_aliasing=False)),
        Flag(
            "-march=",
            "code for this CPU: native, x86-64-v3, x86-64-v4, or a CPU's name",
            store("march"),
            "CPU",
            "joined",
        ),
        Flag("-mavx2", "the same as -march=x86-64-v3", constant(march="x86-64-v3")),
        Flag(
            "-mprefer-vector-width=",
            "use vectors of 128, 256 or 512 bits",
            store("prefer_vector_width", _width),
            "BITS",
            "joined",
        ),
        Flag("-fPIC", "code for shared libraries", constant(pic=True)),
    ),
    "Threads": (
        Flag("-fopenmp", "obey #pragma omp", constant(openmp=True)),
        Flag(
            "-fopenmp=",
            "the same, through libgomp or libomp (default: what is found, in this order)",
            _openmp,
            "RUNTIME",
            "joined",
        ),
        Flag("-fno-openmp", "take -fopenmp back", constant(openmp=False)),
        Flag("-fparallel", "run loops in as many threads as there are", constant(parallel=0)),
        Flag(
            "-fparallel=",
            "run loops in N threads",
            store("parallel", _count("threads")),
            "N",
            "joined",
        ),
        Flag(
            "-fparallel-threshold=",
            "only nests that take more CYCLES, as far as can be told before they run "
            f"(default {PARALLEL_THRESHOLD})",
            store("parallel_threshold", _count("cycles")),
            "CYCLES",
            "joined",
        ),
        Flag("-fno-parallel", "take -fparallel back", constant(parallel=None)),
    ),
    "Loops": (
        Flag("-fno-poly", "leave the loops as they are: --poly=none", constant(poly="none")),
        Flag(
            "--poly=",
            f"none, auto (default from -O2 on), {', '.join(SCHEDULERS)}; each but identity with "
            "+tile where its bands are to be tiled",
            store("poly", one_of(*POLY_CONFIGURATIONS)),
            "CONFIG",
            "joined",
        ),
        Flag(
            "--tile-sizes=",
            "sizes of tiles, outermost loop first (default: chosen by a model)",
            store("tile_sizes", _sizes),
            "N,…",
            "joined",
        ),
        Flag(
            "--schedule=",
            "transform loops by the steps in FILE (docs/schedules.md); what no step changes keeps "
            "the order of --poly=, that of the source if none is given",
            store("schedule"),
            "FILE",
            "joined",
        ),
        Flag(
            "--export=",
            f"write schedules to files in DIR ('-': standard output): {', '.join(EXPORT_FORMATS)} "
            "(docs/exchange.md)",
            _export,
            "FORMAT[:DIR]",
            "joined",
        ),
        Flag(
            "--import=",
            f"take schedules from files in DIR: {', '.join(IMPORT_FORMATS)}",
            store("imports", lambda value: _form_and_folder(value, IMPORT_FORMATS)),
            "FORMAT[:DIR]",
            "joined",
        ),
        Flag(
            "--skip-pass=",
            "leave one pass out, at your own risk",
            append("skipped_passes"),
            "NAME",
            "joined",
        ),
        Flag(
            "--check",
            "the program runs each optimised loop nest in the source's order too, compares the "
            "results, and ends with status 3 where they differ (docs/checking.md)",
            constant(check=True),
        ),
        Flag("--verify-each", "verify the module after every pass", constant(verify_each=True)),
    ),
}


def read_flags(words: Iterator[str], tables: Sequence[Table], other: Setter) -> Collected:
    """The fields that the words set; `other` takes a word that is no flag.

    Raises CompileError for an unknown flag, a bad value, or a value that is missing.
    """
    flags = {f.spelling: f for table in tables for group in table.values() for f in group}
    collected: Collected = {}
    for word in words:
        if not word.startswith("-") or word == "-":
            other(collected, word)
            continue
        flag = _flag_of(word, flags)
        value = word[len(flag.spelling) :]
        if not value and flag.shape in ("separate", "either"):
            value = next(words, "")
        if not value and flag.shape not in ("alone", "optional"):
            space = "" if flag.shape == "joined" else " "
            raise CompileError(f"option '{word}' needs a value: {word}{space}{flag.metavar}")
        try:
            flag.set(collected, value)
        except ValueError as error:
            raise CompileError(f"bad value '{value}' for '{flag.spelling}': {error}") from None
    return collected


def _flag_of(word: str, flags: Mapping[str, Flag]) -> Flag:
    """The flag spelled so, else the one with the longest spelling that the word starts with."""
    exact = flags.get(word)
    if exact is not None:
        return exact
    for end in range(len(word) - 1, 1, -1):
        flag = flags.get(word[:end])
        if flag is not None and flag.shape in ("joined", "optional", "either"):
            return flag
    raise _unknown(word, flags)


def _unknown(word: str, flags: Mapping[str, Flag]) -> CompileError:
    from difflib import get_close_matches

    head, equals, value = word.partition("=")
    close = get_close_matches(head + equals, flags, n=1, cutoff=0.7)
    hint = f"did you mean '{close[0]}{value}'?" if close else "--help lists the options"
    return CompileError(f"unknown option '{word}'", hint=hint)


def read_settings(options: Sequence[str]) -> Settings:
    """Settings from flags alone: what `polyopt.compile` takes."""

    def refuse(_: Collected, word: str) -> None:
        raise CompileError(f"'{word}' is no option", hint="options begin with a '-'")

    return Settings(**read_flags(iter(options), [FLAGS], refuse))
