"""Lower affine to scf."""

if __name__ != "polyopt.passes.lower":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.lower'")
