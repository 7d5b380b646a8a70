"""Constructs of OpenMP's: directives, clauses, and what they ask of the statement behind them."""

if __name__ != "polyopt.frontend.checking.openmp":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.openmp'")
