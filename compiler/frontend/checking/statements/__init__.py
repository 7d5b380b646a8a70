"""Statements, labels, assembly; the loops and functions that our own pragmas stand in front of."""

if __name__ != "polyopt.frontend.checking.statements":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.statements'")
