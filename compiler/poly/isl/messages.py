"""What isl says of a text that it does not read, for people."""

from __future__ import annotations


def explain(error: Exception) -> str:
    """isl's words, without the places in isl's own source."""
    text = str(error).partition(" failed: ")[2].rpartition(" in /")[0]
    return text or "not accepted by isl"
