"""Generate affine loops from a poly.scop."""

if __name__ != "polyopt.passes.codegen":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.passes.codegen'")
