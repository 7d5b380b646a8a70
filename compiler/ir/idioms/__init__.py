"""Shapes of code that mean something: searches, records, cursors, updates."""

if __name__ != "polyopt.ir.idioms":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir.idioms'")
