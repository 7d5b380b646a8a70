"""What the user may ask of the C front end."""

from __future__ import annotations

from typing import Literal

from polyopt.support.charsets import UTF_8
from polyopt.support.record import record

Standard = Literal["c99", "c11", "c17", "c23", "gnu99", "gnu11", "gnu17", "gnu23"]
Contraction = Literal["off", "on", "fast"]
GNU_C_VERSION = (4, 2, 1)
"""The one that clang names, too. It is enough for most code that asks for GNU C at all, and glibc's
headers ask by it for nothing that is lacking here: from 4.3 on for floats of 128 bits."""


@record
class CFrontendOptions:
    """`defines` are `NAME` or `NAME=value` as after `-D`. `warnings` switches the `-Wall`
    warnings on, `extra_warnings` those of `-Wextra`; `wanted` and `silenced` hold the ids of
    `-W<id>` and `-Wno-<id>`.

    `forced_includes` are read before the first line, and of `macro_files`, before them, only the
    macros are kept; `is_preprocessed` text has no macros of ours, and what it becomes has
    its `comments` (-E). `skips_missing`: headers that are nowhere count as included, and empty.
    Of the folders, `quote_dirs` serve `#include "name"` only, `system_dirs` and `after_dirs` are
    those behind `include_dirs`; the system's own lie in `sysroot`.

    `is_builtin` says which functions of the C library are known by their names: all but
    `no_builtins`, or with `builtins` false none. `wrapping`: signed integers wrap around. `common`:
    objects that several files define without a value are one. `limited_range`: products and
    quotients of complex numbers by the formulas of school. `unsigned_char`: so is
    a `char` that is not said to be signed. `finite_math` to `associative_math` are
    the permissions of `-ffast-math`. `strict_aliasing`: what is accessed as of one type is not
    accessed as of another. `aligned`: pointers to numbers (but bytes) that functions are passed are
    to the beginning of a cache line. `openmp`: `#pragma omp` is obeyed, through this runtime.
    Files are written in `input_charset`, strings of the program in `execution_charset`. `gnuc`: the
    version of GNU C that `__GNUC__` tells of, if any. `claims`: macros that tell what else was
    asked for. `fortify`: the number that `_FORTIFY_SOURCE` is behind the text of optimised code."""

    include_dirs: tuple[str, ...] = ()
    quote_dirs: tuple[str, ...] = ()
    system_dirs: tuple[str, ...] = ()
    after_dirs: tuple[str, ...] = ()
    standard_includes: bool = True
    sysroot: str = ""
    forced_includes: tuple[str, ...] = ()
    macro_files: tuple[str, ...] = ()
    is_preprocessed: bool = False
    comments: bool = False
    skips_missing: bool = False
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: Standard = "gnu17"
    warnings: bool = False
    extra_warnings: bool = False
    wanted: frozenset[str] = frozenset()
    silenced: frozenset[str] = frozenset()
    builtins: bool = True
    no_builtins: frozenset[str] = frozenset()
    hosted: bool = True
    wrapping: bool = False
    common: bool = False
    unsigned_char: bool = False
    input_charset: str = UTF_8
    execution_charset: str = UTF_8
    finite_math: bool = False
    limited_range: bool = False
    signed_zeros: bool = True
    reciprocal_math: bool = False
    approximate_functions: bool = False
    associative_math: bool = False
    fp_contract: Contraction = "on"
    strict_aliasing: bool = True
    aligned: bool = False
    openmp: str | None = None
    gnuc: tuple[int, ...] = GNU_C_VERSION
    claims: tuple[str, ...] = ()
    fortify: int = 0

    @property
    def optimises(self) -> bool:
        return "__OPTIMIZE__ 1" in self.claims

    def is_builtin(self, name: str) -> bool:
        return self.builtins and name not in self.no_builtins
