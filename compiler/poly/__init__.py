"""Polyhedral mathematics on isl; knows no IR."""

if __name__ != "polyopt.poly":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly'")
