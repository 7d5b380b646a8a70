"""Names for generated loops, by depth."""

from __future__ import annotations

from collections.abc import Collection

from polyopt.poly.isl.names import apart


def iterator_names(depth: int, taken: Collection[str]) -> list[str]:
    """c0, c1, …, none of them in `taken`: with more c's where that is needed."""
    return apart("c", depth, taken)
