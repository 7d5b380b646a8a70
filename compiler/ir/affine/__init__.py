"""Affine loops read into data, and their dependences."""

if __name__ != "polyopt.ir.affine":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.affine'")
