"""The dialects polyopt adds to xDSL: poly and cmem."""

if __name__ != "polyopt.dialects":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.dialects'")
