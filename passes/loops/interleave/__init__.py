"""Vectors that run in one step: of rows of a loop around, and of one row."""

if __name__ != "polyopt.passes.loops.interleave":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.interleave'")
