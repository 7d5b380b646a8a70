"""What the user may ask of the C front end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Standard = Literal["c99", "c11", "c17", "c23", "gnu99", "gnu11", "gnu17", "gnu23"]


@dataclass(frozen=True)
class CFrontendOptions:
    """`defines` are `NAME` or `NAME=value` as after `-D`. `warnings` switches the `-Wall`
    warnings on; `silenced` holds the ids of `-Wno-<id>`."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: Standard = "gnu17"
    warnings: bool = False
    silenced: frozenset[str] = frozenset()
    fast_math: bool = False
    fp_contract: Literal["off", "on", "fast"] = "on"
