"""What values are as loops run: evolutions, trip counts, ranges, domains."""

if __name__ != "polyopt.ir.evolution":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.evolution'")
