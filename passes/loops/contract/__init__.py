"""Contractions: blocked, packed, in register tiles."""

if __name__ != "polyopt.passes.loops.contract":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.contract'")
