"""polyopt: a multi-level polyhedral compiler framework on xDSL."""

if __name__ != "polyopt":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt'")
