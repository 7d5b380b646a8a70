"""Names in isl's texts: those that are words, and those that are taken.

In a text, a name that stands for a parameter already says "equal to it" where a dimension is
declared: `[x0] -> { S[x0] }` is one instance. Whoever writes a text with parameters of others
gives its dimensions names `apart` from theirs.
"""

from __future__ import annotations

from collections.abc import Collection

import islpy as isl

WORDS = frozenset(
    "and or not implies exists mod floor ceil floord ceild min max rat infty infinity NaN true "
    "false domain schedule filter sequence set leaf band mark context guard extension expansion "
    "contraction options".split()
)
"""Isl reads no name of a parameter, a statement or an array in these."""


def apart(prefix: str, count: int, taken: Collection[str]) -> list[str]:
    """prefix0, prefix1, …, none of them in `taken`: with more of its letters where needed."""
    longer = prefix
    while any(f"{longer}{k}" in taken for k in range(count)):
        longer += prefix
    return [f"{longer}{k}" for k in range(count)]


def parameters_of(space: isl.Space) -> list[str]:
    kind = isl.dim_type.param
    return [space.get_dim_name(kind, k) or "" for k in range(space.dim(kind))]
