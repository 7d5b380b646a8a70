"""What the user may ask of the C front end."""

from __future__ import annotations

from typing import Literal

from polyopt.support.record import record

Standard = Literal["c99", "c11", "c17", "c23", "gnu99", "gnu11", "gnu17", "gnu23"]
Contraction = Literal["off", "on", "fast"]


@record
class CFrontendOptions:
    """`defines` are `NAME` or `NAME=value` as after `-D`. `warnings` switches the `-Wall`
    warnings on; `silenced` holds the ids of `-Wno-<id>`.

    `forced_includes` are read before the first line; `is_preprocessed` text has no macros of ours.
    Of the folders, `quote_dirs` serve `#include "name"` only, `system_dirs` and `after_dirs` are
    those behind `include_dirs`.

    `fast_math` stands for the permissions of `-ffast-math` apart from those that have flags of
    their own: to reassociate, and to contract. `strict_aliasing`: what is accessed as of one type
    is not accessed as of another."""

    include_dirs: tuple[str, ...] = ()
    quote_dirs: tuple[str, ...] = ()
    system_dirs: tuple[str, ...] = ()
    after_dirs: tuple[str, ...] = ()
    standard_includes: bool = True
    forced_includes: tuple[str, ...] = ()
    is_preprocessed: bool = False
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: Standard = "gnu17"
    warnings: bool = False
    silenced: frozenset[str] = frozenset()
    fast_math: bool = False
    associative_math: bool = False
    fp_contract: Contraction = "on"
    strict_aliasing: bool = True
