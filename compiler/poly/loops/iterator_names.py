"""Names for generated loops, by depth."""

from __future__ import annotations

from collections.abc import Collection


def iterator_names(depth: int, taken: Collection[str]) -> list[str]:
    """c0, c1, …, none of them in `taken`: with more c's where that is needed."""
    prefix = "c"
    while any(f"{prefix}{k}" in taken for k in range(depth)):
        prefix += "c"
    return [f"{prefix}{k}" for k in range(depth)]
