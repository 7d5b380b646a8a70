"""Innermost loops as vectors."""

if __name__ != "polyopt.passes.loops.vectors":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.vectors'")
