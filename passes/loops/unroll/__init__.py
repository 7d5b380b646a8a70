"""Loops unrolled, jammed, and cut apart where that leaves them without branches."""

if __name__ != "polyopt.passes.loops.unroll":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops.unroll'")
