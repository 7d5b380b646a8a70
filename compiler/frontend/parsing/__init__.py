"""Tokens become pycparser's tree, with nodes of our own for GNU C's grammar; pragmas are taken out
of the text, those of OpenMP's as directives with clauses."""

if __name__ != "polyopt.frontend.parsing":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.parsing'")
