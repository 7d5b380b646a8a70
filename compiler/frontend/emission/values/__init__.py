"""Expressions, calls, places, complex numbers, bit-fields, initialisers, copies."""

if __name__ != "polyopt.frontend.emission.values":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.emission.values'")
