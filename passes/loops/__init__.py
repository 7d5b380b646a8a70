"""Transform affine loops and vectors."""

if __name__ != "polyopt.passes.loops":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.loops'")
