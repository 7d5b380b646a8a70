"""The flags of the compiler, as one table: what `polyopt-cc` takes and `polyopt.compile` too.

A flag sets fields of `Settings`; of several that set the same field the last wins, as in every C
compiler. Flags about files and actions are `polyopt-cc`'s own: a second table of the same kind.
What gcc and clang have beyond (`foreign_flags`) is in it as well: ignored where it is advice,
refused where a program would mean something else without. Every flag says which (`treatment`), and
the reference in docs/flags.md is made from these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Literal, get_args

from polyopt.driver.cpu_flags import CPU_FEATURES, set_feature
from polyopt.driver.flag_reading import (
    Collected,
    Flag,
    Setter,
    Table,
    append,
    constant,
    note,
    one_of,
    read_flags,
    store,
)
from polyopt.driver.foreign_flags import FOREIGN_FLAGS
from polyopt.driver.pollycc_flags import pollycc_flags
from polyopt.driver.warning_flags import set_warning
from polyopt.frontend.options import Contraction, Standard
from polyopt.pipeline_options import (
    EXPORT_FORMATS,
    IMPORT_FORMATS,
    LEVELS,
    MOST_PROCESSES,
    PARALLEL_THRESHOLD,
    POLY_CONFIGURATIONS,
    Distribution,
    is_configuration,
    plugin_configurations,
)
from polyopt.poly.schedulers.names import SCHEDULERS
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

STANDARDS: tuple[str, ...] = get_args(Standard)
CONTRACTIONS: tuple[str, ...] = get_args(Contraction)
OPENMP_RUNTIMES = ("libgomp", "libomp")

Visibility = Literal["default", "hidden", "protected", "internal"]
StackProtector = Literal["none", "some", "strong", "all"]


@record
class Settings:
    """What shall become of a translation unit; every field is set by some flag of `FLAGS`.

    `poly` None means: as the optimisation level has it. `openmp_runtime` None: what is found.
    `parallel`: loops run in so many threads, in as many as the runtime has where it is 0; None: no.
    `parallel_threshold`: only where a nest takes more cycles than that. `parallel_deterministic`:
    sums that threads share do not depend on how many these are. `distribute`: processes share
    loops.
    """

    include_dirs: tuple[str, ...] = ()
    quote_dirs: tuple[str, ...] = ()
    system_dirs: tuple[str, ...] = ()
    after_dirs: tuple[str, ...] = ()
    standard_includes: bool = True
    forced_includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: Standard = "gnu17"
    builtins: bool = True
    no_builtins: tuple[str, ...] = ()
    hosted: bool = True
    wrapping: bool = False

    warnings: bool = False
    wanted: tuple[str, ...] = ()
    silenced: tuple[str, ...] = ()
    no_warnings: bool = False
    werror: bool = False
    errors: tuple[str, ...] = ()
    not_errors: tuple[str, ...] = ()

    opt_level: int = 0
    size_level: int = 0
    debug: bool = False
    finite_math: bool = False
    signed_zeros: bool = True
    reciprocal_math: bool = False
    approximate_functions: bool = False
    associative_math: bool = False
    fp_contract: Contraction = "on"
    strict_aliasing: bool = True
    march: str | None = None
    mtune: str | None = None
    cpu_features: tuple[str, ...] = ()
    prefer_vector_width: int | None = None
    pic: bool = False
    visibility: Visibility = "default"
    frame_pointer: bool = False
    unwind_tables: bool = False
    stack_protector: StackProtector = "none"
    red_zone: bool = True
    null_is_valid: bool = False
    function_sections: bool = False
    data_sections: bool = False
    llvm_version: int | None = None

    openmp: bool = False
    openmp_runtime: str | None = None
    parallel: int | None = None
    parallel_threshold: int = PARALLEL_THRESHOLD
    parallel_deterministic: bool = False
    distribute: Distribution | None = None

    poly: str | None = None
    tile_sizes: tuple[int, ...] = ()
    tile_model: str = "lines"
    schedule: str | None = None
    script: str | None = None
    exports: tuple[tuple[str, str], ...] = ()
    imports: tuple[str, str] | None = None
    skipped_passes: tuple[str, ...] = ()
    added_passes: tuple[tuple[str, str], ...] = ()
    pass_limit: int | None = None
    assume_distinct: bool = False
    verify_each: bool = False
    check: bool = False


_LEVELS = {"s": (2, 1), "z": (2, 2), "g": (1, 0), "fast": (3, 0)}


def _set_level(collected: Collected, value: str) -> None:
    """-Os and -Oz are -O2 for size; -Og is -O1; every number above 3 is 3."""
    if value.isdecimal():
        level, size = min(int(value), 3), 0
    elif value in ("", *_LEVELS):
        level, size = _LEVELS.get(value, (1, 0))
    else:
        raise ValueError("expected a number, s, z, g or fast")
    collected.update(opt_level=level, size_level=size)
    if value == "fast":
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


_MAPS = ("block", "cyclic", "block-cyclic")


def _distribution(value: str) -> Distribution:
    """ "GRID", "GRID,cyclic", "GRID,block-cyclic:SIZE"."""
    grid, _, way = value.partition(",")
    words = grid.split("x")
    if not all(word == "*" or (word.isdecimal() and int(word) > 0) for word in words):
        raise ValueError("expected a grid of processes such as 4, 2x2 or *")
    if prod(int(word) for word in words if word != "*") > MOST_PROCESSES:
        raise ValueError(f"expected no more than {MOST_PROCESSES} processes")
    if words.count("*") > 1:
        raise ValueError("how many processes are left can be said of one dimension only")
    name, colon, size = way.partition(":")
    if way and name not in _MAPS:
        raise ValueError(f"expected {', '.join(_MAPS)} behind the comma")
    if name not in ("", "block") and "*" in words:
        raise ValueError(f"{name} is for a number of processes that is known, not *")
    if colon and not (name == "block-cyclic" and size.isdecimal() and int(size) > 0):
        raise ValueError("a size is a positive number, of block-cyclic only")
    return Distribution(grid, name or "block", int(size) if size else 1)


def _poly(value: str) -> str:
    """A configuration; packages are looked through where it is none of ours."""
    if not is_configuration(value):
        known = (*POLY_CONFIGURATIONS, *plugin_configurations())
        raise ValueError(f"expected one of {', '.join(known)}")
    return value


def _add_pass(collected: Collected, value: str) -> None:
    level, _, text = value.partition(":")
    if level not in LEVELS[1:] or not text:
        raise ValueError(f"expected LEVEL:PASS, with one of {', '.join(LEVELS[1:])}")
    collected["added_passes"] = (*collected.get("added_passes", ()), (level, text))


def _width(value: str) -> int:
    return int(one_of("128", "256", "512")(value))


def _sizes(value: str) -> tuple[int, ...]:
    parts = value.split(",")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise ValueError("expected positive integers with commas between")
    return tuple(int(part) for part in parts)


_UNSAFE = {
    "signed_zeros": False,
    "reciprocal_math": True,
    "approximate_functions": True,
    "associative_math": True,
}
_FAST = constant(finite_math=True, **_UNSAFE)
_STRICT = constant(finite_math=False, **{name: not value for name, value in _UNSAFE.items()})

_OLD_STANDARDS = {
    **dict.fromkeys(["c89", "c90", "iso9899:1990", "iso9899:199409"], "c99"),
    **dict.fromkeys(["gnu89", "gnu90"], "gnu99"),
    **{"c9x": "c99", "gnu9x": "gnu99", "iso9899:1999": "c99", "c1x": "c11", "gnu1x": "gnu11"},
    **{"iso9899:2011": "c11", "c18": "c17", "gnu18": "gnu17", "iso9899:2017": "c17"},
    **{"iso9899:2018": "c17", "c2x": "c23", "gnu2x": "gnu23"},
}


def _standard(value: str) -> str:
    return one_of(*STANDARDS)(_OLD_STANDARDS.get(value, value))


_FORMATS = ("gdb", "dwarf", "line-tables-only", "line-directives-only", "mlt", "column-info")
_ADVICE = ("z", "strict-dwarf", "no-", "record-gcc-switches", "pubnames", "gnu-pubnames")


def set_debug(collected: Collected, value: str) -> None:
    """-g, -g3, -ggdb2, -gdwarf-5: one kind of debug information, or with 0 none."""
    if value.startswith(_ADVICE):
        return
    if value.startswith("split-dwarf"):
        raise CompileError("-gsplit-dwarf: debug information in a file of its own is not supported")
    if value not in ("", "0", "1", "2", "3") and not value.startswith(_FORMATS):
        note(collected, f"-g{value}: unknown kind of debug information; the same as -g")
    is_level = not value.startswith("dwarf") and value.endswith("0")
    collected["debug"] = not is_level


def _protect(kind: StackProtector) -> Setter:
    return constant(stack_protector=kind)


def _switch(name: str, help: str, field: str, *, on: bool = True) -> tuple[Flag, Flag]:
    """-fNAME and -fno-NAME."""
    return (
        Flag(f"-f{name}", help, constant(**{field: on})),
        Flag(f"-fno-{name}", "and take that back", constant(**{field: not on})),
    )


def _freestanding(collected: Collected, _: str) -> None:
    collected.update(hosted=False, builtins=False)


def _hosted(collected: Collected, _: str) -> None:
    collected.update(hosted=True, builtins=True)


FLAGS: Table = {
    "Language": (
        Flag("-I", "look for included files in DIR", append("include_dirs"), "DIR", "either"),
        Flag(
            "-iquote", 'the same, for #include "name" only', append("quote_dirs"), "DIR", "either"
        ),
        Flag(
            "-isystem",
            "the same behind all -I; nothing is warned of there",
            append("system_dirs"),
            "DIR",
            "either",
        ),
        Flag(
            "-idirafter", "the same behind everything else", append("after_dirs"), "DIR", "either"
        ),
        Flag(
            "-nostdinc",
            "neither our own headers nor the system's",
            constant(standard_includes=False),
        ),
        Flag(
            "-include",
            "read FILE before the first line",
            append("forced_includes"),
            "FILE",
            "either",
        ),
        Flag("-D", "define a macro", _define, "NAME[=VALUE]", "either"),
        Flag("-U", "undefine a macro", _undefine, "NAME", "either"),
        Flag(
            "-std=",
            "c99, c11, c17, c23, or gnu99 … gnu23 (default gnu17); c89 and gnu89 are read as c99 "
            "and gnu99",
            store("std", _standard),
            "STANDARD",
            "joined",
        ),
        Flag("-ansi", "the same as -std=c89", constant(std="c99")),
        *_switch("wrapv", "signed integers wrap around", "wrapping"),
        Flag("-fno-strict-overflow", "the same as -fwrapv", constant(wrapping=True)),
        Flag("-fstrict-overflow", "the same as -fno-wrapv", constant(wrapping=False)),
        *_switch("builtin", "functions of the C library are known by name (default)", "builtins"),
        Flag(
            "-fno-builtin-",
            "the function NAME is not the C library's",
            append("no_builtins"),
            "NAME",
            "joined",
        ),
        Flag("-ffreestanding", "there is no C library: -fno-builtin", _freestanding),
        Flag("-fno-freestanding", "the same as -fhosted", _hosted),
        Flag("-fhosted", "there is a C library (default)", _hosted),
        Flag("-fno-hosted", "the same as -ffreestanding", _freestanding),
    ),
    "Warnings": (
        Flag("-Wall", "warn about doubtful code", constant(warnings=True)),
        Flag("-Wextra", "the same as -Wall", constant(warnings=True)),
        Flag("-Werror", "treat warnings as errors", constant(werror=True)),
        Flag("-Wno-error", "and take that back", constant(werror=False)),
        Flag(
            "-W",
            "warn about ID, with no-ID do not, with error=ID make it an error; what gcc and clang "
            "warn of and polyopt does not is accepted, other names are ignored with a warning",
            set_warning,
            "ID",
            "optional",
        ),
        Flag("-w", "do not warn at all", constant(no_warnings=True)),
    ),
    "Code": (
        Flag(
            "-O",
            "optimise: 0 (default), 1, 2, 3, fast; s and z for size, g the same as 1",
            _set_level,
            "LEVEL",
            "optional",
        ),
        Flag(
            "-g",
            "debug information: which line of C each instruction comes from. A level or a format "
            "may follow, 0 is none",
            set_debug,
            "LEVEL",
            "optional",
        ),
        Flag("-ffast-math", "floating point may be reassociated, finite, and contracted", _FAST),
        Flag("-fno-fast-math", "take -ffast-math back", _STRICT),
        Flag(
            "-funsafe-math-optimizations",
            "-ffast-math but for -ffinite-math-only",
            constant(**_UNSAFE),
        ),
        Flag(
            "-fno-unsafe-math-optimizations",
            "and take that back",
            constant(**{name: not value for name, value in _UNSAFE.items()}),
        ),
        *_switch(
            "associative-math",
            "floating-point sums and products may be reassociated",
            "associative_math",
        ),
        *_switch("finite-math-only", "there are no infinities and no NaNs", "finite_math"),
        *_switch("signed-zeros", "zeros have signs (default)", "signed_zeros"),
        *_switch("reciprocal-math", "x / y may be x * (1 / y)", "reciprocal_math"),
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
        Flag(
            "-mtune=",
            "order instructions for this CPU",
            store("mtune"),
            "CPU",
            "joined",
        ),
        Flag(
            "-mprefer-vector-width=",
            "use vectors of 128, 256 or 512 bits",
            store("prefer_vector_width", _width),
            "BITS",
            "joined",
        ),
        Flag(
            "--llvm-version=",
            "with --emit=llvm: in the form that LLVM N reads, 19 to 22 (default: our own, 22)",
            store("llvm_version", _count("versions")),
            "N",
            "joined",
        ),
        Flag("-fPIC", "code for shared libraries", constant(pic=True)),
        Flag("-fpic", "the same", constant(pic=True)),
        Flag("-fno-PIC", "code for programs (it can be placed anywhere too)", constant(pic=False)),
        Flag("-fno-pic", "the same", constant(pic=False)),
        Flag("-fPIE", "the same", constant(pic=False)),
        Flag("-fpie", "the same", constant(pic=False)),
        Flag(
            "-fvisibility=",
            "which names other parts of a program see: default, hidden, protected, internal",
            store("visibility", one_of(*get_args(Visibility))),
            "KIND",
            "joined",
        ),
        *_switch(
            "omit-frame-pointer", "keep no frame pointer (default)", "frame_pointer", on=False
        ),
        *_switch(
            "asynchronous-unwind-tables",
            "tables by which stacks are unwound (default: none)",
            "unwind_tables",
        ),
        *_switch("unwind-tables", "the same", "unwind_tables"),
        Flag("-fstack-protector", "guard buffers on the stack", _protect("some")),
        Flag("-fstack-protector-strong", "guard more of them", _protect("strong")),
        Flag("-fstack-protector-all", "guard all functions", _protect("all")),
        Flag("-fno-stack-protector", "guard none (default)", _protect("none")),
        *_switch(
            "delete-null-pointer-checks",
            "nothing is at address 0 (default)",
            "null_is_valid",
            on=False,
        ),
        *_switch("function-sections", "a section for each function", "function_sections"),
        *_switch("data-sections", "a section for each object", "data_sections"),
        Flag("-mred-zone", "use memory below the stack (default)", constant(red_zone=True)),
        Flag("-mno-red-zone", "do not use it", constant(red_zone=False)),
    ),
    "Instruction sets": tuple(
        Flag(
            f"-m{'' if sign == '+' else 'no-'}{name}",
            "use them; without -march=, on top of x86-64" if sign == "+" else "do not use them",
            set_feature(sign, name),
        )
        for name in CPU_FEATURES
        for sign in "+-"
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
        Flag(
            "-fparallel-deterministic",
            "sums that threads share have the same bits for any number of threads",
            constant(parallel_deterministic=True),
        ),
        Flag("-fno-parallel", "take -fparallel back", constant(parallel=None)),
    ),
    "Loops": (
        Flag("-fno-poly", "leave the loops as they are: --poly=none", constant(poly="none")),
        Flag(
            "--poly=",
            f"none, auto (default from -O2 on), {', '.join(SCHEDULERS)}, and what packages add "
            "(docs/plugins.md); each but identity with +tile where its bands are to be tiled",
            store("poly", _poly),
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
            "--tile-model=",
            "what chooses these sizes: lines (default), or a model that a package adds "
            "(docs/plugins.md)",
            store("tile_model"),
            "NAME",
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
            "--steps=",
            "the same with the text of such a file itself",
            store("script"),
            "TEXT",
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
            "--pass-limit=",
            "run only the first N of the passes that can be left out",
            store("pass_limit", _count("passes")),
            "N",
            "joined",
        ),
        Flag(
            "--add-pass=",
            "run a pass of any package, with its options, behind all others on the way to LEVEL "
            "(docs/plugins.md)",
            _add_pass,
            "LEVEL:PASS",
            "joined",
        ),
        Flag(
            "--check",
            "the program runs each optimised loop nest in the source's order too, compares the "
            "results, and ends with status 3 where they differ (docs/checking.md)",
            constant(check=True),
        ),
        Flag(
            "--distribute=",
            "processes share loop nests, by messages (MPI): GRID is 4, 2x2, or * for as many as "
            "run the program; MAP is block (default), cyclic or block-cyclic:SIZE (docs/mpi.md)",
            store("distribute", _distribution),
            "GRID[,MAP]",
            "joined",
        ),
        Flag(
            "--assume-distinct",
            "different memrefs of a module in .mlir do not overlap; C has restrict for it",
            constant(assume_distinct=True),
        ),
        Flag("--verify-each", "verify the module after every pass", constant(verify_each=True)),
        *pollycc_flags(_export),
    ),
    **FOREIGN_FLAGS,
}


def read_settings(options: Sequence[str]) -> Settings:
    """Settings from flags alone: what `polyopt.compile` takes."""

    import warnings

    def refuse(_: Collected, word: str) -> None:
        raise CompileError(f"'{word}' is no option", hint="options begin with a '-'")

    collected = read_flags(iter(options), [FLAGS], refuse)
    del collected["read"]
    for message in collected.pop("notes", ()):
        warnings.warn(message, stacklevel=3)
    return Settings(**collected)
