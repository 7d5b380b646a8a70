"""What the loops are called that stand in one operation, and are written nowhere."""

from __future__ import annotations


def iterator_names(count: int) -> list[str]:
    """Of loops in one another, outermost first."""
    return ["i", "j", "k"][:count] if count <= 3 else [f"i{k}" for k in range(count)]
