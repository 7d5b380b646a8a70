"""Random C programs whose behaviour C defines."""

if __name__ != "polyopt.tools.fuzz.programs":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.fuzz.programs'")
