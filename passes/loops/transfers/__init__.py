"""Transfers between memory and vectors: what they share, and how they are done."""

if __name__ != "polyopt.passes.loops.transfers":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.transfers'")
