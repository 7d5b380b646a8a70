"""Expressions: operators, updates, sizes, and initialisers, which are made of them."""

if __name__ != "polyopt.frontend.checking.expressions":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.expressions'")
