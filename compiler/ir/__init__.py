"""Analyses of IR; nothing here rewrites."""

if __name__ != "polyopt.ir":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.ir'")
