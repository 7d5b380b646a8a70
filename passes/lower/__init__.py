"""Lower affine to scf, and what is left to what any MLIR reads."""

if __name__ != "polyopt.passes.lower":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.lower'")
