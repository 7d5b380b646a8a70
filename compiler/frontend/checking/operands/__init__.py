"""What all expressions are made of: conversions, names, lvalues."""

if __name__ != "polyopt.frontend.checking.operands":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.operands'")
