"""Shapes of code that mean something: searches, records, cursors, runs, updates."""

if __name__ != "polyopt.ir.idioms":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.idioms'")
