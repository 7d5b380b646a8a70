"""Loads and stores as references to objects, and the loops that data end around them."""

if __name__ != "polyopt.ir.references":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.references'")
