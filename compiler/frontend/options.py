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

    `fast_math` stands for the permissions of `-ffast-math` apart from those that have flags of
    their own: to reassociate, and to contract. `strict_aliasing`: what is accessed as of one type
    is not accessed as of another."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: Standard = "gnu17"
    warnings: bool = False
    silenced: frozenset[str] = frozenset()
    fast_math: bool = False
    associative_math: bool = False
    fp_contract: Contraction = "on"
    strict_aliasing: bool = True
