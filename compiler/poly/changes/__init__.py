"""Changes that decide for themselves where they pay; `transform` acts."""

if __name__ != "polyopt.poly.changes":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.changes'")
