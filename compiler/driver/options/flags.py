"""The flags of the compiler, as one table: what `polyopt-cc` takes and `polyopt.compile` too.

A flag sets fields of `Settings`; of several that set the same field the last wins, as in every C
compiler. Flags about files and actions are `polyopt-cc`'s own: a second table of the same kind.
What gcc and clang have beyond (`foreign_flags`) is in it as well: ignored where it is advice,
refused where a program would mean something else without. Every flag says which (`treatment`), and
the reference in docs/flags.md is made from these tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from polyopt.driver.options.cpu_flags import CPU_FEATURES, set_feature
from polyopt.driver.options.flag_reading import (
    Collected,
    Flag,
    Table,
    append,
    constant,
    one_of,
    read_flags,
    store,
)
from polyopt.driver.options.flag_values import (
    CONTRACTIONS,
    FAST,
    STRICT,
    UNSAFE,
    check_control_flow,
    define,
    freestanding,
    hosted,
    number_of,
    protect,
    set_debug,
    set_level,
    standard,
    switch,
    undefine,
    vector_width,
    version,
)
from polyopt.driver.options.foreign_flags import FOREIGN_FLAGS
from polyopt.driver.options.loop_flags import LOOP_FLAGS
from polyopt.driver.options.settings import Settings, Visibility
from polyopt.driver.options.warning_flags import set_warning, told_unknown
from polyopt.support.charsets import charset_named, execution_charset
from polyopt.support.diagnostics import CompileError

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
            "--sysroot=",
            "the system's headers and libraries lie in DIR, as if it were the root of all files",
            store("sysroot"),
            "DIR",
            "joined",
        ),
        Flag("--sysroot", "the same", store("sysroot"), "DIR", "separate"),
        Flag("-isysroot", "the headers do", store("header_sysroot"), "DIR", "either"),
        Flag(
            "-include",
            "read FILE before the first line",
            append("forced_includes"),
            "FILE",
            "either",
        ),
        Flag(
            "-imacros",
            "the same before all -include, and keep nothing of FILE but its macros",
            append("macro_files"),
            "FILE",
            "either",
        ),
        Flag("-D", "define a macro", define, "NAME[=VALUE]", "either"),
        Flag("-U", "undefine a macro", undefine, "NAME", "either"),
        Flag(
            "-std=",
            "c99, c11, c17, c23, or gnu99 … gnu23 (default gnu17); c89 and gnu89 are read as c99 "
            "and gnu99",
            store("std", standard),
            "STANDARD",
            "joined",
        ),
        Flag("-ansi", "the same as -std=c89", constant(std="c99")),
        *switch(
            "common", "what several files define without giving it a value is one object", "common"
        ),
        *switch("unsigned-char", "`char` alone is unsigned", "unsigned_char"),
        *switch("signed-char", "it is signed (default)", "unsigned_char", on=False),
        Flag(
            "-finput-charset=",
            "what files are written in (default UTF-8), by its name, as cp932 or latin1",
            store("input_charset", charset_named),
            "CHARSET",
            "joined",
        ),
        Flag(
            "-fexec-charset=",
            "what strings and characters without a prefix are in the program (default UTF-8)",
            store("execution_charset", execution_charset),
            "CHARSET",
            "joined",
        ),
        *switch("wrapv", "signed integers wrap around", "wrapping"),
        Flag("-fno-strict-overflow", "the same as -fwrapv", constant(wrapping=True)),
        Flag("-fstrict-overflow", "the same as -fno-wrapv", constant(wrapping=False)),
        *switch(
            "aggressive-loop-optimizations",
            "loops end where declared arrays do (default)",
            "declared_sizes",
        ),
        *switch("builtin", "functions of the C library are known by name (default)", "builtins"),
        Flag(
            "-fno-builtin-",
            "the function NAME is not the C library's",
            append("no_builtins"),
            "NAME",
            "joined",
        ),
        Flag("-ffreestanding", "there is no C library: -fno-builtin", freestanding),
        Flag("-fno-freestanding", "the same as -fhosted", hosted),
        Flag("-fhosted", "there is a C library (default)", hosted),
        Flag(
            "-fgnuc-version=",
            "what __GNUC__ and its like tell of (default 4.2.1); with 0 they are not defined",
            store("gnuc", version),
            "VERSION",
            "joined",
        ),
        Flag("-fno-hosted", "the same as -ffreestanding", freestanding),
    ),
    "Warnings": (
        Flag("-Wall", "warn about doubtful code", constant(warnings=True)),
        Flag("-Wextra", "warn about more that is doubtful", constant(extra_warnings=True)),
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
            set_level,
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
        Flag("-ffast-math", "floating point may be reassociated, finite, and contracted", FAST),
        Flag("-fno-fast-math", "take -ffast-math back", STRICT),
        Flag(
            "-funsafe-math-optimizations",
            "-ffast-math but for -ffinite-math-only",
            constant(**UNSAFE),
        ),
        Flag(
            "-fno-unsafe-math-optimizations",
            "and take that back",
            constant(**{name: not value for name, value in UNSAFE.items()}),
        ),
        *switch(
            "associative-math",
            "floating-point sums and products may be reassociated",
            "associative_math",
        ),
        *switch("finite-math-only", "there are no infinities and no NaNs", "finite_math"),
        *switch(
            "cx-limited-range",
            "complex products and quotients are the plain formulas, infinities or not",
            "limited_range",
        ),
        *switch("signed-zeros", "zeros have signs (default)", "signed_zeros"),
        *switch("reciprocal-math", "x / y may be x * (1 / y)", "reciprocal_math"),
        Flag(
            "-ffp-contract=",
            "a*b+c may be rounded once: off, on (default), fast (on, whatever pragmas say)",
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
        *switch(
            "aligned",
            "pointers to numbers (but bytes) that functions are passed are to the beginning of a "
            "cache line: vectors are loaded and stored aligned, and fault where that is not so",
            "aligned",
        ),
        *switch("vectorize", "write vectors (default from -O2 on)", "vectorize"),
        *switch("tree-vectorize", "the same", "vectorize"),
        *switch("slp-vectorize", "LLVM writes vectors of straight code (default)", "slp_vectorize"),
        *switch("tree-slp-vectorize", "the same", "slp_vectorize"),
        *switch("unroll-loops", "LLVM unrolls loops (default)", "unroll_loops"),
        Flag(
            "-march=",
            "code for this CPU: native, x86-64-v4, a CPU's name (default: v3 where AVX2 is here)",
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
            store("prefer_vector_width", vector_width),
            "BITS",
            "joined",
        ),
        Flag(
            "--llvm-version=",
            "with --emit=llvm: in the form that LLVM N reads, 19 to 22 (default: our own, 22)",
            store("llvm_version", number_of("versions")),
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
        *switch("omit-frame-pointer", "keep no frame pointer (default)", "frame_pointer", on=False),
        *switch(
            "asynchronous-unwind-tables",
            "tables by which stacks are unwound (default: none)",
            "unwind_tables",
        ),
        *switch("unwind-tables", "the same", "unwind_tables"),
        *switch(
            "exceptions",
            "what C++ throws passes through functions (no attribute cleanup runs then)",
            "unwinds",
        ),
        Flag("-fstack-protector", "guard buffers on the stack", protect("some")),
        Flag("-fstack-protector-strong", "guard more of them", protect("strong")),
        Flag("-fstack-protector-all", "guard all functions", protect("all")),
        Flag("-fno-stack-protector", "guard none (default)", protect("none")),
        *switch(
            "stack-clash-protection", "touch each page that the stack grows by", "probes_stack"
        ),
        Flag(
            "-fcf-protection",
            "let the CPU check where branches and returns go (CET); behind '=': branch, return, "
            "full (default), or none",
            check_control_flow,
            "=WHAT",
            "optional",
        ),
        *switch(
            "delete-null-pointer-checks",
            "nothing is at address 0 (default)",
            "null_is_valid",
            on=False,
        ),
        *switch("function-sections", "a section for each function", "function_sections"),
        *switch("data-sections", "a section for each object", "data_sections"),
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
    **LOOP_FLAGS,
    **FOREIGN_FLAGS,
}


def read_settings(options: Sequence[str]) -> Settings:
    """Settings from flags alone: what `polyopt.compile` takes."""

    import warnings

    def refuse(_: Collected, word: str) -> None:
        raise CompileError(f"'{word}' is no option", hint="options begin with a '-'")

    collected = read_flags(iter(options), [FLAGS], refuse)
    del collected["read"]
    unknown, notes = collected.pop("unknown_warnings", ()), collected.pop("notes", ())
    settings = Settings(**collected)
    for message in (*notes, *(told.message for told in told_unknown(unknown, settings))):
        warnings.warn(message, stacklevel=3)
    return settings
