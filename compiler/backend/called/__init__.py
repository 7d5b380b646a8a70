"""Compiled functions as Python's: signatures, arguments, globals."""

if __name__ != "polyopt.backend.called":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.backend.called'")
