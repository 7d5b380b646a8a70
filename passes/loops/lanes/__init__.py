"""Loops around recurrences as lanes of vectors."""

if __name__ != "polyopt.passes.loops.lanes":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.lanes'")
