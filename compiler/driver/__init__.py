"""The way from C files to what was asked for: flags, translation units, linking, programs."""

if __name__ != "polyopt.driver":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.driver'")
